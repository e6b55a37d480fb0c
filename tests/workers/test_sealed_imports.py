"""Imports of an encrypted event as jobs: whatever is written down names nobody, and the digits open everything."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chalicelib.services.jobs import advancing, importing
from chalicelib.services.privacy import keys
from chalicelib.services.world import use
from chalicelib.store.jobs import find_job
from infra.local.engine import Engine
from tests.services.test_encryption import DIGITS, UNLOCKED, encrypt, players
from tests.services.test_imports import roster
from tests.support.client import Reply
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, phone
from tests.support.traces import found
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world)
    assert encrypt(hall).status == 200
    return hall


def upload(hall: Hall, data: bytes) -> str:
    reply = hall.owner.post(hall.path("/sealed-uploads"), {"content": base64.b64encode(data).decode()})
    assert reply.status == 201, reply.json
    key: str = reply.json["key"]
    return key


def order(hall: Hall, key: str, *, commit: bool = True, cells: list[dict[str, Any]] | None = None) -> Reply:
    body = {"key": key, "commit": commit, "columns": None, "corrections": cells or []}
    return hall.owner.post(hall.path("/import-jobs"), body, headers=UNLOCKED)


def ordered(hall: Hall, key: str, **how: Any) -> str:
    reply = order(hall, key, **how)
    assert (reply.status, reply.json["phase"]) == (202, "queued")
    job_id: str = reply.json["job_id"]
    return job_id


def seen(hall: Hall, job_id: str, digits: str | None = DIGITS) -> dict[str, Any]:
    reply = hall.owner.get(hall.path(f"/import-jobs/{job_id}"), headers={"x-guanjun-digits": digits})
    assert reply.status == 200, reply.json
    read: dict[str, Any] = reply.json
    return read


def under(world: TestWorld, clock: Callable[[], int], pump: Pump) -> list[Any]:
    """The newest record of the jobs table, to be handed over while every look at the time is one at ``clock``."""
    record = pump.waiting("jobs")[-1:]
    use(dataclasses.replace(world, clock=clock))
    return record


def traces(folder: Path) -> list[tuple[str, str]]:
    """Wherever a name, a phone, a team, a 团体 or the digits stand."""
    people = [text for one in (100, 101, 102, 700, 701, 900) for text in (f"选手{one}", phone(one))]
    return found(folder, *people, "第1队", "第300队", "市南", "灯塔队", "礁石", DIGITS)


def test_a_job_brings_everything_in_and_names_nobody_at_any_time(
    hall: Hall, world: TestWorld, engine: Engine, tmp_path: Path
) -> None:
    data = roster(600).decode().replace("选手102", "").encode()
    key = upload(hall, data)
    assert traces(tmp_path) == []
    checking = ordered(hall, key, commit=False)
    assert traces(tmp_path) == []
    pump = Pump(engine)
    pump.run()
    report = seen(hall, checking)["report"]
    assert (report["entries"][0]["players"][0]["name"], [line["row"] for line in report["rows"]]) == ("选手100", [3])
    assert traces(tmp_path) == []

    right = [{"row": 3, "column": 2, "text": "选手102"}]
    job_id = ordered(hall, key, cells=right)
    during: list[list[tuple[str, str]]] = []

    def watched() -> int:
        """Between any two slices nobody is named either."""
        job = find_job(job_id)
        if job is not None and job.done and not during:
            during.append(traces(tmp_path))
        return world.time()

    assert pump.hand("jobs", under(world, watched, pump)) == []
    use(world)
    pump.run()
    job = seen(hall, job_id)
    assert (job["phase"], job["report"]["imported"], during) == ("done", 600, [[]])
    assert traces(tmp_path) == []
    found_again = players(hall)
    assert (len(found_again), found_again[1][0]) == (600, {"name": "选手102", "phone": phone(102)})
    kept = find_job(job_id)
    assert kept is not None
    assert "lent" not in dict(kept.order)


def test_the_same_search_finds_a_job_in_the_clear(world: TestWorld, engine: Engine, tmp_path: Path) -> None:
    """Or the test above would find nothing wherever it looked."""
    hall = open_hall(world)
    key = hall.owner.post(hall.path("/uploads")).json["key"]
    world.files.put(key, roster(3), "text/csv", "no-store")
    ordered(hall, key, commit=False)
    Pump(engine).run()
    places = {where.partition("/")[0] for where, _ in traces(tmp_path)}
    assert {"files", "guanjun-local-jobs"} <= places


def test_the_digits_are_asked_for_and_the_report_needs_them(hall: Hall, engine: Engine) -> None:
    key = upload(hall, roster(3))
    asked = {"key": key, "commit": False, "columns": None}
    assert hall.owner.post(hall.path("/import-jobs"), asked).code == "digits_needed"
    wrong = {"x-guanjun-digits": "998877665544"}
    assert hall.owner.post(hall.path("/import-jobs"), asked, headers=wrong).code == "digits_wrong"
    job_id = ordered(hall, key, commit=False)
    Pump(engine).run()
    assert (seen(hall, job_id)["entries"], seen(hall, job_id, None)["report"]) == (3, None)
    assert hall.owner.get(hall.path(f"/import-jobs/{job_id}"), headers=wrong).code == "digits_wrong"


def test_faults_are_told_to_who_has_the_digits_and_no_workbook_is_kept(
    hall: Hall, world: TestWorld, engine: Engine, tmp_path: Path
) -> None:
    key = upload(hall, roster(3) + f"\n灯塔队,选手900,1.38E+10,选手901,{phone(900)},礁石".encode())
    job_id = ordered(hall, key)
    Pump(engine).run()
    job = seen(hall, job_id)
    assert (job["phase"], job["problem"]["code"], job["rejected"]) == ("failed", "roster_faults", None)
    assert job["report"]["rows"][0]["cells"][1]["text"] == "选手900"
    assert world.files.list_prefix(f"downloads/{hall.event_id}/") == []
    assert traces(tmp_path) == []
    assert players(hall) == []


def test_a_key_is_lent_for_15_minutes(hall: Hall, world: TestWorld, engine: Engine) -> None:
    job_id = ordered(hall, upload(hall, roster(3)))
    world.time.advance(seconds=keys.JOB_MILLISECONDS // 1000)
    Pump(engine).run()
    job = seen(hall, job_id)
    assert (job["phase"], job["problem"]["code"], players(hall)) == ("failed", "key_expired", [])


def test_a_phone_that_was_entered_meanwhile_is_not_told(
    hall: Hall, world: TestWorld, engine: Engine, tmp_path: Path
) -> None:
    job_id = ordered(hall, upload(hall, roster(3)))
    entered: list[int] = []

    def overtaken() -> int:
        """Between the check and the first slice somebody enters with a phone of the file."""
        job = find_job(job_id)
        if job is not None and job.cursor is not None and not entered:
            entered.append(102)
            hall.enter(1, first=102)
        return world.time()

    pump = Pump(engine)
    assert pump.hand("jobs", under(world, overtaken, pump)) == []
    use(world)
    pump.run()
    job = seen(hall, job_id)
    assert (job["phase"], job["problem"]["code"]) == ("failed", "phone_taken_meanwhile")
    assert traces(tmp_path) == []
    assert len(players(hall)) == 1


@pytest.mark.parametrize("minutes", [0, 20])
def test_cancelling_takes_back_what_it_can_and_nothing_counts(
    hall: Hall, world: TestWorld, engine: Engine, minutes: int
) -> None:
    job_id = ordered(hall, upload(hall, roster(1200)))

    def watched() -> int:
        """Somebody cancels as soon as the first slice is written."""
        job = find_job(job_id)
        if job is not None and job.done and job.phase == "running":
            assert importing.stop(world, hall.event_id, job_id).phase == "cancelled"
        return world.time()

    pump = Pump(engine)
    assert pump.hand("jobs", under(world, watched, pump)) == []
    use(world)
    world.time.advance(minutes=minutes)
    pump.run()
    advancing.advance(world, job_id)
    assert (seen(hall, job_id)["phase"], players(hall)) == ("cancelled", [])
    assert not lent(job_id)
    again = ordered(hall, upload(hall, roster(3)))
    pump.run()
    assert (seen(hall, again)["phase"], len(players(hall))) == ("done", 3)


def lent(job_id: str) -> bool:
    """Whether the job still has the event's key."""
    job = find_job(job_id)
    assert job is not None
    return "lent" in dict(job.order)


