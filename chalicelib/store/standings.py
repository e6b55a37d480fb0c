"""Table ``standings`` (its stream feeds ``club_ranks``): tickets, packed rounds, pages and the one pointer.

========  ==========================  ====================================================================
pk        sk                          item
========  ==========================  ====================================================================
<event>   TICKET                      :class:`Ticket`: atomic counter, taken before reading
<event>   POINTER                     :class:`Pointer`: versions, round, phase, clock, display (the pulse's source)
<event>   PACK#<nnn>#<ccc>            :class:`Pack`: a settled round's results, zlib, chunks below 300 KB
<event>   ROSTER#<ccc>                :class:`Pack`: names and clubs as the standings show them
<event>   PAGE#<version>#<ccc>        :class:`Page`: 200 rows of the organizers' standings, zlib
========  ==========================  ====================================================================
"""

from __future__ import annotations

from pynamodb.attributes import BinaryAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name


class _StandingsTable(Place):
    table_name = table_name("standings")


class Ticket(Record):
    """Counts the runs of the standings function of one event."""

    class Meta(_StandingsTable):
        pass

    value = NumberAttribute(default=0)


class Pointer(Record):
    """What the public sees now. ``pulse`` rises by one with every change of this item.

    ``clock``: {"state": idle|countdown|running|paused|ended, "starts_at": ms, "ends_at": ms, "paused_left": s,
    "stop_drawing_minutes": m}. ``display``: what the projection shows.
    ``standings``/``pairings``: "<version>-<random>".
    """

    class Meta(_StandingsTable):
        pass

    pulse = NumberAttribute(default=0)
    ticket = NumberAttribute(default=0)
    standings = UnicodeAttribute(null=True)
    standings_pages = NumberAttribute(default=0)
    standings_round = NumberAttribute(default=0)
    pairings = UnicodeAttribute(null=True)
    round = NumberAttribute(default=0)
    rounds = NumberAttribute(default=0)
    phase = UnicodeAttribute(default="open")
    name = UnicodeAttribute(default="")
    clock = JSONAttribute(null=True)
    clock_version = NumberAttribute(default=0)
    display = JSONAttribute(null=True)


class Pack(Record):
    """A chunk of something packed; ``generation`` tells which packing it belongs to."""

    class Meta(_StandingsTable):
        pass

    body = BinaryAttribute(legacy_encoding=False)
    chunks = NumberAttribute(default=1)
    generation = NumberAttribute(default=0)


class Page(Record):
    """A page of the organizers' standings, JSON compressed with zlib."""

    class Meta(_StandingsTable):
        pass

    body = BinaryAttribute(legacy_encoding=False)
    expires_at = NumberAttribute(null=True)


def find_pointer(event_id: str) -> Pointer | None:
    """The event's pointer, strongly consistent, or None before anything was published."""
    try:
        return Pointer.get(event_id, "POINTER", consistent_read=True)
    except Pointer.DoesNotExist:
        return None
