"""Every way a document can be wrong is named by JSON pointer and code."""

import copy
import json

import pytest

from chalicelib.rules.check import faults as contradictions
from tests.rules.building import document, event, faults, played, unplayed


def sound():
    """A pairs event with something of everything."""
    tables = [played(1, 1, 2, "10", "6"), unplayed(2, 3, 4, "unplayed", postponed=True)]
    of = document(entries=5, rounds=[{"tables": tables, "byes": [5]}, [played(1, 1, 3, "5", "5", winner="ns")]])
    of["clubs"] = ["市南", "崂山"]
    of["entries"][0] |= {"club": "市南", "players": [{"name": "甲", "phone": "13800138000"}, {"name": "乙"}]}
    of["adjustments"] = [{"entry": 3, "round": 1, "criterion": "match_points", "amount": -2, "reason": "迟到"}]
    return of


MISSING = object()
HALF_A_PAIR = json.loads('"\\ud83d"')


def changed(path, value, of=None):
    """The sound document with one value put in, replaced, or (MISSING) taken out."""
    of = copy.deepcopy(of or sound())
    parent = of
    for step in path[:-1]:
        parent = parent[step]
    if value is MISSING:
        del parent[path[-1]]
    elif isinstance(parent, list) and path[-1] == len(parent):
        parent.append(value)
    else:
        parent[path[-1]] = value
    return of


def test_the_sound_document_is_sound():
    assert faults(sound()) == set()


