"""Section 2: what two sides and a referee say makes the state of a table."""

import pytest

from chalicelib.rules.kinds import KINDS
from chalicelib.rules.levels import FailuresAtA
from chalicelib.rules.model import Board, Outcome, Side
from chalicelib.rules.table_state import (
    State,
    TableResult,
    result_of_boards,
    table_state,
    winner_by_extra_board,
)

SIX = TableResult(ns_level=8, ew_level=4)
SEVEN = TableResult(ns_level=8, ew_level=5)


@pytest.mark.parametrize(
    ("ns", "ew", "ruling", "both", "state", "effective", "provisional"),
    [
        (None, None, None, True, State.OPEN, None, None),
        (SIX, None, None, True, State.ONE_SIDED, None, SIX),
        (None, SIX, None, True, State.ONE_SIDED, None, SIX),
        (SIX, None, None, False, State.CONFIRMED, SIX, SIX),
        (SIX, SIX, None, True, State.CONFIRMED, SIX, SIX),
        (SIX, SEVEN, None, True, State.DISPUTED, None, None),
        (SIX, SEVEN, None, False, State.DISPUTED, None, None),
        (SIX, SEVEN, SEVEN, True, State.RULED, SEVEN, SEVEN),
        (None, None, SIX, True, State.RULED, SIX, SIX),
    ],
)
def test_states(ns, ew, ruling, both, state, effective, provisional):
    found = table_state(ns, ew, ruling=ruling, double_submission=both)
    assert (found.state, found.effective, found.provisional) == (state, effective, provisional)


def test_a_running_score_is_no_submission():
    found = table_state(running=SIX)
    assert (found.state, found.effective, found.provisional) == (State.OPEN, None, SIX)
    assert table_state(SEVEN, running=SIX).provisional == SEVEN
    assert table_state(SIX, SEVEN, running=SEVEN).provisional == SEVEN


def test_words_are_taken_until_a_ruling_or_the_lock():
    assert table_state(SIX, SEVEN).takes_words
    assert not table_state(SIX, ruling=SIX).takes_words
    assert not table_state(SIX, SIX, locked=True).takes_words
    assert table_state(SIX, SIX, locked=True).locked


def test_what_two_words_have_to_agree_in():
    one, two = Board(1, 3), Board(2, -1)
    assert SIX._replace(boards=(one,)).agrees_with(SIX)
    assert not SIX._replace(winner=Side.NS).agrees_with(SIX)
    assert TableResult(boards=(one, two)).agrees_with(TableResult(boards=(two, one)))
    assert not TableResult(boards=(one,)).agrees_with(TableResult(boards=(two,)))
    forfeit = TableResult(Outcome.NS_FORFEIT, 3, 4)
    assert forfeit.agrees_with(TableResult(Outcome.NS_FORFEIT))
    assert not forfeit.agrees_with(TableResult(Outcome.EW_FORFEIT))


def played(*results):
    return [Board(number, result) for number, result in enumerate(results, 1)]


def test_boards_become_levels_where_the_kind_is_scored_by_levels():
    found = result_of_boards(KINDS["pairs"], list(reversed(played(3, 3, -1))))
    assert (found.ns_level, found.ew_level, found.winner) == (6, 1, None)
    assert [board.number for board in found.boards] == [1, 2, 3]
    assert result_of_boards(KINDS["open_ended"], played(3, 3, 3, 3, 3, 1)).ns_level == 15
    assert result_of_boards(KINDS["mitchell"], played(3)) == TableResult(boards=(Board(1, 3),))


@pytest.mark.parametrize(("sign", "winner"), [(1, Side.EW), (-1, Side.NS)])
def test_a_table_lost_at_a_has_an_explicit_winner(sign, winner):
    results = [sign * result for result in (3, 3, 3, 3, 1, 1, 1)]
    assert result_of_boards(KINDS["pairs"], played(*results), FailuresAtA.LOSE).winner is winner
    assert result_of_boards(KINDS["pairs"], played(*results), FailuresAtA.NONE).winner is None


def test_the_extra_board_of_a_knockout_is_won_by_the_first_out():
    assert winner_by_extra_board(1) is Side.NS
    assert winner_by_extra_board(-3) is Side.EW


def test_both_sides_have_to_submit_unless_said_otherwise():
    assert table_state(SIX).state is State.ONE_SIDED


def test_laps_keep_both_levels_and_the_boards():
    boards = tuple(played(3, 3, 3, 3, 3, -1))
    found = result_of_boards(KINDS["open_ended"], boards)
    assert found == TableResult(ns_level=13, ew_level=1, boards=boards)
