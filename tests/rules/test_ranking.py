"""Section 6: order, ties, head to head, lot, knock-outs, groups, clubs."""

import hashlib

from chalicelib.rules.standings import ranking_for_pairing, standings, to_json
from tests.rules.building import boards, document, event, played, ranks, rows, unplayed, values


def test_full_ties_share_a_rank_and_stand_by_entry_number():
    tables = [played(1, 4, 1, "10", "2"), played(2, 3, 2, "6", "6"), played(3, 5, 6, "3", "2")]
    of = document(entries=6, rounds=[tables], criteria=["match_points"])
    assert ranks(of) == [(4, 1, True), (5, 1, True), (2, 3, True), (3, 3, True), (1, 5, True), (6, 5, True)]


def test_ranks_go_1_2_2_4():
    tables = [played(1, 1, 4, "A", "2"), played(2, 2, 3, "6", "6")]
    assert [rank for _, rank, _ in ranks(document(entries=4, rounds=[tables]))] == [1, 2, 2, 4]
    assert [tied for _, _, tied in ranks(document(entries=4, rounds=[tables]))] == [False, True, True, False]


def test_criteria_are_compared_in_the_organizers_order():
    tables = [played(1, 1, 2, "3", "2"), played(2, 3, 4, "A", "K")]
    of = document(entries=4, rounds=[tables], criteria=["upgrades", "match_points"])
    assert [entry for entry, _, _ in ranks(of)] == [3, 4, 1, 2]
    of["event"]["criteria"].reverse()
    assert [entry for entry, _, _ in ranks(of)] == [3, 1, 4, 2]


def triangle(*levels):
    """1, 2, 3 met one another once; the loser of each table has level 2."""
    pairs = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
    return [
        {"tables": [played(1, ns, ew, level, "2")], "byes": [other]}
        for (ns, ew, other), level in zip(pairs, levels, strict=True)
    ]


def test_head_to_head_of_two():
    rounds = [
        [played(1, 1, 2, "3", "5"), played(2, 3, 4, "5", "3")],
        [played(1, 1, 3, "5", "3"), played(2, 2, 4, "3", "5")],
    ]
    of = document(entries=4, rounds=rounds, criteria=["match_points", "head_to_head_two"])
    # All four have 2 points: more than two are tied, so it says nothing.
    assert values(of, "head_to_head_two") == dict.fromkeys((1, 2, 3, 4))
    of["adjustments"] = [
        {"entry": entry, "round": 1, "criterion": "match_points", "amount": 1, "reason": "更正"} for entry in (1, 2)
    ]
    assert values(of, "head_to_head_two") == {1: "0", 2: "2", 3: "2", 4: "0"}
    assert [entry for entry, _, _ in ranks(of)] == [2, 1, 3, 4]
    of["event"]["criteria"] = ["match_points", "head_to_head"]
    assert values(of, "head_to_head") == {1: "0", 2: "2", 3: "2", 4: "0"}


def test_head_to_head_of_a_full_circle_leaves_the_tie():
    of = document(entries=3, rounds=triangle("5", "5", "5"), criteria=["match_points", "head_to_head"])
    assert values(of, "head_to_head") == {1: "2", 2: "2", 3: "2"}
    assert [rank for _, rank, _ in ranks(of)] == [1, 1, 1]


def test_head_to_head_of_two_says_nothing_about_three():
    of = document(entries=3, rounds=triangle("5", "5", "5"), criteria=["match_points", "head_to_head_two"])
    assert values(of, "head_to_head_two") == dict.fromkeys((1, 2, 3))


def test_head_to_head_needs_every_meeting_equally_often():
    rounds = [*triangle("5", "5", "5"), {"tables": [played(1, 1, 2, "2", "2")], "byes": [3]}]
    of = document(entries=3, rounds=rounds, criteria=["head_to_head"], bye={"match_points": 1}, knockout=False)
    of["event"]["criteria"] = ["match_points", "head_to_head"]
    assert set(values(of, "match_points").values()) == {"4"}
    assert values(of, "head_to_head") == dict.fromkeys((1, 2, 3))


def test_head_to_head_counts_forfeits_and_no_adjustments():
    rounds = [{"tables": [unplayed(1, 1, 2, "ns_forfeit")]}]
    of = document(entries=2, rounds=rounds, criteria=["match_points", "head_to_head"])
    of["adjustments"] = [{"entry": 1, "round": 1, "criterion": "match_points", "amount": 2, "reason": "更正"}]
    assert values(of, "head_to_head") == {1: "0", 2: "2"}


