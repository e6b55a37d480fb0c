"""Rank first (名次优先): the exact rank-lexicographic pairing.

The best-ranked entry gets the first opponent in its candidate order with whom the rest can still be paired, then
the next entry not yet paired, and so on (rules of the game, section 7).

How it stays exact and fast: a perfect pairing of everybody is kept at all times as a certificate. To try i with j,
their old partners a and b are set free and an alternating path from a to b is looked for among the others. A path
gives a new certificate, so the rest can still be paired; by Berge's theorem no path means that no perfect pairing
contains i with j. So the first j that is accepted is the first one that is possible, which is the rule itself.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Protocol

from chalicelib.rules.model import CandidateOrder
from chalicelib.rules.pairing.live import ClubRuns, Unpaired

FREE: Final = -1
_SHORT_ATTEMPTS: Final = 4


class Matching:
    """A pairing of positions 0..size-1 of which some pairs are fixed one by one.

    ``barred[i]`` holds the positions i may not meet (symmetric); ``clubs[i]`` is a bit mask of clubs: two
    positions with a common bit may not meet. ``partner[i]`` is i's partner in the certificate, FREE for none.
    """

    def __init__(self, barred: Sequence[AbstractSet[int]], clubs: Sequence[int] | None = None) -> None:
        self.size = len(barred)
        self._barred = barred
        self._clubs = clubs if clubs is not None and any(clubs) else None
        self.partner = [FREE] * self.size
        self._alive = [True] * self.size
        self._alive_count = self.size
        self._club_counts = Counter(mask for mask in self._clubs if mask) if self._clubs else Counter()

    def may_meet(self, one: int, other: int) -> bool:
        if other in self._barred[one]:
            return False
        return self._clubs is None or not self._clubs[one] & self._clubs[other]

    def complete(self, wishes: Iterable[tuple[int, int]] = ()) -> bool:
        """Pair everybody, beginning with the wished pairs; False when no perfect pairing exists."""
        if self.size % 2 or self._too_many_of_one_club():
            return False
        self.wish(wishes)
        return not self.pair_free(give_up_early=True)

    def wish(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Begin with these pairs; later steps may part them."""
        for one, other in pairs:
            self.partner[one], self.partner[other] = other, one

    def pair_free(self, *, give_up_early: bool = False) -> list[int]:
        """Enlarge the pairing as far as possible and return who stays FREE (the first of them, to give up early).

        A position from which no augmenting path starts never gets one later, and what a failed search has
        reached can be left out of all later ones (Edmonds), so one attempt each is enough.
        """
        waiting = [position for position in range(self.size) if self.partner[position] == FREE]
        left_over: list[int] = []
        exhausted: set[int] = set()
        while waiting:
            one = waiting.pop()
            if self.partner[one] != FREE:
                continue
            near = [other for other in waiting[-_SHORT_ATTEMPTS:] if self.partner[other] == FREE]
            if not exhausted and any(self._connect_short(one, other) for other in near):
                continue
            search = AlternatingSearch(self, one)
            if not search.run():
                left_over.append(one)
                if give_up_early:
                    break
                for position in search.reached():
                    self._alive[position] = False
                    exhausted.add(position)
        for position in exhausted:
            self._alive[position] = True
        return left_over

    def fix(self, one: int, other: int) -> bool:
        """Fix the pair for good if the rest can still be paired; False (and nothing changed) if it cannot.

        Needs a perfect certificate and two positions not fixed yet that may meet.
        """
        partner = self.partner
        first, second = partner[one], partner[other]
        self._retire(one, other)
        if first == other:
            return True
        partner[first] = partner[second] = FREE
        if self._connect_short(first, second) or (
            not self._too_many_of_one_club() and AlternatingSearch(self, first).run()
        ):
            partner[one], partner[other] = other, one
            return True
        partner[first], partner[second] = one, other
        self._revive(one, other)
        return False

    def _retire(self, one: int, other: int) -> None:
        self._alive[one] = self._alive[other] = False
        self._alive_count -= 2
        if self._clubs is not None:
            self._club_counts[self._clubs[one]] -= 1
            self._club_counts[self._clubs[other]] -= 1

    def _revive(self, one: int, other: int) -> None:
        self._alive[one] = self._alive[other] = True
        self._alive_count += 2
        if self._clubs is not None:
            self._club_counts[self._clubs[one]] += 1
            self._club_counts[self._clubs[other]] += 1

    def _too_many_of_one_club(self) -> bool:
        """A cheap proof of impossibility: more than half of those left may not meet one another."""
        if self._clubs is None:
            return False
        return any(mask and 2 * count > self._alive_count for mask, count in self._club_counts.items())

    def _connect_short(self, one: int, other: int) -> bool:
        """Join two free positions directly or through one pair, looking outwards from the lower one.

        Nearly every search ends here at once; what this misses is left to the full search.
        """
        partner, alive = self.partner, self._alive
        if self.may_meet(one, other):
            partner[one], partner[other] = other, one
            return True
        low = max(one, other)
        for distance in range(1, max(low, self.size - 1 - low) + 1):
            for middle in (low - distance, low + distance):
                if not 0 <= middle < self.size or not alive[middle]:
                    continue
                beyond = partner[middle]
                if beyond != FREE and self.may_meet(one, middle) and self.may_meet(beyond, other):
                    partner[one], partner[middle] = middle, one
                    partner[beyond], partner[other] = other, beyond
                    return True
        return False

    def neighbours(self, position: int) -> list[int]:
        """Everybody not fixed whom ``position`` may meet."""
        barred, alive = self._barred[position], self._alive
        others = [other for other in range(self.size) if alive[other] and other not in barred and other != position]
        if self._clubs is None or not self._clubs[position]:
            return others
        clubs, own = self._clubs, self._clubs[position]
        return [other for other in others if not clubs[other] & own]


