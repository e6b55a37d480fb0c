"""The schedule that purges personal data, called as AWS calls it and with the rights it has there."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest

from app import app
from chalicelib.rules.replay import replay
from chalicelib.services import audit_lines
from chalicelib.store.calls import keys_of_all
from infra.local.engine import Engine
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.services.test_encryption import UNLOCKED, encrypt, play_a_round
from tests.support.client import Browser
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

DAY = 86_400_000
FILE = base64.b64encode("选手1,手机1,选手2,手机2\n丙,13800130703,丁,13800130704".encode()).decode()


def run() -> object:
    return invoke(app, "purge_personal_data", scheduled_event("purge_personal_data", datetime.now(UTC)))


@pytest.mark.parametrize("encrypted", [False, True])
def test_events_are_purged_when_their_date_has_come(world: TestWorld, engine: Engine, encrypted: bool) -> None:
    hall: Hall = open_hall(world)
    hall.enter(4, club="市南")
    hall.player(1)
    play_a_round(hall, engine)
    mine = hall.player(1).get(hall.path("/me")).json["table"]["table"]
    called = hall.player(1).post(hall.path(f"/rounds/1/tables/{mine}/calls"), {"kind": "call", "message": "找选手001"})
    assert (called.status, len(keys_of_all(hall.event_id))) == (201, 1), called.json
    if encrypted:
        encrypt(hall)
    hall.configure(purge_at=world.now() + DAY)
    assert run() == 0
    world.time.advance(days=1)
    assert run() == 1
    assert run() == 0
    assert keys_of_all(hall.event_id) == []
    headers = UNLOCKED if encrypted else {}
    entries = hall.owner.get(hall.path("/entries"), headers=headers).json["entries"]
    assert [entry["name"] for entry in entries] == ["#1", "#2", "#3", "#4"]
    assert {player["phone"] for entry in entries for player in entry["players"]} == {""}


def test_an_encryption_that_died_is_finished_and_no_club_stands_in_the_log(
    world: TestWorld, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall: Hall = open_hall(world)
    hall.configure(clubs=["海风俱乐部", "礁石"])
    for first, club in ((100, "海风俱乐部"), (200, "礁石"), (300, "海风俱乐部")):
        world.time.advance(seconds=1)
        hall.enter(1, first=first, club=club)
    world.time.advance(seconds=1)
    assert clubs(hall) == {1: "海风俱乐部", 2: "礁石", 3: "海风俱乐部"}
    died = no_power_after(engine, "guanjun-local-audit", monkeypatch)
    assert encrypt(hall).status == 500
    monkeypatch.undo()
    assert died == ["PutItem"]
    assert "礁石" in log(hall)
    world.time.advance(minutes=3)
    run()
    assert [word for word in ("海风俱乐部", "礁石") if word in log(hall)] == []
    after = clubs(hall)
    assert after == {1: after[1], 2: after[2], 3: after[1]}
    assert all(club.startswith("T-") for club in after.values())
    assert hall.owner.get(hall.path("/encryption")).json["pending"] is False


def no_power_after(engine: Engine, table: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every write of a single item of ``table`` fail from now on; what was tried."""
    tried: list[str] = []
    answer = engine.answer

    def fail(operation: str, body: bytes) -> tuple[int, bytes]:
        if operation == "PutItem" and table.encode() in body:
            tried.append(operation)
            return 400, b'{"__type": "com.amazonaws.dynamodb.v20120810#AccessDeniedException", "message": "no power"}'
        return answer(operation, body)

    monkeypatch.setattr(engine, "answer", fail)
    return tried


def log(hall: Hall) -> str:
    return audit_lines.download(hall.event_id)[0].decode()


def clubs(hall: Hall) -> dict[int, str]:
    """The 团体 of each entry, as replaying the log tells them."""
    return {entry.number: entry.club or "" for entry in replay(log(hall)).entries}


def test_a_purged_event_takes_nobody_in_until_a_later_date_is_set(world: TestWorld) -> None:
    hall: Hall = open_hall(world)
    hall.enter(1)
    hall.configure(purge_at=world.now() + DAY)
    world.time.advance(days=1)
    assert run() == 1
    couple = [{"name": "甲", "phone": "13800130701"}, {"name": "乙", "phone": "13800130702"}]
    registration = {"players": couple, "consent": True, "name": "", "club": "", "partner": "typed"}
    refused = [
        Browser().post(hall.path("/registrations"), registration),
        hall.owner.post(hall.path("/entries"), {"players": couple}),
        hall.owner.put(hall.path("/entries/1"), {"players": couple, "version": version(hall)}),
        hall.owner.post(hall.path("/imports"), {"filename": "a.csv", "content": FILE, "commit": True}),
    ]
    assert [reply.code for reply in refused] == ["registration_closed", *["event_purged"] * 3]
    assert hall.owner.get(hall.path("/registration")).json["open"] is False
    # What says nothing of a person can still be changed.
    numbers = [{"name": "#1-1", "phone": ""}, {"name": "#1-2", "phone": ""}]
    seeded = hall.owner.put(hall.path("/entries/1"), {"players": numbers, "seed": 3, "version": version(hall)})
    assert seeded.status == 200, seeded.json
    hall.configure(purge_at=world.now() + DAY)
    assert hall.owner.put(hall.path("/entries/1"), {"players": couple, "version": version(hall)}).status == 200
    assert Browser().post(hall.path("/registrations"), registration).code == "phone_taken"
    world.time.advance(days=1)
    assert run() == 1
    (entry,) = hall.owner.get(hall.path("/entries")).json["entries"]
    assert [player["name"] for player in entry["players"]] == ["#1-1", "#1-2"]


def version(hall: Hall) -> int:
    found: int = hall.owner.get(hall.path("/entries")).json["entries"][0]["version"]
    return found
