"""Criteria as columns: for every entry a key to compare (larger first) and the exact text to show."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from chalicelib.rules.criteria import CRITERIA, Criterion, HighRounds, Lot, OfOpponents, Summed
from chalicelib.rules.exact import Texts
from chalicelib.rules.lot import lot
from chalicelib.rules.scoresheet import Scoresheet

Key = int | list[int]
Value = str | tuple[str, ...] | None
"""An exact number as text, the list of 轮高分, or None for a head to head that does not apply."""


class Column(NamedTuple):
    """One criterion over all entries; ``scale`` belongs to keys that are numbers or lists of numbers."""

    keys: Sequence[Key]
    values: Sequence[Value]
    scale: int


class Columns:
    """The columns of a sheet, each made once."""

    def __init__(self, sheet: Scoresheet) -> None:
        self.sheet = sheet
        self._totals: dict[str, list[int]] | None = None
        self._met: list[tuple[int, ...]] | None = None
        self._columns: dict[str, Column] = {}

    def totals(self, measure: str) -> list[int]:
        """The scaled totals of a measure."""
        if self._totals is None:
            self._totals = self.sheet.totals()
        return self._totals[measure]

    def column(self, code: str) -> Column:
        """The column of any criterion but head to head, which depends on who is tied (``ranking.py``)."""
        if code not in self._columns:
            self._columns[code] = self._make(CRITERIA[code])
        return self._columns[code]

    def _make(self, criterion: Criterion) -> Column:
        scales = self.sheet.scales
        match criterion:
            case Summed(code=measure):
                return _numbers(self.totals(measure), scales[measure])
            case OfOpponents(measure=measure):
                return _numbers(self._opponents(measure), scales[measure])
            case HighRounds():
                return self._high_rounds()
            case Lot():
                hashes = [lot(self.sheet.event.pairing.seed, number) for number in self.sheet.numbers]
                return Column([lot_key(drawn) for drawn in hashes], hashes, 1)
        raise ValueError(f"{criterion.code} has no column of its own")

    def _opponents(self, measure: str) -> list[int]:
        total_of = dict(zip(self.sheet.numbers, self.totals(measure), strict=True)).__getitem__
        if self._met is None:
            self._met = [tuple(chain.from_iterable(lines.opponents)) for lines in self.sheet.lines]
        return [sum(map(total_of, met)) for met in self._met]

    def _high_rounds(self) -> Column:
        scale = self.sheet.scales[self.sheet.kind.round_score]
        texts = Texts(scale)
        keys = [sorted(scores, reverse=True) for scores in self.sheet.round_scores()]
        return Column(keys, [tuple([texts[score] for score in scores]) for scores in keys], scale)


def lot_key(drawn: str) -> int:
    """A lot as a key: the lower hash is the larger key."""
    return -int(drawn, 16)


def _numbers(keys: list[int], scale: int) -> Column:
    texts = Texts(scale)
    return Column(keys, [texts[key] for key in keys], scale)