def test_head_to_head_is_applied_once_and_what_stays_tied_goes_on():
    """1 beats 2 and 3, 2 and 3 draw: among the three, 1 has 4; 2 and 3 keep 1 each and go on to the levels."""
    rounds = [
        {"tables": [played(1, 1, 2, "5", "4")], "byes": [3]},
        {"tables": [played(1, 1, 3, "5", "2")], "byes": [2]},
        {"tables": [played(1, 2, 3, "6", "6")], "byes": [1]},
    ]
    of = document(entries=3, rounds=rounds, criteria=["level_points", "head_to_head", "upgrades"])
    of["adjustments"] = [
        {"entry": entry, "round": 1, "criterion": "level_points", "amount": amount, "reason": "更正"}
        for entry, amount in ((1, -4), (2, 1), (3, 3))
    ]
    found = rows(of)
    assert {row.values["level_points"] for row in found.values()} == {"39"}
    assert values(of, "head_to_head") == {1: "4", 2: "1", 3: "1"}
    assert [found[entry].rank for entry in (1, 2, 3)] == [1, 2, 3]


def test_head_to_head_between_persons_needs_opponents_not_partners():
    tables = [played(1, [1, 2], [3, 4], "5", "5")]
    of = document("individual", 4, [tables], criteria=["match_points", "head_to_head"])
    assert values(of, "head_to_head") == dict.fromkeys((1, 2, 3, 4))


def test_the_lot_is_an_ascending_hash_anybody_can_check():
    of = document(entries=5, criteria=["match_points", "lot"], pairing={"seed": "2026"})
    drawn = {n: hashlib.sha256(f"2026:lot:{n}".encode()).hexdigest() for n in range(1, 6)}
    assert values(of, "lot") == drawn
    assert [entry for entry, _, _ in ranks(of)] == sorted(drawn, key=drawn.__getitem__)
    assert not any(tied for _, _, tied in ranks(of))


def test_groups_are_ranked_by_themselves_and_stand_by_name():
    tables = [played(1, 1, 2, "5", "3"), played(2, 3, 4, "5", "3")]
    of = document("round_robin", 5, [tables])
    for entry, group in zip(of["entries"], ["乙", "乙", "甲", "甲", None], strict=True):
        entry["group"] = group
    found = standings(event(of)).rows
    assert [(row.group, row.entry, row.rank) for row in found] == [
        (None, 5, 1),
        ("乙", 1, 1),
        ("乙", 2, 2),
        ("甲", 3, 1),
        ("甲", 4, 2),
    ]


def mitchell(**settings):
    rounds = [
        {"tables": [boards(1, 1, 2, 3), boards(2, 3, 4, -3)], "sit_outs": [5]},
        {"tables": [boards(1, 4, 1, 3), boards(2, 3, 2, 1)], "sit_outs": [5]},
    ]
    return document("mitchell", 5, rounds, criteria=["duplicate_points"], **settings)


def test_mitchell_is_ranked_together_unless_apart():
    assert {row.group for row in standings(event(mitchell())).rows} == {None}
    found = standings(event(mitchell(mitchell_ranking="apart"))).rows
    assert [(row.group, row.entry, row.rank) for row in found] == [
        ("NS", 1, 1),
        ("NS", 3, 2),
        ("EW", 4, 1),
        ("EW", 2, 2),
        (None, 5, 1),
    ]


def test_ranked_apart_is_one_list_before_any_round():
    of = document("mitchell", 3, mitchell_ranking="apart")
    assert [(row.group, row.rank) for row in standings(event(of)).rows] == [(None, 1)] * 3


# Knock-out


def bracket(*rounds, **settings):
    return document(entries=4, rounds=list(rounds), knockout=True, criteria=["level_points"], **settings)


SEMIFINALS = [played(1, 1, 4, "A", "2"), played(2, 2, 3, "6", "5")]


def test_rounds_survived_stand_before_all_criteria():
    of = bracket(SEMIFINALS, [played(1, 1, 2, "3", "4")])
    found = rows(of)
    assert [found[entry].values["rounds_survived"] for entry in (1, 2, 3, 4)] == ["1", "2", "0", "0"]
    assert [entry for entry, _, _ in ranks(of)] == [2, 1, 3, 4]
    # Who is out is not absent from the final.
    assert len(found[3].addends["level_points"]) == 1


def test_the_third_place_match_puts_its_winner_before_its_loser():
    third = played(2, 3, 4, "2", "3", third_place=True)
    of = bracket(SEMIFINALS, [played(1, 1, 2, "3", "4"), third])
    found = rows(of)
    assert [found[entry].values["rounds_survived"] for entry in (3, 4)] == ["0", "0"]
    assert found[3].values["level_points"] == "24"
    assert found[4].values["level_points"] == "15"
    assert [entry for entry, _, _ in ranks(of)] == [2, 1, 4, 3]


def test_the_third_place_match_ends_no_run():
    third = played(1, 1, 2, "2", "3", third_place=True)
    of = document(entries=2, rounds=[[third], [played(1, 1, 2, "4", "3")]], knockout=True)
    assert values(of, "rounds_survived") == {1: "1", 2: "0"}


