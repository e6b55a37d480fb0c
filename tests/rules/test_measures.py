"""Section 3 and 4 of the rules: the worked examples, and every way not to play."""

from dataclasses import replace

import pytest

from chalicelib.rules.columns import Columns
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.model import Round, Table
from tests.rules.building import boards, document, event, played, rows, unplayed, values

ALL = ["match_points", "rounds_won", "level_points", "upgrades", "net_levels", "high_rounds"]
ALL += ["opponents_level_points", "opponents_match_points"]


@pytest.mark.parametrize(
    ("ns_level", "ew_level", "match_points", "level_points", "upgrades"),
    [
        ("10", "6", ("2", "0"), ("17", "9"), ("8", "4")),
        ("K", "8", ("2", "0"), ("18", "8"), ("11", "6")),
        ("J", "Q", ("0", "2"), ("12", "14"), ("9", "10")),
        ("5", "5", ("1", "1"), ("13", "13"), ("3", "3")),
        ("A+", "A", ("2", "0"), ("14", "12"), ("13", "12")),
        ("A", "2", ("2", "0"), ("25", "1"), ("12", "0")),
        ("A+", "2", ("2", "0"), ("26", "0"), ("13", "0")),
    ],
)
def test_worked_examples_of_levels(ns_level, ew_level, match_points, level_points, upgrades):
    found = rows(document(entries=2, rounds=[[played(1, 1, 2, ns_level, ew_level)]], criteria=ALL))
    for criterion, expected in (
        ("match_points", match_points),
        ("level_points", level_points),
        ("upgrades", upgrades),
    ):
        assert (found[1].values[criterion], found[2].values[criterion]) == expected


def test_more_than_13_levels_of_difference_are_26_to_0():
    lap = {"lap": 2, "level": "5"}
    found = rows(document("open_ended", 2, [[played(1, 1, 2, lap, "2")]], criteria=ALL))
    assert [found[1].values[name] for name in ("level_points", "upgrades", "net_levels")] == ["26", "17", "17"]
    assert [found[2].values[name] for name in ("level_points", "upgrades", "net_levels")] == ["0", "0", "-17"]


@pytest.mark.parametrize(
    ("winner", "levels", "expected"),
    [
        ("ns", ("2", "A"), ("14", "12", "2", "0", "-12")),
        ("ew", ("2", "A"), ("1", "25", "0", "2", "-12")),
        ("ns", ("6", "6"), ("13", "13", "2", "0", "0")),
        ("ew", ("A", "3"), ("12", "14", "0", "2", "11")),
    ],
)
def test_an_explicit_winner_decides(winner, levels, expected):
    found = rows(document(entries=2, rounds=[[played(1, 1, 2, *levels, winner=winner)]], criteria=ALL))
    one, two = found[1].values, found[2].values
    assert (
        one["level_points"],
        two["level_points"],
        one["match_points"],
        two["match_points"],
        one["net_levels"],
    ) == expected
    assert one["rounds_won"] == ("1" if winner == "ns" else "0")


def not_played(**settings):
    """Round 1: 1 beats 2, 3 forfeits to 4, 5 has a bye, 6 and 7 both forfeit, 8 v 9 is unplayed, 10 is absent."""
    tables = [
        played(1, 1, 2, "10", "6"),
        unplayed(2, 3, 4, "ns_forfeit"),
        unplayed(3, 6, 7, "double_forfeit"),
        unplayed(4, 8, 9, "unplayed", postponed=True),
    ]
    return document(entries=10, rounds=[{"tables": tables, "byes": [5]}], criteria=ALL, **settings)


def line(of, entry):
    found = rows(of)[entry].values
    return [found[name] for name in ALL]


