"""Opens a number of the ranking to what it was summed or listed from: which round, which opponent, which adjustment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from chalicelib.rules.criteria import CRITERIA, ROUNDS_SURVIVED, HeadToHead, HighRounds, OfOpponents, Summed
from chalicelib.rules.exact import Texts, scaled
from chalicelib.rules.head_to_head import meetings
from chalicelib.rules.knockout import survived_lines
from chalicelib.rules.ranking import Ranking
from chalicelib.rules.scoresheet import Happening, Line

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
        self._texts = {measure: Texts(scale) for measure, scale in self.sheet.scales.items()}
        self._round_scores = self.sheet.round_scores()
        self._places = {measure: place for place, measure in enumerate(self.sheet.kind.measures)}

    def of(self, index: int, codes: Iterable[str]) -> dict[str, list[Addend]]:
        """The addends of each criterion of the entry at ``index``, in the order of rounds; the lot has none."""
        lines = list(self.sheet.lines[index].each())
        return {code: list(self._of(index, lines, code)) for code in codes}

    def _of(self, index: int, lines: Sequence[Line], code: str) -> Iterable[Addend]:
        if code == ROUNDS_SURVIVED:
            return [_addend(line, "1") for line in survived_lines(self.sheet, index)]
        match CRITERIA[code]:
            case Summed(code=measure):
                return self._summed(index, lines, measure)
            case OfOpponents(measure=measure):
                return self._of_opponents(lines, measure)
            case HighRounds():
                texts = self._texts[self.sheet.kind.round_score]
                scores = self._round_scores[index]
                return [_addend(line, texts[score]) for line, score in zip(lines, scores, strict=True)]
            case HeadToHead():
                return self._meetings(index, code)
        return ()

    def _summed(self, index: int, lines: Sequence[Line], measure: str) -> list[Addend]:
        place, texts = self._places[measure], self._texts[measure]
        addends = [_addend(line, texts[line.score.points[place]]) for line in lines]
        for adjustment in self.sheet.adjustments.get(self.sheet.numbers[index], ()):
            if adjustment.criterion == measure:
                value = texts[scaled(adjustment.amount, texts.scale)]
                addends.append(Addend(adjustment.round, value, ADJUSTMENT, (), adjustment.reason))
        return addends

    def _of_opponents(self, lines: Sequence[Line], measure: str) -> list[Addend]:
        totals, texts = self.ranking.columns.totals(measure), self._texts[measure]
        return [
            Addend(number, texts[totals[self._index[opponent]]], OPPONENT, (opponent,))
            for number, _, opponents in lines
            for opponent in opponents
        ]

    def _meetings(self, index: int, code: str) -> Iterator[Addend]:
        found = self.ranking.head_to_head.get(code, {}).get(index)
        place, texts = self._places["match_points"], self._texts["match_points"]
        if found is not None:
            for line, opponent in meetings(self.sheet, index, found[1]):
                value = texts[line.score.points[place]]
                yield Addend(line.round, value, line.score.happening, (opponent,))


def _addend(line: Line, value: str) -> Addend:
    number, score, opponents = line
    return Addend(number, value, score.happening, opponents)


class AddendWriter:
    """Writes addends as JSON values; the same reason is put into words once."""

    def __init__(self) -> None:
        self._words: dict[tuple[str, tuple[int, ...], str], str] = {}

    def values(self, addends: Sequence[Addend]) -> list[dict[str, int | str]]:
        """``[{"round": 1, "value": "2", "why": "win over 7"}, ...]``."""
        return [{"round": addend.round, "value": addend.value, "why": self._why(addend)} for addend in addends]

    def _why(self, addend: Addend) -> str:
        reason = addend[2:]
        words = self._words.get(reason)
        if words is None:
            words = self._words[reason] = addend.why
        return words