def test_byes_and_walkovers_survive_but_open_tables_and_absences_do_not():
    rounds = [
        {"tables": [unplayed(1, 1, 2, "ew_forfeit"), unplayed(2, 4, 5, "unplayed")], "byes": [3]},
        [unplayed(1, 1, 3, "double_forfeit")],
    ]
    of = document(entries=6, rounds=rounds, knockout=True)
    assert values(of, "rounds_survived") == {1: "1", 2: "0", 3: "1", 4: "0", 5: "0", 6: "0"}
    assert rows(of)[1].addends["rounds_survived"][0].why == "walkover, forfeited by 2"
    assert rows(of)[3].addends["rounds_survived"][0].why == "bye"


def test_a_table_on_equal_levels_is_decided_by_its_winner():
    of = bracket([played(1, 1, 4, "5", "5", winner="ew"), SEMIFINALS[1]])
    assert values(of, "rounds_survived") == {1: "0", 2: "1", 3: "0", 4: "1"}
    assert values(of, "level_points") == {1: "13", 2: "14", 3: "12", 4: "13"}


# Addends and JSON


def test_the_json_of_a_row():
    of = document(entries=2, rounds=[[played(1, 1, 2, "10", "6")]], criteria=["match_points", "high_rounds"])
    win = [{"round": 1, "value": "2", "why": "win over 2"}]
    assert to_json(standings(event(of)))["rows"][0] == {
        "rank": 1,
        "tied": False,
        "entry": 1,
        "group": None,
        "values": {"match_points": "2", "high_rounds": ("17",)},
        "addends": {"match_points": win, "high_rounds": [win[0] | {"value": "17"}]},
    }


def test_every_number_opens_to_its_addends():
    rounds = [
        {"tables": [played(1, 1, 2, "10", "6")], "byes": [3]},
        [unplayed(1, 1, 3, "ew_forfeit")],
        [played(1, 1, 2, "5", "5")],
    ]
    criteria = ["match_points", "opponents_match_points", "head_to_head", "high_rounds", "lot"]
    of = document(entries=3, rounds=rounds, criteria=criteria)
    of["adjustments"] = [{"entry": 1, "round": 2, "criterion": "match_points", "amount": -0.5, "reason": "迟到"}]
    opened = rows(of)[1].addends
    assert [(part.round, part.value, part.why) for part in opened["match_points"]] == [
        (1, "2", "win over 2"),
        (2, "2", "walkover, forfeited by 3"),
        (3, "1", "draw with 2"),
        (2, "-0.5", "adjustment: 迟到"),
    ]
    assert [(part.value, part.why) for part in opened["opponents_match_points"]] == [
        ("1", "total of 2"),
        ("2", "total of 3"),
        ("1", "total of 2"),
    ]
    assert [part.value for part in opened["high_rounds"]] == ["17", "20", "13"]
    assert opened["head_to_head"] == opened["lot"] == []
    assert [part.why for part in rows(of)[3].addends["match_points"]] == ["bye", "forfeit against 1", "absent"]


def test_head_to_head_opens_to_its_meetings():
    of = document(entries=2, rounds=[[played(1, 1, 2, "6", "6")]] * 2)
    of["event"]["criteria"] = ["match_points", "head_to_head_two"]
    opened = rows(of)[2].addends["head_to_head_two"]
    assert [(part.round, part.value, part.why) for part in opened] == [
        (1, "1", "draw with 1"),
        (2, "1", "draw with 1"),
    ]


def test_persons_name_both_opponents():
    of = document("individual", 4, [[played(1, [1, 4], [2, 3], "10", "6")]])
    assert rows(of)[1].addends["match_points"][0].why == "win over 2 and 3"
    assert [part.why for part in rows(of)[2].addends["opponents_match_points"]] == ["total of 1", "total of 4"]


def test_addends_can_be_left_out():
    found = to_json(standings(event(document(entries=2)), addends=False))
    assert [row["addends"] for row in found["rows"]] == [{}, {}]


def test_an_event_without_entries_has_no_rows():
    of = document(entries=0, criteria=["match_points", "head_to_head"])
    assert to_json(standings(event(of))) == {"rows": [], "clubs": []}


# The order pairing starts from


def test_ranking_for_pairing_has_ties_and_the_first_criterion():
    tables = [played(1, 4, 1, "10", "2"), played(2, 3, 2, "6", "6")]
    of = document(entries=5, rounds=[{"tables": tables, "byes": [5]}], bye={"match_points": 0.5})
    found = ranking_for_pairing(event(of))
    assert [(p.entry, p.tie, float(p.first)) for p in found] == [
        (4, 0, 2),
        (2, 1, 1),
        (3, 1, 1),
        (5, 2, 0.5),
        (1, 3, 0),
    ]


def test_ranking_for_pairing_leaves_groups_aside():
    of = document(entries=3, rounds=[[played(1, 1, 2, "5", "3")]])
    of["entries"][0]["group"] = "甲"
    assert [placing.entry for placing in ranking_for_pairing(event(of))] == [1, 2, 3]


def test_ranking_for_pairing_without_a_number_first():
    of = document("rotation", 2, [], criteria=["lot"])
    assert [placing.first for placing in ranking_for_pairing(event(of))] == [0, 0]
