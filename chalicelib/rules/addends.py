"""Opens a number of the ranking to what it was summed or listed from: which round, which opponent, which adjustment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from chalicelib.rules.criteria import CRITERIA, ROUNDS_SURVIVED, HeadToHead, HighRounds, OfOpponents, Summed
from chalicelib.rules.exact import scaled, text
from chalicelib.rules.head_to_head import meetings
from chalicelib.rules.knockout import survived_lines
from chalicelib.rules.ranking import Ranking
from chalicelib.rules.scoresheet import MET, Happening, Line

ENGLISH: Final[Mapping[Happening, str]] = {
    Happening.WIN: "win over",
    Happening.DRAW: "draw with",
    Happening.LOSS: "loss to",
    Happening.WALKOVER: "walkover, forfeited by",
    Happening.FORFEIT: "forfeit against",
    Happening.BYE: "bye",
    Happening.SIT_OUT: "sit-out",
    Happening.ABSENT: "absent",
}
ADJUSTMENT: Final = "adjustment"
OPPONENT: Final = "total of"


class Addend(NamedTuple):
    """One part of a number.

    ``value`` is an exact text; ``what`` is a ``Happening``, ``ADJUSTMENT`` or ``OPPONENT`` (so that pages can say it in
    their own language), ``opponents`` are entry numbers, ``reason`` is an adjustment's.
    """

    round: int
    value: str
    what: str
    opponents: tuple[int, ...] = ()
    reason: str = ""

    @property
    def why(self) -> str:
        """The addend in English words: ``win over 7``, ``bye``, ``adjustment: late``."""
        if self.what == ADJUSTMENT:
            return f"{ADJUSTMENT}: {self.reason}"
        words = ENGLISH[Happening(self.what)] if self.what != OPPONENT else OPPONENT
        return f"{words} {' and '.join(map(str, self.opponents))}" if self.opponents else words


class Addends:
    """The addends of every number of one ranking."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.sheet = ranking.sheet
        self._index = {number: index for index, number in enumerate(self.sheet.numbers)}

    def of(self, index: int, code: str) -> list[Addend]:
        """The addends of one criterion of the entry at ``index``, in the order of rounds; the lot has none."""
        if code == ROUNDS_SURVIVED:
            return [_addend(line, "1") for line in survived_lines(self.sheet, index)]
        match CRITERIA[code]:
            case Summed(code=measure):
                return list(self._summed(index, measure))
            case OfOpponents(measure=measure):
                return list(self._of_opponents(index, measure))
            case HighRounds():
                scale = self.sheet.scales[self.sheet.kind.round_score]
                return [
                    _addend(line, text(score, scale))
                    for line, (_, score) in zip(self.sheet.lines[index], self.sheet.round_scores(index), strict=True)
                ]
            case HeadToHead():
                return list(self._meetings(index, code))
        return []

    def _summed(self, index: int, measure: str) -> Iterator[Addend]:
        place = self.sheet.kind.measures.index(measure)
        scale = self.sheet.scales[measure]
        for line in self.sheet.lines[index]:
            yield _addend(line, text(line[1].points[place], scale))
        for adjustment in self.sheet.adjustments.get(self.sheet.numbers[index], ()):
            if adjustment.criterion == measure:
                value = text(scaled(adjustment.amount, scale), scale)
                yield Addend(adjustment.round, value, ADJUSTMENT, (), adjustment.reason)

    def _of_opponents(self, index: int, measure: str) -> Iterator[Addend]:
        totals = self.ranking.columns.totals(measure)
        scale = self.sheet.scales[measure]
        for number, score, met in self.sheet.lines[index]:
            for opponent in met if score.happening in MET else ():
                yield Addend(number, text(totals[self._index[opponent]], scale), OPPONENT, (opponent,))

    def _meetings(self, index: int, code: str) -> Iterator[Addend]:
        found = self.ranking.head_to_head.get(code, {}).get(index)
        place = self.sheet.kind.measures.index("match_points")
        scale = self.sheet.scales["match_points"]
        if found is not None:
            for line, opponent in meetings(self.sheet, index, found[1]):
                number, score, _ = line
                yield Addend(number, text(score.points[place], scale), score.happening, (opponent,))


def _addend(line: Line, value: str) -> Addend:
    number, score, opponents = line
    return Addend(number, value, score.happening, opponents)


def as_values(addends: Sequence[Addend]) -> list[dict[str, int | str]]:
    """Addends as JSON values."""
    return [{"round": addend.round, "value": addend.value, "why": addend.why} for addend in addends]
