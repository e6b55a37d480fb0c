"""Table ``events``: ladders (天梯), what events give to them, and their tables.

==========================  ================================  =====================================================
pk                          sk                                item
==========================  ================================  =====================================================
LADDERS                     <ladder>                          :class:`Ladder`: name, method, seasons; one query
LADDER#<ladder>#<nnn>       MEMBERS                           :class:`Packed`: the member list of that season
LADDER#<ladder>#<nnn>       POSTING#<event>                   :class:`Posting`: an event that counts in that season
LADDER#<ladder>#<nnn>       LINES#<event>#<generation>#<ccc>  :class:`Packed`: what it gives
LADDER#<ladder>#<nnn>       TABLE                             :class:`Table`: which rows hold, and which are wanted
LADDER#<ladder>#<nnn>       ROWS#<run>#<kind>#<ccc>           :class:`Packed`: 500 rows, listed or not; its postings
LADDER#<ladder>#<nnn>       CHANGES#<run>#<event>#<b>         :class:`Packed`: what it changed, by person
<event>                     LADDERS                           :class:`Note`: where the event is posted, or should be
==========================  ================================  =====================================================

``run`` and ``generation`` begin with the number that was wanted when they were made (:func:`made_for`), so that what
is out of date can be told from what somebody is making just now.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec
from pynamodb.attributes import BinaryAttribute, BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store import bulk
from chalicelib.store.long_text import LongJSON
from chalicelib.store.tables import Place, Record, table_name

TABLE = table_name("events")
LADDERS = "LADDERS"
MEMBERS = "MEMBERS"
TABLE_KEY = "TABLE"
POSTING = "POSTING#"
PART_BYTES = 290_000

Value = TypeVar("Value")


class _EventsTable(Place):
    table_name = TABLE


class Ladder(Record):
    """One ladder. ``seasons``: :class:`Season` as plain values, the oldest first; ``restricted``: only members of the
    list of the season are posted; ``version`` guards every change."""

    class Meta(_EventsTable):
        pass

    name = UnicodeAttribute()
    name_en = UnicodeAttribute(default="")
    seasons = LongJSON()
    restricted = BooleanAttribute(default=False)
    members = NumberAttribute(default=0)
    archived_at = NumberAttribute(null=True)
    created_at = NumberAttribute(default=0)
    version = NumberAttribute(default=1)


class Posting(Record):
    """An event that counts in a season. ``at`` (ms) gives its place in the order of posting; ``name`` is empty for a
    private event; ``generation``: which lines hold, in ``parts``."""

    class Meta(_EventsTable):
        pass

    at = NumberAttribute()
    generation = UnicodeAttribute()
    parts = NumberAttribute()
    name = UnicodeAttribute(default="")
    starts_at = NumberAttribute(null=True)
    time_zone = UnicodeAttribute(default="Asia/Shanghai")


class Table(Record):
    """A season's table. ``wanted`` rises with whatever changes it; the rows of ``run`` were made for ``built``.

    ``pages`` of ``rows_of_a_page`` rows are listed, ``rest`` hold those who are not. ``events`` is how many postings
    they are made of, which stand in ``included_parts``; ``dropped_parts``: such whose changes are still to be deleted
    (``included`` and ``dropped`` held them at first). ``rules``: by which the rows were made; ``cleaned``: the number
    up to which nothing else was left behind.
    """

    class Meta(_EventsTable):
        pass

    wanted = NumberAttribute(default=0)
    built = NumberAttribute(default=0)
    run = UnicodeAttribute(null=True)
    pages = NumberAttribute(default=0)
    rest = NumberAttribute(default=0)
    listed = NumberAttribute(default=0)
    rows_of_a_page = NumberAttribute(default=500)
    events = NumberAttribute(default=0)
    included_parts = NumberAttribute(default=0)
    dropped_parts = NumberAttribute(default=0)
    included = LongJSON(null=True)
    rules = JSONAttribute(null=True)
    dropped = LongJSON(null=True)
    cleaned = NumberAttribute(default=0)
    at = NumberAttribute(null=True)


class Note(Record):
    """What an event has to do with ladders. ``wanted`` rises with whatever may change where it is posted; ``done`` is
    for which of these ``posted`` holds: ladder -> :class:`Posted` as plain values.

    ``touched``: [ladder, season] whose tables may not show it yet; ``actor``: who ended the event; ``refused``: ladder
    -> why nothing is posted there.
    """

    class Meta(_EventsTable):
        pass

    wanted = NumberAttribute(default=0)
    done = NumberAttribute(default=0)
    posted = JSONAttribute(null=True)
    refused = JSONAttribute(null=True)
    touched = JSONAttribute(null=True)
    actor = UnicodeAttribute(default="system")


class Packed(Record):
    """JSON compressed with zlib, or a part of it."""

    class Meta(_EventsTable):
        pass

    body = BinaryAttribute(legacy_encoding=False)


class Member(msgspec.Struct, frozen=True, array_like=True):
    """A line of a member list; ``phone`` is masked."""

    person: str
    name: str
    phone: str = ""


def season_key(ladder: str, season: int) -> str:
    """Partition key of all that belongs to one season of a ladder."""
    return f"LADDER#{ladder}#{season:03d}"


def ladder_of(key: str) -> tuple[str, int]:
    """The ladder and the season of such a key."""
    _, ladder, season = key.split("#")
    return ladder, int(season)


def made_for(name: str) -> int:
    """The wanted number for which a run or a generation was made."""
    return int(name.partition(".")[0])


def stored_ladders() -> Iterator[Ladder]:
    """All ladders that were ever changed, by id."""
    return Ladder.query(LADDERS, consistent_read=True)


def find_ladder(ladder: str) -> Ladder | None:
    """A ladder that was ever changed, strongly consistent."""
    try:
        return Ladder.get(LADDERS, ladder, consistent_read=True)
    except Ladder.DoesNotExist:
        return None


def find_note(event_id: str) -> Note | None:
    """The event's note, strongly consistent; None if it never had to do with a ladder."""
    try:
        return Note.get(event_id, LADDERS, consistent_read=True)
    except Note.DoesNotExist:
        return None


