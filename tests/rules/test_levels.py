"""Section 1: how boards raise levels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.rules.levels import (
    INDEX,
    FailuresAtA,
    after_board,
    level_index,
    level_name,
    levels_after,
    open_ended_levels_after,
)

RESULTS = st.lists(st.sampled_from([3, 2, 1, -1, -2, -3]), max_size=40)
TO_A = [3, 3, 3, 3]
"""Four double outs bring NS from 2 to A."""


def test_levels_and_laps_have_indices():
    assert [INDEX[name] for name in ("2", "10", "J", "A", "A+")] == [0, 8, 9, 12, 13]
    assert level_index("2", 2) == 14
    assert level_name(14) == ("2", 2)
    assert level_name(13) == ("A+", 1)
    with pytest.raises(KeyError):
        level_index("1")


def test_only_the_side_of_the_first_out_rises():
    climb = levels_after([3, -1, 2, -2])
    assert (climb.ns_level, climb.ew_level) == (5, 3)
    assert climb.ns_to_play is False


def test_a_cannot_be_jumped():
    assert levels_after([3, 3, 3, 2, 3]).ns_level == INDEX["A"]


@pytest.mark.parametrize("result", [2, 3])
def test_a_is_passed_by_two_or_three_on_a_board_of_its_own_a(result):
    climb = levels_after([*TO_A, result])
    assert climb.ns_level == INDEX["A+"]
    assert climb.over


def test_one_does_not_pass_a():
    climb = levels_after([*TO_A, 1])
    assert climb.ns_level == INDEX["A"]
    assert climb.ns_attempts == 1


def test_a_is_not_passed_on_a_board_of_the_opponents_level():
    climb = levels_after([*TO_A, -1, 3])
    assert climb.ns_level == INDEX["A"]
    # The board at NS's A that EW won was the only failed attempt; on EW's level NS only won back its own.
    assert climb.ns_attempts == 1
    assert levels_after([*TO_A, -1, 3, 3]).ns_level == INDEX["A+"]


@pytest.mark.parametrize(
    ("rule", "level", "lost"),
    [
        (FailuresAtA.NONE, "A", None),
        (FailuresAtA.BACK_TO_2, "2", None),
        (FailuresAtA.LOSE, "A", True),
    ],
)
def test_three_failures_at_a(rule, level, lost):
    climb = levels_after([*TO_A, 1, 1, 1], rule)
    assert climb.ns_level == INDEX[level]
    assert climb.lost is lost
    assert climb.over is (lost is not None)


def test_ew_can_lose_by_failures_too():
    assert levels_after([-3, -3, -3, -3, -1, -1, 1], FailuresAtA.LOSE).lost is False


def test_nothing_counts_after_a_was_passed():
    passed = levels_after([*TO_A, 3])
    assert after_board(passed, -3) == passed


@pytest.mark.parametrize("result", [0, 4, -4])
def test_a_board_has_six_results(result):
    with pytest.raises(ValueError, match="a board ends with"):
        after_board(levels_after([]), result)


def test_open_ended_laps_go_on_after_a_passed():
    assert open_ended_levels_after([*TO_A, 2]) == (13, 0)
    assert open_ended_levels_after([*TO_A, 2, 3]) == (17, 0)
    assert open_ended_levels_after([*TO_A, 1, -1, 2]) == (12, 1)
    assert level_name(17) == ("5", 2)


@given(RESULTS, st.sampled_from(list(FailuresAtA)))
def test_swapping_sides_swaps_levels(results, rule):
    one = levels_after(results, rule)
    two = levels_after([-result for result in results], rule)
    assert (one.ns_level, one.ew_level) == (two.ew_level, two.ns_level)
    assert open_ended_levels_after(results) == open_ended_levels_after([-r for r in results])[::-1]


@given(RESULTS)
def test_levels_never_fall_when_failures_do_not_count(results):
    for end in range(len(results)):
        before = levels_after(results[:end], FailuresAtA.NONE)
        after = levels_after(results[: end + 1], FailuresAtA.NONE)
        assert before.ns_level <= after.ns_level <= INDEX["A+"]
        assert before.ew_level <= after.ew_level <= INDEX["A+"]


def test_failures_begin_anew_after_going_back():
    climb = levels_after([*TO_A, 1, 1, 1])
    assert (climb.ns_level, climb.ns_attempts) == (0, 0)
    again = levels_after([*TO_A, 1, 1, 1, *TO_A, 1, 1])
    assert (again.ns_level, again.ns_attempts) == (INDEX["A"], 2)


def test_a_second_lap_ends_at_its_own_a():
    second = [*TO_A, 2, 3, 3, 3, 3]
    assert open_ended_levels_after(second) == (14 + 12, 0)
    assert open_ended_levels_after([*second, 1]) == (14 + 12, 0)
    assert open_ended_levels_after([*second, 2]) == (14 + 13, 0)
    assert level_index("A") == 12
