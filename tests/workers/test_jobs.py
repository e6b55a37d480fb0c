"""Imports as jobs: whatever interrupts them, everything comes in once or nothing does."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from chalicelib.gateways.spreadsheets import read_sheets
from chalicelib.services import entries, events
from chalicelib.services.jobs import importing
from chalicelib.services.permissions import Role
from chalicelib.services.world import use
from chalicelib.store.jobs import STEP, Job, find_job, job_key
from infra.local.engine import Engine
from tests.services.test_imports import roster, stored
from tests.support.calls import a_call
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def order(hall: Hall, data: bytes, *, commit: bool = True) -> str:
    """The id of a job for an uploaded file."""
    ticket = hall.owner.post(hall.path("/uploads")).json
    hall.world.files.put(ticket["key"], data, "application/octet-stream", "no-store")
    reply = hall.owner.post(hall.path("/import-jobs"), {"key": ticket["key"], "commit": commit, "columns": None})
    assert (reply.status, reply.json["phase"]) == (202, "queued")
    job_id: str = reply.json["job_id"]
    return job_id


def seen(hall: Hall, job_id: str) -> dict[str, Any]:
    found: dict[str, Any] = hall.owner.get(hall.path(f"/import-jobs/{job_id}")).json
    return found


def in_entries(engine: Engine) -> str:
    return str(engine.call("Scan", {"TableName": "guanjun-local-entries"})["Items"])


def numbers(hall: Hall) -> list[int]:
    return [entry.number for entry in entries.roster(hall.world, hall.event_id).entries]


def test_a_dry_run_reports_and_saves_nothing(hall: Hall, engine: Engine) -> None:
    before = stored(engine)
    job_id = order(hall, roster(30), commit=False)
    Pump(engine).run()
    job = seen(hall, job_id)
    assert (job["phase"], job["over"], job["entries"], job["faults"]) == ("done", True, 30, 0)
    assert (len(job["report"]["entries"]), job["report"]["committed"], job["rejected"]) == (20, False, None)
    assert stored(engine) == before


def test_a_job_brings_everything_in_and_counts_it(hall: Hall, engine: Engine) -> None:
    hall.enter(1, first=5000)
    job_id = order(hall, roster(1200))
    Pump(engine).run()
    job = seen(hall, job_id)
    assert (job["phase"], job["done"], job["total"], job["report"]["imported"]) == ("done", 1200, 1200, 1200)
    assert numbers(hall) == list(range(1, 1202))
    frame = events.read(hall.world, hall.event_id, frozenset({Role.OWNER}))
    assert (frame.entries, frame.settings.clubs) == (1201, ["市南"])


def test_faults_end_it_and_their_rows_can_be_downloaded(hall: Hall, engine: Engine) -> None:
    before = stored(engine)
    job_id = order(hall, roster(3) + "\n第9队,选手900,1.38E+10,选手901,,市南".encode())
    Pump(engine).run()
    job = seen(hall, job_id)
    assert (job["phase"], job["problem"]["code"], job["faults"]) == ("failed", "roster_faults", 1)
    assert job["report"]["faults"][0]["row"] == 5
    assert "rejected" in job["rejected"] or "grant" in job["rejected"]
    file = hall.world.files.get(f"downloads/{hall.event_id}/{job_id}-rejected.xlsx")
    assert file is not None
    sheets = read_sheets(file.body)
    assert isinstance(sheets, tuple)
    assert [row.cells[0] for row in sheets[0].rows[1:]] == [5]
    assert stored(engine) == before


def test_a_step_that_runs_out_of_time_goes_on_in_the_next(hall: Hall, world: TestWorld, engine: Engine) -> None:
    job_id = order(hall, roster(1200))

    def slow() -> int:
        """Once the first slice is written, every look at the clock finds half a minute gone."""
        job = find_job(job_id)
        return world.time.advance(seconds=30 if job is not None and job.done else 0)

    pump = Pump(engine)
    use(dataclasses.replace(world, clock=slow))
    (first,) = pump.waiting("jobs")
    assert pump.hand("jobs", [first]) == []
    use(world)
    job = seen(hall, job_id)
    assert (job["phase"], 0 < job["done"] < 1200, numbers(hall)) == ("running", True, [])
    pump.run()
    assert (seen(hall, job_id)["phase"], len(numbers(hall))) == ("done", 1200)


def test_a_record_that_comes_again_changes_nothing(hall: Hall, engine: Engine) -> None:
    order(hall, roster(30))
    pump = Pump(engine)
    records = pump.waiting("jobs")
    for _ in range(3):
        assert pump.hand("jobs", records) == []
    assert numbers(hall) == list(range(1, 31))


def test_a_step_that_died_after_the_deciding_transaction_only_says_so(hall: Hall, engine: Engine) -> None:
    job_id = order(hall, roster(30))
    pump = Pump(engine)
    pump.run()
    Job(job_key(job_id), STEP).update(
        actions=[Job.phase.set("running"), Job.wakes.set(1), Job.version.add(1), Job.report.remove()]
    )
    pump.run()
    assert (seen(hall, job_id)["phase"], seen(hall, job_id)["report"]["imported"]) == ("done", 30)
    assert len(numbers(hall)) == 30


def test_cancelling_takes_everything_back(hall: Hall, world: TestWorld, engine: Engine) -> None:
    job_id = order(hall, roster(1200))

    def watched() -> int:
        """Somebody cancels as soon as the first slice is written."""
        job = find_job(job_id)
        if job is not None and job.done and job.phase == "running":
            assert importing.stop(world, hall.event_id, job_id).phase == "cancelled"
        return world.time()

    pump, before = Pump(engine), in_entries(engine)
    use(dataclasses.replace(world, clock=watched))
    (record,) = pump.waiting("jobs")
    assert pump.hand("jobs", [record]) == []
    use(world)
    assert "选手100" in in_entries(engine)
    pump.run()
    assert (seen(hall, job_id)["phase"], in_entries(engine)) == ("cancelled", before)
    assert importing.stop(hall.world, hall.event_id, job_id).phase == "cancelled"


def test_a_cancelled_job_that_had_not_begun_does_nothing(hall: Hall, engine: Engine) -> None:
    job_id = order(hall, roster(3))
    assert hall.owner.post(hall.path(f"/import-jobs/{job_id}/cancellation")).json["phase"] == "cancelled"
    Pump(engine).run()
    assert numbers(hall) == []


def test_a_job_of_another_event_or_without_its_file_is_refused(hall: Hall, world: TestWorld, engine: Engine) -> None:
    other = open_hall(world, "13800130009")
    job_id = order(hall, roster(3))
    assert other.owner.get(other.path(f"/import-jobs/{job_id}")).code == "not_found"
    foreign = {"key": f"uploads/{hall.event_id}/x", "commit": True, "columns": None}
    assert other.owner.post(other.path("/import-jobs"), foreign).code == "upload_missing"
    reply = importing.start(
        world, hall.event_id, f"uploads/{hall.event_id}/gone", True, None, "zh", "account:x", a_call()
    )
    Pump(engine).run()
    gone = find_job(reply.job_id)
    assert gone is not None
    assert (gone.phase, gone.problem["code"]) == ("failed", "upload_missing")


def test_a_job_takes_the_cells_put_right_in_the_preview(hall: Hall, engine: Engine) -> None:
    ticket = hall.owner.post(hall.path("/uploads")).json
    data = roster(3).decode().replace("选手102", "").encode()
    hall.world.files.put(ticket["key"], data, "application/octet-stream", "no-store")

    def run(commit: bool, cells: list[dict[str, Any]]) -> dict[str, Any]:
        body = {"key": ticket["key"], "commit": commit, "columns": None, "corrections": cells}
        job_id: str = hall.owner.post(hall.path("/import-jobs"), body).json["job_id"]
        Pump(engine).run()
        return seen(hall, job_id)

    first = run(False, [])
    assert [(line["row"], len(line["cells"])) for line in first["report"]["rows"]] == [(3, 6)]
    cell = first["report"]["rows"][0]["cells"][1]
    assert cell == {"column": 2, "text": ""}
    right = [{"row": 3, "column": 2, "text": "选手102"}]
    assert run(False, right)["faults"] == 0
    assert run(True, right)["report"]["imported"] == 3
    assert numbers(hall) == [1, 2, 3]