class Graph(Protocol):
    """What the search needs: the pairing so far (FREE for none) and who may meet whom."""

    partner: list[int]

    def neighbours(self, position: int) -> Sequence[int]: ...


class AlternatingSearch:
    """One breadth-first search with blossoms (Edmonds 1965) for a way from a free position to another free one.

    ``run`` is True when there was one; the pairing has then grown by one. ``outer`` positions are an even way from
    the root.
    """

    def __init__(self, matching: Graph, root: int) -> None:
        self._matching = matching
        self._partner = matching.partner
        self._root = root
        self._came_from: dict[int, int] = {}
        self._base: dict[int, int] = {}
        self._outer = {root}
        self._queue = deque([root])

    def run(self) -> bool:
        while self._queue:
            position = self._queue.popleft()
            for neighbour in self._matching.neighbours(position):
                if self._visit(position, neighbour):
                    return True
        return False

    def reached(self) -> set[int]:
        """Every position of the search tree."""
        return {self._root, *self._came_from, *self._outer}

    def _visit(self, position: int, neighbour: int) -> bool:
        """Follow one edge; True when it ended in a free position and the pairing has grown."""
        partner = self._partner
        if self._base_of(position) == self._base_of(neighbour) or partner[position] == neighbour:
            return False
        mate = partner[neighbour]
        if neighbour == self._root or (mate != FREE and mate in self._came_from):
            self._shrink_blossom(position, neighbour)
        elif neighbour not in self._came_from:
            self._came_from[neighbour] = position
            if mate == FREE:
                self._flip(neighbour)
                return True
            self._make_outer(mate)
        return False

    def _base_of(self, position: int) -> int:
        return self._base.get(position, position)

    def _make_outer(self, position: int) -> None:
        if position not in self._outer:
            self._outer.add(position)
            self._queue.append(position)

    def _flip(self, end: int) -> None:
        while end != FREE:
            before = self._came_from[end]
            following = self._partner[before]
            self._partner[end], self._partner[before] = before, end
            end = following

    def _common_base(self, one: int, other: int) -> int:
        passed = set()
        one = self._base_of(one)
        while True:
            passed.add(one)
            if self._partner[one] == FREE:
                break
            one = self._base_of(self._came_from[self._partner[one]])
        other = self._base_of(other)
        while other not in passed:
            other = self._base_of(self._came_from[self._partner[other]])
        return other

    def _shrink_blossom(self, one: int, other: int) -> None:
        base = self._common_base(one, other)
        inside: set[int] = set()
        self._mark_path(one, base, other, inside)
        self._mark_path(other, base, one, inside)
        touched = self._outer | set(self._came_from)
        for position in sorted(touched):
            if self._base_of(position) in inside:
                self._base[position] = base
                self._make_outer(position)

    def _mark_path(self, position: int, base: int, child: int, inside: set[int]) -> None:
        while self._base_of(position) != base:
            mate = self._partner[position]
            inside.add(self._base_of(position))
            inside.add(self._base_of(mate))
            self._came_from[position] = child
            child = mate
            position = self._came_from[mate]


def rank_first(
    barred: Sequence[AbstractSet[int]],
    clubs: Sequence[int] | None,
    groups: Sequence[int],
    order: CandidateOrder,
) -> list[tuple[int, int]] | None:
    """The rank-lexicographic pairing as (better, worse) positions in rank order; None when no pairing exists.

    ``barred``, ``clubs``: who may not meet (see ``Matching``); ``groups``: the score group of each position.
    """
    matching = Matching(barred, clubs)
    runs = ClubRuns(clubs) if clubs is not None and any(clubs) else None
    if not matching.complete(first_come(barred, runs, Unpaired(groups, order))):
        return None
    unpaired = Unpaired(groups, order)
    pairs: list[tuple[int, int]] = []
    position = unpaired.at_or_after(0)
    while position < unpaired.size:
        opponent = next(
            candidate
            for candidate in unpaired.candidates(position, runs)
            if candidate not in barred[position] and matching.fix(position, candidate)
        )
        pairs.append((position, opponent))
        unpaired.remove(position)
        unpaired.remove(opponent)
        position = unpaired.at_or_after(position)
    return pairs


def first_come(
    barred: Sequence[AbstractSet[int]], runs: ClubRuns | None, unpaired: Unpaired
) -> Iterator[tuple[int, int]]:
    """The greedy pairing: right in most places, so it makes a good first certificate."""
    position = unpaired.at_or_after(0)
    while position < unpaired.size:
        met = barred[position]
        opponent = next((one for one in unpaired.candidates(position, runs) if one not in met), None)
        unpaired.remove(position)
        if opponent is not None:
            unpaired.remove(opponent)
            yield position, opponent
        position = unpaired.at_or_after(position)
