"""Rounds with many tables are published and settled by jobs; all who ask meanwhile join."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

import msgspec
import pytest

from chalicelib.services import players, rounds, scoring, standings
from chalicelib.services.jobs import advancing, drawing, large_rounds
from chalicelib.services.jobs import steps as job_steps
from chalicelib.services.jobs.large_rounds import Act
from chalicelib.services.views.jobs import RoundJob
from chalicelib.services.world import use
from chalicelib.store.audit import entries as audit_entries
from chalicelib.store.events import find_round
from chalicelib.store.jobs import find_job
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.large_rounds import (
    BEFORE,
    PAIRS,
    cut_small,
    draft,
    locked,
    named,
    phase,
    played,
    publish_at_once,
    read,
    staged,
    start,
    steps,
)
from tests.support.refusals import refused
from tests.support.world import TestWorld


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Six pairs, in a world where more than two tables are many."""
    many = dataclasses.replace(world, tables_at_once=2)
    use(many)
    return open_hall(many, PAIRS)


def test_a_small_round_is_published_and_settled_within_the_request(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    for act in ("publish", "settle"):
        BEFORE[act](hall) if act == "publish" else [hall.confirm(1, table, "A", "9") for table in (1, 2)]
        key = hall.keys.fresh(status=202)
        done = start(hall, act, key)
        assert (done.job_id, done.act, done.phase, done.over, done.round) == ("", act, "done", True, 1)
        given = key.earlier_reply()
        assert given is not None
        assert given.body == msgspec.to_builtins(done)
        if act == "publish":
            hall.command("start")
    assert phase(hall) == "settled"


def test_a_large_round_is_published_by_a_job(hall: Hall, engine: Engine) -> None:
    draft(hall)
    pump = Pump(engine)
    pump.run()
    queued = start(hall, "publish")
    assert (queued.phase, queued.over, queued.total) == ("queued", False, 3)
    assert (phase(hall), named(hall)) == ("draft", queued.job_id)
    pump.run()
    done = read(hall, queued)
    assert (done.phase, done.done, done.total, done.problem) == ("done", 3, 3, None)
    assert (phase(hall), named(hall)) == ("published", None)
    assert [view.state for view in scoring.grid(hall.world, hall.event_id, 1).tables] == ["open"] * 3
    for entry in range(1, PAIRS + 1):
        assert players.me(hall.world, hall.event_id, hall.device(entry), "").table is not None
    assert [one.action for one in audit_entries(hall.event_id)].count("round.publish") == 1


def test_a_large_round_is_settled_by_a_job(hall: Hall, engine: Engine) -> None:
    played(hall)
    pump = Pump(engine)
    queued = start(hall, "settle")
    pump.run()
    pump.run()
    done = read(hall, queued)
    assert (done.phase, done.done, done.total, done.problem) == ("done", 3, 3, None)
    assert (phase(hall), named(hall)) == ("settled", None)
    assert [one.action for one in audit_entries(hall.event_id)].count("round.settle") == 1
    assert len(hall.world.files.list_prefix(f"backups/{hall.event_id}/")) == 1
    assert standings.compare(hall.world, hall.event_id).equal


def test_a_large_round_is_not_published_settled_or_drawn_over_at_once(hall: Hall) -> None:
    draft(hall)
    assert refused(hall.publish, 1).code == "round_large"
    steps(hall, start(hall, "publish"))
    hall.command("start")
    for table in (1, 2, 3):
        hall.confirm(1, table, "A", "9")
    assert refused(hall.settle, 1).code == "round_large"
    assert refused(hall.draw).code == "round_large"
    assert locked(hall) == []


@pytest.mark.parametrize("act", ["publish", "settle"])
def test_who_asks_meanwhile_joins_and_nothing_else_happens_to_the_round(hall: Hall, engine: Engine, act: Act) -> None:
    BEFORE[act](hall)
    key = hall.keys.fresh(status=202)
    first = start(hall, act)
    joined = start(hall, act, key)
    assert joined.job_id == first.job_id
    other: Act = "settle" if act == "publish" else "publish"
    assert refused(start, hall, other).code == "round_under_way"
    assert refused(rounds.delete, hall.world, hall.event_id, 1, "有误", ORGANIZER, hall.keys.fresh()).code == (
        "round_under_way"
    )
    if act == "settle":
        queued = drawing.start(hall.world, hall.event_id, False, ORGANIZER, hall.keys.fresh(status=202))
        advancing.advance(hall.world, queued.job_id)
        refusal = drawing.read(hall.world, hall.event_id, queued.job_id).problem
        assert refusal is not None
        assert refusal.code == "round_under_way"
    Pump(engine).run()
    assert read(hall, first).phase == "done"
    # The reply that the second got is what he gets again.
    given = key.earlier_reply()
    assert given is not None
    assert given.body["job_id"] == first.job_id
    assert [one.action for one in audit_entries(hall.event_id)].count(f"round.{act}") == 1
    assert refused(start, hall, act).code == "round_phase"


def test_two_that_ask_in_the_same_moment_get_one_job(tmp_path: Path) -> None:
    with staged(tmp_path / "hall", draft) as (stage, hall):
        found: list[RoundJob] = []
        stage.executioner.call_at(0, lambda: found.append(start(hall, "publish")))
        found.append(start(hall, "publish"))
        assert len(found) == 2
        assert found[0].job_id == found[1].job_id


def test_open_tables_are_told_and_nothing_is_held(hall: Hall, engine: Engine) -> None:
    draft(hall)
    publish_at_once(hall, 1)
    hall.command("start")
    hall.confirm(1, 1, "A", "9")
    queued = start(hall, "settle")
    Pump(engine).run()
    failed = read(hall, queued)
    assert failed.problem is not None
    assert (failed.phase, failed.problem.code, failed.problem.current) == ("failed", "open_tables", {"tables": [2, 3]})
    assert (locked(hall), named(hall)) == ([], None)


@pytest.mark.parametrize("act", ["publish", "settle"])
def test_a_step_without_time_left_goes_on_in_the_next(hall: Hall, act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_steps, "STEP_MILLISECONDS", 0)
    BEFORE[act](hall)
    queued = start(hall, act)
    # A table a step, and what follows.
    assert steps(hall, queued) == 4
    found = read(hall, queued)
    assert (found.phase, found.problem) == ("done", None)


def test_tables_that_were_held_too_long_ago_are_held_anew(hall: Hall) -> None:
    played(hall)
    queued = start(hall, "settle")
    advancing.advance(hall.world, queued.job_id)
    assert locked(hall) == [1, 2, 3]
    hall.world.time.advance(minutes=3)
    # A word that came when the hold was over is not settled over.
    assert hall.submit(1, 2, "ns", "A", "5").state == "disputed"
    steps(hall, queued)
    failed = read(hall, queued)
    assert failed.problem is not None
    assert failed.problem.current == {"tables": [2]}
    hall.submit(1, 2, "ew", "A", "5")
    again = start(hall, "settle")
    advancing.advance(hall.world, again.job_id)
    hall.world.time.advance(minutes=3)
    steps(hall, again)
    assert (read(hall, again).phase, phase(hall)) == ("done", "settled")


def test_a_settlement_that_is_always_late_ends(hall: Hall) -> None:
    played(hall)
    queued = start(hall, "settle")
    while not read(hall, queued).over:
        advancing.advance(hall.world, queued.job_id)
        hall.world.time.advance(seconds=90)
    failed = read(hall, queued)
    assert failed.problem is not None
    assert (failed.problem.code, locked(hall), named(hall)) == ("busy", [], None)


def test_a_draft_that_is_changed_while_it_is_published_is_not(tmp_path: Path) -> None:
    """A hand that swaps two teams meanwhile is told of nothing; the job says that the draft is another."""
    with staged(tmp_path / "hall", draft) as (stage, hall):
        queued = start(hall, "publish")
        seen = rounds.read(hall.world, hall.event_id, 1)
        seats = [
            rounds.drafts.DraftTable(table.table, tuple(table.ns.numbers), tuple(table.ew.numbers))
            for table in seen.tables
        ]
        once = hall.keys.fresh()
        change = partial(rounds.rearrange, hall.world, hall.event_id, 1, seen.version, seats, [], [], ORGANIZER, once)
        stage.executioner.call_at(4, change)
        steps(hall, queued)
        failed = read(hall, queued)
        assert failed.problem is not None
        assert (failed.problem.code, phase(hall), named(hall)) == ("stale_version", "draft", None)
        steps(hall, start(hall, "publish"))
        assert phase(hall) == "published"


def test_what_a_deleted_large_round_left_goes_before_the_next_is_published(hall: Hall) -> None:
    played(hall)
    rounds.delete(hall.world, hall.event_id, 1, "重排", ORGANIZER, hall.keys.fresh())
    draft(hall)
    queued = start(hall, "publish")
    steps(hall, queued)
    assert read(hall, queued).phase == "done"
    grid = scoring.grid(hall.world, hall.event_id, 1)
    assert [(view.state, view.word_ns, view.word_ew) for view in grid.tables] == [("open", None, None)] * 3


def test_a_drawing_cancelled_while_it_holds_a_large_round_lets_players_go_on(hall: Hall) -> None:
    played(hall)
    queued = drawing.start(hall.world, hall.event_id, False, ORGANIZER, hall.keys.fresh(status=202))
    advancing.advance(hall.world, queued.job_id)
    assert locked(hall) == [1, 2, 3]
    drawing.cancel(hall.world, hall.event_id, queued.job_id)
    advancing.advance(hall.world, queued.job_id)
    assert (locked(hall), phase(hall)) == ([], "playing")
    assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"


def test_a_job_of_another_event_is_not_there(hall: Hall) -> None:
    draft(hall)
    queued = start(hall, "publish")
    other = open_hall(hall.world, 2)
    assert refused(large_rounds.read, other.event_id, queued.job_id).code == "not_found"
    assert refused(large_rounds.cancel, other.world, other.event_id, queued.job_id).code == "not_found"
    assert refused(large_rounds.read, hall.event_id, "none").code == "not_found"
    job = find_job(queued.job_id)
    assert job is not None
    assert job.phase == "queued"
    header = find_round(hall.event_id, 1)
    assert header is not None
    assert header.job == queued.job_id
