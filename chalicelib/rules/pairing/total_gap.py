"""Smallest total gap (总分差最小): the pairing with, in this order, the fewest rematches, the fewest tables of
club-mates, the smallest sum of squared gaps, and the smallest sum of squared rank distances.

Source: rules of the game, section 7. It is a matching of minimum weight (Edmonds); the four sums become one integer
of which each part is larger than all lower parts can add up to. The solver is ``rustworkx``, which counts in 128
bits. Up to 256 contenders every possible pair is given to it and the answer is the optimum; above that only the
nearest ones in rank and a pairing that exists for certain, and above 2,000 in overlapping windows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from chalicelib.rules.pairing.matching import FREE, Matching

EXACT_UP_TO: Final = 256
WINDOWS_ABOVE: Final = 2_000
_NEAREST: Final = 16
_LOOKED_AT: Final = 400
_WINDOW_PAIRS: Final = 256
_SWEEPS: Final = 2
_WEIGHT_BITS: Final = 127
"""The solver holds weights and their sums in signed 128 bits; ``4 * size * weight`` has to stay below 2**127."""


@dataclass(frozen=True, slots=True)
class TotalGap:
    """A pairing as (better, worse) positions in rank order and the sums it reached.

    ``exact``: no pairing has smaller sums. ``squared_gaps`` is in squares of the first criterion's unit.
    """

    pairs: tuple[tuple[int, int], ...]
    rematches: int
    same_club: int
    squared_gaps: Fraction
    squared_distances: int
    exact: bool


class _Costs:
    """The cost of a pair as one integer."""

    def __init__(self, met: Sequence[AbstractSet[int]], clubs: Sequence[int], scores: Sequence[Fraction]) -> None:
        self._met = met
        self._clubs = clubs
        size = max(len(scores), 2)
        scale = lcm(*(score.denominator for score in scores))
        scores_scaled = [int(score * scale) for score in scores]
        lowest = min(scores_scaled, default=0)
        self._scores = [score - lowest for score in scores_scaled]
        self.exact = True
        while not self._fits(size):
            # Only fractions of many different fields come here: the gaps are then compared a little coarser.
            self._scores = [score // 2 for score in self._scores]
            self.exact = False

    def _fits(self, size: int) -> bool:
        tables = size // 2
        self._distance_base = tables * size**2 + 1
        self._gap_base = tables * max(self._scores, default=0) ** 2 + 1
        self._club_base = tables + 1
        largest = (self._club_base + 1) * self._club_base * self._gap_base * self._distance_base
        return 4 * size * largest < 1 << _WEIGHT_BITS

    def of(self, one: int, other: int) -> int:
        gap = self._scores[one] - self._scores[other]
        cost = (other in self._met[one]) * self._club_base + bool(self._clubs[one] & self._clubs[other])
        return (cost * self._gap_base + gap * gap) * self._distance_base + (one - other) ** 2


def min_total_gap(
    met: Sequence[AbstractSet[int]],
    clubs: Sequence[int] | None,
    scores: Sequence[Fraction],
    *,
    rematches: bool = False,
    club_mates: bool = True,
) -> TotalGap | None:
    """The pairing of positions 0..n-1 (rank order, n even) with the smallest sums; None when there is none.

    ``met[i]``: positions i has met; ``clubs[i]``: bit mask of clubs, or None where clubs play no part;
    ``scores[i]``: value of the first criterion. Tables of positions that have met are allowed only with
    ``rematches``, tables of club-mates only with ``club_mates``.
    """
    size = len(scores)
    if size % 2:
        return None
    masks = clubs if clubs is not None else [0] * size
    costs = _Costs(met, masks, scores)
    allowed = _Allowed(met, masks, rematches, club_mates)
    exact = size <= EXACT_UP_TO
    pairs = _solve(range(size), allowed.all_pairs(), costs) if exact else _near_optimum(allowed, costs)
    if pairs is None or 2 * len(pairs) != size:
        return None
    return TotalGap(
        pairs=tuple(pairs),
        rematches=sum(other in met[one] for one, other in pairs),
        same_club=sum(bool(masks[one] & masks[other]) for one, other in pairs),
        squared_gaps=sum(((scores[one] - scores[other]) ** 2 for one, other in pairs), Fraction()),
        squared_distances=sum((one - other) ** 2 for one, other in pairs),
        exact=costs.exact and exact,
    )


class _Allowed:
    """Which pairs may be made at all."""

    def __init__(
        self, met: Sequence[AbstractSet[int]], clubs: Sequence[int], rematches: bool, club_mates: bool
    ) -> None:
        self.met = met
        self.clubs = clubs
        self.rematches = rematches
        self.club_mates = club_mates
        self.size = len(met)

    def __call__(self, one: int, other: int) -> bool:
        if not self.rematches and other in self.met[one]:
            return False
        return self.club_mates or not self.clubs[one] & self.clubs[other]

    def all_pairs(self) -> Iterable[tuple[int, int]]:
        return ((one, other) for one in range(self.size) for other in range(one + 1, self.size) if self(one, other))

    def nearest_pairs(self, positions: Sequence[int]) -> Iterable[tuple[int, int]]:
        """For each position the nearest above and below it that it should meet best: not met, of another club."""
        for direction in (positions, positions[::-1]):
            for index, one in enumerate(direction):
                met, clubs, found = self.met[one], self.clubs[one], 0
                for other in _following(direction, index, _LOOKED_AT):
                    if other not in met and not clubs & self.clubs[other]:
                        yield min(one, other), max(one, other)
                        found += 1
                        if found == _NEAREST:
                            break


def _following(positions: Sequence[int], index: int, count: int) -> Iterable[int]:
    """Up to ``count`` positions that stand after ``index``, without copying them."""
    return (positions[number] for number in range(index + 1, min(index + 1 + count, len(positions))))


def _solve(positions: Sequence[int], pairs: Iterable[tuple[int, int]], costs: _Costs) -> list[tuple[int, int]]:
    """A largest matching of least cost among the given pairs (one < other). Equal input, equal answer."""
    # Imported here because only this needs it: the rules themselves are standard library.
    import rustworkx

    index = {position: number for number, position in enumerate(positions)}
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(positions))
    graph.add_edges_from([(index[one], index[other], -costs.of(one, other)) for one, other in pairs])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(one, other), max(one, other)) for one, other in _positions(matched, positions))


def _positions(matched: Iterable[tuple[int, int]], positions: Sequence[int]) -> Iterable[tuple[int, int]]:
    return ((positions[one], positions[other]) for one, other in matched)


def _near_optimum(allowed: _Allowed, costs: _Costs) -> list[tuple[int, int]] | None:
    certain = _certain_pairing(allowed)
    if certain is None:
        return None
    if allowed.size <= WINDOWS_ABOVE:
        positions = range(allowed.size)
        return _solve(positions, sorted({*allowed.nearest_pairs(positions), *certain}), costs)
    pairs = sorted(certain)
    for sweep in range(_SWEEPS):
        start = sweep * _WINDOW_PAIRS // 2
        for begin in range(-start, len(pairs), _WINDOW_PAIRS):
            window = pairs[max(begin, 0) : begin + _WINDOW_PAIRS]
            inside = sorted(position for pair in window for position in pair)
            better = _solve(inside, sorted({*allowed.nearest_pairs(inside), *window}), costs)
            pairs[max(begin, 0) : begin + _WINDOW_PAIRS] = better
        pairs.sort()
    return pairs


def _certain_pairing(allowed: _Allowed) -> list[tuple[int, int]] | None:
    """Some allowed pairing of everybody: first as many as possible without rematch and club-mates, then the rest."""
    nobody: list[set[int]] = [set() for _ in range(allowed.size)]
    met = [set(others) for others in allowed.met]
    steps: list[tuple[list[set[int]], Sequence[int] | None]] = [(met, allowed.clubs)]
    if allowed.club_mates:
        steps.append((met, None))
    if allowed.rematches:
        steps.append((nobody, None if allowed.club_mates else allowed.clubs))
    pairs: list[tuple[int, int]] = []
    for barred, clubs in steps:
        matching = Matching(barred, clubs)
        matching.wish(pairs)
        left_over = matching.pair_free()
        pairs = [(one, other) for one, other in enumerate(matching.partner) if other != FREE and one < other]
        if not left_over:
            return pairs
    return None