def test_not_played_with_default_settings():
    of = not_played()
    #                  场分  胜  级差  升级 净   轮高分   对手
    assert line(of, 4) == ["2", "1", "20", "0", "0", ("20",), "0", "0"]
    assert line(of, 3) == ["0", "0", "0", "0", "0", ("0",), "20", "2"]
    assert line(of, 5) == ["2", "1", "13", "0", "0", ("13",), "0", "0"]
    assert line(of, 6) == line(of, 7) == ["0", "0", "0", "0", "0", ("0",), "0", "0"]
    assert line(of, 8) == line(of, 9) == ["0", "0", "0", "0", "0", (), "0", "0"]
    assert line(of, 10) == ["0", "0", "0", "0", "0", ("0",), "0", "0"]


def test_not_played_with_other_settings():
    of = not_played(
        points={"win": 3, "no_show": -1},
        bye={"match_points": 1.5, "level_points": 12.5},
        walkover={"level_points": 18, "upgrades": 2},
        absent={"level_points": 1},
    )
    assert line(of, 5) == ["1.5", "0", "12.5", "0", "0", ("12.5",), "0", "0"]
    assert line(of, 4)[:4] == ["3", "1", "18", "2"]
    assert line(of, 3)[:4] == ["-1", "0", "0", "0"]
    assert line(of, 10)[:4] == ["0", "0", "1", "0"]


def test_a_bye_is_worth_a_win_unless_said_otherwise():
    of = document(entries=1, rounds=[{"tables": [], "byes": [1]}], points={"win": 3}, criteria=ALL)
    assert line(of, 1)[:2] == ["3", "1"]


def test_absent_before_joining_but_not_after_leaving():
    of = document(entries=4, rounds=[[played(1, 1, 2, "5", "3")]] * 3, criteria=ALL, absent={"level_points": 7})
    of["entries"][2]["joined_round"] = 3
    of["entries"][3]["left_after_round"] = 1
    assert rows(of)[3].values["high_rounds"] == ("7", "7", "7")
    assert rows(of)[4].values["high_rounds"] == ("7",)


def test_rounds_beyond_the_defined_number_stay_and_do_not_count():
    of = document(entries=2, rounds=[[played(1, 1, 2, "5", "3")], [played(1, 1, 2, "3", "A")]])
    of["event"]["rounds"] = 1
    of["adjustments"] = [{"entry": 2, "round": 2, "criterion": "match_points", "amount": 9, "reason": "迟到"}]
    assert values(of, "match_points") == {1: "2", 2: "0"}
    of["event"]["rounds"] = 2
    assert values(of, "match_points") == {1: "2", 2: "11"}


def test_through_round_ranks_an_earlier_moment():
    of = document(entries=2, rounds=[[played(1, 1, 2, "5", "3")], [played(1, 1, 2, "3", "A")]])
    assert rows(of, through_round=1)[1].values["match_points"] == "2"
    assert rows(of, through_round=0)[1].values["match_points"] == "0"
    assert rows(of)[1].values["match_points"] == "2"
    assert rows(of)[2].values["match_points"] == "2"


def test_a_rematch_counts_twice_for_the_opponents_sums_and_a_forfeit_counts_as_met():
    of = document(
        entries=3,
        rounds=[
            {"tables": [played(1, 1, 2, "5", "3")], "byes": [3]},
            {"tables": [played(1, 1, 2, "5", "3")], "byes": [3]},
            {"tables": [unplayed(1, 1, 3, "ew_forfeit")], "byes": [2]},
        ],
        criteria=ALL,
    )
    # 2 has 0 + 0 + 2, 3 has 2 + 2 + 0.
    assert values(of, "opponents_match_points") == {1: "8", 2: "12", 3: "6"}


def test_adjustments_reach_what_is_summed_and_listed_but_not_who_won():
    of = document(entries=2, rounds=[[played(1, 1, 2, "10", "6")]], criteria=ALL)
    of["adjustments"] = [
        {"entry": 1, "round": 1, "criterion": "level_points", "amount": -2.5, "reason": "迟到"},
        {"entry": 1, "round": 1, "criterion": "match_points", "amount": -3, "reason": "违纪"},
        {"entry": 1, "round": 1, "criterion": "upgrades", "amount": 1, "reason": "更正"},
    ]
    assert line(of, 1) == ["-1", "1", "14.5", "9", "4", ("14.5",), "9", "0"]
    assert line(of, 2) == ["0", "0", "9", "4", "-4", ("9",), "14.5", "-1"]


