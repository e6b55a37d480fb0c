"""Table ``standings`` (its stream feeds ``club_ranks``): tickets, packed rounds, pages and the one pointer.

========  ==========================  ====================================================================
pk        sk                          item
========  ==========================  ====================================================================
<event>   TICKET                      :class:`Ticket`: atomic counter, taken before reading
<event>   POINTER                     :class:`Pointer`: versions, round, phase, clock, display (the pulse's source)
<event>   PACK#<nnn>                  :class:`PackHead`: which packing of a settled round holds, and which is wanted
<event>   PACK#<nnn>#<packing>#<ccc>  :class:`Pack`: a settled round's results, zlib, chunks below 300 KB
<event>   ROSTER                      :class:`PackHead`: the same for names and clubs as the standings show them
<event>   ROSTER#<packing>#<ccc>      :class:`Pack`
<event>   PAGE#<version>#<ccc>        :class:`Page`: 200 rows of the organizers' standings, zlib
<event>   PAGE#<version>#ON#<ccc>     :class:`Page`: on which page each entry number stands, two bytes each
<event>   PAGE#<version>#CLUBS        :class:`Page`: the 团体 ranking of that version
ACTIVE    <event>                     :class:`Active`: the event has published rounds; ``sweep`` looks after it
========  ==========================  ====================================================================
"""

from __future__ import annotations

from pynamodb.attributes import BinaryAttribute, BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name

TABLE = table_name("standings")
POINTER = "POINTER"


class _StandingsTable(Place):
    table_name = TABLE


class Ticket(Record):
    """Counts the runs of the standings function of one event."""

    class Meta(_StandingsTable):
        pass

    value = NumberAttribute(default=0)


class Pointer(Record):
    """What the public sees now. ``pulse`` rises by one with every change of this item.

    ``round`` and ``phase`` (draft | published | playing | settled) are those of the last published round; ``ended``:
    the event has ended. ``clock``: {"state": idle|running|paused, "starts_at": ms, "ends_at": ms, "paused_left": ms,
    "stop_drawing_minutes": m}; count-down and end follow from the times. ``display``: what the projection shows.
    ``standings``/``pairings``: "<version>-<random>"; ``ticket`` is the latest run that stood by the standings;
    ``fingerprint`` names their content, ``kept`` the versions whose pages are still there. ``frozen_from``: the first
    round whose results ``standings`` does not know (None: not frozen); ``inside``: then the version that organizers
    see, {"name", "pages", "round", "at", "fingerprint"}. ``bracket``, ``calendar``: their public snapshots, where the
    event has one. ``withdrawn_at``: since when there are no public files (the event was deleted, or is not quite back);
    None: they are there. ``changes``: the newest file of changed tables, ``recent``: what changed last of it, for the
    pulse; ``calls`` rises with the queue of calls.
    """

    class Meta(_StandingsTable):
        pass

    pulse = NumberAttribute(default=0)
    ticket = NumberAttribute(default=0)
    standings = UnicodeAttribute(null=True)
    standings_pages = NumberAttribute(default=0)
    standings_round = NumberAttribute(default=0)
    standings_at = NumberAttribute(default=0)
    fingerprint = UnicodeAttribute(null=True)
    inside = JSONAttribute(null=True)
    frozen_from = NumberAttribute(null=True)
    kept = JSONAttribute(null=True)
    pairings = UnicodeAttribute(null=True)
    bracket = UnicodeAttribute(null=True)
    calendar = UnicodeAttribute(null=True)
    charts = UnicodeAttribute(null=True)
    round = NumberAttribute(default=0)
    rounds = NumberAttribute(default=0)
    phase = UnicodeAttribute(default="draft")
    ended = BooleanAttribute(default=False)
    name = UnicodeAttribute(default="")
    clock = JSONAttribute(null=True)
    clock_version = NumberAttribute(default=0)
    display = JSONAttribute(null=True)
    pictures = JSONAttribute(null=True)
    no_advertisement = BooleanAttribute(default=False)
    withdrawn_at = NumberAttribute(null=True)
    changes = NumberAttribute(default=0)
    recent = JSONAttribute(null=True)
    calls = NumberAttribute(default=0)


class PackHead(Record):
    """Which packing of something is valid. ``wanted`` rises in the transaction of every change of what is packed;
    a packing made for a lower number is stale and is made anew by whoever reads it next."""

    class Meta(_StandingsTable):
        pass

    wanted = NumberAttribute(default=0)
    built = NumberAttribute(default=-1)
    packing = UnicodeAttribute(null=True)
    chunks = NumberAttribute(default=0)


class Pack(Record):
    """A chunk of something packed: JSON compressed with zlib."""

    class Meta(_StandingsTable):
        pass

    body = BinaryAttribute(legacy_encoding=False)


class Page(Record):
    """A page of the organizers' standings, JSON compressed with zlib."""

    class Meta(_StandingsTable):
        pass

    body = BinaryAttribute(legacy_encoding=False)


class Active(Record):
    """An event that may need healing, from its first published round until it has ended or lain still for a week."""

    class Meta(_StandingsTable):
        pass

    since = NumberAttribute()


ACTIVE = "ACTIVE"


def find_pointer(event_id: str) -> Pointer | None:
    """The event's pointer, strongly consistent, or None before anything was published."""
    try:
        return Pointer.get(event_id, POINTER, consistent_read=True)
    except Pointer.DoesNotExist:
        return None
