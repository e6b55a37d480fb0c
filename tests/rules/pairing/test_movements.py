"""Every movement shows the properties of its design, for all sizes in use."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from statistics import pstdev

import pytest

from chalicelib.rules.pairing.berger import berger_round, club_mates_early, cycle_length
from chalicelib.rules.pairing.bracket import bracket, seed_positions
from chalicelib.rules.pairing.mitchell import EvenTables, best_switch, comparisons, mitchell_round, most_rounds
from chalicelib.rules.pairing.whist import DESIGNED, whist_rounds


@pytest.mark.parametrize("size", range(2, 41))
def test_in_a_cycle_everybody_meets_everybody_once_and_sides_are_even(size: int) -> None:
    rounds = [berger_round(size, index) for index in range(cycle_length(size))]
    meetings = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    everybody = range(size + size % 2)
    assert meetings == Counter({frozenset(pair): 1 for pair in combinations(everybody, 2)})
    for pairs in rounds:
        assert sorted(slot for pair in pairs for slot in pair) == list(everybody)
    for slot in range(size):
        seats = [int(pair[0] == slot) for pairs in rounds for pair in pairs if slot in pair and max(pair) < size]
        assert abs(2 * sum(seats) - len(seats)) <= 1
        assert "111" not in "".join(map(str, seats))
        assert "000" not in "".join(map(str, seats))


@pytest.mark.parametrize("size", range(2, 20))
def test_the_second_cycle_changes_the_sides(size: int) -> None:
    length = cycle_length(size)
    pairs = Counter(pair for index in range(2 * length) for pair in berger_round(size, index))
    assert set(pairs.values()) == {1}
    assert len(pairs) == length * (length + 1)


def test_the_published_table_for_six() -> None:
    """FIDE handbook C.05, annex 1."""
    published = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
    ours = [" ".join(f"{ns + 1}-{ew + 1}" for ns, ew in berger_round(6, index)) for index in range(5)]
    assert ours == published


@pytest.mark.parametrize(
    ("clubs", "latest"),
    [((1, 0, 0, 1, 0, 0, 0, 0), 0), ((1, 1, 2, 2, 0, 0, 0, 0), 0), ((1, 1, 1, 2, 2, 2, 4, 4, 0, 0), 3)],
)
def test_club_mates_meet_early(clubs: tuple[int, ...], latest: int) -> None:
    slots = club_mates_early(range(len(clubs)), clubs)
    assert sorted(slots) == list(range(len(clubs)))
    late = [
        index
        for index in range(cycle_length(len(clubs)))
        for pair in berger_round(len(clubs), index)
        if clubs[slots[pair[0]]] & clubs[slots[pair[1]]]
    ]
    assert max(late) <= latest


def test_nothing_moves_without_clubs() -> None:
    assert club_mates_early(range(7), [0] * 7) == list(range(7))


def test_the_known_orders_of_seeds() -> None:
    assert seed_positions(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


@pytest.mark.parametrize("count", [*range(2, 34), 100, 257, 1000])
def test_in_a_bracket_the_best_have_the_byes_and_meet_late(count: int) -> None:
    starts = bracket([0] * count)
    size = len(starts)
    assert size // 2 < count <= size
    assert sorted(start for start in starts if start is not None) == list(range(count))
    byes = {
        one if one is not None else other
        for one, other in zip(starts[::2], starts[1::2], strict=True)
        if None in (one, other)
    }
    assert byes == set(range(size - count))
    assert all((one, other) != (None, None) for one, other in zip(starts[::2], starts[1::2], strict=True))
    place = {start: position for position, start in enumerate(starts) if start is not None}
    blocks = 2
    while blocks <= count:
        assert len({place[seed] * blocks // size for seed in range(blocks)}) == blocks
        blocks *= 2


@pytest.mark.parametrize("clubs", [(1, 0, 1, 0), (1, 0, 0, 1), (0, 0, 1, 2, 1, 2, 0, 0), (1, 0, 0, 0, 0, 1, 0)])
def test_two_club_mates_start_in_different_halves(clubs: tuple[int, ...]) -> None:
    starts = bracket(clubs)
    for club in {mask for mask in clubs if mask}:
        halves = [
            position * 2 // len(starts)
            for position, start in enumerate(starts)
            if start is not None and clubs[start] == club
        ]
        assert sorted(halves) == [0, 1]


def test_a_big_club_is_spread_over_the_quarters() -> None:
    clubs = [1 if seed % 4 == 0 else 0 for seed in range(32)]
    starts = bracket(clubs)
    quarters = Counter(p * 4 // 32 for p, start in enumerate(starts) if start is not None and clubs[start])
    assert sorted(quarters.values()) == [2, 2, 2, 2]


MITCHELLS = [(tables, even) for tables in range(2, 15) for even in EvenTables if tables % 2 == 0 or even == "skip"]


@pytest.mark.parametrize(("tables", "even"), MITCHELLS)
def test_in_a_mitchell_nobody_meets_a_pair_or_a_set_twice(tables: int, even: EvenTables) -> None:
    rounds = [mitchell_round(tables, index, even) for index in range(most_rounds(tables, even))]
    meetings = Counter((seat.ns, seat.ew) for seats in rounds for seat in seats)
    assert set(meetings.values()) == {1}
    for line in ("ns", "ew"):
        sets = Counter((getattr(seat, line), seat.board_set) for seats in rounds for seat in seats)
        assert set(sets.values()) == {1}
    for seats in rounds:
        together = Counter(seat.board_set for seat in seats)
        assert max(together.values()) == (2 if even is EvenTables.SHARE_AND_RELAY else 1)
        assert {seat.ns for seat in seats} == {seat.ew for seat in seats} == set(range(tables))
    if even is EvenTables.SHARE_AND_RELAY:
        assert len(meetings) == tables * tables
        assert all(seats[0].board_set == seats[-1].board_set for seats in rounds)


@pytest.mark.parametrize("tables", range(3, 12))
def test_the_mitchell_moves_as_the_rule_says(tables: int) -> None:
    for index in range(tables // 2):
        for seat in mitchell_round(tables, index):
            assert (seat.ns, seat.ew, seat.board_set) == (
                seat.table,
                (seat.table - index) % tables,
                (seat.table + index) % tables,
            )


def test_an_even_mitchell_without_skip_would_repeat_boards() -> None:
    """Shows that the check above can fail: six tables moved like an odd number."""
    seats = [(seat.ew, (seat.table + index) % 6) for index in range(5) for seat in mitchell_round(6, index)]
    plain = [((table - index) % 6, (table + index) % 6) for index in range(5) for table in range(6)]
    assert len(set(seats)) == len(seats)
    assert len(set(plain)) < len(plain)


@pytest.mark.parametrize("tables", [7, 9, 11, 13])
def test_the_arrow_switch_evens_out_who_is_compared_with_whom(tables: int) -> None:
    def spread(switched: int) -> float:
        rounds = [mitchell_round(tables, index, switch_from=tables - switched) for index in range(tables)]
        names = [f"{line}{number}" for line in ("ew", "ns") for number in range(tables)]
        counts = comparisons(rounds, tables)
        return pstdev(counts[min(pair), max(pair)] for pair in combinations(names, 2))

    assert spread(best_switch(tables)) <= 1.2 * min(spread(switched) for switched in range(tables // 2))
    assert spread(best_switch(tables)) < spread(0) / 1.5


@pytest.mark.parametrize("persons", DESIGNED)
def test_in_a_whist_design_everybody_is_partner_once_and_opponent_twice(persons: int) -> None:
    rounds = whist_rounds(persons)
    assert rounds is not None
    assert len(rounds) == persons - (persons % 4 == 0)
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for tables in rounds:
        seated = [person for table in tables for couple in table for person in couple]
        assert len(set(seated)) == len(seated) == persons - persons % 4
        for ns, ew in tables:
            partners.update((frozenset(ns), frozenset(ew)))
            opponents.update(frozenset(pair) for pair in product(ns, ew))
    pairs = [frozenset(pair) for pair in combinations(range(persons), 2)]
    assert partners == Counter(pairs)
    assert opponents == Counter(pairs * 2)


def test_there_is_no_whist_for_ten() -> None:
    assert whist_rounds(10) is None
    assert all(later > earlier for earlier, later in pairwise(DESIGNED))
