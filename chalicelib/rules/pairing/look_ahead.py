"""Look-ahead (前瞻): which pairings of this round leave the remaining rounds possible.

Source: rules of the game, section 7. A small field with many rounds can be paired into a dead end (six pairs and
five rounds: one event in four), so when the defined rounds exceed half the active contenders, and these are fewer
than 24, the pairing taken is the first in the method's order after which the rounds that follow still exist:
without a rematch and without an avoidable second bye. Clubs play no part in those.

The remaining rounds exist when the pairs that have not met hold that many perfect pairings without a common pair
(in an odd field one more position stands for the bye). That is decided exactly, by a search over bit masks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from chalicelib.rules.model import CandidateOrder
from chalicelib.rules.pairing.factor import factor, has_factor
from chalicelib.rules.pairing.hashes import lot
from chalicelib.rules.pairing.live import Unpaired
from chalicelib.rules.pairing.masks import positions_of, strike

ATTEMPTS: Final = (1_000,) * 12 + (10_000,) * 3 + (40_000,)
"""Steps of the search in each attempt at one decision; every attempt prefers other opponents among equal ones.

Nearly every decision takes a few hundred steps, but a search that begins badly can go on for millions, while the
next one finds an answer at once. All attempts together take about two seconds. A state that needs more counts as
one that cannot be finished, on every machine alike: 7 of 32,000 decisions in random tournaments of 9 to 23 that
some entered late and some left."""


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
        self._rounds = 0
        self._thorough = False
        self._preference: list[int] = []

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
        self._rounds = outlook.rounds
        open_pairs = list(outlook.open_pairs)
        free = sum(1 << position for position in present)
        for one, other in fixed:
            strike(open_pairs, one, other)
            free &= ~(1 << one | 1 << other)
        if _too_few_open(open_pairs, outlook, free):
            return None
        for attempt, steps in enumerate(ATTEMPTS):
            # The costlier proof waits until a search has gone wrong: few do.
            self._thorough = attempt > 0
            self._preference = _preference(attempt, len(open_pairs) + 1)
            if attempt > 0 and _every_bye_is_owed(outlook):
                needed = _needed_pairs(open_pairs, outlook, free, self._preference)
                if needed is None:
                    return None
                allowed = [mask & pairs for mask, pairs in zip(eligible, needed.open_pairs, strict=True)]
                chosen = self._pair_this_round(needed, needed.open_pairs, allowed, free, steps)
                # Other pairs could be left out instead, so only what was found counts.
                if isinstance(chosen, list):
                    return _ascending([*fixed, *chosen])
            chosen = self._pair_this_round(outlook, open_pairs, eligible, free, steps)
            if chosen is not _UNDECIDED:
                return _ascending([*fixed, *chosen]) if isinstance(chosen, list) else None
        return None

    def _pair_this_round(
        self, outlook: Outlook, open_pairs: Sequence[int], eligible: Sequence[int], free: int, steps: int
    ) -> list[tuple[int, int]] | _Undecided | None:
        """Pairs of the ``free`` positions after which the remaining rounds exist; None: there are none."""
        self._steps = steps
        pairs = list(open_pairs)
        chosen: list[tuple[int, int]] = []

        def remaining_rounds_exist() -> bool:
            return self._rounds_exist(pairs, outlook.rounds, outlook.byeless)

        try:
            found = _RoundSearch(self, pairs, eligible, chosen, remaining_rounds_exist).pair(free)
        except _TooLong:
            return _UNDECIDED
        return chosen if found else None

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
            return _RoundSearch(
                self, pairs, eligible, [], lambda: self._known_or_search(tuple(pairs), 0, free_byes - 1)
            ).pair(everybody | 1 << bye)
        if not free_byes:
            spare = [mask.bit_count() - rounds for mask in pairs]
            thorough = self._thorough and rounds == self._rounds
            if min(spare) < 0 or _has_odd_part(pairs) or (thorough and not has_factor(pairs, spare)):
                return False
        return _RoundSearch(
            self, pairs, pairs, [], lambda: self._known_or_search(tuple(pairs), rounds - 1, free_byes)
        ).pair((1 << len(pairs)) - 1)

    def preference(self, position: int) -> int:
        """Which of equal opponents is tried first in this attempt."""
        return self._preference[position]

    def count_step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise _TooLong


class _RoundSearch:
    """Pair one round so that ``then`` holds.

    ``open_pairs`` loses the pairs while they stand (``eligible`` may be the same list) and is as before when the
    answer is False. ``chosen`` collects the pairs.
    """

    def __init__(
        self,
        look_ahead: LookAhead,
        open_pairs: list[int],
        eligible: Sequence[int],
        chosen: list[tuple[int, int]],
        then: Callable[[], bool],
    ) -> None:
        self._look_ahead = look_ahead
        self._open = open_pairs
        self._eligible = eligible
        self._chosen = chosen
        self._then = then
        self._completed = 0
        self._unpairable: set[int] = set()

    def pair(self, free: int) -> bool:
        """Pair the ``free`` positions, the one with the fewest candidates first."""
        if not free:
            self._completed += 1
            return self._then()
        if free in self._unpairable:
            return False
        self._look_ahead.count_step()
        completed = self._completed
        one, candidates = _fewest_candidates(self._eligible, free)
        for other in self._in_order(candidates, free):
            struck = self._open[one] >> other & 1
            if struck:
                strike(self._open, one, other)
            self._chosen.append((one, other))
            if self.pair(free & ~(1 << one | 1 << other)):
                return True
            self._chosen.pop()
            if struck:
                strike(self._open, one, other)
        if self._completed == completed:
            self._unpairable.add(free)
        return False

    def _in_order(self, candidates: int, free: int) -> list[int]:
        """Those with most pairs still open are needed least in later rounds: they lead to an answer soonest."""
        return sorted(
            positions_of(candidates),
            key=lambda one: (
                -self._open[one].bit_count(),
                (self._eligible[one] & free).bit_count(),
                self._look_ahead.preference(one),
            ),
        )


class _TooLong(Exception):
    """The bound on the search was reached."""


class _Undecided(Enum):
    """What an attempt answers that reached its bound."""

    UNDECIDED = "undecided"


_UNDECIDED: Final = _Undecided.UNDECIDED


def _ascending(pairs: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(min(pair), max(pair)) for pair in pairs}


def _preference(attempt: int, size: int) -> list[int]:
    """A fixed order of the positions for each attempt; their own order in the first."""
    if attempt == 0:
        return list(range(size))
    return [int(lot("look-ahead", attempt, position)[:12], 16) for position in range(size)]


def _with_bye(open_pairs: Sequence[int], byeless: int | None) -> tuple[int, ...]:
    """The open pairs with one more position that meets those who have had no bye."""
    if byeless is None:
        return tuple(open_pairs)
    bye = 1 << len(open_pairs)
    return (*(mask | bye if byeless >> i & 1 else mask for i, mask in enumerate(open_pairs)), byeless)


def _too_few_open(open_pairs: Sequence[int], outlook: Outlook, free: int) -> bool:
    """A cheap proof that the rounds to come do not exist: open pairs are counted for each position.

    ``free``: who has still to be paired in this round, which takes one open pair each. Who has fewer open pairs
    than rounds needs byes instead; a round has one at most, and a second one only once everybody has had one.
    """
    rounds, byeless = outlook.rounds, outlook.byeless
    missing = [max(0, rounds + (free >> position & 1) - mask.bit_count()) for position, mask in enumerate(open_pairs)]
    if byeless is None:
        return any(missing)
    free_byes = max(0, rounds - byeless.bit_count())
    too_many = (lack > free_byes + (byeless >> position & 1) for position, lack in enumerate(missing))
    return sum(missing) > rounds or any(too_many)


def _every_bye_is_owed(outlook: Outlook) -> bool:
    """Whether all byes to come go to those who have had none: then every open pair count is known beforehand."""
    return outlook.byeless is None or outlook.byeless.bit_count() >= outlook.rounds


def _needed_pairs(open_pairs: Sequence[int], outlook: Outlook, free: int, preference: Sequence[int]) -> Outlook | None:
    """The same question with so many open pairs left out (see ``factor``) that every one of the others is needed.

    ``free``: this round's unpaired positions. None: no such pairs exist, so the rounds do not either. A search that
    has nothing to waste soon finds an answer where one that may waste pairs wastes the wrong ones, as with late
    entries, who have many. ``preference`` decides which pairs are left out.
    """
    size = len(open_pairs)
    pairs = _with_bye(open_pairs, outlook.byeless)
    spare = [mask.bit_count() - outlook.rounds - (free >> one & 1) for one, mask in enumerate(pairs)]
    left_out = factor(pairs, spare, sorted(range(len(pairs)), key=preference.__getitem__))
    if left_out is None:
        return None
    needed = [mask & ~out for mask, out in zip(pairs, left_out, strict=True)]
    byeless = None if outlook.byeless is None else needed[size]
    return Outlook(tuple(mask & ~(1 << size) for mask in needed[:size]), byeless, outlook.rounds)


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
