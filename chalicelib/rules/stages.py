"""From one stage to the next: who goes on, and how groups and batches are filled.

Source: common practice, [ours]: the best N of the field, or of each group; groups filled like a snake by rank, or by
lot with club-mates spread. Everything drawn is drawn by SHA-256 from a stored seed, so that anybody can check it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chalicelib.rules.pairing.hashes import lot


@dataclass(frozen=True, slots=True)
class Placed:
    """One row of the stage that ends: shared ranks are equal numbers."""

    entry: int
    rank: int
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Qualified:
    """``entries`` go on, best first; ``undecided`` share the rank at the cut: more of them than ``places_left``."""

    entries: tuple[int, ...]
    undecided: tuple[int, ...] = ()
    places_left: int = 0


def best_of_field(rows: Sequence[Placed], count: int) -> Qualified:
    """The first ``count`` of a ranking. Nothing but a criterion separates a tie: at the cut the organizer decides.

    >>> best_of_field([Placed(7, 1), Placed(4, 2), Placed(9, 2)], 2)
    Qualified(entries=(7,), undecided=(4, 9), places_left=1)
    """
    ordered = sorted(rows, key=lambda row: (row.rank, row.entry))
    if len(ordered) <= count:
        return Qualified(tuple(row.entry for row in ordered))
    if count < 1:
        return Qualified(())
    cut = ordered[count].rank
    if ordered[count - 1].rank != cut:
        return Qualified(tuple(row.entry for row in ordered[:count]))
    certain = tuple(row.entry for row in ordered if row.rank < cut)
    tied = tuple(row.entry for row in ordered if row.rank == cut)
    return Qualified(certain, tied, count - len(certain))


def best_of_groups(rows: Sequence[Placed], count: int) -> dict[str, Qualified]:
    """The first ``count`` of each group, groups ascending by name."""
    names = sorted({row.group or "" for row in rows})
    return {name: best_of_field([row for row in rows if (row.group or "") == name], count) for name in names}


def snake(ranked: Sequence[int], groups: int) -> list[list[int]]:
    """Fill groups like a snake: 1 2 3 | 6 5 4 | 7 8 9.

    >>> snake([1, 2, 3, 4, 5, 6, 7], 3)
    [[1, 6, 7], [2, 5], [3, 4]]
    """
    if groups < 1:
        raise ValueError("at least one group")
    filled: list[list[int]] = [[] for _ in range(groups)]
    for place, entry in enumerate(ranked):
        turn, step = divmod(place, groups)
        filled[groups - 1 - step if turn % 2 else step].append(entry)
    return filled


def drawn_groups(
    entries: Sequence[int], groups: int, seed: str, clubs: Mapping[int, str | None] | None = None
) -> list[list[int]]:
    """Groups (or batches, 批次) of equal size by lot, with club-mates spread over them as evenly as can be.

    The biggest clubs are dealt first, their members in ascending SHA-256 of ``seed:groups:entry``; each goes to a
    group that has the fewest of the club, then the fewest entries, then the smaller SHA-256 of
    ``seed:groups:entry:group``. Sizes differ by one at most.
    """
    if groups < 1:
        raise ValueError("at least one group")
    club_of = {entry: (clubs or {}).get(entry) for entry in entries}
    sizes: dict[str | None, int] = {}
    for club in club_of.values():
        sizes[club] = sizes.get(club, 0) + 1

    def turn(entry: int) -> tuple[int, str, str]:
        club = club_of[entry]
        return -sizes[club] if club else 0, club or "", lot(seed, "groups", entry)

    largest, full_ones = -(-len(entries) // groups), len(entries) % groups or groups
    filled: list[list[int]] = [[] for _ in range(groups)]
    mates: list[dict[str | None, int]] = [{} for _ in range(groups)]

    def open_for_one_more(group: list[int]) -> bool:
        if len(group) < largest - 1:
            return True
        return len(group) < largest and sum(len(other) == largest for other in filled) < full_ones

    for entry in sorted(entries, key=turn):
        club = club_of[entry]
        choices = [number for number, group in enumerate(filled) if open_for_one_more(group)]
        chosen = min(
            choices,
            key=lambda number: (
                0 if club is None else mates[number].get(club, 0),
                len(filled[number]),
                lot(seed, "groups", entry, number),
            ),
        )
        filled[chosen].append(entry)
        mates[chosen][club] = mates[chosen].get(club, 0) + 1
    return filled
