"""Look-ahead (前瞻): which pairings of this round leave the remaining rounds possible.

Source: rules of the game, section 7. A small field with many rounds can be paired into a dead end (six pairs and
five rounds: one event in four), so when the defined rounds exceed half the active contenders, and these are fewer
than 24, the pairing taken is the first in the method's order after which the rounds that follow still exist:
without a rematch and without an avoidable second bye. Clubs play no part in those.

The remaining rounds exist when the pairs that have not met hold that many perfect pairings without a common pair
(in an odd field one more position stands for the bye). That is decided exactly, by a search over bit masks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from chalicelib.rules.model import CandidateOrder
from chalicelib.rules.pairing.live import Unpaired

SEARCH_STEPS: Final = 200_000
"""Bound on one decision, about five seconds. The longest of 117,000 decisions in fields of 12 to 24 took 2,452
steps; a state that needs more than the bound counts as one that cannot be finished, on every machine alike."""


def positions_of(mask: int) -> Iterator[int]:
    """The positions in a bit mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the search needs to know of the field, for positions 0..n-1 in rank order.

    ``open_pairs[i]``: bit mask of those i has not met. ``byeless``: mask of those who would still have had no bye
    after this round, None in an even field. ``rounds``: how many rounds follow this one.
    """

    open_pairs: tuple[int, ...]
    byeless: int | None
    rounds: int


class LookAhead:
    """One draw's decisions; what was found out about the rounds to come is kept from one question to the next."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, ...], int, int], bool] = {}
        self._steps = 0

    def first_pairing(
        self,
        outlook: Outlook,
        present: Sequence[int],
        eligible: Sequence[int],
        groups: Sequence[int],
        order: CandidateOrder,
    ) -> list[tuple[int, int]] | None:
        """The first pairing of ``present`` in rank order after which the remaining rounds exist; None: there is none.

        ``eligible[i]`` is the mask of those i may meet in this round (not met, and no club-mates where the club
        rule wants it); ``groups[i]`` the score group of position i.
        """
        fixed: list[tuple[int, int]] = []
        witness = self._complete(outlook, present, eligible, fixed)
        if witness is None:
            return None
        unpaired = Unpaired([groups[position] for position in present], order)
        first = unpaired.at_or_after(0)
        while first < unpaired.size:
            for candidate in unpaired.candidates(first):
                pair = present[first], present[candidate]
                if not eligible[pair[0]] >> pair[1] & 1:
                    continue
                found = witness if pair in witness else self._complete(outlook, present, eligible, [*fixed, pair])
                if found is not None:
                    witness = found
                    break
            fixed.append(pair)
            unpaired.remove(first)
            unpaired.remove(candidate)
            first = unpaired.at_or_after(first)
        return fixed

    def _complete(
        self, outlook: Outlook, present: Sequence[int], eligible: Sequence[int], fixed: Sequence[tuple[int, int]]
    ) -> set[tuple[int, int]] | None:
        """Some pairing of this round that contains the fixed pairs and leaves the rest of the rounds possible."""
        self._steps = SEARCH_STEPS
        open_pairs = list(outlook.open_pairs)
        free = sum(1 << position for position in present)
        for one, other in fixed:
            _strike(open_pairs, one, other)
            free &= ~(1 << one | 1 << other)
        if _too_few_open(_with_bye(open_pairs, outlook.byeless), outlook):
            return None
        chosen: list[tuple[int, int]] = []

        def remaining_rounds_exist() -> bool:
            return self._rounds_exist(open_pairs, outlook.rounds, outlook.byeless)

        try:
            found = self._pair_round(open_pairs, eligible, free, chosen, remaining_rounds_exist)
        except _TooLong:
            return None
        return {(min(pair), max(pair)) for pair in (*fixed, *chosen)} if found else None

    def _rounds_exist(self, open_pairs: Sequence[int], rounds: int, byeless: int | None) -> bool:
        """Whether that many more rounds can be played.

        The order of the rounds to come is free, so in an odd field the byes of those who have had none come first;
        once everybody has had one, anybody may have the next.
        """
        if byeless is None:
            return self._known_or_search(tuple(open_pairs), rounds, 0)
        owed = min(rounds, byeless.bit_count())
        return self._known_or_search(_with_bye(open_pairs, byeless), owed, rounds - owed)

    def _known_or_search(self, open_pairs: tuple[int, ...], rounds: int, free_byes: int) -> bool:
        """``rounds`` in which every pair, and every bye of the last position, is used once; then ``free_byes``
        more in which anybody may have the bye."""
        if rounds + free_byes == 0:
            return True
        key = (open_pairs, rounds, free_byes)
        if key not in self._known:
            self._known[key] = self._search(open_pairs, rounds, free_byes)
        return self._known[key]

    def _search(self, open_pairs: tuple[int, ...], rounds: int, free_byes: int) -> bool:
        pairs = list(open_pairs)
        if rounds == 0:
            everybody = (1 << (len(pairs) - 1)) - 1
            bye = len(pairs) - 1
            eligible = [mask & everybody | 1 << bye for mask in pairs[:-1]] + [everybody]
            pairs = [mask & everybody for mask in pairs[:-1]] + [0]
            return self._pair_round(
                pairs, eligible, everybody | 1 << bye, [],
                lambda: self._known_or_search(tuple(pairs), 0, free_byes - 1),
            )
        if not free_byes and (min(mask.bit_count() for mask in pairs) < rounds or _has_odd_part(pairs)):
            return False
        return self._pair_round(
            pairs, pairs, (1 << len(pairs)) - 1, [],
            lambda: self._known_or_search(tuple(pairs), rounds - 1, free_byes),
        )

    def _pair_round(
        self,
        open_pairs: list[int],
        eligible: Sequence[int],
        free: int,
        chosen: list[tuple[int, int]],
        then: Callable[[], bool],
    ) -> bool:
        """Pair the ``free`` positions, the one with the fewest candidates first, so that ``then`` holds.

        ``open_pairs`` loses the pairs while they stand (``eligible`` may be the same list) and is as before
        when the answer is False.
        """
        if not free:
            return then()
        self._steps -= 1
        if self._steps < 0:
            raise _TooLong
        one, candidates = _fewest_candidates(eligible, free)
        # Those with most pairs still open are needed least in later rounds: they lead to an answer soonest.
        for other in sorted(
            positions_of(candidates),
            key=lambda position: (-open_pairs[position].bit_count(), (eligible[position] & free).bit_count(), position),
        ):
            struck = open_pairs[one] >> other & 1
            if struck:
                _strike(open_pairs, one, other)
            chosen.append((one, other))
            if self._pair_round(open_pairs, eligible, free & ~(1 << one | 1 << other), chosen, then):
                return True
            chosen.pop()
            if struck:
                _strike(open_pairs, one, other)
        return False


