"""What every entry got in every round: the one place all criteria, addends and pairings read from (section 3).

Numbers are scaled integers (``exact.py``). A sheet keeps, for each entry, one *line* for each round in which it has a
score; unplayed tables leave no line, so they add nothing anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


LOST = frozenset({Happening.LOSS, Happening.FORFEIT})
SURVIVED = frozenset({Happening.WIN, Happening.BYE, Happening.WALKOVER})


class Score(NamedTuple):
    """The score of one round: ``points`` holds the kind's measures in their order, scaled."""

    happening: Happening
    points: tuple[int, ...]


class Lines(NamedTuple):
    """What one entry got in every round that counts: three rows that run side by side.

    A score is None where the entry has none (an unplayed table, or after it left). ``opponents`` holds the numbers of
    those met; it is empty for a bye, an absence, a sit-out. Rows rather than one object for each round, because a large
    event has hundreds of thousands of them.
    """

    rounds: tuple[int, ...]
    scores: tuple[Score | None, ...]
    opponents: tuple[tuple[int, ...], ...]

    def each(self) -> Iterator[Line]:
        """The rounds in which there is a score, one by one."""
        for number, score, opponents in zip(self.rounds, self.scores, self.opponents, strict=True):
            if score is not None:
                yield Line(number, score, opponents)


class Line(NamedTuple):
    """One round of one entry."""

    round: int
    score: Score
    opponents: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """All lines of an event.

    ``numbers`` are the entry numbers ascending; ``lines`` and every column have their order. ``scales`` has one
    positive integer for each measure of the kind. ``adjustments`` are those that count, by entry number.
    ``third_place`` names (round, entry) of those who sat at a third-place match.
    """

    event: Event
    kind: Kind
    numbers: tuple[int, ...]
    lines: Sequence[Lines]
    scales: Mapping[str, int]
    adjustments: Mapping[int, Sequence[Adjustment]]
    third_place: frozenset[tuple[int, int]]

    def totals(self) -> dict[str, list[int]]:
        """The total of every measure for every entry: its rounds and its adjustments, scaled."""
        measures = self.kind.measures
        columns: list[list[int]] = [[] for _ in measures]
        nothing = [0] * len(measures)
        for lines in self.lines:
            points = [score.points for score in lines.scores if score is not None]
            sums = map(sum, zip(*points, strict=True)) if points else nothing
            for column, total in zip(columns, sums, strict=True):
                column.append(total)
        totals = dict(zip(measures, columns, strict=True))
        if self.adjustments:
            for index, number in enumerate(self.numbers):
                for adjustment in self.adjustments.get(number, ()):
                    scale = self.scales[adjustment.criterion]
                    totals[adjustment.criterion][index] += scaled(adjustment.amount, scale)
        return totals

    def round_scores(self) -> list[list[int]]:
        """The round scores (what 轮高分 lists) of every entry, line by line, adjustments of the round in, scaled."""
        place = self.kind.measures.index(self.kind.round_score)
        listed = [[score.points[place] for score in lines.scores if score is not None] for lines in self.lines]
        if self.adjustments:
            for index, number in enumerate(self.numbers):
                if number in self.adjustments:
                    extra = self._round_adjustments(number)
                    lines = self.lines[index].each()
                    listed[index] = [line.score.points[place] + extra.get(line.round, 0) for line in lines]
        return listed

    def _round_adjustments(self, number: int) -> dict[int, int]:
        """By round, what adjustments add to the round score of an entry."""
        measure = self.kind.round_score
        extra: dict[int, int] = {}
        for adjustment in self.adjustments[number]:
            if adjustment.criterion == measure:
                amount = scaled(adjustment.amount, self.scales[measure])
                extra[adjustment.round] = extra.get(adjustment.round, 0) + amount
        return extra
