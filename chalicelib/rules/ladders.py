"""Ladder points (天梯分): what an event adds to its players' standing from event to event.

The manual lets an event count for a ladder and gives no formula, so both methods are [ours], each with its source:

- *additive by field and place*: as in bridge master points (for instance the awards of the American Contract Bridge
  League): the winner's points grow with the size of the field, lower places get a falling share of them, and
  nothing is ever lost.
- *Elo for pairs*: A. E. Elo, The Rating of Chessplayers (1978). A side's rating is the mean of its members'; its
  expected score is 1 / (1 + 10^((theirs - ours) / 400)); the score is 级差分 / 26, so a big win counts for more than a
  small one; every member of a side changes by the same amount, and what one side wins the other loses.

A ladder may be restricted to a list of members; others are rated as visitors and not listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

LEVEL_POINTS_OF_A_TABLE: Final = 26
START_RATING: Final = 1500.0


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
    by_place = [first * max(paid - place, 0) / paid if paid else Fraction(0) for place in range(count)]
    points: list[Fraction] = []
    for rank in ranks:
        sharing = ranks.count(rank)
        points.append(sum(by_place[rank - 1 : rank - 1 + sharing], Fraction(0)) / sharing)
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
    begins at ``START_RATING``. ``factor`` is the most a side can win at one table.
    """
    changes: dict[str, float] = {}
    for table in tables:
        if not 0 <= table.ns_level_points <= LEVEL_POINTS_OF_A_TABLE:
            raise ValueError(f"级差分 is between 0 and 26, not {table.ns_level_points}")
        score = table.ns_level_points / LEVEL_POINTS_OF_A_TABLE
        change = factor * (score - expected_score(_side(table.ns, ratings), _side(table.ew, ratings)))
        for members, sign in ((table.ns, 1), (table.ew, -1)):
            for member in members:
                changes[member] = changes.get(member, 0.0) + sign * change
    return changes


def _side(members: Sequence[str], ratings: Mapping[str, float]) -> float:
    if not members:
        raise ValueError("a side has at least one member")
    return sum(ratings.get(member, START_RATING) for member in members) / len(members)


@dataclass(frozen=True, slots=True)
class LadderRow:
    rank: int
    member: str
    points: float


def ladder(points: Mapping[str, float], members: Collection[str] | None = None) -> list[LadderRow]:
    """The ladder, best first, equal points sharing a rank; only ``members`` where a list is given.

    Listed members without points stand in it with 0.
    """
    listed = {member: points.get(member, 0.0) for member in (points if members is None else members)}
    rows: list[LadderRow] = []
    for place, member in enumerate(sorted(listed, key=lambda one: (-listed[one], one)), start=1):
        shares = bool(rows) and rows[-1].points == listed[member]
        rows.append(LadderRow(rows[-1].rank if shares else place, member, listed[member]))
    return rows
