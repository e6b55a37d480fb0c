"""Section 6: 团体 ranking."""

import hashlib

from chalicelib.rules.standings import standings
from tests.rules.building import document, event, played


def club_event(**settings):
    tables = [played(1, 1, 2, "A", "2"), played(2, 3, 4, "K", "2"), played(3, 5, 6, "6", "6")]
    of = document("clubs", 7, [{"tables": tables, "byes": [7]}], **settings)
    of["clubs"] = ["市南", "崂山", "城阳", "黄岛"]
    for entry, club in zip(of["entries"], ["市南", "崂山", "崂山", "市南", "市南", "外地", "城阳"], strict=True):
        entry["club"] = club
    return of


def clubs(of):
    return {row.club: row for row in standings(event(of)).clubs}


def test_the_best_results_of_a_club_are_summed():
    found = clubs(club_event(club_ranking={"best": 2}))
    assert list(found) == ["市南", "崂山", "城阳"]
    assert found["市南"].entries == (1, 5)
    assert found["市南"].complete
    assert found["市南"].values["match_points"] == "3"
    assert found["市南"].values["level_points"] == "38"
    assert (found["崂山"].entries, found["崂山"].values["match_points"]) == ((3, 2), "2")
    assert (found["城阳"].complete, found["城阳"].rank) == (False, 3)


def test_clubs_are_listed_only_when_they_have_entries_and_are_in_the_list():
    found = clubs(club_event())
    assert "黄岛" not in found
    assert "外地" not in found
    assert found["市南"].entries == (1, 5, 4)
    assert not found["市南"].complete


def test_club_ranking_is_off_unless_asked_for_or_the_kind_is_clubs():
    of = club_event()
    of["event"]["kind"] = "pairs"
    assert clubs(of) == {}
    of["event"]["club_ranking"] = {"on": True}
    assert "市南" in clubs(of)


def test_clubs_tie_and_stand_by_name():
    tables = [played(1, 1, 2, "6", "6")]
    of = document("clubs", 2, [tables], criteria=["match_points", "high_rounds", "head_to_head"])
    of["clubs"] = ["城阳", "崂山"]
    of["entries"][0]["club"], of["entries"][1]["club"] = "城阳", "崂山"
    found = standings(event(of)).clubs
    assert [(row.club, row.rank, row.tied) for row in found] == [("城阳", 1, True), ("崂山", 1, True)]
    assert found[0].values == {"match_points": "1", "high_rounds": ("13",)}


def test_the_lot_of_a_club_hashes_its_name():
    of = club_event(criteria=["match_points", "lot"], pairing={"seed": "2026"})
    found = clubs(of)["市南"].values["lot"]
    assert found == hashlib.sha256("2026:lot:市南".encode()).hexdigest()


def test_high_rounds_of_a_club_are_merged():
    found = clubs(club_event(criteria=["match_points", "high_rounds"]))
    assert found["崂山"].values["high_rounds"] == ("24", "1")


def test_rounds_survived_of_a_club_are_summed_first():
    of = club_event(knockout=True)
    of["rounds"][0]["tables"][2]["winner"] = "ew"
    found = clubs(of)
    assert found["崂山"].values["rounds_survived"] == "1"
    assert found["市南"].values["rounds_survived"] == "1"
    assert next(iter(found["市南"].values)) == "rounds_survived"


def test_clubs_choose_over_groups_by_rank_then_criteria():
    tables = [played(1, 1, 2, "3", "2"), played(2, 3, 4, "A", "2"), played(3, 5, 6, "4", "2")]
    of = document("round_robin", 6, [tables], club_ranking={"on": True, "best": 2})
    of["clubs"] = ["市南"]
    for entry, group in zip(of["entries"], "甲甲乙乙丙丙", strict=True):
        entry |= {"group": group, "club": "市南"}
    assert clubs(of)["市南"].entries == (3, 5)


def club_pairs(*levels, **settings):
    """Two clubs of two entries each, one in each half: 1 and 3 play for 甲队, 2 and 4 for 乙队."""
    tables = [played(1, 1, 2, *levels[0]), played(2, 3, 4, *levels[1])]
    of = document("clubs", 4, [tables], club_ranking={"best": 2}, **settings)
    of["clubs"] = ["乙队", "甲队"]
    for entry, club in zip(of["entries"], ["甲队", "乙队"] * 2, strict=True):
        entry["club"] = club
    return of


def test_clubs_are_ordered_by_merged_rounds():
    """Wins and losses are even; the rounds are 25, 12 against 14, 1."""
    of = club_pairs(("A", "2"), ("2", "3"), criteria=["match_points", "high_rounds"])
    assert [row.club for row in standings(event(of)).clubs] == ["甲队", "乙队"]
    of = club_pairs(("2", "A"), ("3", "2"), criteria=["match_points", "high_rounds"])
    assert [row.club for row in standings(event(of)).clubs] == ["乙队", "甲队"]


def test_clubs_are_ordered_by_lot():
    orders = set()
    for seed in map(str, range(4)):
        of = club_pairs(("5", "5"), ("5", "5"), criteria=["match_points", "lot"], pairing={"seed": seed})
        found = standings(event(of)).clubs
        assert found[0].values["lot"] < found[1].values["lot"]
        assert not any(row.tied for row in found)
        orders.add(found[0].club)
    assert orders == {"甲队", "乙队"}


def test_clubs_of_a_knockout_are_ordered_by_rounds_survived():
    of = club_pairs(("2", "3"), ("2", "A"), knockout=True, criteria=["level_points"])
    of["rounds"][0]["tables"][1]["winner"] = "ns"
    of["rounds"][0]["tables"][0]["winner"] = "ns"
    of["adjustments"] = [{"entry": 2, "round": 1, "criterion": "level_points", "amount": 500, "reason": "更正"}]
    assert [row.club for row in standings(event(of)).clubs] == ["甲队", "乙队"]


def test_over_groups_a_club_takes_who_survived_longer_first():
    """1 and 3 are first of their groups; 3 survived its round, 1 had no table, though its level points are higher."""
    of = document("round_robin", 4, [[played(1, 3, 4, "3", "2")]], knockout=True, criteria=["level_points"])
    of["event"]["club_ranking"] = {"on": True, "best": 1}
    of["clubs"] = ["甲队"]
    for entry, group in zip(of["entries"], "子子丑丑", strict=True):
        entry |= {"group": group, "club": "甲队"}
    of["adjustments"] = [{"entry": 1, "round": 1, "criterion": "level_points", "amount": 99, "reason": "更正"}]
    assert clubs(of)["甲队"].entries == (3,)
