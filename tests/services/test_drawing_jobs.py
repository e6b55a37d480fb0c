"""Drawing a large field as a job: queued with the request, drawn once by whoever is woken for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chalicelib.services import rounds
from chalicelib.services.jobs import advancing, drawing
from chalicelib.services.views.jobs import DrawingJob
from chalicelib.services.world import use
from chalicelib.store.audit import entries as audit_entries
from chalicelib.store.events import find_event
from infra.local.engine import Engine, Fault, Faults
from infra.local.engine.hook import plugged_in
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.interruptions import Killed, Stage
from tests.support.refusals import refused
from tests.support.world import TestWorld


def start(hall: Hall) -> DrawingJob:
    return drawing.start(hall.world, hall.event_id, False, ORGANIZER, hall.keys.fresh(status=202))


def cancel(hall: Hall, job: DrawingJob) -> DrawingJob:
    return drawing.cancel(hall.world, hall.event_id, job.job_id)


def last_round(hall: Hall) -> int:
    header = find_event(hall.event_id)
    assert header is not None
    return int(header.last_round)


@contextmanager
def a_round_to_draw(directory: Path) -> Iterator[tuple[Stage, Hall]]:
    """Six pairs whose first round is played and still to be settled, in a process that can be killed."""
    stage = Stage(directory)
    with plugged_in(stage.engine):
        use(stage.world)
        hall = open_hall(stage.world, 6)
        hall.play(1)
        for table in (1, 2, 3):
            hall.confirm(1, table, "A", "9")
        yield stage, hall
    use(None)
    stage.engine.close()


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


def test_a_cancelled_drawing_draws_nothing(large: Hall, engine: Engine) -> None:
    queued = start(large)
    assert cancel(large, queued).phase == "cancelled"
    Pump(engine).run()
    assert cancel(large, queued) == drawing.read(large.world, large.event_id, queued.job_id)
    assert last_round(large) == 0
    # Another one may be asked for at once.
    again = start(large)
    Pump(engine).run()
    assert drawing.read(large.world, large.event_id, again.job_id).phase == "done"
    assert cancel(large, again).phase == "done"
    assert last_round(large) == 1


def test_a_drawing_cancelled_at_any_moment_is_drawn_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not drawn holds no table: the players of the round before go on."""
    monkeypatch.setattr(drawing, "AT_ONCE", 4)
    ends = []
    write = 0
    while not ends or ends[-1] != "never came":
        directory = tmp_path / f"{write}"
        directory.mkdir()
        with a_round_to_draw(directory) as (stage, hall):
            queued = start(hall)
            stage.executioner.call_at(write, lambda hall=hall, queued=queued: cancel(hall, queued))
            advancing.advance(hall.world, queued.job_id)
            came = stage.executioner.writes > write
            phase = drawing.read(hall.world, hall.event_id, queued.job_id).phase
            if phase == "cancelled":
                assert last_round(hall) == 1
                assert rounds.read(hall.world, hall.event_id, 1).phase == "playing"
                assert not any(hall.table(1, table).locked for table in (1, 2, 3))
            else:
                assert phase == "done"
                assert last_round(hall) == 2
            ends.append(phase if came else "never came")
        write += 1
    assert {"cancelled", "done"} <= set(ends)
    # Once the round is there, no cancelling takes it away.
    assert ends.index("done") > max(at for at, end in enumerate(ends) if end == "cancelled")


def test_a_job_that_is_killed_at_any_write_draws_one_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its record comes again, as the stream's does when the function died; also the round before is settled once."""
    monkeypatch.setattr(drawing, "AT_ONCE", 4)

    def perform(write: int | None, after: bool) -> tuple[str, int, str, list[str], int]:
        directory = tmp_path / f"{write}-{after}"
        directory.mkdir()
        with a_round_to_draw(directory) as (stage, hall):
            queued = start(hall)
            stage.executioner.kill_at(write, after=after)
            try:
                advancing.advance(hall.world, queued.job_id)
            except Killed:
                stage.executioner.kill_at(None)
                advancing.advance(hall.world, queued.job_id)
            writes = stage.executioner.writes
            phase = drawing.read(hall.world, hall.event_id, queued.job_id).phase
            acts = sorted(one.action for one in audit_entries(hall.event_id) if one.action.startswith("round."))
            return phase, last_round(hall), rounds.read(hall.world, hall.event_id, 1).phase, acts, writes

    *expected, writes = perform(None, False)
    assert expected == ["done", 2, "settled", ["round.draw", "round.draw", "round.publish", "round.settle"]]
    for write in range(writes):
        for after in (False, True):
            assert list(perform(write, after)[:4]) == expected, (write, after)


class OneFault(Faults):
    """One fault of one kind, the ``place``-th time (from 0) that it might happen."""

    def __init__(self, fault: Fault, place: int) -> None:
        super().__init__(0, {fault: 1.0})
        self._fault, self._left = fault, place

    def strikes(self, fault: Fault) -> bool:
        """Whether it happens now."""
        if fault is self._fault:
            self._left -= 1
        return fault is self._fault and self._left == -1 and super().strikes(fault)


@pytest.mark.parametrize("place", range(5))
def test_a_job_goes_on_when_the_reply_to_its_own_write_is_lost(large: Hall, engine: Engine, place: int) -> None:
    """The write is sent again and meets itself: that is nobody else, and the job does not stand still."""
    queued = start(large)
    engine.faults = OneFault(Fault.LOST_REPLY, place)
    Pump(engine).run()
    assert engine.faults.injected[Fault.LOST_REPLY] == 1
    assert drawing.read(large.world, large.event_id, queued.job_id).phase == "done"
    assert last_round(large) == 1


def test_cancelling_waits_for_a_transaction_that_is_under_way(large: Hall, engine: Engine) -> None:
    queued = start(large)
    engine.faults = OneFault(Fault.WRITE_CONFLICT, 0)
    assert cancel(large, queued).phase == "cancelled"
    assert engine.faults.injected[Fault.WRITE_CONFLICT] == 1


def test_a_drawing_that_comes_late_draws_no_later_round(large: Hall, engine: Engine) -> None:
    """Its record is brought again after somebody else drew, published and played the round it was meant for."""
    late = start(large)
    large.play(1)
    for table in (1, 2, 3):
        large.confirm(1, table, "A", "9")
    Pump(engine).run()
    read = drawing.read(large.world, large.event_id, late.job_id)
    assert (read.phase, read.round) == ("failed", None)
    assert read.problem is not None
    assert read.problem.code == "stale_version"
    assert last_round(large) == 1
    assert rounds.read(large.world, large.event_id, 1).phase == "playing"


def test_two_drawings_at_once_draw_one_round(large: Hall, engine: Engine) -> None:
    large.play(1)
    for table in (1, 2, 3):
        large.confirm(1, table, "A", "9")
    both = [start(large), start(large)]
    Pump(engine).run()
    ends = [drawing.read(large.world, large.event_id, job.job_id) for job in both]
    assert [(end.phase, end.round) for end in ends] == [("done", 2), ("failed", None)]
    assert last_round(large) == 2


def test_a_drawing_of_another_event_is_not_there(large: Hall) -> None:
    other = open_hall(large.world, 2)
    queued = start(large)
    assert refused(drawing.read, large.world, other.event_id, queued.job_id).code == "not_found"
    assert refused(drawing.cancel, large.world, other.event_id, queued.job_id).code == "not_found"
    assert drawing.read(large.world, large.event_id, queued.job_id).phase == "queued"
