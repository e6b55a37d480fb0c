"""Table ``matches`` (its stream feeds ``standings``): tables of published rounds and what was said of them.

=====================  =============================  =======================================================
pk                     sk                             item
=====================  =============================  =======================================================
<event>#<round nnn>    T#<nnnnn>                      :class:`Match`: sides, ruling, lock (at most 1 KB)
<event>#<round nnn>    T#<nnnnn>#WORD#<ns|ew>         :class:`Word`: that side's word, version, all earlier ones
<event>#<round nnn>    T#<nnnnn>#RUNNING              :class:`Running`: score while playing; no submission
<event>#<nnn>#<shard>  SEAT#<nnnnn>                   :class:`Seat`: where an entry sits, or that it has a bye
<event>                DIRTY                          :class:`Dirty`: something besides a match moved ranks
=====================  =============================  =======================================================

An item with ``wakes`` = 1 wakes the standings function (filter in ``infra/merge.yaml``), one with 2 as well, but it
only tells officials and the table's phones of it; a running score wakes it only when live ranking is on. Matches and
seats carry the generation of the drawing they belong to: those of another generation than the round's header names are
leftovers, which nobody reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.bulk import Item, query_partition
from chalicelib.store.tables import Place, Record, table_name

TABLE = table_name("matches")
RANKS, SHOWN = 1, 2
"""``wakes`` of what may move ranks, and of what only shows at its table."""


class _MatchesTable(Place):
    table_name = TABLE


class Match(Record):
    """One table of one round. ``ns`` and ``ew``: lists of entry numbers. ``boards``: those to be played ("1-8"), where
    the kind is scored by boards, ``board_set`` the set they belong to; ``room``: open | closed in a match of teams of
    four, whose two rooms are two items (:func:`closed_room`); ``line_up``: who of a team sits there.

    ``ruling``: the referee's result with reason, actor and time, ``rulings`` all earlier ones; ``postponed``: the
    reason, if the table was put off.

    ``held_until`` (ms): a settlement under way holds the table until then, so that no word changes between looking at
    the tables and settling the round; once it is settled, the round's phase alone forbids words. A hold that the
    round's header calls ``released`` is over.
    """

    class Meta(_MatchesTable):
        pass

    event_id = UnicodeAttribute()
    generation = UnicodeAttribute()
    round = NumberAttribute()
    table = NumberAttribute()
    ns = JSONAttribute()
    ew = JSONAttribute()
    boards = UnicodeAttribute(null=True)
    board_set = JSONAttribute(null=True)
    room = UnicodeAttribute(null=True)
    third_place = BooleanAttribute(null=True)
    line_up = JSONAttribute(null=True)
    ruling = JSONAttribute(null=True)
    rulings = JSONAttribute(null=True)
    held_until = NumberAttribute(default=0)
    postponed = UnicodeAttribute(null=True)
    extra_minutes = NumberAttribute(default=0)
    version = NumberAttribute(default=1)
    wakes = NumberAttribute(default=1)


class Word(Record):
    """What one side says: ``values`` {"ns_level": 8, "ew_level": 4, ...}; ``said`` keeps every earlier word."""

    class Meta(_MatchesTable):
        pass

    values = JSONAttribute()
    version = NumberAttribute()
    at = NumberAttribute()
    actor = UnicodeAttribute()
    late = BooleanAttribute(default=False)
    said = JSONAttribute(null=True)
    wakes = NumberAttribute(default=1)


class Running(Record):
    """The score as entered so far, last word with its author."""

    class Meta(_MatchesTable):
        pass

    values = JSONAttribute()
    side = UnicodeAttribute()
    actor = UnicodeAttribute()
    at = NumberAttribute()
    wakes = NumberAttribute(default=0)


class Seat(Record):
    """Where an entry sits in a round: table, side and all entries there, or (``table`` 0) that it has a bye."""

    class Meta(_MatchesTable):
        pass

    generation = UnicodeAttribute()
    table = NumberAttribute()
    side = UnicodeAttribute(null=True)
    at_table = JSONAttribute(null=True)
    wakes = NumberAttribute(default=0)


class Dirty(Record):
    """Touched in the transaction of every change that moves ranks without being a match."""

    class Meta(_MatchesTable):
        pass

    event_id = UnicodeAttribute()
    touched = NumberAttribute(default=0)
    reason = UnicodeAttribute(null=True)
    rounds = JSONAttribute(null=True)
    wakes = NumberAttribute(default=1)


def partition(event_id: str, round_number: int) -> str:
    """The partition of one round's tables."""
    return f"{event_id}#{round_number:03d}"


CLOSED_ROOMS = 50_000
"""The closed room of a match of teams of four has the address match + 50000; the open room has the match's own."""


def closed_room(match: int) -> int:
    """The address of a match's closed room."""
    return match + CLOSED_ROOMS


def table_key(table: int) -> str:
    """Sort key of a match."""
    return f"T#{table:05d}"


def word_key(table: int, side: str) -> str:
    """Sort key of a side's word; ``side`` is ns or ew."""
    return f"T#{table:05d}#WORD#{side}"


def running_key(table: int) -> str:
    """Sort key of the running score."""
    return f"T#{table:05d}#RUNNING"


SEAT_SHARDS = 4
"""Twice as many seats as tables are written when a round is published."""


def seat_partition(event_id: str, round_number: int, number: int) -> str:
    """The partition of an entry's seat in a round."""
    return f"{partition(event_id, round_number)}#{number % SEAT_SHARDS}"


def seat_key(number: int) -> str:
    """Sort key of an entry's seat."""
    return f"SEAT#{number:05d}"


def seat_at(event_id: str, round_number: int, number: int) -> tuple[str, str, str]:
    """Table, partition and sort key of an entry's seat."""
    return TABLE, seat_partition(event_id, round_number, number), seat_key(number)


def model_of(sk: str) -> type[Match | Word | Running]:
    """The model of a table's item, told by its sort key."""
    return Word if "#WORD#" in sk else Running if sk.endswith("#RUNNING") else Match


def items_of_round(event_id: str, round_number: int) -> Iterator[Item]:
    """All items of a round's tables (DynamoDB JSON) in key order, a match directly before its running score and its
    words; strongly consistent."""
    return query_partition(TABLE, partition(event_id, round_number), "T#")


def keys_of_round(event_id: str, round_number: int) -> Iterator[tuple[str, str]]:
    """The keys of everything that belongs to a round, seats as well."""
    shards = (seat_partition(event_id, round_number, shard) for shard in range(SEAT_SHARDS))
    for pk in (partition(event_id, round_number), *shards):
        for raw in query_partition(TABLE, pk):
            yield raw["pk"]["S"], raw["sk"]["S"]
