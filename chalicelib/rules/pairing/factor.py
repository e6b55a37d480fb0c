"""Do open pairs exist that use each position a given number of times (a factor of the graph)?

Looking ahead asks this of the pairs that would be left over: rounds that use every position once leave position i
with exactly ``spare[i]`` of its open pairs, so pairs with these counts have to exist. After withdrawals they often
do not, and no search over rounds would ever find out.

Decided by one matching (Tutte 1954, in the form with copies): a position becomes as many copies as it has to spare,
a pair becomes two linked ends, each linked to the copies of its position. Left alone the two ends of a pair are
matched with one another; a pair that is spared has its ends matched with copies. All copies matched: it exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chalicelib.rules.pairing.masks import positions_of
from chalicelib.rules.pairing.matching import FREE, AlternatingSearch


class _Copies:
    """The graph of the proof as neighbour lists, and its matching so far."""

    def __init__(self, open_pairs: Sequence[int], spare: Sequence[int]) -> None:
        self.partner: list[int] = []
        self._links: list[list[int]] = []
        copies = [[self._node(FREE) for _ in range(count)] for count in spare]
        self.copies = [node for nodes in copies for node in nodes]
        self._ends: list[tuple[int, int, int]] = []
        some = sum(1 << position for position, count in enumerate(spare) if count)
        for position in positions_of(some):
            for other in positions_of(open_pairs[position] & some & -(2 << position)):
                ends = len(self.partner), len(self.partner) + 1
                self._ends.append((ends[0], position, other))
                for end, mate, owner in ((ends[0], ends[1], position), (ends[1], ends[0], other)):
                    self._node(mate)
                    self._links[end] += [mate, *copies[owner]]
                    for copy in copies[owner]:
                        self._links[copy].append(end)

    def _node(self, partner: int) -> int:
        self.partner.append(partner)
        self._links.append([])
        return len(self.partner) - 1

    def used_pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs whose ends are matched with copies, not with one another."""
        return ((one, other) for end, one, other in self._ends if self.partner[end] != end + 1)

    def neighbours(self, node: int) -> Sequence[int]:
        return self._links[node]


def has_factor(open_pairs: Sequence[int], spare: Sequence[int]) -> bool:
    """Whether a set of open pairs uses every position i exactly ``spare[i]`` times (see ``factor``)."""
    return factor(open_pairs, spare, range(len(open_pairs))) is not None


def factor(open_pairs: Sequence[int], spare: Sequence[int], order: Sequence[int]) -> list[int] | None:
    """Open pairs that use every position i exactly ``spare[i]`` times, as a mask for each position; None: there are
    none.

    ``open_pairs[i]``: bit mask of the positions i may meet (symmetric). ``order`` holds all positions; where several
    sets of pairs exist, it decides which of them is found.
    """
    if sum(spare) % 2 or any(not 0 <= count <= mask.bit_count() for count, mask in zip(spare, open_pairs, strict=True)):
        return None
    place = {position: index for index, position in enumerate(order)}
    reordered = [sum(1 << place[other] for other in positions_of(open_pairs[position])) for position in order]
    graph = _Copies(reordered, [spare[position] for position in order])
    if not all(graph.partner[copy] != FREE or AlternatingSearch(graph, copy).run() for copy in graph.copies):
        return None
    used = [0] * len(order)
    for one, other in graph.used_pairs():
        used[order[one]] |= 1 << order[other]
        used[order[other]] |= 1 << order[one]
    return used
