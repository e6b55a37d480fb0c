"""Ladder points (天梯分): what an event adds to its players' standing from event to event.

The manual lets an event count for a ladder and gives no formula, so both methods are [ours], each with its source:

- *additive by field and place*: as in bridge master points (for instance the awards of the American Contract Bridge
  League): the winner's points grow with the size of the field, lower places get a falling share of them, and
  nothing is ever lost.
- *Elo for pairs*: A. E. Elo, The Rating of Chessplayers (1978). A side's rating is the mean of its members'; its
  expected score is 1 / (1 + 10^((theirs - ours) / 400)); the score is 级差分 / 26, so a big win counts for more than a
  small one; every member of a side changes by the same amount, and what one side wins the other loses. Only tables
  that were played with levels are rated: a forfeit or a bye says nothing of strength, and duplicate boards give no
  级差分.

Values are whole hundredths of a point, so that what stands in a table is exactly the sum of what stands in a history.
A ladder may be restricted to a list of members; others are rated as visitors and not listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

LEVEL_POINTS_OF_A_TABLE: Final = 26
START_RATING: Final = 1500.0
HUNDREDTHS: Final = 100
"""In a point."""


class Method(StrEnum):
    """How a ladder counts."""

    ADDITIVE = "additive"
    ELO = "elo"


@dataclass(frozen=True, slots=True)
class AdditiveScale:
    """``per_entry``: points per entry for the winner, so the first of n gets ``per_entry * n``, at most ``most``.

    The place p of n gets the share ``(paid - p + 1) / paid`` of it, where the first ``paid_share`` of the field
    (rounded up) is paid; equal places share the points of the places they take.
    """

    per_entry: Fraction = Fraction(1)
    most: Fraction = Fraction(200)
    paid_share: Fraction = Fraction(1, 2)


def additive_points(ranks: Sequence[int], scale: AdditiveScale | None = None) -> list[Fraction]:
    """Points for each entry of a final ranking, whose ``ranks`` ascend and may be shared (1, 2, 2, 4).

    >>> [str(points) for points in additive_points([1, 2, 3, 4])]
    ['4', '2', '0', '0']
    >>> [str(points) for points in additive_points([1, 1, 3, 4])]
    ['3', '3', '0', '0']
    """
    scale = scale or AdditiveScale()
    count = len(ranks)
    paid = -(-count * scale.paid_share.numerator // scale.paid_share.denominator)
    first = min(scale.per_entry * count, scale.most)
    points: list[Fraction] = []
    for _, equal in groupby(ranks):
        place, sharing = len(points), len(list(equal))
        shares = sum(max(paid - each, 0) for each in range(place, place + sharing))
        points += [first * shares / (paid * sharing)] * sharing
    return points


@dataclass(frozen=True, slots=True)
class RatedTable:
    """One played table: the members of both sides by name or number, and the 级差分 of NS (0..26)."""

    ns: tuple[str, ...]
    ew: tuple[str, ...]
    ns_level_points: int


def expected_score(own: float, other: float) -> float:
    """Elo's expectation, between 0 and 1.

    >>> expected_score(1500, 1500)
    0.5
    """
    return float(1 / (1 + 10 ** ((other - own) / 400)))


def elo_changes(tables: Iterable[RatedTable], ratings: Mapping[str, float], factor: float = 24.0) -> dict[str, float]:
    """The change of each member's rating by one round's tables.

    All tables of a round are rated with the ratings before it, so their order plays no part. Who has no rating
    begins at ``START_RATING``. ``factor`` is the most a side can win at one table. The change at a table is rounded to
    hundredths. Raises ValueError for 级差分 outside 0..26 or a side without members.
    """
    changes: dict[str, float] = {}
    for table in tables:
        if not 0 <= table.ns_level_points <= LEVEL_POINTS_OF_A_TABLE:
            raise ValueError(f"级差分 is between 0 and 26, not {table.ns_level_points}")
        score = table.ns_level_points / LEVEL_POINTS_OF_A_TABLE
        expected = expected_score(_side(table.ns, ratings), _side(table.ew, ratings))
        change = round(factor * (score - expected), 2)
        for members, sign in ((table.ns, 1), (table.ew, -1)):
            for member in members:
                changes[member] = changes.get(member, 0.0) + sign * change
    return changes


def _side(members: Sequence[str], ratings: Mapping[str, float]) -> float:
    if not members:
        raise ValueError("a side has at least one member")
    return sum(ratings.get(member, START_RATING) for member in members) / len(members)


class Place(NamedTuple):
    """A row of an event's final ranking and the members who share what it earns, each in full."""

    rank: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """What an event tells a ladder: each of its rankings by itself (``fields``, in ranking order), and the rated
    tables of each round."""

    fields: tuple[tuple[Place, ...], ...]
    rounds: tuple[tuple[RatedTable, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class LadderRules:
    """The method of a ladder with its parameters; ``factor`` belongs to Elo, ``scale`` to the other."""

    method: Method = Method.ADDITIVE
    scale: AdditiveScale = AdditiveScale()
    factor: float = 24.0

    @property
    def start(self) -> int:
        """What a member without events has, in hundredths."""
        return round(START_RATING * HUNDREDTHS) if self.method is Method.ELO else 0


def event_changes(event: PlayedEvent, rules: LadderRules, values: Mapping[str, int]) -> dict[str, int]:
    """What one event adds to the values of its members, in hundredths; who is not in it did not count in it.

    ``values`` are the members' before the event (missing: ``rules.start``); only Elo reads them.

    >>> event = PlayedEvent(((Place(1, ("甲", "乙")), Place(2, ("丙", "丁"))),))
    >>> event_changes(event, LadderRules(), {})
    {'甲': 200, '乙': 200, '丙': 0, '丁': 0}
    """
    if rules.method is Method.ELO:
        return _elo_event(event, rules, values)
    changes: dict[str, int] = {}
    for field in event.fields:
        for place, points in zip(field, additive_points([place.rank for place in field], rules.scale), strict=True):
            earned = int(points * HUNDREDTHS + Fraction(1, 2))
            for member in place.members:
                changes[member] = changes.get(member, 0) + earned
    return changes


def _elo_event(event: PlayedEvent, rules: LadderRules, values: Mapping[str, int]) -> dict[str, int]:
    now = {
        member: values.get(member, rules.start)
        for tables in event.rounds
        for table in tables
        for member in (*table.ns, *table.ew)
    }
    before = dict(now)
    for tables in event.rounds:
        ratings = {member: value / HUNDREDTHS for member, value in now.items()}
        for member, change in elo_changes(tables, ratings, rules.factor).items():
            now[member] += round(change * HUNDREDTHS)
    return {member: value - before[member] for member, value in now.items()}


@dataclass(frozen=True, slots=True)
class LadderRow:
    rank: int
    member: str
    points: float


def ladder(points: Mapping[str, float], members: Collection[str] | None = None, start: float = 0.0) -> list[LadderRow]:
    """The ladder, best first, equal points sharing a rank; only ``members`` where a list is given.

    Listed members without points stand in it with ``start``: 0 where points are added, ``START_RATING`` in an Elo.
    """
    listed = {member: points.get(member, start) for member in (points if members is None else members)}
    rows: list[LadderRow] = []
    for place, member in enumerate(sorted(listed, key=lambda one: (-listed[one], one)), start=1):
        shares = bool(rows) and rows[-1].points == listed[member]
        rows.append(LadderRow(rows[-1].rank if shares else place, member, listed[member]))
    return rows