def test_an_adjustment_of_a_round_without_a_score_is_not_listed():
    of = document(entries=2, rounds=[[unplayed(1, 1, 2, "unplayed")]], criteria=ALL)
    of["adjustments"] = [{"entry": 1, "round": 1, "criterion": "level_points", "amount": 4, "reason": "更正"}]
    assert rows(of)[1].values["level_points"] == "4"
    assert rows(of)[1].values["high_rounds"] == ()


def test_persons_get_the_score_of_their_side_and_both_opponents_count():
    of = document("individual", 4, [[played(1, [1, 4], [2, 3], "10", "6")]], criteria=ALL)
    assert values(of, "level_points") == {1: "17", 4: "17", 2: "9", 3: "9"}
    assert values(of, "opponents_level_points") == {1: "18", 4: "18", 2: "34", 3: "34"}


def test_high_rounds_compare_one_by_one():
    """9,5,4 ranks before 8,8,2 (both sum to 18); the rounds are listed downwards in whatever order they came."""
    scores = {5: (3, 2), 9: (3, 3, 3), 4: (3, 1), 8: (3, 3, 2), 2: (2,)}
    rounds = [[boards(1, 1, 3, *scores[one]), boards(2, 2, 4, *scores[two])] for one, two in ((5, 8), (9, 2), (4, 8))]
    found = rows(document("rotation", 4, rounds))
    assert found[1].values["rotation_points"] == found[2].values["rotation_points"] == "18"
    assert found[1].values["high_rounds"] == ("9", "5", "4")
    assert found[2].values["high_rounds"] == ("8", "8", "2")
    assert [found[1].rank, found[2].rank] == [1, 2]


def test_a_shorter_list_of_rounds_ranks_lower():
    rounds = [[played(1, 1, 2, "5", "5")], [unplayed(1, 1, 2, "unplayed", postponed=True)]]
    of = document(entries=3, rounds=rounds, criteria=["match_points", "high_rounds"])
    of["entries"][2]["joined_round"] = 2
    of["rounds"][0]["byes"] = []
    of["event"]["absent"] = {"match_points": 0.5, "level_points": 13}
    found = rows(of)
    assert found[1].values["high_rounds"] == ("13",)
    assert found[3].values["high_rounds"] == ("13", "13")
    assert [found[3].rank, found[1].rank, found[2].rank] == [1, 2, 2]


# Boards


def test_rotation_counts_every_board_alone():
    of = document(
        "rotation",
        6,
        [{"tables": [boards(1, 1, 2, 3, 2, -1), boards(2, 3, 4, -3, 1)], "byes": [5], "sit_outs": [6]}],
        criteria=["rotation_points", "match_points", "rounds_won", "high_rounds"],
    )
    # The sides really played: 5, 1, 1, 3; their mean is 2.5.
    assert values(of, "rotation_points") == {1: "5", 2: "1", 3: "1", 4: "3", 5: "2.5", 6: "2.5"}
    assert values(of, "match_points") == {1: "2", 2: "0", 3: "0", 4: "2", 5: "2", 6: "1"}
    assert values(of, "rounds_won") == {1: "1", 2: "0", 3: "0", 4: "1", 5: "1", 6: "0"}


def test_rotation_par_can_be_any_fraction_and_the_table_of_points_is_a_setting():
    tables = [boards(1, 1, 2, 3), boards(2, 3, 4, 1), boards(3, 5, 6, 1), unplayed(4, 8, 9, "ew_forfeit")]
    of = document("rotation", 9, [{"tables": tables, "byes": [7]}], rotation_points=[2.5, 1, 0.5])
    assert values(of, "rotation_points") == {
        1: "2.5",
        2: "0",
        3: "0.5",
        4: "0",
        5: "0.5",
        6: "0",
        7: "7/12",
        8: "7/12",
        9: "0",
    }


