"""Prizes (奖项): named awards with a count each, given down the ranking (section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from chalicelib.rules.standings import Row


@dataclass(frozen=True, slots=True)
class Prize:
    """A named award and how many of it there are."""

    name: str
    count: int


class Award(NamedTuple):
    """Who gets a prize: ``winners`` for certain, and ``open_places`` of it to be decided among ``contested``.

    Entries share a rank because nothing the organizer chose separates them, so nothing here does either: the organizer
    is asked, or adds 抽签 to the criteria.
    """

    prize: Prize
    winners: tuple[int, ...]
    open_places: int = 0
    contested: tuple[int, ...] = ()


def awards(rows: Sequence[Row], prizes: Iterable[Prize], decided: Sequence[int] = ()) -> tuple[Award, ...]:
    """Give the prizes down one ranking (rows of one group, in order).

    ``decided`` is the organizer's order among tied entries: those it names come before those of the same rank it does
    not name. A tie that reaches over an end of a prize stays contested. A ranking that ends early leaves prizes over.
    """
    blocks: list[tuple[int, int, list[int]]] = []
    place = 0
    for _, tied in groupby(rows, key=lambda row: row.rank):
        for block in _decide([row.entry for row in tied], decided):
            blocks.append((place, place + len(block), block))
            place += len(block)
    given: list[Award] = []
    first = 0
    for prize in prizes:
        last = first + prize.count
        winners: list[int] = []
        contested: list[int] = []
        open_places = 0
        for start, end, block in blocks:
            shared = min(end, last) - max(start, first)
            if shared <= 0:
                continue
            if shared == len(block):
                winners.extend(block)
            else:
                contested.extend(block)
                open_places += shared
        given.append(Award(prize, tuple(winners), open_places, tuple(contested)))
        first = last
    return tuple(given)


def _decide(tied: list[int], decided: Sequence[int]) -> list[list[int]]:
    named = [[entry] for entry in decided if entry in tied]
    rest = [entry for entry in tied if entry not in decided]
    return [*named, rest] if rest else named
