"""Puts entries in order by the event's criteria (section 6): larger first, full ties share a rank.

Everybody still tied is a *block*. A run of ordinary criteria sorts each block once by all its keys and splits it where
keys differ; head to head looks at the block itself, so it stands between two runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from chalicelib.rules.columns import Columns, Key, Value
from chalicelib.rules.criteria import CRITERIA, ROUNDS_SURVIVED, HeadToHead
from chalicelib.rules.exact import text
from chalicelib.rules.head_to_head import points_of_meetings
from chalicelib.rules.kinds import Meeting, meeting_of
from chalicelib.rules.knockout import rounds_survived, third_place_won
from chalicelib.rules.model import Event, MitchellRanking
from chalicelib.rules.scoresheet import Scoresheet

Blocks = list[list[int]]


class Group(NamedTuple):
    """One ranking: its name (None when the event has one ranking only) and its blocks of tied entries, best first.

    Blocks hold indices into the sheet; within a block entries ascend by number.
    """

    name: str | None
    blocks: Blocks

    def ranks(self) -> Iterator[tuple[int, int]]:
        """Rank and index of every member, best first; a block shares one rank (1, 2, 2, 4)."""
        rank = 1
        for block in self.blocks:
            for index in block:
                yield rank, index
            rank += len(block)


class Ranking:
    """The ranking of a sheet by the event's criteria."""

    def __init__(self, sheet: Scoresheet, *, in_groups: bool = True) -> None:
        """Rank the entries of ``sheet``, within their groups or (``in_groups`` False) all together."""
        self.sheet = sheet
        self.columns = Columns(sheet)
        self.survived = rounds_survived(sheet) if sheet.event.knockout else None
        self.head_to_head: dict[str, dict[int, tuple[str, frozenset[int]]]] = {}
        """By criterion and index, where it applies: the value, and the numbers of those it was counted among."""
        start = _groups(sheet) if in_groups else {None: list(range(len(sheet.numbers)))}
        self.groups = [Group(name, self._rank(members)) for name, members in start.items()]

    def _rank(self, members: list[int]) -> Blocks:
        blocks = [members]
        run: list[Sequence[Key]] = []
        if self.survived is not None:
            run = [self.survived, third_place_won(self.sheet)]
        for code in self.sheet.event.criteria:
            criterion = CRITERIA[code]
            if isinstance(criterion, HeadToHead):
                blocks, run = self._split(blocks, run), []
                blocks = self._split_by_meetings(blocks, criterion)
            else:
                run.append(self.columns.column(code).keys)
        return self._split(blocks, run)

    @staticmethod
    def _split(blocks: Blocks, run: list[Sequence[Key]]) -> Blocks:
        if not run:
            return blocks
        keys = list(zip(*run, strict=True))
        return [part for block in blocks for part in _split_block(block, keys.__getitem__)]

    def _split_by_meetings(self, blocks: Blocks, criterion: HeadToHead) -> Blocks:
        values = self.head_to_head.setdefault(criterion.code, {})
        scale = self.sheet.scales["match_points"]
        after: Blocks = []
        for block in blocks:
            applies = len(block) == 2 if criterion.only_two else len(block) > 1
            points = points_of_meetings(self.sheet, block) if applies else None
            if points is None:
                after.append(block)
                continue
            members = frozenset(self.sheet.numbers[index] for index in block)
            by_index = dict(zip(block, points, strict=True))
            values.update((index, (text(earned, scale), members)) for index, earned in by_index.items())
            after.extend(_split_block(block, by_index.__getitem__))
        return after

    def value_columns(self) -> dict[str, Sequence[Value]]:
        """The exact values by criterion code, every column in the order of the sheet's entries."""
        columns: dict[str, Sequence[Value]] = {}
        if self.survived is not None:
            columns[ROUNDS_SURVIVED] = [str(rounds) for rounds in self.survived]
        for code in self.sheet.event.criteria:
            if isinstance(CRITERIA[code], HeadToHead):
                values = self.head_to_head.get(code, {})
                columns[code] = [
                    values[index][0] if index in values else None for index in range(len(self.sheet.numbers))
                ]
            else:
                columns[code] = self.columns.column(code).values
        return columns


def _split_block(block: list[int], key: Callable[[int], Any]) -> Blocks:
    if len(block) == 1:
        return [block]
    # Sorting keeps the order of equals, also in reverse: tied entries stay in the order of their numbers.
    ordered = sorted(block, key=key, reverse=True)
    parts: Blocks = []
    last: object = None
    for index in ordered:
        own = key(index)
        if parts and own == last:
            parts[-1].append(index)
        else:
            parts.append([index])
            last = own
    return parts


def _groups(sheet: Scoresheet) -> dict[str | None, list[int]]:
    """The members (indices, ascending) of every ranking of the event, in the order in which they are listed."""
    event = sheet.event
    if meeting_of(event) is Meeting.MITCHELL and event.mitchell_ranking is MitchellRanking.APART:
        names = _first_seats(event)
        order = ["NS", "EW", None]
    else:
        names = {entry.number: entry.group for entry in event.entries if entry.group is not None}
        order = [None, *sorted(set(names.values()))]
    groups: dict[str | None, list[int]] = {name: [] for name in order}
    for index, number in enumerate(sheet.numbers):
        groups[names.get(number)].append(index)
    return {name: members for name, members in groups.items() if members}


def _first_seats(event: Event) -> dict[int, str]:
    """NS or EW by the seat first drawn, for everybody who has been seated in a round that counts."""
    seats: dict[int, str] = {}
    for drawn in event.counted():
        for table in drawn.tables:
            for name, side in (("NS", table.ns), ("EW", table.ew)):
                for number in side:
                    seats.setdefault(number, name)
    return seats