def test_par_is_nothing_when_nobody_played():
    of = document("rotation", 2, [{"tables": [], "byes": [1, 2]}])
    assert values(of, "rotation_points") == {1: "0", 2: "0"}


ROOMS = {"open": (3, -1, 2), "closed": (1, -1, -3)}


@pytest.mark.parametrize(("scale", "match"), [(6, ("25", "11")), (5, ("21", "9"))])
def test_worked_example_of_teams_of_four(scale, match):
    tables = [boards(1, 1, 2, *results, room=room) for room, results in ROOMS.items()]
    of = document("team_of_four", 3, [{"tables": tables, "byes": [3]}], duplicate_scale=scale)
    assert values(of, "duplicate_points") == {1: match[0], 2: match[1], 3: str(scale * 3)}
    assert values(of, "match_points") == {1: "2", 2: "0", 3: "2"}


@pytest.mark.parametrize(("scale", "half"), [(6, "18"), (5, "15")])
def test_equal_results_in_both_rooms_give_exactly_half(scale, half):
    tables = [boards(1, 1, 2, 3, -1, 2, room=room) for room in ("open", "closed")]
    of = document("team_of_four", 2, [tables], duplicate_scale=scale)
    assert values(of, "duplicate_points") == {1: half, 2: half}
    assert values(of, "match_points") == {1: "1", 2: "1"}


def test_a_team_match_is_one_meeting():
    tables = [boards(1, 1, 2, 3, room=room) for room in ("open", "closed")]
    of = document("team_of_four", 2, [tables, [unplayed(1, 2, 1, "ew_forfeit")]])
    assert values(of, "match_points") == {1: "1", 2: "3"}
    assert values(of, "opponents_match_points") == {1: "6", 2: "2"}


def test_half_points_of_par_in_the_scale_of_5():
    of = document(
        "swiss_deviation",
        3,
        [{"tables": [boards(1, 1, 2, 3, 3, 3)], "byes": [3]}],
        duplicate_scale=5,
        criteria=["duplicate_points"],
    )
    assert values(of, "duplicate_points") == {1: "15", 2: "0", 3: "7.5"}


def test_par_takes_the_longest_of_sets_of_different_length():
    tables = [boards(1, 1, 2, 3, set="长"), boards(2, 3, 4, 3, 3, set="短"), unplayed(3, 5, 6, "ns_forfeit")]
    of = document("mitchell", 7, [{"tables": tables, "sit_outs": [7]}], criteria=["duplicate_points"])
    assert values(of, "duplicate_points") == {1: "6", 2: "0", 3: "12", 4: "0", 5: "0", 6: "6", 7: "6"}


# What is refused


def test_a_played_table_without_levels_is_named():
    broken = replace(event(document(entries=2)), drawn=(Round(1, (Table(7, (1,), (2,)),)),))
    with pytest.raises(ValueError, match="table 7 of round 1 has no levels"):
        scoresheet(broken)


def test_head_to_head_is_no_column_of_its_own():
    with pytest.raises(ValueError, match="head_to_head"):
        Columns(scoresheet(event(document(entries=2)))).column("head_to_head")


def test_a_drawn_round_of_boards_is_no_round_won():
    criteria = ["match_points", "rounds_won"]
    rotation = document("rotation", 2, [[boards(1, 1, 2, 3, -3)]], criteria=criteria)
    rooms = [boards(1, 1, 2, 3, room=room) for room in ("open", "closed")]
    for of in (rotation, document("team_of_four", 2, [rooms], criteria=criteria)):
        assert values(of, "match_points") == {1: "1", 2: "1"}
        assert values(of, "rounds_won") == {1: "0", 2: "0"}
