"""The schedule that purges personal data, called as AWS calls it and with the rights it has there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app import app
from chalicelib.store.calls import keys_of_all
from infra.local.engine import Engine
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.services.test_encryption import UNLOCKED, encrypt, play_a_round
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

DAY = 86_400_000


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
