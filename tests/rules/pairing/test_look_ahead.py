"""The look-ahead by itself: equal to trying every pairing and every way to play the remaining rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import pytest

from chalicelib.rules.model import CandidateOrder
from chalicelib.rules.pairing.look_ahead import LookAhead, Outlook
from tests.rules.pairing.test_matching import candidates

Pair = frozenset[int]


@dataclass(frozen=True)
class State:
    """A random state of a small field; the bye of this round is drawn already."""

    size: int
    open_pairs: frozenset[Pair]
    eligible: frozenset[Pair]
    bye: int | None
    owed: frozenset[int]
    rounds: int
    groups: list[int]
    order: CandidateOrder

    @cached_property
    def present(self) -> list[int]:
        return [one for one in range(self.size) if one != self.bye]

    def masks(self, pairs: frozenset[Pair]) -> list[int]:
        size = self.size
        return [sum(1 << other for other in range(size) if frozenset((one, other)) in pairs) for one in range(size)]


def random_state(random: Random) -> State:
    size = random.randrange(3, 8)
    pairs = [frozenset((one, other)) for one in range(size) for other in range(one)]
    open_pairs = frozenset(pair for pair in pairs if random.random() < random.choice((0.5, 0.8, 0.95)))
    owed = {one for one in range(size) if random.random() < 0.6}
    bye = random.choice(sorted(owed) or range(size)) if size % 2 else None
    return State(
        size,
        open_pairs,
        frozenset(pair for pair in open_pairs if random.random() < 0.8),
        bye,
        frozenset(owed - {bye}),
        random.randrange(1, 4),
        sorted(random.randrange(3) for _ in range(size)),
        random.choice(list(CandidateOrder)),
    )


def perfect(left: Sequence[int], pairs: frozenset[Pair]) -> Iterator[frozenset[Pair]]:
    if not left:
        yield frozenset()
    for other in left[1:]:
        pair = frozenset((left[0], other))
        if pair in pairs:
            for more in perfect([one for one in left[1:] if one != other], pairs):
                yield more | {pair}


def playable(state: State, pairs: frozenset[Pair], owed: frozenset[int], rounds: int) -> bool:
    if rounds == 0:
        return True
    everybody = range(state.size)
    byes: list[int | None] = [None] if state.bye is None else [*(owed or everybody)]
    return any(
        playable(state, pairs - chosen, owed - {bye}, rounds - 1)
        for bye in byes
        for chosen in perfect([one for one in everybody if one != bye], pairs)
    )


def in_order(state: State, left: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not left:
        yield []
        return
    for other in candidates(left, state.groups, state.order):
        if frozenset((left[0], other)) in state.eligible:
            for more in in_order(state, [one for one in left if one not in (left[0], other)]):
                yield [(left[0], other), *more]


def asked(state: State) -> list[tuple[int, int]] | None:
    byeless = None if state.bye is None else sum(1 << one for one in state.owed)
    outlook = Outlook(tuple(state.masks(state.open_pairs)), byeless, state.rounds)
    eligible = state.masks(state.eligible)
    return LookAhead().first_pairing(outlook, state.present, eligible, state.groups, state.order)


def test_it_takes_the_first_pairing_after_which_the_rounds_exist() -> None:
    random = Random(1)
    found = 0
    for _ in range(1500):
        state = random_state(random)
        expected = next(
            (
                pairs
                for pairs in in_order(state, state.present)
                if playable(state, state.open_pairs - {frozenset(pair) for pair in pairs}, state.owed, state.rounds)
            ),
            None,
        )
        assert asked(state) == expected, state
        found += expected is not None
    assert 300 < found < 1200


@pytest.mark.parametrize(("played", "rounds"), [(2, 6), (3, 5), (4, 4)])
def test_two_late_entries_cannot_be_used_up_and_that_is_proved(played: int, rounds: int) -> None:
    """Eight of ten have met in ``played`` rounds; all their other meetings are needed, but the two late ones have
    more meetings open than rounds remain, and can spare only the one between themselves."""
    size = 10
    met = {frozenset(pair) for step in range(played) for pair in _round_of_eight(step)}
    pairs = frozenset(
        frozenset((one, other)) for one in range(size) for other in range(one) if frozenset((one, other)) not in met
    )
    state = State(size, pairs, pairs, None, frozenset(), rounds, [0] * size, CandidateOrder.ADJACENT)
    assert size - 1 - played == rounds + 1
    assert asked(state) is None


def test_a_late_entry_with_meetings_to_spare_does_not_end_the_search() -> None:
    """Twelve have played six rounds of twelve when a thirteenth joins: all but the late one and one who had a bye
    need every meeting they have left, and the late one has twice as many as it needs.

    The pairing wanted was found by plain search of all pairings and rounds.
    """
    unmet = {
        0: (3, 5, 7, 9, 10, 12),
        1: (3, 6, 8, 10, 11, 12),
        2: (4, 6, 9, 10, 11, 12),
        3: (5, 7, 10, 12),
        4: (5, 6, 9, 11, 12),
        5: (7, 10, 12),
        6: (9, 11, 12),
        7: (8, 9, 12),
        8: (9, 10, 11, 12),
        9: (12,),
        11: (12,),
    }
    pairs = frozenset(frozenset((one, other)) for one, others in unmet.items() for other in others)
    owed = frozenset(range(12)) - {9}
    groups = [0, 1, 1, 3, 4, 5, 5, 5, 8, 9, 10, 11, 12]
    state = State(13, pairs, pairs, 12, owed, 5, groups, CandidateOrder.SLIDE)
    assert asked(state) == [(0, 3), (1, 6), (2, 4), (5, 10), (7, 9), (8, 11)]


def _round_of_eight(step: int) -> list[tuple[int, int]]:
    return [(7, step), *(((step + k) % 7, (step - k) % 7) for k in (1, 2, 3))]
