"""Knock-outs: who is out, the bracket, the match for the third place, and old results that stand under new ones."""

from __future__ import annotations

import pytest

from chalicelib.services import rounds, schemes, scoring, standings
from chalicelib.services.views.schemes import Bracket
from chalicelib.services.views.scoring import Score, TableView
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump
from tests.support.kinds import Way, confirm, open_way, rule, say, tables_of
from tests.support.refusals import refused, refused_as
from tests.support.world import TestWorld

NS_WINS, EW_WINS = Score("played", "A", "9"), Score("played", "9", "A")


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Seven pairs in a knock-out with a match for the third place; round 1 is being played."""
    hall = open_way(world, Way("pairs", 7, settings={"knockout": True, "third_place_match": True}))
    hall.play(1)
    return hall


def play_round(hall: Hall, number: int) -> None:
    """NS wins everywhere."""
    for table in tables_of(hall, number):
        say(hall, table, "ns", NS_WINS)
        say(hall, table, "ew", NS_WINS)


def bracket(hall: Hall) -> Bracket:
    return schemes.read_bracket(hall.world, hall.event_id)


def test_the_losers_are_out_and_the_third_place_is_played_beside_the_final(hall: Hall, engine: Engine) -> None:
    play_round(hall, 1)
    losers = {table.ew.number for table in tables_of(hall, 1)}
    second = hall.play(2)
    seated = {number for table in second.tables for side in (table.ns, table.ew) for number in side.numbers}
    assert len(second.tables) == 2
    assert not seated & losers
    play_round(hall, 2)
    final = hall.play(3)
    assert [table.third_place for table in final.tables] == [False, True]
    assert [table.third_place for table in tables_of(hall, 3)] == [False, True]
    play_round(hall, 3)
    assert refused(hall.draw).code == "too_few_entries"
    hall.settle(3)
    Pump(engine).run()
    first, second_place, third, fourth = standings.read(hall.world, hall.event_id).rows[:4]
    won, third_match = tables_of(hall, 3)
    assert [first.number, second_place.number] == [won.ns.number, won.ew.number]
    assert [third.number, fourth.number] == [third_match.ns.number, third_match.ew.number]
    assert standings.compare(hall.world, hall.event_id).equal


def test_equal_levels_need_a_winner_who_then_goes_on(hall: Hall) -> None:
    table = tables_of(hall, 1)[0]
    assert refused(say, hall, table, "ns", Score("played", "K", "K")).field == "winner"
    equal = Score("played", "K", "K", winner="ew")
    say(hall, table, "ns", equal)
    assert say(hall, table, "ew", Score("played", "K", "K", winner="ns")).state == "disputed"
    say(hall, table, "ew", equal)
    assert hall.table(1, table.table).state == "confirmed"
    for other in tables_of(hall, 1)[1:]:
        confirm(hall, other)
    numbers = {entry.number for drawn in hall.draw().tables for entry in (drawn.ns, drawn.ew)}
    assert table.ew.number in numbers
    assert table.ns.number not in numbers


def test_the_bracket_shows_who_is_known_to_come(hall: Hall) -> None:
    before = bracket(hall)
    assert [len(each.tables) for each in before.rounds] == [4, 2, 2]
    assert [each.name_en for each in before.rounds] == ["Quarterfinals", "Semifinals", "Final"]
    rests = [slot for slot in before.rounds[0].tables if slot.ew is None]
    assert [(slot.table, slot.winner) for slot in rests] == [(0, "ns")]
    assert before.rounds[2].tables[1].third_place
    play_round(hall, 1)
    known = bracket(hall).rounds[1].tables
    winners = {table.ns.number for table in tables_of(hall, 1)} | {rests[0].ns.number}
    assert {slot.ns.number for slot in known} | {slot.ew.number for slot in known} == winners
    expected = [(slot.ns.number, slot.ew.number) for slot in known]
    drawn = hall.play(2)
    # What the bracket said is what was drawn, place by place.
    assert {frozenset((table.ns.number, table.ew.number)) for table in drawn.tables} == {
        frozenset(pair) for pair in expected
    }
    after = bracket(hall).rounds[1].tables
    assert [frozenset((slot.ns.number, slot.ew.number)) for slot in after] == [frozenset(pair) for pair in expected]
    assert all(slot.table for slot in after)


def next_table(hall: Hall, number: int, table: TableView) -> TableView:
    winner = table.ns.number
    return next(each for each in tables_of(hall, number) if winner in (each.ns.number, each.ew.number))


def test_an_old_result_stands_while_the_next_match_has_one(hall: Hall) -> None:
    play_round(hall, 1)
    hall.play(2)
    old = tables_of(hall, 1)[0]
    following = next_table(hall, 2, old)
    say(hall, following, "ns", NS_WINS)
    # One side's word is no result yet.
    rule(hall, old, Score("played", "A", "8"), "录错了")
    say(hall, following, "ew", NS_WINS)
    problem = refused_as("next_match_played", rule, hall, old, EW_WINS, "录反了")
    assert problem.current == {"round": 2, "table": following.table}
    rule(hall, following, Score("unplayed"), "上一轮有误")
    assert rule(hall, old, EW_WINS, "录反了").result == EW_WINS
    # Tables that were published stay as they are.
    assert next_table(hall, 2, old).table == following.table


def test_a_draft_that_follows_from_an_old_result_goes_before_it_is_corrected(hall: Hall) -> None:
    play_round(hall, 1)
    old = tables_of(hall, 1)[0]
    hall.draw()
    assert refused_as("next_round_drafted", rule, hall, old, EW_WINS, "录反了").words["round"] == 2
    rounds.delete(hall.world, hall.event_id, 2, "", ORGANIZER, hall.keys.fresh())
    assert rule(hall, old, EW_WINS, "录反了").result == EW_WINS
    drawn = {number for table in hall.draw().tables for side in (table.ns, table.ew) for number in side.numbers}
    assert old.ew.number in drawn
    assert old.ns.number not in drawn


def test_a_table_that_was_put_off_holds_up_the_next_round_of_a_knock_out(hall: Hall) -> None:
    late, *others = tables_of(hall, 1)
    version = late.version
    scoring.postpone(hall.world, hall.event_id, 1, late.table, version, True, "改期", "referee", hall.keys.fresh())
    for table in others:
        say(hall, table, "ns", NS_WINS)
        say(hall, table, "ew", NS_WINS)
    assert refused_as("open_tables", hall.draw).current == {"tables": [late.table]}
    rule(hall, late, NS_WINS)
    assert hall.draw().number == 2


def test_events_that_are_no_knock_outs_have_no_bracket(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    hall.play(1)
    assert bracket(hall) == Bracket([])