EVENT = [
    (["format"], MISSING, "missing"),
    (["format"], 1, "wrong_type"),
    (["format"], "guanjun-event/2", "out_of_range"),
    (["event"], MISSING, "missing"),
    (["event"], [], "wrong_type"),
    (["entries"], MISSING, "missing"),
    (["entries"], {}, "wrong_type"),
    (["clubs"], "市南", "wrong_type"),
    (["clubs", 0], 7, "wrong_type"),
    (["clubs", 1], "市南", "duplicate"),
    (["clubs", 1], "长" * 201, "out_of_range"),
    (["rounds"], None, "wrong_type"),
    (["adjustments"], {}, "wrong_type"),
    (["extra"], 1, "unknown_field"),
    (["event", "name"], MISSING, "missing"),
    (["event", "name"], 5, "wrong_type"),
    (["event", "name"], "长" * 201, "out_of_range"),
    (["event", "name"], HALF_A_PAIR, "out_of_range"),
    (["event", "kind"], MISSING, "missing"),
    (["event", "kind"], "pair", "out_of_range"),
    (["event", "kind"], 3, "wrong_type"),
    (["event", "rounds"], MISSING, "missing"),
    (["event", "rounds"], 0, "out_of_range"),
    (["event", "rounds"], 101, "out_of_range"),
    (["event", "rounds"], 10**50, "out_of_range"),
    (["event", "rounds"], "5", "wrong_type"),
    (["event", "rounds"], 5.5, "wrong_type"),
    (["event", "rounds"], True, "wrong_type"),
    (["event", "knockout"], 1, "wrong_type"),
    (["event", "third_place_match"], True, "not_offered"),
    (["event", "time_zone"], None, "wrong_type"),
    (["event", "colour"], "red", "unknown_field"),
    (["event", "criteria"], [], "out_of_range"),
    (["event", "criteria"], "match_points", "wrong_type"),
    (["event", "points"], [2, 1, 0, 0], "wrong_type"),
    (["event", "points"], {"win": 2.25}, ("win", "out_of_range")),
    (["event", "points"], {"win": 1000.5}, ("win", "out_of_range")),
    (["event", "points"], {"win": -1001}, ("win", "out_of_range")),
    (["event", "points"], {"win": "2"}, ("win", "wrong_type")),
    (["event", "points"], {"win": True}, ("win", "wrong_type")),
    (["event", "points"], {"wins": 2}, ("wins", "unknown_field")),
    (["event", "bye"], {"board_points": "half"}, ("board_points", "out_of_range")),
    (["event", "bye"], {"board_points": None}, ("board_points", "wrong_type")),
    (["event", "walkover"], {"level_points": 20.1}, ("level_points", "out_of_range")),
    (["event", "absent"], {"points": 1}, ("points", "unknown_field")),
    (["event", "absent"], None, "wrong_type"),
    (["event", "pairing"], {"method": "swiss"}, ("method", "out_of_range")),
    (["event", "pairing"], {"order": 1}, ("order", "wrong_type")),
    (["event", "pairing"], {"first_round": "lot"}, ("first_round", "out_of_range")),
    (["event", "pairing"], {"club_rule": "sometimes"}, ("club_rule", "out_of_range")),
    (["event", "pairing"], {"club_until_round": 0}, ("club_until_round", "out_of_range")),
    (["event", "pairing"], {"club_until_round": "1"}, ("club_until_round", "wrong_type")),
    (["event", "pairing"], {"seed": 2026}, ("seed", "wrong_type")),
    (["event", "partners"], "drawn", "out_of_range"),
    (["event", "meets_by"], "mitchell", "out_of_range"),
    (["event", "meets_by"], "round_robin", "not_offered"),
    (["event", "duplicate_scale"], 7, "out_of_range"),
    (["event", "duplicate_scale"], 6.5, "wrong_type"),
    (["event", "rotation_points"], [3, 2], "out_of_range"),
    (["event", "rotation_points"], 3, "wrong_type"),
    (["event", "mitchell_ranking"], "both", "out_of_range"),
    (["event", "median_field"], "set", "out_of_range"),
    (["event", "club_ranking"], True, "wrong_type"),
    (["event", "club_ranking"], {"on": "yes"}, ("on", "wrong_type")),
    (["event", "club_ranking"], {"best": 0}, ("best", "out_of_range")),
    (["event", "club_ranking"], {"worst": 1}, ("worst", "unknown_field")),
]
ENTRIES = [
    (["entries", 1], 2, "wrong_type"),
    (["entries", 1, "no"], MISSING, "missing"),
    (["entries", 1, "no"], "2", "wrong_type"),
    (["entries", 5], {"no": 0}, ("no", "out_of_range")),
    (["entries", 5], {"no": 100001}, ("no", "out_of_range")),
    (["entries", 5], {"no": 1}, ("no", "duplicate")),
    (["entries", 1, "name"], None, "wrong_type"),
    (["entries", 1, "club"], 3, "wrong_type"),
    (["entries", 1, "group"], 1, "wrong_type"),
    (["entries", 1, "seed"], 0, "out_of_range"),
    (["entries", 1, "seed"], 1.0, "wrong_type"),
    (["entries", 1, "age"], 9, "unknown_field"),
    (["entries", 1, "joined_round"], None, "wrong_type"),
    (["entries", 4, "joined_round"], 0, "out_of_range"),
    (["entries", 4, "left_after_round"], -1, "out_of_range"),
    (["entries", 0, "players"], None, "wrong_type"),
    (["entries", 0, "players", 0], "甲", "wrong_type"),
    (["entries", 0, "players", 0, "phone"], "1380013800", "out_of_range"),
    (["entries", 0, "players", 0, "phone"], "23800138000", "out_of_range"),
    (["entries", 0, "players", 0, "phone"], "+1234567", "out_of_range"),
    (["entries", 0, "players", 0, "phone"], "13800138000\n", "out_of_range"),
    (["entries", 0, "players", 0, "phone"], 13800138000, "wrong_type"),
    (["entries", 0, "players", 0, "age"], 30, "unknown_field"),
]
ROUNDS = [
    (["rounds", 0], [], "wrong_type"),
    (["rounds", 0, "no"], MISSING, "missing"),
    (["rounds", 1, "no"], 1, "duplicate"),
    (["rounds", 1, "no"], 3, "inconsistent"),
    (["rounds", 0, "tables"], MISSING, "missing"),
    (["rounds", 0, "tables"], None, "wrong_type"),
    (["rounds", 0, "clock"], 1, "unknown_field"),
    (["rounds", 0, "sit_outs"], [5], "not_offered"),
    (["rounds", 0, "byes"], 5, "wrong_type"),
    (["rounds", 0, "byes", 0], "5", "wrong_type"),
    (["rounds", 0, "byes", 0], 6, "unknown_reference"),
    (["rounds", 0, "byes", 0], 1, "inconsistent"),
    (["rounds", 0, "byes", 1], 5, "inconsistent"),
    (["rounds", 0, "tables", 0], 1, "wrong_type"),
    (["rounds", 0, "tables", 0, "table"], MISSING, "missing"),
    (["rounds", 0, "tables", 1, "table"], 1, "duplicate"),
    (["rounds", 0, "tables", 0, "table"], 0, "out_of_range"),
    (["rounds", 0, "tables", 0, "ns"], MISSING, "missing"),
    (["rounds", 0, "tables", 0, "ew"], [2], "wrong_type"),
    (["rounds", 0, "tables", 0, "ew"], "2", "wrong_type"),
    (["rounds", 0, "tables", 0, "ew"], 100001, "out_of_range"),
    (["rounds", 0, "tables", 0, "ew"], 9, "unknown_reference"),
    (["rounds", 0, "tables", 0, "ew"], 1, "inconsistent"),
    (["rounds", 0, "tables", 1, "ns"], 2, "inconsistent"),
    (["rounds", 0, "tables", 0, "outcome"], "draw", "out_of_range"),
    (["rounds", 0, "tables", 0, "outcome"], None, "wrong_type"),
    (["rounds", 0, "tables", 0, "ns_level"], MISSING, "missing"),
    (["rounds", 0, "tables", 0, "ns_level"], "1", "out_of_range"),
    (["rounds", 0, "tables", 0, "ns_level"], "A++", "out_of_range"),
    (["rounds", 0, "tables", 0, "ns_level"], 10, "wrong_type"),
    (["rounds", 0, "tables", 0, "ns_level"], {"lap": 2, "level": "5"}, "wrong_type"),
    (["rounds", 0, "tables", 0, "winner"], "north", "out_of_range"),
    (["rounds", 0, "tables", 0, "winner"], None, "wrong_type"),
    (["rounds", 0, "tables", 1, "winner"], "ns", "inconsistent"),
    (["rounds", 0, "tables", 0, "postponed"], True, "inconsistent"),
    (["rounds", 0, "tables", 0, "postponed"], 1, "wrong_type"),
    (["rounds", 0, "tables", 0, "third_place"], True, "not_offered"),
    (["rounds", 0, "tables", 0, "room"], "open", "not_offered"),
    (["rounds", 0, "tables", 0, "set"], 1, "not_offered"),
    (["rounds", 0, "tables", 0, "boards"], {}, "wrong_type"),
    (["rounds", 0, "tables", 0, "score"], 1, "unknown_field"),
]
ADJUSTMENTS = [
    (["adjustments", 0], 1, "wrong_type"),
    *[(["adjustments", 0, name], MISSING, "missing") for name in sound()["adjustments"][0]],
    (["adjustments", 0, "entry"], 77, "unknown_reference"),
    (["adjustments", 0, "entry"], "3", "wrong_type"),
    (["adjustments", 0, "round"], 3, "unknown_reference"),
    (["adjustments", 0, "round"], 0, "out_of_range"),
    (["adjustments", 0, "criterion"], "rotation_points", "not_offered"),
    (["adjustments", 0, "criterion"], "net_levels", "out_of_range"),
    (["adjustments", 0, "criterion"], 1, "wrong_type"),
    (["adjustments", 0, "amount"], 2.25, "out_of_range"),
    (["adjustments", 0, "amount"], None, "wrong_type"),
    (["adjustments", 0, "reason"], None, "wrong_type"),
    (["adjustments", 0, "by"], "裁判", "unknown_field"),
]


