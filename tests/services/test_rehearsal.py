"""Robots play a whole event of every kind by the services that people use, and what they leave is sound."""

from __future__ import annotations

import dataclasses
import json

import pytest

from chalicelib.rules.document import parse
from chalicelib.rules.kinds import KINDS
from chalicelib.services import documents, rehearsal, standings
from chalicelib.services.jobs.advancing import advance
from chalicelib.services.once import Once
from chalicelib.services.rehearsal.robots import plan_for
from chalicelib.services.views.scoring import ScoringRules
from chalicelib.services.world import use
from chalicelib.store.accounts import Account
from chalicelib.store.events import rounds
from chalicelib.store.jobs import find_job
from infra.local.engine import Engine
from infra.local.engine.recorder import calling
from tests.support.hall import Pump
from tests.support.world import TestWorld


@pytest.fixture
def passing(world: TestWorld) -> TestWorld:
    """A world in which sleeping lets time pass."""
    slept = dataclasses.replace(world, sleep=lambda seconds: world.time.advance(seconds=seconds) and None)
    use(slept)
    return slept


def begin(world: TestWorld, kind: str, entries: int = 8, count: int = 2, seconds: int = 30) -> str:
    Account("ACCOUNT#organizer", "PROFILE", account_id="organizer", phone="13800138000", created_at=0).save()
    wanted = rehearsal.Rehearsal("演练", kind, entries, count, seconds)
    return rehearsal.start(world, "organizer", wanted, Once("organizer", f"start-{kind}", kind, 201)).event_id


def play(world: TestWorld, event_id: str, steps: int = 200) -> None:
    """Step after step, as the stream would ask for them."""
    for _ in range(steps):
        job = find_job(f"rehearsal-{event_id}")
        assert job is not None
        if job.phase == "done":
            return
        with calling("jobs"):
            advance(world, f"rehearsal-{event_id}")
    raise AssertionError(f"still {job.phase} after {steps} steps")


@pytest.mark.parametrize("kind", KINDS)
def test_robots_play_every_kind_to_its_end(passing: TestWorld, engine: Engine, kind: str) -> None:
    event_id = begin(passing, kind)
    play(passing, event_id)
    Pump(engine).run()
    drawn = rounds(event_id)
    assert [(header.number, header.phase) for header in drawn] == [(1, "settled"), (2, "settled")]
    text, _ = documents.export(passing, event_id)
    event = parse(text)
    assert len(event.entries) == 8
    assert all(table.outcome != "unplayed" for drawn_round in event.drawn for table in drawn_round.tables)
    assert standings.compare(passing, event_id).equal
    assert rehearsal.status(event_id).running is False


def test_a_stopped_rehearsal_stays_as_it_is(passing: TestWorld) -> None:
    event_id = begin(passing, "pairs", count=8, seconds=600)
    advance(passing, f"rehearsal-{event_id}")
    before = rehearsal.status(event_id)
    assert before.running
    assert rehearsal.stop(passing, event_id).running is False
    at = json.dumps([header.attribute_values["phase"] for header in rounds(event_id)])
    advance(passing, f"rehearsal-{event_id}")
    assert json.dumps([header.attribute_values["phase"] for header in rounds(event_id)]) == at
    assert rehearsal.stop(passing, event_id).running is False


def test_a_step_taken_twice_plays_nothing_twice(passing: TestWorld) -> None:
    event_id = begin(passing, "pairs")
    for _ in range(3):
        advance(passing, f"rehearsal-{event_id}")
        job = find_job(f"rehearsal-{event_id}")
        assert job is not None
        # The step died before its last word: its successor begins where it began.
        job.update(actions=[type(job).wakes.set(1), type(job).cursor.set(0)])
    play(passing, event_id)
    event = parse(documents.export(passing, event_id)[0])
    assert [entry.number for entry in event.entries] == list(range(1, 9))


def test_the_same_table_has_the_same_plan_and_disputes_come_from_one_board() -> None:
    rules = ScoringRules("levels", False, False, 0, "back_to_2", False, False)
    plans = []
    for table in range(1, 400):
        plans.append(plan_for("7", 1, table, (), rules))
        assert plan_for("7", 1, table, (), rules) == plans[-1]
    disputes = [plan for plan in plans if plan.objection is not None]
    forfeits = [plan for plan in plans if plan.score.outcome != "played"]
    assert 5 < len(disputes) < 60
    assert 1 < len(forfeits) < 30
    assert all(plan.objection != plan.score for plan in disputes)
    assert all({plan.score.ns_level, plan.score.ew_level} != {"A+"} for plan in plans)
