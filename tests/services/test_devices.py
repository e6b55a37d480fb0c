"""Devices: a token for one player of one entry, read without the store and revocable."""

from __future__ import annotations

import pytest

from chalicelib.services import devices
from chalicelib.services.devices import DeviceToken
from chalicelib.services.problems import Problem
from infra.local.engine import Engine
from tests.support.people import open_hall, phone
from tests.support.world import TestWorld


def test_a_token_says_who_it_is_for_and_is_read_without_the_store(world: TestWorld, engine: Engine) -> None:
    device = DeviceToken("event-1", 12, 1, "abcdefgh12345678")
    token = devices.write_token(world, device)
    engine.recorder.clear()
    assert devices.read_token(world, "event-1", token) == device
    assert engine.recorder.requests() == {}


@pytest.mark.parametrize(("part", "value"), [(0, "13"), (1, "0"), (2, "abcdefgh12345679"), (3, "A" * 32)])
def test_no_part_of_a_token_can_be_changed(world: TestWorld, part: int, value: str) -> None:
    token = devices.write_token(world, DeviceToken("event-1", 12, 1, "abcdefgh12345678"))
    parts = token.split(".")
    parts[part] = value
    assert devices.read_token(world, "event-1", ".".join(parts)) is None
    assert devices.read_token(world, "event-2", token) is None


@pytest.mark.parametrize("token", ["", "....", "1.1.1.1", "12.9.abcdefgh12345678." + "A" * 32, "x" * 500])
def test_what_is_no_token(world: TestWorld, token: str) -> None:
    assert devices.read_token(world, "event-1", token) is None


def test_one_says_to_be_somebody_whom_the_search_finds(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    me, token = devices.identify(world, hall.event_id, 1, 0, phone(100), "手机", "browser")
    assert me.entry.number == 1
    device = devices.read_token(world, hall.event_id, token)
    assert device is not None
    assert (device.number, device.player) == (1, 0)
    for number, player in ((2, 0), (1, 1), (3, 0)):
        with pytest.raises(Problem) as refusal:
            devices.identify(world, hall.event_id, number, player, phone(100), "", "browser")
        assert refusal.value.code == "nobody_found"


def test_not_me_revokes_this_browser_only(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(1)
    mine, another = hall.player(1), hall.player(1)
    kept = dict(mine.cookies)
    assert mine.delete(hall.path("/devices")).status == 200
    assert list(mine.cookies) == ["guanjun_browser"]
    mine.cookies.update(kept)
    assert (mine.get(hall.path("/me")).status, mine.get(hall.path("/me")).code) == (401, "identify_first")
    assert another.get(hall.path("/me")).status == 200


def test_a_player_who_was_replaced_loses_the_phone_and_the_partner_does_not(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(1)
    leaving, staying = hall.player(1, 0), hall.player(1, 1)
    entry = hall.owner.get(hall.path("/entries")).json["entries"][0]
    substitute = {"name": "替补", "phone": phone(900)}
    body = {"players": [substitute, entry["players"][1]], "version": entry["version"]}
    assert hall.owner.put(hall.path("/entries/1"), body).status == 200
    assert leaving.get(hall.path("/me")).code == "identify_first"
    assert staying.get(hall.path("/me")).status == 200
    assert hall.player(1, 0, phone(900)).get(hall.path("/me")).json["entry"]["players"][0] == "替补"
