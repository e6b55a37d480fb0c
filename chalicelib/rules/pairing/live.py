"""Who is still unpaired, in rank order, and in which order one entry looks for an opponent (候选次序).

Source: rules of the game, section 7: with k entries of its score group still unpaired, itself first, ``adjacent``
begins at index 1, ``slide`` at k//2, ``fold`` at k-1; it goes on by distance from there (the higher-ranked first
on equal distance), then come the following groups in rank order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chalicelib.rules.model import CandidateOrder


class Unpaired:
    """Positions 0..size-1 in rank order, of which pairs are taken out one by one.

    ``groups[i]`` numbers the score group of position i; the groups of consecutive positions do not decrease.
    ``candidates`` may be asked for the best position still unpaired only, which is the one the rule pairs next.
    """

    def __init__(self, groups: Sequence[int], order: CandidateOrder) -> None:
        self.size = len(groups)
        self._order = order
        # Union-find with path halving: the nearest unpaired position at or after / at or before a position.
        self._after = list(range(self.size + 1))
        self._before = list(range(-1, self.size))  # shifted by one: _before[p + 1] belongs to position p
        self._group_end = self._ends(groups)
        self._counts = _Counts(self.size) if order is CandidateOrder.SLIDE else None

    @staticmethod
    def _ends(groups: Sequence[int]) -> list[int]:
        ends = [0] * len(groups)
        end = len(groups)
        for position in range(len(groups) - 1, -1, -1):
            if position + 1 < len(groups) and groups[position + 1] != groups[position]:
                end = position + 1
            ends[position] = end
        return ends

    def at_or_after(self, position: int) -> int:
        """The first unpaired position not before ``position``; ``size`` when there is none."""
        after = self._after
        while after[position] != position:
            after[position] = after[after[position]]
            position = after[position]
        return position

    def at_or_before(self, position: int) -> int:
        """The last unpaired position not after ``position``; -1 when there is none."""
        before = self._before
        index = position + 1
        while before[index] != index - 1:
            before[index] = before[before[index] + 1]
            index = before[index] + 1
        return index - 1

    def __contains__(self, position: int) -> bool:
        return self._after[position] == position

    def remove(self, position: int) -> None:
        self._after[position] = position + 1
        self._before[position + 1] = position - 1
        if self._counts is not None:
            self._counts.remove(position)

    def candidates(self, first: int, clubs: ClubRuns | None = None) -> Iterator[int]:
        """Opponents of ``first``, the best position still unpaired, best candidate first.

        With ``clubs`` club-mates are left out, whole runs of them in one step.
        """
        end = self._group_end[first]
        if self._order is CandidateOrder.ADJACENT:
            yield from self._forward(first, first + 1, clubs)
            return
        for position in self._outwards(first, end):
            if clubs is None or not clubs.masks[position] & clubs.masks[first]:
                yield position
        yield from self._forward(first, end, clubs)

    def _forward(self, first: int, start: int, clubs: ClubRuns | None) -> Iterator[int]:
        position = self.at_or_after(start)
        while position < self.size:
            if clubs is not None and clubs.masks[position] & clubs.masks[first]:
                position = self.at_or_after(clubs.run_end[position])
                continue
            yield position
            position = self.at_or_after(position + 1)

    def _outwards(self, first: int, end: int) -> Iterator[int]:
        """The rest of the score group by distance (counted in unpaired entries) from where the order begins."""
        if self._counts is None:
            start = self.at_or_before(end - 1)
        else:
            start = self._counts.nth_from(first, self._counts.between(first, end) // 2)
        if start == first:
            return
        yield start
        upper, lower = self.at_or_before(start - 1), self.at_or_after(start + 1)
        while upper > first or lower < end:
            if upper > first:
                yield upper
                upper = self.at_or_before(upper - 1)
            if lower < end:
                yield lower
                lower = self.at_or_after(lower + 1)


class ClubRuns:
    """Bit masks of the clubs by position, and where the run of equal masks that a position stands in ends."""

    def __init__(self, masks: Sequence[int]) -> None:
        self.masks = masks
        self.run_end = list(range(1, len(masks) + 1))
        for position in range(len(masks) - 2, -1, -1):
            if masks[position] == masks[position + 1]:
                self.run_end[position] = self.run_end[position + 1]


class _Counts:
    """A binary indexed tree of the unpaired positions: how many stand between two, which is the n-th from one."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._tree = [index & -index for index in range(size + 1)]
        self._top = 1 << size.bit_length()

    def remove(self, position: int) -> None:
        index = position + 1
        while index <= self._size:
            self._tree[index] -= 1
            index += index & -index

    def _up_to(self, position: int) -> int:
        total = 0
        while position:
            total += self._tree[position]
            position &= position - 1
        return total

    def between(self, start: int, end: int) -> int:
        """How many positions are unpaired in start..end-1."""
        return self._up_to(end) - self._up_to(start)

    def nth_from(self, start: int, nth: int) -> int:
        """The unpaired position with exactly ``nth`` unpaired ones in start..itself-1."""
        wanted = self._up_to(start) + nth
        index, step = 0, self._top
        while step:
            reached = index + step
            if reached <= self._size and self._tree[reached] <= wanted:
                index = reached
                wanted -= self._tree[reached]
            step >>= 1
        return index
