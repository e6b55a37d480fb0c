"""The end of a deleted event, called as AWS calls it and with the rights it has there: nothing of it is left."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app import app
from chalicelib.services import deletion, erasing
from infra.local.engine import Engine
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.services.test_encryption import encrypt, play_a_round
from tests.support.people import OWNER_PHONE, Hall, open_hall, sign_in
from tests.support.world import TestWorld

KEPT = {"guanjun-local-audit", "guanjun-local-idempotency", "guanjun-local-jobs"}
"""The log, which names nobody, and what expires by itself within two days."""


def run() -> object:
    return invoke(app, "purge_personal_data", scheduled_event("purge_personal_data", datetime.now(UTC)))


def left(engine: Engine, event_id: str) -> list[str]:
    """Keys of everything in the tables that is kept under this event."""
    found = []
    for table in engine.call("ListTables", {})["TableNames"]:
        for item in engine.call("Scan", {"TableName": table})["Items"]:
            key = f"{item['pk']['S']} {item['sk']['S']}"
            if table not in KEPT and event_id in key:
                found.append(f"{table}: {key}")
    return found


def files_of(hall: Hall) -> list[str]:
    folders = ("pub", "backups", "uploads", "downloads")
    return [key for folder in folders for key in hall.world.files.list_prefix(f"{folder}/{hall.event_id}/")]


def delete(hall: Hall) -> None:
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200


@pytest.fixture
def played(world: TestWorld, engine: Engine) -> Hall:
    """An event that has something in every table and folder."""
    hall = open_hall(world)
    hall.administrator("13800130803")
    assert hall.owner.post(hall.path("/members"), {"phone": "13800130804"}).status == 201  # has no account yet
    hall.enter(4, club="市南")
    hall.configure(capacity=4, clubs=["市南"])
    for first in (300, 302):
        players = [{"name": f"选手{each}", "phone": f"13800130{each}"} for each in (first, first + 1)]
        body = {"players": players, "consent": True, "name": "", "club": "", "partner": "typed"}
        assert hall.owner.post(hall.path("/registrations"), body).status == 201
    hall.player(1)
    play_a_round(hall, engine)
    assert files_of(hall)
    return hall


@pytest.mark.parametrize("encrypted", [False, True])
def test_nothing_is_left_after_thirty_days(played: Hall, engine: Engine, *, encrypted: bool) -> None:
    if encrypted:
        encrypt(played)
    delete(played)
    played.world.time.advance(days=deletion.RESTORABLE_DAYS, seconds=-1)
    run()
    assert left(engine, played.event_id)
    played.world.time.advance(seconds=1)
    run()
    assert left(engine, played.event_id) == []
    assert files_of(played) == []
    assert erasing.erase_due(played.world) == 0
    assert sign_in(played.world, OWNER_PHONE).post(played.path("/deletion"), {"deleted": False}).code is not None


def test_an_event_that_came_back_is_not_erased(played: Hall, engine: Engine) -> None:
    delete(played)
    played.world.time.advance(days=20)
    owner = sign_in(played.world, OWNER_PHONE)
    assert owner.post(played.path("/deletion"), {"deleted": False}).status == 200
    played.world.time.advance(days=20)
    run()
    assert sign_in(played.world, OWNER_PHONE).get(played.path()).status == 200


def test_other_events_stay_as_they_are(played: Hall, world: TestWorld, engine: Engine) -> None:
    other = played.owner.post("/events", {"name": "周四夜赛", "kind": "pairs"}).json["event_id"]
    before = left(engine, other)
    delete(played)
    world.time.advance(days=deletion.RESTORABLE_DAYS)
    assert erasing.erase_due(world) == 1
    assert left(engine, other) == before


def test_an_erasure_that_was_interrupted_is_finished(played: Hall, world: TestWorld, engine: Engine) -> None:
    delete(played)
    world.time.advance(days=deletion.RESTORABLE_DAYS)
    engine.call(
        "DeleteItem",
        {"TableName": "guanjun-local-standings", "Key": {"pk": {"S": played.event_id}, "sk": {"S": "POINTER"}}},
    )
    world.files.delete_prefix(f"pub/{played.event_id}/")
    assert erasing.erase_due(world) == 1
    assert left(engine, played.event_id) == []
