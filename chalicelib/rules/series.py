"""赛事阶段: who goes on from the events of one stage, in which order, and into which event and group of the next one.

Source: common practice, [ours]. A block is what is ranked for itself: an event, or a group of one. Of every block the
first go on; who has withdrawn or declines is passed over and the next move up. Only a criterion separates a tie at the
cut, so the organizer chooses there. Order: place within the block, then the blocks in their order, then SHA-256 of a
stored seed; so winners of groups come before all seconds, and A1 and A2 stand far apart.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chalicelib.rules.pairing.hashes import lot
from chalicelib.rules.stages import Placed, best_of_field, drawn_groups, snake

Cut = Literal["all", "best"]
"""Everybody, or the first N of each block."""
Method = Literal["lot", "snake"]
Key = tuple[int, int]
"""Place of the event among the stage's events, and the entry's number in it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of a stage: ``source`` is the place of its event among the stage's, shared ranks are equal numbers."""

    source: int
    entry: int
    rank: int
    group: str | None = None
    out: bool = False

    @property
    def key(self) -> Key:
        """What names the row."""
        return self.source, self.entry


@dataclass(frozen=True, slots=True)
class Going:
    """Somebody who goes on. ``place`` counts within the block without those passed over; ``moved_up``: only because
    somebody was passed over."""

    source: int
    entry: int
    rank: int
    place: int
    group: str | None
    moved_up: bool

    @property
    def key(self) -> Key:
        """What names the row."""
        return self.source, self.entry


@dataclass(frozen=True, slots=True)
class Tie:
    """``entries`` of a block share the rank at the cut and there are ``places_left`` for them."""

    source: int
    group: str | None
    rank: int
    entries: tuple[int, ...]
    places_left: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Who goes on, best first; ties that nobody has decided yet (none of theirs goes on); rows that were passed over
    although their rank would have sufficed; and all ties at a cut, decided or not."""

    going: tuple[Going, ...]
    undecided: tuple[Tie, ...]
    passed_over: tuple[Standing, ...]
    ties: tuple[Tie, ...]


def select(
    rows: Sequence[Standing],
    cut: Cut,
    count: int,
    seed: str,
    chosen: Collection[Key] = (),
    declined: Collection[Key] = (),
) -> Selection:
    """The rows that go on. ``chosen`` decides ties: exactly as many of a tie as there are places, else it stays open.

    >>> rows = [Standing(0, 1, 1), Standing(0, 2, 2, out=True), Standing(0, 3, 3)]
    >>> [(one.entry, one.place, one.moved_up) for one in select(rows, "best", 2, "1").going]
    [(1, 1, False), (3, 2, True)]
    """
    picked, gone = set(chosen), set(declined)
    blocks: dict[tuple[int, str | None], list[Standing]] = {}
    for row in rows:
        blocks.setdefault((row.source, row.group), []).append(row)
    going: list[Going] = []
    ties: list[Tie] = []
    undecided: list[Tie] = []
    passed: list[Standing] = []
    for (source, group), block in sorted(blocks.items(), key=lambda each: (each[0][0], each[0][1] or "")):
        able = [row for row in block if not row.out and row.key not in gone]
        wanted = len(block) if cut == "all" else count
        found = best_of_field([Placed(row.entry, row.rank) for row in able], wanted)
        as_ranked = best_of_field([Placed(row.entry, row.rank) for row in block], wanted)
        enough = {*as_ranked.entries, *as_ranked.undecided}
        entries, ranks = set(found.entries), sorted(row.rank for row in able)
        if found.undecided:
            rank = next(row.rank for row in able if row.entry == found.undecided[0])
            tie = Tie(source, group, rank, found.undecided, found.places_left)
            ties.append(tie)
            decided = [entry for entry in found.undecided if (source, entry) in picked]
            if len(decided) == found.places_left:
                entries.update(decided)
            else:
                undecided.append(tie)
        going += [
            Going(
                source,
                row.entry,
                row.rank,
                1 + bisect_left(ranks, row.rank),
                row.group,
                row.entry not in enough,
            )
            for row in able
            if row.entry in entries
        ]
        kept = {row.entry for row in able}
        passed += [row for row in block if row.entry not in kept and row.entry in enough]
    going.sort(key=lambda one: (one.place, one.source, one.group or "", lot(seed, "stage", one.source, one.entry)))
    return Selection(tuple(going), tuple(undecided), tuple(passed), tuple(ties))


@dataclass(frozen=True, slots=True)
class Seat:
    """Where somebody plays next: ``target`` is the place of the event in its stage, ``seed`` counts from 1 there."""

    key: Key
    target: int
    seed: int
    group: str | None


def distribute(
    going: Sequence[Key],
    groups: Sequence[int],
    method: Method,
    seed: str,
    clubs: Mapping[Key, str | None],
) -> list[Seat]:
    """Deal those who go on (best first) to the next stage's events, then each event's to its groups A, B, ...

    ``groups``: of each event how many, 1 for none. By lot club-mates are spread and sizes differ by one at most; like a
    snake strength is spread. Seeds follow the order of ``going`` within each event.

    >>> [(one.key[1], one.target, one.seed) for one in distribute([(0, 7), (0, 4), (0, 9)], [1, 1], "snake", "1", {})]
    [(7, 0, 1), (4, 1, 1), (9, 1, 2)]
    """
    places = range(len(going))
    club_at: dict[int, str | None] = {place: clubs.get(going[place]) for place in places}
    if len(groups) == 1:
        dealt = [list(places)]
    elif method == "snake":
        dealt = snake(places, len(groups))
    else:
        dealt = drawn_groups(places, len(groups), f"{seed}:batches", club_at)
    seats: list[Seat] = []
    for target, members in enumerate(dealt):
        members.sort()
        seed_of = {place: number for number, place in enumerate(members, start=1)}
        if groups[target] < 2:
            filled = [members]
        elif method == "snake":
            filled = snake(members, groups[target])
        else:
            filled = drawn_groups(members, groups[target], f"{seed}:{target}", club_at)
        for number, group in enumerate(filled):
            name = chr(ord("A") + number) if groups[target] > 1 else None
            seats += [Seat(going[place], target, seed_of[place], name) for place in group]
    order = {key: place for place, key in enumerate(going)}
    return sorted(seats, key=lambda seat: order[seat.key])
