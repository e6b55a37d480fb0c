"""Table ``matches`` (its stream feeds ``standings``): tables of published rounds and what was said of them.

=====================  =============================  =======================================================
pk                     sk                             item
=====================  =============================  =======================================================
<event>#<round nnn>    T#<nnnnn>                      :class:`Match`: sides, ruling, lock (at most 1 KB)
<event>#<round nnn>    T#<nnnnn>#WORD#<ns|ew>         :class:`Word`: that side's word, version, all earlier ones
<event>#<round nnn>    T#<nnnnn>#RUNNING              :class:`Running`: score while playing; no submission
<event>                DIRTY                          :class:`Dirty`: something besides a match moved ranks
=====================  =============================  =======================================================

An item with ``wakes`` = 1 wakes the standings function (filter in ``infra/merge.yaml``); a running score wakes it
only when live ranking is on.
"""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name


class _MatchesTable(Place):
    table_name = table_name("matches")


class Match(Record):
    """One table of one round. ``ns`` and ``ew``: entry numbers. ``ruling``: the referee's result with reason,
    actor and time; ``locked``: the round is settled; ``postponed``: the reason, if the table was put off."""

    class Meta(_MatchesTable):
        pass

    event_id = UnicodeAttribute()
    round = NumberAttribute()
    table = NumberAttribute()
    ns = JSONAttribute()
    ew = JSONAttribute()
    why = JSONAttribute(null=True)
    ruling = JSONAttribute(null=True)
    rulings = JSONAttribute(null=True)
    locked = BooleanAttribute(default=False)
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


def table_key(table: int) -> str:
    """Sort key of a match."""
    return f"T#{table:05d}"


def word_key(table: int, side: str) -> str:
    """Sort key of a side's word; ``side`` is ns or ew."""
    return f"T#{table:05d}#WORD#{side}"


def running_key(table: int) -> str:
    """Sort key of the running score."""
    return f"T#{table:05d}#RUNNING"


def items_of_round(event_id: str, round_number: int) -> Iterator[Match | Word | Running]:
    """All items of a round in key order (a match directly before its words), strongly consistent.

    Reads through the raw connection of :class:`Match`, deciding each item's model by its sort key.
    """
    from chalicelib.store.bulk import query_partition

    for raw in query_partition(Match.Meta.table_name, partition(event_id, round_number)):
        key = raw["sk"]["S"]
        model: type[Match | Word | Running] = (
            Word if "#WORD#" in key else Running if key.endswith("#RUNNING") else Match
        )
        yield model.from_raw_data(raw)