def find_table(ladder: str, season: int) -> Table:
    """The season's table, strongly consistent; an empty one if nothing was ever posted."""
    key = season_key(ladder, season)
    try:
        return Table.get(key, TABLE_KEY, consistent_read=True)
    except Table.DoesNotExist:
        return Table(key, TABLE_KEY)


def postings(ladder: str, season: int) -> list[Posting]:
    """The events of a season in the order of posting, strongly consistent."""
    found = Posting.query(season_key(ladder, season), Posting.sk.startswith(POSTING), consistent_read=True)
    return sorted(found, key=lambda posting: (int(posting.at), posting.sk))


def members_of(ladder: str, season: int) -> list[Member]:
    """The member list of a season, strongly consistent."""
    try:
        item = Packed.get(season_key(ladder, season), MEMBERS, consistent_read=True)
    except Packed.DoesNotExist:
        return []
    return msgspec.json.decode(zlib.decompress(item.body), type=list[Member])


def packed(pk: str, sk: str, value: Any) -> Packed:
    """One item with ``value`` in it."""
    return Packed(pk, sk, body=zlib.compress(msgspec.json.encode(value), 6))


def in_parts(value: Any) -> list[bytes]:
    """``value`` compressed and cut so that each part is an item."""
    body = zlib.compress(msgspec.json.encode(value), 6)
    return [body[first : first + PART_BYTES] for first in range(0, len(body), PART_BYTES)]


def put_bodies(pk: str, bodies: Iterable[tuple[str, bytes]], sleep: Any, jitter: Any) -> None:
    """Write compressed values under their sort keys."""
    items = ({"pk": {"S": pk}, "sk": {"S": sk}, "body": {"B": body}} for sk, body in bodies)
    bulk.put_items(TABLE, items, sleep, jitter)


def bodies(pk: str, keys: list[str], sleep: Any, jitter: Any) -> list[bytes | None]:
    """The compressed values under sort keys; None where there is none."""
    found = bulk.get_items([(TABLE, pk, sk) for sk in keys], sleep, jitter)
    return [None if item is None else item["body"]["B"] for item in found]


def opened(body: bytes, wanted: type[Value]) -> Value:
    """A compressed value as ``wanted``."""
    return msgspec.json.decode(zlib.decompress(body), type=wanted)


def changes_made_for(pk: str, first: int, last: int) -> list[str]:
    """Sort keys of the changes of all runs that were made for a number from ``first`` to ``last``."""
    within = Packed.sk.between(f"CHANGES#{first:08d}.", f"CHANGES#{last:08d}.~")
    return [item.sk for item in Packed.query(pk, within, consistent_read=True, attributes_to_get=["pk", "sk"])]


def sort_keys(pk: str, begins_with: str) -> list[str]:
    """Sort keys of a partition that begin so."""
    return [item["sk"]["S"] for item in bulk.query_partition(TABLE, pk, begins_with)]