@pytest.mark.parametrize(("path", "value", "code"), [*EVENT, *ENTRIES, *ROUNDS, *ADJUSTMENTS])
def test_one_fault_is_named_alone(path, value, code):
    below, code = ("/" + code[0], code[1]) if isinstance(code, tuple) else ("", code)
    pointer = "".join(f"/{step}" for step in path) + below
    assert faults(changed(path, value)) == {(pointer, code)}


@pytest.mark.parametrize(
    ("criteria", "pointer", "code"),
    [
        (["match_points", "match_points"], "/event/criteria/1", "duplicate"),
        (["points"], "/event/criteria/0", "out_of_range"),
        ([1], "/event/criteria/0", "wrong_type"),
        (["duplicate_points", "match_points"], "/event/criteria/0", "not_offered"),
        (["high_rounds"], "/event/criteria/0", "inconsistent"),
        (["lot", "match_points"], "/event/criteria/0", "inconsistent"),
        (["head_to_head"], "/event/criteria/0", "inconsistent"),
        (["points", "lot"], "/event/criteria/0", "out_of_range"),
    ],
)
def test_faults_of_criteria(criteria, pointer, code):
    assert faults(changed(["event", "criteria"], criteria)) == {(pointer, code)}


def test_what_may_not_stand_first_in_a_swiss_event_may_elsewhere():
    for kind, settings in (("round_robin", {}), ("pairs", {"knockout": True}), ("rotation", {})):
        assert faults(document(kind, 2, criteria=["lot"], **settings)) == set()
    assert faults(document("team_of_four", 2, criteria=["lot"], meets_by="round_robin")) == set()
    assert faults(document("team_of_four", 2, criteria=["lot"])) == {("/event/criteria/0", "inconsistent")}


