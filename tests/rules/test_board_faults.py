"""Faults of boards, board sets, rooms and persons: what belongs to one kind and not to another."""

import pytest

from tests.rules.building import boards, document, faults, played, unplayed


def board_faults(kind, tables, entries=6):
    return faults(document(kind, entries, [tables]))


BOARD = "/rounds/0/tables/0/boards/0"


@pytest.mark.parametrize(
    ("board", "pointer", "code"),
    [
        (1, BOARD, "wrong_type"),
        ({"result": 3}, BOARD + "/board", "missing"),
        ({"board": 1}, BOARD + "/result", "missing"),
        ({"board": 0, "result": 3}, BOARD + "/board", "out_of_range"),
        ({"board": 1, "result": 0}, BOARD + "/result", "out_of_range"),
        ({"board": 1, "result": "3"}, BOARD + "/result", "wrong_type"),
        ({"board": 1, "result": 3, "level": "2"}, BOARD + "/level", "unknown_field"),
    ],
)
def test_faults_of_boards(board, pointer, code):
    assert board_faults("rotation", [{"table": 1, "ns": 1, "ew": 2, "boards": [board]}]) == {(pointer, code)}


def test_a_board_stands_once_and_a_played_table_has_one():
    twice = boards(1, 1, 2, 3, 3)
    twice["boards"][1]["board"] = 1
    assert board_faults("rotation", [twice]) == {("/rounds/0/tables/0/boards/1/board", "duplicate")}
    missing = boards(1, 1, 2)
    assert board_faults("mitchell", [missing]) == {("/rounds/0/tables/0/boards", "out_of_range")}
    del missing["boards"]
    assert board_faults("mitchell", [missing]) == {("/rounds/0/tables/0/boards", "missing")}
    assert board_faults("mitchell", [unplayed(1, 1, 2, "unplayed")]) == set()


def test_boards_may_stand_beside_levels_but_not_levels_beside_boards():
    of = played(1, 1, 2, "5", "2", boards=[{"board": 1, "result": 3}])
    assert board_faults("pairs", [of]) == set()
    found = board_faults("mitchell", [of])
    assert found == {(f"/rounds/0/tables/0/{name}_level", "not_offered") for name in ("ns", "ew")}


def test_a_winner_and_a_room_belong_to_their_kinds():
    assert board_faults("mitchell", [boards(1, 1, 2, 3, winner="ns")]) == {("/rounds/0/tables/0/winner", "not_offered")}
    assert board_faults("mitchell", [boards(1, 1, 2, 3, room="open")]) == {("/rounds/0/tables/0/room", "not_offered")}


def test_all_records_of_a_set_hold_the_same_boards():
    differ = ("/rounds/0/tables/1/boards", "inconsistent")
    assert board_faults("mitchell", [boards(1, 1, 2, 3, 3), boards(2, 3, 4, 3)]) == {differ}
    assert board_faults("mitchell", [boards(1, 1, 2, 3, 3, set=1), boards(2, 3, 4, 3, set="1")]) == set()
    assert board_faults("mitchell", [boards(1, 1, 2, 3, 3, set=1), boards(2, 3, 4, 3, set=1)]) == {differ}
    assert board_faults("rotation", [boards(1, 1, 2, 3, 3), boards(2, 3, 4, 3)]) == set()
    of = document("mitchell", 2, [[boards(1, 1, 2, 3, 3, set=7)], [boards(1, 1, 2, 3, set=7)]])
    assert faults(of) == {("/rounds/1/tables/0/boards", "inconsistent")}
    of = document("mitchell", 2, [[boards(1, 1, 2, 3, 3)], [boards(1, 1, 2, 3)]])
    assert faults(of) == set()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (1.5, "wrong_type"),
        (None, "wrong_type"),
        (True, "wrong_type"),
        ("长" * 201, "out_of_range"),
        (10**12, "out_of_range"),
    ],
)
def test_names_of_sets(name, code):
    assert board_faults("mitchell", [boards(1, 1, 2, 3, set=name)]) == {("/rounds/0/tables/0/set", code)}
    assert board_faults("mitchell", [boards(1, 1, 2, 3, set=0)]) == set()


def rooms(**second):
    other = boards(1, 1, 2, 3, room="closed") | second
    return [boards(1, 1, 2, 3, room="open"), other]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ({}, None),
        ({"room": "open"}, ("/rounds/0/tables/1/table", "duplicate")),
        ({"ns": 2, "ew": 1}, ("/rounds/0/tables/1/ns", "inconsistent")),
        ({"ew": 3}, ("/rounds/0/tables/1/ew", "inconsistent")),
        ({"set": "别的"}, ("/rounds/0/tables/1/set", "inconsistent")),
        ({"boards": [{"board": 2, "result": 3}]}, ("/rounds/0/tables/1/boards", "inconsistent")),
        ({"room": "green"}, ("/rounds/0/tables/1/room", "out_of_range")),
    ],
)
def test_the_two_rooms_of_a_match(second, expected):
    assert board_faults("team_of_four", rooms(**second)) == ({expected} if expected else set())


def test_a_played_match_has_two_rooms_and_another_one_none():
    assert board_faults("team_of_four", rooms()[:1]) == {("/rounds/0/tables/0/room", "inconsistent")}
    assert board_faults("team_of_four", [boards(1, 1, 2, 3)]) == {("/rounds/0/tables/0/room", "missing")}
    forfeit = unplayed(1, 1, 2, "ns_forfeit", room="open")
    assert board_faults("team_of_four", [forfeit]) == {("/rounds/0/tables/0/room", "inconsistent")}
    third = [*rooms(), boards(1, 1, 2, 3, room="open")]
    assert board_faults("team_of_four", third) == {("/rounds/0/tables/2/table", "duplicate")}


def test_a_team_has_at_most_eight_names():
    of = document("team_of_four", 1)
    of["entries"][0]["players"] = [{"name": "甲"}] * 9
    assert faults(of) == {("/entries/0/players", "out_of_range")}
    of["event"]["kind"] = "league"
    assert faults(of) == set()


@pytest.mark.parametrize(
    ("ns", "expected"),
    [
        ([1, 2], None),
        (1, ("", "wrong_type")),
        ([1], ("", "out_of_range")),
        ([1, 2, 5], ("", "out_of_range")),
        ([1, "2"], ("/1", "wrong_type")),
        ([1, 9], ("/1", "unknown_reference")),
        ([1, 1], ("/1", "inconsistent")),
    ],
)
def test_persons_sit_two_and_two(ns, expected):
    of = document("individual", 5, [[played(1, ns, [3, 4], "5", "2")]])
    assert faults(of) == (set() if expected is None else {("/rounds/0/tables/0/ns" + expected[0], expected[1])})


def test_rotation_seats_pairs_or_persons_but_not_both():
    assert board_faults("rotation", [boards(1, [1, 2], [3, 4], 3)]) == set()
    assert board_faults("rotation", [boards(1, 1, 2, 3), boards(2, 3, 4, 3)]) == set()
    assert board_faults("rotation", [boards(1, 1, 2, 3), boards(2, 3, [4, 5], 3)]) == {
        ("/rounds/0/tables/1/ew", "inconsistent")
    }


def test_sit_outs_are_seats():
    of = document("mitchell", 3, [{"tables": [boards(1, 1, 2, 3)], "sit_outs": [3, 2]}])
    assert faults(of) == {("/rounds/0/sit_outs/1", "inconsistent")}
