"""The ranking of an event (section 6): rows, 团体 rows, and the order that pairing starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from chalicelib.rules.addends import Addend, Addends, AddendWriter
from chalicelib.rules.clubs import ClubRow, club_rows
from chalicelib.rules.columns import Value
from chalicelib.rules.criteria import can_make_score_groups
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.model import Event
from chalicelib.rules.ranking import Ranking


class Row(NamedTuple):
    """One entry in the ranking.

    ``values`` holds the event's criteria (and ``rounds_survived`` in a knock-out) as exact texts; ``addends`` the parts
    of each, empty when they were not asked for. ``group`` is None in an event with one ranking.
    """

    rank: int
    tied: bool
    entry: int
    group: str | None
    values: Mapping[str, Value]
    addends: Mapping[str, Sequence[Addend]]


class Standings(NamedTuple):
    """The rows in ranking order, group by group, and the 团体 rows (empty unless 开启团体排名)."""

    rows: tuple[Row, ...]
    clubs: tuple[ClubRow, ...]


def standings(event: Event, *, through_round: int | None = None, addends: bool = True) -> Standings:
    """Rank a sound event over its counted rounds, or over those up to ``through_round``.

    Ties share a rank and stand by entry number. ``addends=False`` leaves the parts of the numbers out, which is much
    quicker for large events.
    """
    ranking = Ranking(scoresheet(event, through_round))
    columns = ranking.value_columns()
    codes = tuple(columns)
    values_of = list(zip(*columns.values(), strict=True))
    opened = Addends(ranking) if addends else None
    numbers = ranking.sheet.numbers
    nothing: Mapping[str, Sequence[Addend]] = {}
    rows: list[Row] = []
    for group in ranking.groups:
        rank = 1
        for block in group.blocks:
            tied = len(block) > 1
            for index in block:
                parts = opened.of(index, codes) if opened is not None else nothing
                values = dict(zip(codes, values_of[index], strict=True))
                rows.append(Row(rank, tied, numbers[index], group.name, values, parts))
            rank += len(block)
    return Standings(tuple(rows), club_rows(ranking) if event.club_ranking.on else ())


def to_json(ranked: Standings) -> dict[str, Any]:
    """The ranking as the JSON value that ``./guanjun standings`` prints."""
    writer = AddendWriter()
    return {
        "rows": [
            {
                "rank": row.rank,
                "tied": row.tied,
                "entry": row.entry,
                "group": row.group,
                "values": dict(row.values),
                "addends": {code: writer.values(parts) for code, parts in row.addends.items()},
            }
            for row in ranked.rows
        ],
        "clubs": [
            {
                "rank": row.rank,
                "tied": row.tied,
                "club": row.club,
                "complete": row.complete,
                "entries": list(row.entries),
                "values": dict(row.values),
            }
            for row in ranked.clubs
        ],
    }


class Placing(NamedTuple):
    """One entry in the standings' order, for pairing.

    ``tie`` grows with the rank and is equal exactly for fully tied entries (0, 1, 1, 2, ...), so that
    ``sorted(placings, key=lambda placing: (placing.tie, hash_of(placing.entry)))`` is the ranking for pairing;
    ``first`` is the exact value of the event's first criterion (score group, gap).
    """

    entry: int
    tie: int
    first: Fraction


def ranking_for_pairing(event: Event) -> list[Placing]:
    """All entries in the standings' order, ties by entry number, groups left aside.

    ``first`` is 0 where the first criterion is no number (never in an event that is paired by Swiss).
    """
    ranking = Ranking(scoresheet(event), in_groups=False)
    numbers = ranking.sheet.numbers
    first = [Fraction(0)] * len(numbers)
    if can_make_score_groups(event.criteria[0]):
        column = ranking.columns.column(event.criteria[0])
        first = [Fraction(key, column.scale) for key in column.keys if isinstance(key, int)]
    return [
        Placing(numbers[index], tie, first[index])
        for group in ranking.groups
        for tie, block in enumerate(group.blocks)
        for index in block
    ]