def test_what_is_accepted():
    of = sound()
    of["event"] |= {
        "points": {"win": 2.0, "draw": 0.5, "loss": -0.0},
        "bye": {"board_points": 3.5},
        "meets_by": "swiss",
        "partners": "new_each_round",
        "duplicate_scale": 5,
        "pairing": {"club_until_round": None, "seed": ""},
    }
    of["entries"][1] |= {"club": None, "group": None, "seed": None, "left_after_round": None}
    of["entries"][4] |= {"players": [{"name": "甲", "phone": "+8613800138000"}, {"phone": ""}]}
    of["rounds"][0]["sit_outs"] = []
    of["rounds"][0]["tables"][0] |= {"third_place": False, "postponed": False}
    of["rounds"][0]["tables"][1] |= {"ns_level": "A"}
    of["rounds"].reverse()
    assert faults(of) == set()
    assert faults("\ufeff" + json.dumps(of)) == set()
    assert faults(json.dumps(of, ensure_ascii=False).encode("utf-8-sig")) == set()


def test_seats_outside_an_entrys_time():
    of = sound()
    of["entries"][1]["joined_round"] = 2
    of["entries"][2]["left_after_round"] = 1
    assert faults(of) == {
        ("/rounds/0/tables/0/ew", "inconsistent"),
        ("/rounds/1/tables/0/ew", "inconsistent"),
    }


def test_an_entry_may_leave_before_it_played_but_not_before_it_joined():
    of = sound()
    of["entries"].append({"no": 9, "joined_round": 4, "left_after_round": 3})
    assert faults(of) == set()
    of["entries"][-1]["left_after_round"] = 2
    assert faults(of) == {("/entries/5/left_after_round", "inconsistent")}
    of["entries"][-1] = {"no": 9, "left_after_round": 0}
    assert faults(of) == set()


def test_several_faults_are_all_named_and_cause_no_others():
    of = changed(["entries", 1, "no"], "2")
    of["event"]["rounds"] = 0
    of["rounds"][0]["tables"][1]["outcome"] = "lost"
    of["adjustments"][0]["criterion"] = "goals"
    of["adjustments"][0]["entry"] = 99
    assert faults(of) == {
        ("/entries/1/no", "wrong_type"),
        ("/event/rounds", "out_of_range"),
        ("/rounds/0/tables/1/outcome", "out_of_range"),
        ("/adjustments/0/criterion", "out_of_range"),
    }


def test_without_a_kind_tables_are_not_judged():
    of = changed(["event", "kind"], "chess")
    of["rounds"][0]["tables"][0]["ns_level"] = 10
    of["event"]["criteria"] = ["duplicate_points"]
    assert faults(of) == {("/event/kind", "out_of_range")}