class _TooLong(Exception):
    """The bound on the search was reached."""


def _strike(open_pairs: list[int], one: int, other: int) -> None:
    """Close an open pair, or open it again."""
    open_pairs[one] ^= 1 << other
    open_pairs[other] ^= 1 << one


def _with_bye(open_pairs: Sequence[int], byeless: int | None) -> tuple[int, ...]:
    """The open pairs with one more position that meets those who have had no bye."""
    if byeless is None:
        return tuple(open_pairs)
    bye = 1 << len(open_pairs)
    return (*(mask | bye if byeless >> i & 1 else mask for i, mask in enumerate(open_pairs)), byeless)


def _too_few_open(open_pairs: Sequence[int], outlook: Outlook) -> bool:
    """Somebody has fewer open pairs than rounds to come; only where each round uses one of them for certain."""
    if outlook.byeless is not None and outlook.byeless.bit_count() < outlook.rounds:
        return False
    return any(mask.bit_count() < outlook.rounds for mask in open_pairs)


def _fewest_candidates(eligible: Sequence[int], free: int) -> tuple[int, int]:
    best, best_candidates, fewest = -1, 0, free.bit_count() + 1
    for position in positions_of(free):
        candidates = eligible[position] & free
        count = candidates.bit_count()
        if count < fewest:
            best, best_candidates, fewest = position, candidates, count
            if count <= 1:
                break
    return best, best_candidates


def _has_odd_part(open_pairs: Sequence[int]) -> bool:
    """A part of odd size that meets nobody outside can never be paired: the usual reason of a dead end."""
    seen = 0
    for position in range(len(open_pairs)):
        if seen >> position & 1:
            continue
        part = frontier = 1 << position
        while frontier:
            low = frontier & -frontier
            frontier ^= low
            new = open_pairs[low.bit_length() - 1] & ~part
            part |= new
            frontier |= new
        if part.bit_count() % 2:
            return True
        seen |= part
    return False