def test_a_job_cancelled_before_its_first_step_forgets_the_key(hall: Hall, world: TestWorld, engine: Engine) -> None:
    job_id = ordered(hall, upload(hall, roster(3)))
    assert lent(job_id)
    importing.stop(world, hall.event_id, job_id)
    pump = Pump(engine)
    pump.run()
    assert not lent(job_id)
    assert pump.waiting("jobs") == []


def test_a_plain_file_is_not_imported_once_the_event_is_encrypted(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world)
    key = hall.owner.post(hall.path("/uploads")).json["key"]
    world.files.put(key, roster(3), "text/csv", "no-store")
    waiting = ordered(hall, key)
    assert encrypt(hall).status == 200
    assert hall.owner.post(hall.path("/uploads")).code == "upload_encrypted"
    # Both were on their way: the file that the form still let in, and the order of another page.
    world.files.put(key, roster(3), "text/csv", "no-store")
    late = ordered(hall, key)
    Pump(engine).run()
    assert seen(hall, waiting)["problem"]["code"] == "upload_encrypted"
    assert seen(hall, late)["problem"]["code"] == "upload_missing"
    assert players(hall) == []


def test_only_an_encrypted_event_keeps_sealed_files(world: TestWorld) -> None:
    hall = open_hall(world)
    body = {"content": base64.b64encode(b"x").decode()}
    assert hall.owner.post(hall.path("/sealed-uploads"), body).code == "not_encrypted"
    assert hall.owner.post(hall.path("/sealed-uploads"), {"content": "*"}).code == "bad_value"
