"""An event made again of its exported document in the console: lossless, or every fault told."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from chalicelib.services import documents
from chalicelib.services.views.scoring import Score
from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.hall import Hall as DirectHall
from tests.support.hall import Pump
from tests.support.kinds import WAYS, confirm, open_way, rule, tables_of
from tests.support.people import sign_in
from tests.support.world import TestWorld


@pytest.fixture
def owner(world: TestWorld) -> Browser:
    return sign_in(world, "13800130001")


def order(world: TestWorld, engine: Engine, owner: Browser, content: bytes) -> Any:
    """Upload, order, and let the job run."""
    ticket = owner.post("/event-documents/uploads")
    assert (ticket.status, ticket.json["max_bytes"]) == (201, 20 * 1024 * 1024)
    world.files.put(ticket.json["key"], content, "application/json", "no-store")
    queued = owner.post("/event-documents/jobs", {"key": ticket.json["key"]})
    assert (queued.status, queued.json["phase"]) == (202, "queued")
    Pump(engine).run()
    return owner.get(f"/event-documents/jobs/{queued.json['job_id']}").json


def played(world: TestWorld, kind: str) -> DirectHall:
    """Two rounds of an event: a confirmed, a forfeited and (round 2) open tables."""
    hall = open_way(world, next(way for way in WAYS if way.kind == kind))
    hall.play(1)
    for index, table in enumerate(tables_of(hall, 1)):
        if index == 1 and table.room is None:
            rule(hall, table, Score("ew_forfeit"), "未到场")
        elif table.state == "open":
            confirm(hall, table)
    hall.play(2)
    confirm(hall, tables_of(hall, 2)[0])
    return hall


@pytest.mark.parametrize("kind", ["pairs", "individual", "team_of_four", "mitchell", "open_ended"])
def test_the_new_event_is_the_same_to_the_last_digit(
    world: TestWorld, engine: Engine, owner: Browser, kind: str
) -> None:
    exported, _ = documents.export(world, played(world, kind).event_id)
    for content in (exported, gzip.compress(exported)):
        job = order(world, engine, owner, content)
        assert (job["phase"], job["over"], job["faults"], job["problem"]) == ("done", True, [], None)
        again, _ = documents.export(world, job["event_id"])
        assert json.loads(again) == json.loads(exported)
        assert owner.get(f"/events/{job['event_id']}").json["role"] == "owner"


def test_every_fault_is_told_and_nothing_is_made(world: TestWorld, engine: Engine, owner: Browser) -> None:
    document = json.loads(documents.export(world, played(world, "pairs").event_id)[0])
    document["entries"][0]["no"] = 2
    document["event"]["rounds"] = 1000
    document["surprise"] = True
    job = order(world, engine, owner, json.dumps(document).encode())
    assert (job["phase"], job["event_id"], job["problem"]["code"]) == ("failed", None, "document_faults")
    told = {(fault["pointer"], fault["code"]) for fault in job["faults"]}
    assert {("/surprise", "unknown_field"), ("/event/rounds", "out_of_range")} <= told
    assert job["fault_count"] == len(job["faults"])
    assert owner.get("/events").json["events"] == []


@pytest.mark.parametrize("content", [b"", b"{", b"\x1f\x8bnothing", b"PK\x03\x04", b"[" * 100_000])
def test_what_is_no_document_is_refused(world: TestWorld, engine: Engine, owner: Browser, content: bytes) -> None:
    job = order(world, engine, owner, content)
    assert job["phase"] == "failed"
    assert job["problem"]["code"] in ("document_faults", "not_restorable")


def test_it_takes_from_the_owners_quota(world: TestWorld, engine: Engine, owner: Browser) -> None:
    exported, _ = documents.export(world, played(world, "pairs").event_id)
    made = 0
    while (job := order(world, engine, owner, exported))["phase"] == "done":
        made += 1
        assert made < 50
    assert job["problem"]["code"] == "event_quota"
    assert len(owner.get("/events").json["events"]) == made


def test_one_key_is_one_event_and_nobody_else_sees_the_job(world: TestWorld, engine: Engine, owner: Browser) -> None:
    exported, _ = documents.export(world, played(world, "pairs").event_id)
    key = owner.post("/event-documents/uploads").json["key"]
    world.files.put(key, exported, "application/json", "no-store")
    replies = [owner.post("/event-documents/jobs", {"key": key}, key="document-key-1") for _ in range(3)]
    assert len({reply.body for reply in replies}) == 1
    pump = Pump(engine)
    records = pump.waiting("jobs")
    for _ in range(3):
        # The stream may hand a record over again.
        assert pump.hand("jobs", records[-1:]) == []
    assert len(owner.get("/events").json["events"]) == 1
    other = sign_in(world, "13800130009")
    assert other.get(f"/event-documents/jobs/{replies[0].json['job_id']}").code == "not_found"
    assert other.post("/event-documents/jobs", {"key": key}).code == "upload_missing"
