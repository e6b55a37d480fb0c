"""The criteria a ranking may use (排名依据), as rows: code, words, and the way each is made (section 6).

A *measure* is one number of one round (``measures.py``). A criterion is a measure summed, a measure of the opponents
summed, the rounds of a measure listed, a comparison of those still tied, or the lot. Adding a criterion is adding a
row to ``CRITERIA`` and its code to the kinds that offer it (``kinds.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion: its code in documents, and its name on Chinese and English pages."""

    code: str
    chinese: str
    english: str


@dataclass(frozen=True, slots=True)
class Summed(Criterion):
    """The sum of a measure (the one of the same code) over the rounds, and its adjustments."""


@dataclass(frozen=True, slots=True)
class OfOpponents(Criterion):
    """The sum over every meeting of that opponent's total of ``measure``; a rematch counts each time."""

    measure: str


@dataclass(frozen=True, slots=True)
class HighRounds(Criterion):
    """The round scores sorted downwards and compared one by one; a list that ends earlier ranks lower."""


@dataclass(frozen=True, slots=True)
class HeadToHead(Criterion):
    """场分 of the meetings of those still tied, if all of them have met equally often.

    ``only_two``: only when exactly two are tied.
    """

    only_two: bool


@dataclass(frozen=True, slots=True)
class Lot(Criterion):
    """Ascending SHA-256 (hex) of ``seed:lot:entry-number``, so that anybody can check it."""


_ROWS: Final[tuple[Criterion, ...]] = (
    Summed("match_points", "场分", "Match points"),
    Summed("rounds_won", "胜轮次", "Rounds won"),
    Summed("level_points", "级差分", "Level points"),
    Summed("upgrades", "升级数", "Upgrades"),
    OfOpponents("opponents_level_points", "对手级差分", "Opponents' level points", "level_points"),
    OfOpponents("opponents_match_points", "对手场分", "Opponents' match points", "match_points"),
    HighRounds("high_rounds", "轮高分", "High rounds"),
    Summed("rotation_points", "团团转积分", "Rotation points"),
    Summed("duplicate_points", "复式积分", "Duplicate points"),
    Summed("datum_deviation", "科学偏差分", "Datum deviation"),
    Summed("datum_match_points", "科学场分", "Datum match points"),
    Summed("median_deviation", "中位数偏差分", "Median deviation"),
    Summed("median_match_points", "中位数场分", "Median match points"),
    Summed("median_band_points", "中位5段场分", "Median band points"),
    HeadToHead("head_to_head", "相互胜负", "Head to head", only_two=False),
    HeadToHead("head_to_head_two", "两队相互胜负", "Head to head of two", only_two=True),
    Summed("net_levels", "净级差", "Net levels"),
    Lot("lot", "抽签", "Lot"),
)

CRITERIA: Final[dict[str, Criterion]] = {row.code: row for row in _ROWS}

ADJUSTABLE: Final = ("match_points", "level_points", "upgrades", "rotation_points", "duplicate_points")
"""The numbers a referee may adjust, where the kind has them."""

ROUNDS_SURVIVED: Final = "rounds_survived"
"""The first key of a knock-out; not chosen, always there."""


def can_make_score_groups(code: str) -> bool:
    """True for a criterion whose values can be subtracted, so that it may stand first in a Swiss event (section 7)."""
    return isinstance(CRITERIA[code], Summed | OfOpponents)