def test_a_hole_in_the_numbering_is_named_once():
    of = document(entries=2, rounds=[[], [], []])
    for drawn, number in zip(of["rounds"], (1, 3, 4), strict=True):
        drawn["no"] = number
    assert faults(of) == {("/rounds/1/no", "inconsistent")}
    of["rounds"][0]["no"] = 5
    assert faults(of) == {("/rounds/1/no", "inconsistent")}


def test_a_table_recorded_twice_seats_its_entries_twice():
    of = sound()
    of["rounds"][0]["tables"].append(of["rounds"][0]["tables"][0])
    where = "/rounds/0/tables/2"
    assert faults(of) == {(f"{where}/table", "duplicate")} | {
        (f"{where}/{side}", "inconsistent") for side in ("ns", "ew")
    }


# Knock-outs


def test_a_knockout_table_on_equal_levels_needs_a_winner():
    of = document(entries=2, rounds=[[played(1, 1, 2, "5", "5")]], knockout=True)
    assert faults(of) == {("/rounds/0/tables/0/winner", "inconsistent")}
    of["rounds"][0]["tables"][0]["winner"] = "ew"
    assert faults(of) == set()
    of["rounds"][0]["tables"][0]["third_place"] = True
    assert faults(of) == set()


@pytest.mark.parametrize("kind", ["rotation", "team_of_four", "mitchell", "swiss_deviation"])
def test_a_knockout_is_scored_by_levels(kind):
    of = document(kind, 2, knockout=True, third_place_match=True)
    assert faults(of) == {("/event/knockout", "not_offered")}


@pytest.mark.parametrize(
    ("outcome", "winner", "sound"),
    [
        ("ns_forfeit", "ns", False),
        ("ns_forfeit", "ew", True),
        ("ew_forfeit", "ew", False),
        ("ew_forfeit", "ns", True),
        ("double_forfeit", "ns", False),
        ("unplayed", "ew", False),
    ],
)
def test_a_winner_that_cannot_have_won(outcome, winner, sound):
    of = document(entries=2, rounds=[[unplayed(1, 1, 2, outcome, winner=winner)]])
    assert faults(of) == (set() if sound else {("/rounds/0/tables/0/winner", "inconsistent")})


# Laps


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ({"lap": 2, "level": "5"}, None),
        ({"lap": 0, "level": "5"}, ("/lap", "out_of_range")),
        ({"lap": "2", "level": "5"}, ("/lap", "wrong_type")),
        ({"level": "5"}, ("/lap", "missing")),
        ({"lap": 2}, ("/level", "missing")),
        ({"lap": 2, "level": "1"}, ("/level", "out_of_range")),
        ({"lap": 2, "level": 5}, ("/level", "wrong_type")),
        ({"lap": 2, "level": "5", "board": 1}, ("/board", "unknown_field")),
        ([2, "5"], ("", "wrong_type")),
    ],
)
def test_levels_with_laps(level, expected):
    of = document("open_ended", 2, [[played(1, 1, 2, level, "5")]])
    wanted = set() if expected is None else {("/rounds/0/tables/0/ns_level" + expected[0], expected[1])}
    assert faults(of) == wanted


# Checking an event that was not read from a document


def test_an_event_in_memory_is_checked_by_the_same_rules():
    found = event(sound())
    assert contradictions(found) == []
    twice = found.drawn[0].tables[0]._replace(number=9)
    round_one = found.drawn[0]
    broken = round_one.__class__(1, (*round_one.tables, twice), round_one.byes)
    faulty = found.__class__(
        name=found.name,
        kind=found.kind,
        rounds=2,
        criteria=found.criteria,
        entries=found.entries,
        drawn=(broken,),
    )
    assert {(fault.pointer, fault.code.value) for fault in contradictions(faulty)} == {
        ("/rounds/0/tables/2/ns", "inconsistent"),
        ("/rounds/0/tables/2/ew", "inconsistent"),
    }
