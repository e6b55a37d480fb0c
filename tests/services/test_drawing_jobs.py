"""Drawing a large field as a job: queued with the request, drawn once by whoever is woken for it."""

from __future__ import annotations

import pytest

from chalicelib.services import rounds
from chalicelib.services.jobs import advancing, drawing
from chalicelib.services.views.jobs import DrawingJob
from chalicelib.store.events import find_event
from chalicelib.store.jobs import Job, job_key
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld


def start(hall: Hall) -> DrawingJob:
    return drawing.start(hall.world, hall.event_id, False, ORGANIZER, hall.keys.fresh(status=202))


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch, world: TestWorld) -> Hall:
    """Six pairs, in a house where more than four are many."""
    monkeypatch.setattr(drawing, "AT_ONCE", 4)
    return open_hall(world, 6)


def test_a_small_field_is_drawn_within_the_request(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    key = hall.keys.fresh(status=202)
    done = drawing.start(world, hall.event_id, False, ORGANIZER, key)
    assert (done.phase, done.over, done.round, done.job_id) == ("done", True, 1, "")
    assert len(rounds.read(world, hall.event_id, 1).tables) == 2
    assert refused(start, hall).code == "round_phase"
    given = key.earlier_reply()
    assert given is not None
    assert (given.status, given.body["round"]) == (202, 1)


def test_a_large_field_is_drawn_by_a_job(large: Hall, engine: Engine) -> None:
    queued = start(large)
    assert (queued.phase, queued.over, queued.round) == ("queued", False, None)
    header = find_event(large.event_id)
    assert header is not None
    assert int(header.last_round) == 0
    Pump(engine).run()
    done = drawing.read(large.world, large.event_id, queued.job_id)
    assert (done.phase, done.round, done.done) == ("done", 1, done.total)
    assert len(rounds.read(large.world, large.event_id, 1).tables) == 3


def test_a_job_says_why_nothing_was_drawn(large: Hall, engine: Engine) -> None:
    large.play(1)
    queued = start(large)
    Pump(engine).run()
    failed = drawing.read(large.world, large.event_id, queued.job_id)
    assert failed.problem is not None
    assert (failed.phase, failed.round, failed.problem.code) == ("failed", None, "open_tables")
    assert failed.problem.current == {"tables": [1, 2, 3]}


def test_a_step_that_died_after_its_transaction_draws_nothing_twice(large: Hall) -> None:
    queued = start(large)
    advancing.advance(large.world, queued.job_id)
    job = Job(job_key(queued.job_id), "STEP")
    job.update(actions=[Job.phase.set("running"), Job.done.set(1)])
    advancing.advance(large.world, queued.job_id)
    assert drawing.read(large.world, large.event_id, queued.job_id).phase == "done"
    header = find_event(large.event_id)
    assert header is not None
    assert int(header.last_round) == 1


def test_a_drawing_of_another_event_is_not_there(large: Hall) -> None:
    other = open_hall(large.world, 2)
    queued = start(large)
    assert refused(drawing.read, large.world, other.event_id, queued.job_id).code == "not_found"
