"""What every entry got in every round: the one place all criteria, addends and pairings read from (section 3).

Numbers are scaled integers (``exact.py``). A sheet keeps, for each entry, one *line* for each round in which it has a
score; unplayed tables leave no line, so they add nothing anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from chalicelib.rules.exact import scaled
from chalicelib.rules.kinds import Kind
from chalicelib.rules.model import Adjustment, Event


class Happening(StrEnum):
    """What a round was for one entry."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    WALKOVER = "walkover"
    FORFEIT = "forfeit"
    BYE = "bye"
    SIT_OUT = "sit_out"
    ABSENT = "absent"


PLAYED = frozenset({Happening.WIN, Happening.DRAW, Happening.LOSS})
MET = PLAYED | {Happening.WALKOVER, Happening.FORFEIT}
"""Happenings that are a meeting with the opponents named in the line."""
LOST = frozenset({Happening.LOSS, Happening.FORFEIT})
SURVIVED = frozenset({Happening.WIN, Happening.BYE, Happening.WALKOVER})


class Score(NamedTuple):
    """The score of one round: ``points`` holds the kind's measures in their order, scaled."""

    happening: Happening
    points: tuple[int, ...]


Line = tuple[int, Score, tuple[int, ...]]
"""Round number, score, and the numbers of the opponents met (none for a bye, an absence, a sit-out)."""


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """All lines of an event.

    ``numbers`` are the entry numbers ascending; ``lines``, ``adjustments`` and every column have their order.
    ``scales`` has one positive integer for each measure of the kind. ``third_place`` names (round, entry) of those who
    sat at a third-place match.
    """

    event: Event
    kind: Kind
    numbers: tuple[int, ...]
    lines: Sequence[Sequence[Line]]
    scales: Mapping[str, int]
    adjustments: Mapping[int, Sequence[Adjustment]]
    third_place: frozenset[tuple[int, int]]

    def column(self, measure: str) -> list[int]:
        """The total of a measure for every entry: its rounds and its adjustments."""
        return self.columns((measure,))[measure]

    def columns(self, measures: Iterable[str]) -> dict[str, list[int]]:
        """The totals of several measures, one list each in the order of ``numbers``."""
        totals: dict[str, list[int]] = {}
        for measure in measures:
            place = self.kind.measures.index(measure)
            column = [sum([score.points[place] for _, score, _ in lines]) for lines in self.lines]
            for index, number in enumerate(self.numbers) if self.adjustments else ():
                for adjustment in self.adjustments.get(number, ()):
                    if adjustment.criterion == measure:
                        column[index] += scaled(adjustment.amount, self.scales[measure])
            totals[measure] = column
        return totals

    def round_scores(self, index: int) -> list[tuple[int, int]]:
        """Of the entry at ``index``: round number and round score (what 轮高分 lists), adjustments of the round in."""
        measure = self.kind.round_score
        place = self.kind.measures.index(measure)
        adjusted = self.adjustments.get(self.numbers[index])
        if not adjusted:
            return [(number, score.points[place]) for number, score, _ in self.lines[index]]
        extra: dict[int, int] = {}
        for adjustment in adjusted:
            if adjustment.criterion == measure:
                amount = scaled(adjustment.amount, self.scales[measure])
                extra[adjustment.round] = extra.get(adjustment.round, 0) + amount
        return [(number, score.points[place] + extra.get(number, 0)) for number, score, _ in self.lines[index]]
