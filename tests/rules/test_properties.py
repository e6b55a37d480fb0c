"""Properties of every ranking, on random events of every kind."""

import json
from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.rules.document import parse
from chalicelib.rules.kinds import KINDS, Scoring
from chalicelib.rules.level_scores import level_scores
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.model import MatchPoints, Side
from chalicelib.rules.standings import standings
from tests.rules.random_events import document

SEEDS = st.integers(0, 10**9)
KIND_CODES = st.sampled_from(list(KINDS))
LEVEL = st.integers(0, 13)


@given(LEVEL, LEVEL, st.sampled_from([None, *Side]))
def test_the_two_sides_of_a_table_share_26_and_2(ns_level, ew_level, winner):
    ns, ew = level_scores(ns_level, ew_level, winner, MatchPoints())
    match_points, rounds_won, level_points, _, net_levels = (
        own + other for own, other in zip(ns.points, ew.points, strict=True)
    )
    assert (match_points, level_points, net_levels) == (2 * 2, 2 * 26, 0)
    assert rounds_won in (0, 2)


@given(LEVEL, LEVEL, st.sampled_from([None, *Side]))
def test_swapping_the_sides_of_a_table_swaps_its_scores(ns_level, ew_level, winner):
    other = {None: None, Side.NS: Side.EW, Side.EW: Side.NS}[winner]
    ns, ew = level_scores(ns_level, ew_level, winner, MatchPoints())
    assert level_scores(ew_level, ns_level, other, MatchPoints()) == (ew, ns)


def swapped(of):
    outcomes = {"ns_forfeit": "ew_forfeit", "ew_forfeit": "ns_forfeit"}
    for drawn in of.get("rounds", []):
        for table in drawn["tables"]:
            table["ns"], table["ew"] = table["ew"], table["ns"]
            if "ns_level" in table:
                table["ns_level"], table["ew_level"] = table["ew_level"], table["ns_level"]
            if "winner" in table:
                table["winner"] = "ew" if table["winner"] == "ns" else "ns"
            if table.get("outcome") in outcomes:
                table["outcome"] = outcomes[table["outcome"]]
            for board in table.get("boards", []):
                board["result"] = -board["result"]
    return of


@settings(max_examples=150, deadline=None)
@given(SEEDS, KIND_CODES)
def test_swapping_all_sides_changes_no_rank(seed, kind):
    of = document(Random(seed), kind)
    of["event"]["mitchell_ranking"] = "together"
    before = standings(parse(json.dumps(of)), addends=False)
    assert standings(parse(json.dumps(swapped(of))), addends=False) == before


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.sampled_from(["mitchell", "swiss_deviation"]))
def test_deviations_of_a_direction_sum_to_zero(seed, kind):
    event = parse(json.dumps(document(Random(seed), kind)))
    sheet = scoresheet(event)
    place = sheet.kind.measures.index("datum_deviation")
    seat = {
        (drawn.number, number): side
        for drawn in event.counted()
        for table in drawn.tables
        for side, numbers in (("ns", table.ns), ("ew", table.ew))
        for number in numbers
    }
    sums = {"ns": 0, "ew": 0, None: 0}
    for number, lines in zip(sheet.numbers, sheet.lines, strict=True):
        for line in lines.each():
            sums[seat.get((line.round, number))] += line.score.points[place]
    assert sums == {"ns": 0, "ew": 0, None: 0}


def tie_classes(event):
    """For every entry, whom it shares a rank with, and who stands before it."""
    rows = standings(event, addends=False).rows
    return {row.entry: (row.group, row.rank) for row in rows}


@settings(max_examples=200, deadline=None)
@given(SEEDS, KIND_CODES, st.data())
def test_adding_a_criterion_only_refines(seed, kind, data):
    of = document(Random(seed), kind)
    before = parse(json.dumps(of))
    unused = [code for code in KINDS[kind].criteria if code not in before.criteria]
    if not unused:
        return
    of["event"]["criteria"] = [*before.criteria, data.draw(st.sampled_from(unused))]
    old, new = tie_classes(before), tie_classes(parse(json.dumps(of)))
    for one in old:
        for two in old:
            if old[one][0] == old[two][0] and old[one][1] < old[two][1]:
                assert new[one][1] < new[two][1]


@settings(max_examples=150, deadline=None)
@given(SEEDS, KIND_CODES)
def test_ranks_are_competition_ranks(seed, kind):
    rows = standings(parse(json.dumps(document(Random(seed), kind))), addends=False).rows
    for row in rows:
        group = [other for other in rows if other.group == row.group]
        assert row.rank == 1 + sum(other.rank < row.rank for other in group)
        assert row.tied == (sum(other.rank == row.rank for other in group) > 1)
        assert not row.tied or all(other.values == row.values for other in group if other.rank == row.rank)


@settings(max_examples=150, deadline=None)
@given(SEEDS, KIND_CODES)
def test_match_points_of_an_event_add_up(seed, kind):
    """With default settings every table that was played or forfeited by one side gives 2, and byes and sit-outs
    what they say."""
    of = document(Random(seed), kind)
    for name in ("points", "bye", "walkover", "absent"):
        of["event"].pop(name, None)
    event = parse(json.dumps(of))
    sheet = scoresheet(event)
    total = sum(sheet.totals()["match_points"])
    expected = Fraction(0)
    for drawn in event.counted():
        for table in drawn.tables:
            if table.room != "closed" and table.outcome not in ("unplayed", "double_forfeit"):
                expected += 2 * len(table.ns)
        expected += 2 * len(drawn.byes) + len(drawn.sit_outs)
    counted = {drawn.number for drawn in event.counted()}
    for adjustment in event.adjustments:
        if adjustment.criterion == "match_points" and adjustment.round in counted:
            expected += adjustment.amount
    assert Fraction(total, sheet.scales["match_points"]) == expected


@settings(max_examples=100, deadline=None)
@given(SEEDS, KIND_CODES)
def test_every_column_has_an_exact_scale(seed, kind):
    sheet = scoresheet(parse(json.dumps(document(Random(seed), kind))))
    assert set(sheet.scales) == set(sheet.kind.measures)
    assert all(scale > 0 for scale in sheet.scales.values())
    if sheet.kind.scoring is Scoring.LEVELS:
        assert set(sheet.scales.values()) == {2}


@settings(max_examples=200, deadline=None)
@given(SEEDS, KIND_CODES)
def test_every_number_is_made_of_its_addends(seed, kind):
    of = document(Random(seed), kind)
    of["event"]["criteria"] = list(KINDS[kind].criteria)
    for row in standings(parse(json.dumps(of))).rows:
        for code, value in row.values.items():
            parts = [Fraction(part.value) for part in row.addends[code]]
            if code == "high_rounds":
                assert sorted(parts, reverse=True) == [Fraction(part) for part in value]
            elif code == "lot" or value is None:
                assert parts == []
            else:
                assert sum(parts) == Fraction(value), (code, row.entry)
