"""Whatever officials do while a large round is published or settled: both come to an end, and nothing is half there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from chalicelib.services import deletion, events, rounds, scoring, standings
from chalicelib.services.jobs import advancing
from chalicelib.services.jobs.large_rounds import Act
from chalicelib.services.problems import Problem
from chalicelib.services.views.jobs import RoundJob
from chalicelib.store.events import find_event, find_round
from tests.support.hall import ORGANIZER, OWNER, Hall, Pump
from tests.support.large_rounds import BEFORE, cut_small, locked, named, phase, read, staged, start

pytestmark = pytest.mark.full


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


def end(hall: Hall) -> None:
    events.set_ended(hall.world, hall.event_id, True, "", ORGANIZER, OWNER, hall.keys.fresh())


def delete(hall: Hall) -> None:
    deletion.delete(hall.world, hall.event_id, "周三夜赛", ORGANIZER, hall.keys.fresh())


def reopen(hall: Hall) -> None:
    rounds.reopen(hall.world, hall.event_id, 1, "更正", ORGANIZER, hall.keys.fresh())


def delete_round(hall: Hall) -> None:
    rounds.delete(hall.world, hall.event_id, 1, "重排", ORGANIZER, hall.keys.fresh())


ACTS: dict[str, Callable[[Hall], object]] = {
    "ruling": lambda hall: hall.rule(1, 3, "2", "A", reason="改判"),
    "pause": lambda hall: hall.command("pause"),
    "start": lambda hall: hall.command("start"),
    "end": end,
    "delete": delete,
    "reopen": reopen,
    "delete round": delete_round,
    "late entry": lambda hall: hall.enter(9),
    "single word": lambda hall: hall.configure(double_submission=False),
}


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("act", ["publish", "settle"])
def test_it_ends_and_nothing_is_half_there(tmp_path: Path, act: Act, name: str) -> None:
    write, came = 0, True
    while came:
        with staged(tmp_path / f"{write}", BEFORE[act]) as (stage, hall):
            job = start(hall, act)

            def meanwhile(hall: Hall = hall) -> None:
                with suppress(Problem):
                    ACTS[name](hall)

            stage.executioner.call_at(write, meanwhile)
            carry_out(hall, job)
            came = stage.executioner.writes > write
            stage.executioner.kill_at(None)
            if name == "delete" and (event := find_event(hall.event_id, deleted=True)) and event.deleted_at:
                deletion.restore(hall.world, hall.event_id, ORGANIZER, hall.keys.fresh())
            check(hall, job, Pump(stage.engine), (act, name, write))
        write += 3


def carry_out(hall: Hall, job: RoundJob) -> None:
    """Steps until it is over, and once more."""
    for _ in range(40):
        advancing.advance(hall.world, job.job_id)


def check(hall: Hall, job: RoundJob, pump: Pump, case: object) -> None:
    pump.run()
    pump.run()
    assert read(hall, job).over, case
    header = find_round(hall.event_id, 1)
    if header is None:
        return
    assert named(hall) is None, case
    if header.phase == "draft":
        return
    grid = scoring.grid(hall.world, hall.event_id, 1).tables
    assert [table.table for table in grid] == [1, 2, 3], case
    if phase(hall) != "settled":
        assert locked(hall) == [], case
    else:
        assert {table.state for table in grid} <= {"confirmed", "ruled"}, case
    assert standings.compare(hall.world, hall.event_id).equal, case
