"""What may be said of a table: levels, laps, boards and winners, by kind."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.rules.document import parse, to_document
from chalicelib.rules.kinds import KINDS
from chalicelib.rules.levels import LEVELS
from chalicelib.rules.model import Entry, Event, KindCode, Outcome, Room, Round, Table
from chalicelib.rules.standings import standings
from chalicelib.rules.table_state import TableResult
from chalicelib.services.problems import Problem
from chalicelib.services.results import Speaker, result_from
from chalicelib.services.settings import Settings, defaults
from chalicelib.services.stored.tables import (
    StoredTable,
    board_numbers,
    board_text,
    result_of,
    score_of,
    values_of,
)
from chalicelib.services.views.scoring import BoardResult, Score


def settings(kind: str, **changes: Any) -> Settings:
    return msgspec.structs.replace(defaults("甲", KINDS[kind], "1"), **changes)


def table(*boards: int) -> StoredTable:
    return StoredTable(1, 1, "g", [1], [2], None, [], None, 0, 0, 1, boards=list(boards))


def boards(*results: int, first: int = 1) -> list[BoardResult]:
    return [BoardResult(number, result) for number, result in enumerate(results, first)]


def said(score: Score, of: Settings, at: StoredTable | None = None, by: Speaker = Speaker.SIDE) -> Score:
    """The score as it is stored and shown again."""
    return score_of(result_of(values_of(result_from(score, at or table(), of, by))))


def refusal(score: Score, of: Settings, at: StoredTable | None = None, by: Speaker = Speaker.SIDE) -> tuple[str, str]:
    with pytest.raises(Problem) as caught:
        said(score, of, at, by)
    assert caught.value.document()["detail_en"]
    return caught.value.code, caught.value.field or ""


@pytest.mark.parametrize(
    ("kind", "score", "expected"),
    [
        ("pairs", Score("played", "1", "A"), ("bad_value", "ns_level")),
        ("pairs", Score("played", "A", None), ("bad_value", "ew_level")),
        ("pairs", Score("played"), ("bad_value", "ns_level")),
        ("pairs", Score("played", "A+", "A+"), ("levels_impossible", "ew_level")),
        ("pairs", Score("played", "A", "9", 2), ("lap_not_offered", "ns_lap")),
        ("pairs", Score("played", "A", "9", winner="ew"), ("winner_refused", "winner")),
        ("pairs", Score("played", "9", "9", winner="ew"), ("winner_refused", "winner")),
        ("pairs", Score("played", boards=boards(3, 2, first=2)), ("boards_wrong", "boards")),
        ("pairs", Score("played", boards=[BoardResult(1, 3), BoardResult(1, 3)]), ("boards_wrong", "boards")),
        ("rotation", Score("played", "A", "9"), ("levels_not_offered", "ns_level")),
        ("rotation", Score("played", boards=boards(3, 2), winner="ns"), ("winner_refused", "winner")),
        ("rotation", Score("played", boards=boards(3)), ("boards_wrong", "boards")),
        ("rotation", Score("played", boards=boards(3, 2, 1)), ("boards_wrong", "boards")),
        ("rotation", Score("played", boards=[BoardResult(1, 3), BoardResult(1, 2)]), ("boards_wrong", "boards")),
        ("mitchell", Score("played", boards=boards(3, 2, first=3)), ("boards_wrong", "boards")),
    ],
)
def test_what_cannot_have_happened_is_refused(kind: str, score: Score, expected: tuple[str, str]) -> None:
    assert refusal(score, settings(kind), table(1, 2)) == expected


def test_boards_alone_make_the_levels() -> None:
    found = said(Score("played", boards=boards(3, 3, 3, 3, 2)), settings("pairs"))
    assert (found.ns_level, found.ew_level, len(found.boards)) == ("A+", "2", 5)
    # +3 from 2 to 5 to 8 to J to A, then A is passed; in 超分赛 the next board begins the second lap.
    found = said(Score("played", boards=boards(3, 3, 3, 3, 2, 1)), settings("open_ended"))
    assert (found.ns_level, found.ns_lap) == ("3", 2)


def test_boards_of_levels_end_with_the_rounds_number_of_boards() -> None:
    few = settings("pairs", boards_per_round=2)
    assert said(Score("played", boards=boards(3, 2)), few).ns_level == "7"
    assert refusal(Score("played", boards=boards(3, 2, 1)), few) == ("boards_wrong", "boards")


def test_who_loses_by_failures_at_a_makes_the_other_side_win() -> None:
    lose = settings("pairs", failures_at_a="lose")
    # NS reaches A and does not pass it in three boards of its own.
    failed = said(Score("played", boards=boards(3, 3, 3, 3, 1, 1, 1)), lose)
    assert (failed.ns_level, failed.ew_level, failed.winner) == ("A", "2", "ew")
    assert said(Score("played", "A", "2", winner="ew"), lose).winner == "ew"
    assert refusal(Score("played", "K", "2", winner="ew"), lose) == ("winner_refused", "winner")


def test_laps_are_kept_where_they_exist() -> None:
    found = said(Score("played", "5", "A+", 2, 1), settings("open_ended"))
    assert (found.ns_level, found.ns_lap, found.ew_level, found.ew_lap) == ("5", 2, "A+", 1)
    assert said(Score("played", "A+", "A+"), settings("open_ended")).ew_level == "A+"


def test_an_official_may_say_who_won_whatever_the_levels_say() -> None:
    overruled = Score("played", "A", "9", winner="ew")
    assert said(overruled, settings("pairs"), by=Speaker.OFFICIAL) == overruled
    equal = Score("played", "9", "9")
    assert refusal(equal, settings("pairs", knockout=True), by=Speaker.OFFICIAL) == ("winner_missing", "winner")


def test_a_running_score_may_lack_boards_and_a_winner() -> None:
    part = Score("played", boards=[BoardResult(2, -3)])
    assert said(part, settings("mitchell"), table(1, 2), Speaker.RUNNING) == part
    equal = Score("played", "9", "9")
    assert said(equal, settings("pairs", knockout=True), by=Speaker.RUNNING) == equal


def test_a_forfeit_holds_nothing_else() -> None:
    assert said(Score("ns_forfeit", "A", "9", winner="ew", boards=boards(1)), settings("pairs")) == Score("ns_forfeit")


@pytest.mark.parametrize("numbers", [[1], [1, 2, 3], [5, 6, 7, 8], [1, 2, 4, 9, 10]])
def test_board_numbers_come_back_from_their_short_form(numbers: list[int]) -> None:
    assert board_numbers(board_text(numbers)) == numbers
    assert len(board_text(range(1, 100))) == 4


LEVEL_NAMES = st.sampled_from([*LEVELS, "1", ""]) | st.none()
SCORES = st.builds(
    Score,
    st.sampled_from(list(Outcome)).map(lambda outcome: outcome.value),
    LEVEL_NAMES,
    LEVEL_NAMES,
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from(["ns", "ew", None]),
    st.lists(st.builds(BoardResult, st.integers(1, 5), st.sampled_from([3, 2, 1, -1, -2, -3])), max_size=5),
)


def attempt(score: Score, at: StoredTable, of: Settings, by: Speaker) -> TableResult | Problem:
    try:
        return result_from(score, at, of, by)
    except Problem as problem:
        return problem


@given(
    SCORES,
    st.sampled_from(sorted(KINDS)),
    st.booleans(),
    st.sampled_from(["none", "back_to_2", "lose"]),
    st.sampled_from(list(Speaker)),
)
def test_whatever_is_said_is_refused_in_words_or_is_a_record_that_the_rules_can_score(
    score: Score, kind: str, knockout: bool, failures: str, speaker: Speaker
) -> None:
    row = KINDS[kind]
    of = settings(kind, **({"knockout": knockout, "failures_at_a": failures} if row.knockout else {}))
    at = table() if row.scored_by_levels else table(1, 2, 3)
    result = attempt(score, at, of, speaker)
    if isinstance(result, Problem):
        assert result.document()["detail_zh"]
        return
    # Nothing is lost on the way to the store and back, and it says the same as itself.
    assert result_of(values_of(result)) == result
    assert result.agrees_with(result_of(values_of(result)))
    if speaker is Speaker.RUNNING or result.outcome is not Outcome.PLAYED:
        return
    # The record stands in a sound document: knock-outs have their winner, boards are those of the table.
    room = {"room": Room.OPEN} if row.code is KindCode.TEAM_OF_FOUR else {}
    stored = Table(
        1, (1,), (2,), result.outcome, result.ns_level, result.ew_level, result.boards, winner=result.winner, **room
    )
    assert scores_of(stored, kind, of.knockout)


def scores_of(played: Table, kind: str, knockout: bool) -> bool:
    """Whether a document with this table is sound (both rooms of a match, both persons of a side) and can be ranked."""
    tables = [played] if played.room is None else [played, played._replace(room=Room.CLOSED)]
    if kind == "individual":
        tables = [played._replace(ns=(1, 2), ew=(3, 4))]
    event = Event(
        "甲",
        KindCode(kind),
        1,
        KINDS[kind].default_criteria,
        tuple(Entry(number) for number in (1, 2, 3, 4)),
        (Round(1, tuple(tables)),),
        knockout=knockout,
    )
    again = parse(json.dumps(to_document(event)))
    return len(standings(again).rows) == 4
