"""Knock-outs: who is out, the bracket, the match for the third place, and old results that stand under new ones."""

from __future__ import annotations

from functools import partial

import pytest

from chalicelib.services import rounds, schemes, scoring, standings
from chalicelib.services.views.schemes import Bracket
from chalicelib.services.views.scoring import Score, TableView
from chalicelib.store.events import rounds as stored_rounds
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


def summaries(hall: Hall) -> dict[int, list[int]]:
    """By round the tables before it whose corrections outdate it, as the console's frame has them."""
    return {int(each.number): list(each.outdated_by or ()) for each in stored_rounds(hall.event_id)}


def test_a_draft_that_follows_from_a_corrected_result_is_not_published_but_drawn_again(hall: Hall) -> None:
    play_round(hall, 1)
    old, other = tables_of(hall, 1)[:2]
    draft = hall.draw()
    # Whoever goes on all the same outdates nothing.
    assert rule(hall, other, Score("played", "A", "8"), "级数录错").redraw is None
    assert summaries(hall) == {1: [], 2: []}
    corrected = rule(hall, old, EW_WINS, "录反了")
    assert (corrected.result, corrected.redraw) == (EW_WINS, 2)
    seen = rounds.read(hall.world, hall.event_id, 2)
    assert (seen.results_changed, seen.outdated_by) == (True, [old.table])
    publish = partial(rounds.publish, hall.world, hall.event_id, 2, actor=ORGANIZER, once=hall.keys.fresh())
    assert refused_as("stale_version", publish, version=draft.version).current["outdated_by"] == [old.table]
    assert refused_as("draft_outdated", publish, version=seen.version).current == {"tables": [old.table]}
    # Corrected back, the draft is what it was.
    assert rule(hall, hall.table(1, old.table), NS_WINS, "原来是对的").redraw is None
    assert summaries(hall) == {1: [], 2: []}
    rule(hall, hall.table(1, old.table), EW_WINS, "确实录反了")
    rounds.delete(hall.world, hall.event_id, 2, "", ORGANIZER, hall.keys.fresh())
    drawn = {number for table in hall.draw().tables for side in (table.ns, table.ew) for number in side.numbers}
    assert old.ew.number in drawn
    assert old.ns.number not in drawn


def test_a_published_round_that_seats_who_is_out_tells_the_officials(hall: Hall) -> None:
    play_round(hall, 1)
    hall.play(2)
    old = tables_of(hall, 1)[0]
    assert scoring.current_grid(hall.world, hall.event_id).outdated_by == []
    assert rule(hall, old, EW_WINS, "录反了").redraw == 2
    assert scoring.current_grid(hall.world, hall.event_id).outdated_by == [old.table]
    assert summaries(hall) == {1: [], 2: [old.table]}
    rounds.delete(hall.world, hall.event_id, 2, "重新编排", ORGANIZER, hall.keys.fresh())
    drawn = hall.play(2)
    assert old.ew.number in {
        number for table in drawn.tables for side in (table.ns, table.ew) for number in side.numbers
    }
    assert scoring.current_grid(hall.world, hall.event_id).outdated_by == []


def test_nobody_goes_on_from_a_match_that_both_gave_up(hall: Hall) -> None:
    play_round(hall, 1)
    hall.play(2)
    old = tables_of(hall, 1)[0]
    assert rule(hall, old, Score("double_forfeit"), "双方都没有到").redraw == 2


def test_a_draft_of_swiss_rounds_says_that_results_changed_since(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    hall.play(1)
    play_round(hall, 1)
    draft = hall.draw()
    assert not rounds.read(world, hall.event_id, 2).results_changed
    rule(hall, tables_of(hall, 1)[0], EW_WINS, "录反了")
    seen = rounds.read(world, hall.event_id, 2)
    assert (seen.results_changed, seen.outdated_by, seen.version) == (True, [], draft.version)
    # It is a sound draft all the same: the organizer decides.
    assert not hall.publish(2).results_changed


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
