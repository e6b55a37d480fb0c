"""What officials do to tables: rulings, their undo, postponing, extra minutes; corrections of settled rounds."""

from __future__ import annotations

from typing import Any

import pytest

from chalicelib.services import scoring, standings
from chalicelib.services.views.scoring import Score, TableView
from infra.local.engine import Engine
from tests.support.hall import Hall, Pump, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Four pairs playing round 1."""
    hall = open_hall(world, 4)
    hall.play(1)
    return hall


def lift(hall: Hall, table: int, number: int = 1) -> TableView:
    version = hall.table(number, table).version
    return scoring.lift(hall.world, hall.event_id, number, table, version, "", "referee", hall.keys.fresh())


def test_a_ruling_needs_a_reason_only_against_somebodys_word(hall: Hall) -> None:
    assert hall.rule(1, 1, "A", "9").state == "ruled"
    hall.submit(1, 2, "ns", "A", "9")
    assert hall.rule(1, 2, "A", "9").result == Score("played", "A", "9")
    assert refused(hall.rule, 1, 2, "A", "10").code == "reason_missing"
    assert hall.rule(1, 2, "A", "10", "更正").result == Score("played", "A", "10")


@pytest.mark.parametrize("outcome", ["ns_forfeit", "ew_forfeit", "double_forfeit"])
def test_forfeits(hall: Hall, outcome: str) -> None:
    view = hall.rule(1, 1, "", "", outcome=outcome)
    assert (view.state, view.result) == ("ruled", Score(outcome, None, None))


def test_a_ruling_that_a_table_is_unplayed_keeps_the_round_open(hall: Hall) -> None:
    hall.rule(1, 1, "", "", outcome="unplayed")
    hall.rule(1, 2, "A", "9")
    assert refused(hall.settle, 1).current == {"tables": [1]}


def test_a_lifted_ruling_gives_the_word_back_to_the_sides(hall: Hall) -> None:
    hall.submit(1, 1, "ns", "A", "9")
    hall.world.time.advance(seconds=1)
    hall.rule(1, 1, "A", "10", "更正")
    hall.world.time.advance(seconds=1)
    lifted = lift(hall, 1)
    assert (lifted.state, lifted.ruling) == ("one_sided", None)
    assert refused(lift, hall, 1).code == "not_ruled"
    hall.world.time.advance(seconds=1)
    assert hall.submit(1, 1, "ew", "A", "9").state == "confirmed"
    acts = [line.act for line in scoring.history(hall.world, hall.event_id, 1, 1).lines]
    assert acts == ["word", "ruling", "lifting", "word"]


def test_the_slower_of_two_referees_sees_the_table_as_it_is(hall: Hall) -> None:
    version = hall.table(1, 1).version
    hall.rule(1, 1, "A", "9")
    stale = refused(
        scoring.rule,
        hall.world,
        hall.event_id,
        1,
        1,
        version,
        Score("played", "A", "10"),
        "",
        "referee",
        hall.keys.fresh(),
    )
    assert stale.code == "stale_version"
    assert stale.current["result"]["ew_level"] == "9"
    assert stale.current["version"] == version + 1


def test_words_do_not_make_a_referees_version_stale(hall: Hall) -> None:
    version = hall.table(1, 1).version
    hall.confirm(1, 1, "A", "9")
    assert hall.table(1, 1).version == version


def test_in_a_settled_round_only_corrections_with_a_reason(hall: Hall, engine: Engine) -> None:
    pump = Pump(engine)
    hall.confirm(1, 1, "A", "9")
    hall.rule(1, 2, "A", "9")
    hall.settle(1)
    pump.run()
    before = {row.number: row.values for row in standings.read(hall.world, hall.event_id).rows}
    assert refused(hall.rule, 1, 1, "9", "A").code == "reason_missing"
    assert refused(lift, hall, 2).code == "table_locked"
    version = hall.table(1, 2).version
    for act, arguments in ((scoring.postpone, (True, "x", "referee")), (scoring.give_extra_time, (5, "referee"))):
        rest: tuple[Any, ...] = (*arguments, hall.keys.fresh())
        assert refused(act, hall.world, hall.event_id, 1, 2, version, *rest).code == "table_locked"
    hall.rule(1, 1, "9", "A", "录反了")
    pump.run()
    after = {row.number: row.values for row in standings.read(hall.world, hall.event_id).rows}
    table = hall.table(1, 1)
    assert (before[table.ns.number][0], after[table.ns.number][0]) == ("2", "0")
    assert (before[table.ew.number][0], after[table.ew.number][0]) == ("0", "2")
    assert standings.compare(hall.world, hall.event_id).equal


def test_a_correction_of_an_old_round_leaves_published_tables_as_they_are(hall: Hall, engine: Engine) -> None:
    hall.confirm(1, 1, "A", "9")
    hall.confirm(1, 2, "A", "9")
    hall.play_out(2)
    seated = [(view.ns.number, view.ew.number) for view in scoring.grid(hall.world, hall.event_id, 2).tables]
    hall.rule(1, 1, "9", "A", "录反了")
    Pump(engine).run()
    assert standings.compare(hall.world, hall.event_id).equal
    assert seated == [(view.ns.number, view.ew.number) for view in scoring.grid(hall.world, hall.event_id, 2).tables]


def test_a_settled_round_keeps_the_submission_setting_it_was_settled_under(hall: Hall, engine: Engine) -> None:
    hall.configure(double_submission=False)
    hall.submit(1, 1, "ns", "A", "9")
    hall.submit(1, 2, "ns", "A", "9")
    hall.settle(1)
    hall.configure(double_submission=True)
    Pump(engine).run()
    assert {view.state for view in scoring.grid(hall.world, hall.event_id, 1).tables} == {"confirmed"}
    assert standings.compare(hall.world, hall.event_id).equal
    assert {row.values[0] for row in standings.read(hall.world, hall.event_id).rows} == {"0", "2"}


def test_the_grid_counts_tables_by_state(hall: Hall) -> None:
    hall.submit(1, 1, "ns", "A", "9")
    grid = scoring.current_grid(hall.world, hall.event_id)
    assert (grid.round, grid.phase, len(grid.tables)) == (1, "playing", 2)
    assert grid.counts == {"open": 1, "one_sided": 1, "confirmed": 0, "disputed": 0, "ruled": 0}
    assert grid == scoring.grid(hall.world, hall.event_id, 1)


def test_an_addend_for_every_number(hall: Hall) -> None:
    hall.confirm(1, 1, "A", "9")
    winner = hall.table(1, 1).ns
    loser = hall.table(1, 1).ew
    found = standings.addends(hall.world, hall.event_id, winner.number)
    assert [(part.round, part.value, part.why) for part in found.addends["match_points"]] == [
        (1, "2", f"win over {loser.number}")
    ]
    assert [part.value for part in found.addends["level_points"]] == ["18"]
    assert refused(standings.addends, hall.world, hall.event_id, 99).code == "entry_not_found"
