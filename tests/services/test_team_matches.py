"""Matches of teams of four: two rooms with words and rulings of their own, one match; who of a team sits where."""

from __future__ import annotations

import pytest

from chalicelib.rules.document import parse
from chalicelib.rules.replay import replay
from chalicelib.rules.standings import standings, to_json
from chalicelib.services import audit_lines, documents, scoring
from chalicelib.services.views.scoring import Score, TableView
from tests.support.hall import Hall
from tests.support.kinds import Way, confirm, made_up, open_way, rule, say, tables_of
from tests.support.refusals import refused, refused_as
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Four teams of five in round 1."""
    hall = open_way(world, Way("team_of_four", 4, 5))
    hall.play(1)
    return hall


def rooms_of(hall: Hall, match: int) -> tuple[TableView, TableView]:
    open_room, closed = (table for table in tables_of(hall, 1) if table.match == match)
    return open_room, closed


def records(hall: Hall) -> list[tuple[int, str | None, str]]:
    event = parse(documents.export(hall.world, hall.event_id)[0])
    return [
        (table.number, None if table.room is None else table.room.value, table.outcome.value)
        for table in event.drawn[0].tables
    ]


def test_a_match_is_played_once_both_rooms_are(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    assert (open_room.table, open_room.room, closed.table, closed.room) == (1, "open", 50_001, "closed")
    assert (open_room.ns, open_room.ew) == (closed.ns, closed.ew)
    assert open_room.to_play == closed.to_play
    confirm(hall, open_room)
    assert records(hall) == [(1, None, "unplayed"), (2, None, "unplayed")]
    confirm(hall, closed)
    assert records(hall) == [(1, "open", "played"), (1, "closed", "played"), (2, None, "unplayed")]


def test_a_forfeit_holds_for_both_rooms_and_is_taken_back_in_both(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    confirm(hall, closed)
    assert refused(rule, hall, open_room, Score("ew_forfeit")).code == "reason_missing"
    rule(hall, open_room, Score("ew_forfeit"), "没有到场")
    assert [table.state for table in rooms_of(hall, 1)] == ["ruled", "ruled"]
    assert records(hall)[0] == (1, None, "ew_forfeit")
    version = hall.table(1, open_room.table).version
    scoring.lift(hall.world, hall.event_id, 1, open_room.table, version, "", "referee", hall.keys.fresh())
    assert [table.state for table in rooms_of(hall, 1)] == ["open", "confirmed"]
    assert records(hall)[0] == (1, None, "unplayed")
    acts = [line.act for line in scoring.history(hall.world, hall.event_id, 1, closed.table).lines]
    assert sorted(acts) == ["lifting", "ruling", "word", "word"]


def test_a_ruling_of_boards_ends_the_forfeit_in_the_other_room(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    rule(hall, open_room, Score("ns_forfeit"))
    rule(hall, open_room, made_up(hall, open_room), "后来到了")
    assert hall.table(1, closed.table).state == "open"
    confirm(hall, closed)
    assert [outcome for _, _, outcome in records(hall)[:2]] == ["played", "played"]


def test_a_forfeit_taken_back_in_the_room_of_its_copy_goes_in_both(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    rule(hall, open_room, Score("ew_forfeit"))
    version = hall.table(1, closed.table).version
    scoring.lift(hall.world, hall.event_id, 1, closed.table, version, "", "referee", hall.keys.fresh())
    assert [table.state for table in rooms_of(hall, 1)] == ["open", "open"]
    assert records(hall)[0] == (1, None, "unplayed")


def test_boards_ruled_in_the_room_of_a_copy_end_the_forfeit_in_both(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    confirm(hall, open_room)
    rule(hall, open_room, Score("ew_forfeit"), "没有到场")
    rule(hall, closed, made_up(hall, closed), "后来打完了")
    assert [table.state for table in rooms_of(hall, 1)] == ["confirmed", "ruled"]
    assert records(hall)[:2] == [(1, "open", "played"), (1, "closed", "played")]


def test_boards_ruled_in_a_room_stand_again_when_the_forfeit_of_the_other_is_undone(world: TestWorld) -> None:
    hall = open_way(world, Way("team_of_four", 4, 5))

    def then() -> None:
        # The log is in order of time.
        world.time.advance(seconds=1)

    then()
    hall.draw()
    then()
    hall.publish(1)
    hall.command("start")
    open_room, closed = rooms_of(hall, 1)
    then()
    ruled = rule(hall, closed, made_up(hall, closed)).result
    for outcome in ("ew_forfeit", "ns_forfeit"):
        then()
        rule(hall, open_room, Score(outcome), "没有到场")
    then()
    version = hall.table(1, open_room.table).version
    scoring.lift(hall.world, hall.event_id, 1, open_room.table, version, "", "referee", hall.keys.fresh())
    again = hall.table(1, closed.table)
    assert (again.state, again.result) == ("ruled", ruled)
    then()
    confirm(hall, open_room)
    assert records(hall)[:2] == [(1, "open", "played"), (1, "closed", "played")]
    rebuilt = replay(audit_lines.download(hall.event_id)[0])
    document = parse(documents.export(hall.world, hall.event_id)[0])
    assert to_json(standings(rebuilt)) == to_json(standings(document))


def test_a_round_waits_for_both_rooms_but_not_for_a_match_that_was_given_up(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    rule(hall, rooms_of(hall, 2)[1], Score("double_forfeit"))
    confirm(hall, open_room)
    assert refused(hall.settle, 1).current == {"tables": [closed.table]}
    confirm(hall, closed)
    assert hall.settle(1).phase == "settled"


def test_a_postponed_room_postpones_the_match(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    confirm(hall, open_room)
    scoring.postpone(
        hall.world, hall.event_id, 1, closed.table, closed.version, True, "停电", "referee", hall.keys.fresh()
    )
    event = parse(documents.export(hall.world, hall.event_id)[0])
    assert event.drawn[0].tables[0].postponed
    # What the first room has said is not lost.
    rule(hall, closed, made_up(hall, closed))
    assert records(hall)[:2] == [(1, "open", "played"), (1, "closed", "played")]


def line_up(hall: Hall, table: TableView, ns: list[int], ew: list[int]) -> TableView:
    version = hall.table(1, table.table).version
    return scoring.set_line_up(hall.world, hall.event_id, 1, table.table, version, ns, ew, "referee", hall.keys.fresh())


def test_line_ups_name_two_of_each_team_and_nobody_sits_in_both_rooms(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    said = line_up(hall, open_room, [0, 4], [1, 2]).line_up
    assert said is not None
    assert said.ns == [open_room.ns.players[0], open_room.ns.players[4]]
    assert said.ew == open_room.ew.players[1:3]
    for ns, ew in (([0, 1], [0, 3]), ([1, 2], [2, 3]), ([1, 1], [0, 3]), ([1], [0, 3]), ([1, 5], [0, 3])):
        assert refused(line_up, hall, closed, ns, ew).code == "line_up_wrong"
    assert line_up(hall, closed, [1, 2], [0, 3]).line_up is not None
    assert line_up(hall, closed, [], []).line_up is None
    assert hall.table(1, open_room.table).line_up == said


def test_pairs_have_no_line_up(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    hall.play(1)
    refused_as("line_up_not_offered", line_up, hall, hall.table(1, 1), [0, 1], [0, 1])


def test_the_two_rooms_speak_for_themselves(hall: Hall) -> None:
    open_room, closed = rooms_of(hall, 1)
    say(hall, open_room, "ns", made_up(hall, open_room))
    assert hall.table(1, closed.table).state == "open"
    say(hall, closed, "ew", made_up(hall, closed))
    assert [table.state for table in rooms_of(hall, 1)] == ["one_sided", "one_sided"]
