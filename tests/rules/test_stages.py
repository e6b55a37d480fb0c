"""From one stage to the next."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.rules.stages import Placed, Qualified, best_of_field, best_of_groups, drawn_groups, snake


def rows(ranks: list[int], group: str | None = None) -> list[Placed]:
    return [Placed(entry, rank, group) for entry, rank in enumerate(ranks, start=1)]


def test_the_best_go_on_and_a_tie_at_the_cut_is_left_to_the_organizer() -> None:
    assert best_of_field(rows([1, 2, 3, 4]), 2) == Qualified((1, 2))
    assert best_of_field(rows([1, 2, 2, 4]), 2) == Qualified((1,), (2, 3), 1)
    assert best_of_field(rows([1, 2, 2, 4]), 3) == Qualified((1, 2, 3))
    assert best_of_field(rows([1, 1, 1]), 1) == Qualified((), (1, 2, 3), 1)
    assert best_of_field(rows([1, 2]), 5) == Qualified((1, 2))
    assert best_of_field(rows([1, 2]), 0) == Qualified(())


def test_the_best_of_each_group() -> None:
    both = [Placed(1, 1, "A"), Placed(2, 2, "A"), Placed(3, 2, "B"), Placed(4, 1, "B")]
    assert best_of_groups(both, 1) == {"A": Qualified((1,)), "B": Qualified((4,))}


@given(st.integers(1, 40), st.integers(1, 8))
def test_a_snake_is_even(count: int, groups: int) -> None:
    filled = snake(list(range(count)), groups)
    sizes = [len(group) for group in filled]
    assert sorted(entry for group in filled for entry in group) == list(range(count))
    assert max(sizes) - min(sizes) <= 1
    if count % (2 * groups) == 0:
        assert len({sum(group) for group in filled}) == 1


@given(st.lists(st.sampled_from(["甲", "乙", "丙", None]), max_size=40), st.integers(1, 6), st.text(max_size=4))
def test_groups_by_lot_are_even_and_spread_the_clubs(clubs: list[str | None], groups: int, seed: str) -> None:
    of = dict(enumerate(clubs, start=1))
    filled = drawn_groups(list(of), groups, seed, of)
    assert sorted(entry for group in filled for entry in group) == list(of)
    sizes = [len(group) for group in filled]
    assert max(sizes) - min(sizes) <= 1
    biggest = max((count for club, count in Counter(clubs).items() if club), default=0)
    members = [max(Counter(of[entry] for entry in group if of[entry]).values(), default=0) for group in filled]
    assert max(members) <= -(-biggest // groups) + 1
    assert filled == drawn_groups(list(reversed(of)), groups, seed, of)


def test_the_biggest_club_is_spread_evenly() -> None:
    clubs = {number: "甲" if number <= 8 else None for number in range(1, 17)}
    for group in drawn_groups(list(clubs), 4, "2026", clubs):
        assert sum(clubs[entry] == "甲" for entry in group) == 2


def test_there_is_at_least_one_group() -> None:
    with pytest.raises(ValueError):
        snake([1], 0)
    with pytest.raises(ValueError):
        drawn_groups([1], 0, "x")
