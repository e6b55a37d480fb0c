"""Devices: a token for one player of one entry, read without the store and revocable."""

from __future__ import annotations

import pytest

from chalicelib.services import devices, standings
from chalicelib.services.devices import DeviceToken
from chalicelib.services.problems import Problem
from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.people import open_hall, phone, sign_in
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


def test_organizers_see_the_devices_of_an_entry_and_revoke_one(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    first = hall.player(1)
    world.time.advance(minutes=1)
    second = hall.player(1, player=1)
    path = hall.path("/entries/1/devices")
    newest, oldest = hall.owner.get(path).json["devices"]
    assert (newest["player"], oldest["player"], oldest["created_at"]) == (1, 0, world.now() - 60_000)
    for _ in range(2):
        assert hall.owner.delete(f"{path}/{oldest['device_id']}").status == 200
    assert first.get(hall.path("/me")).code == "identify_first"
    assert second.get(hall.path("/me")).status == 200
    assert [device["revoked_at"] is not None for device in hall.owner.get(path).json["devices"]] == [False, True]
    assert hall.owner.get(hall.path("/entries/2/devices")).json == {"devices": []}
    assert hall.owner.delete(f"{path}/nowhere").code == "device_not_found"
    assert hall.owner.delete(hall.path(f"/entries/2/devices/{newest['device_id']}")).code == "device_not_found"


def test_a_required_sign_in_binds_the_phone_to_its_player(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    early = hall.player(1)
    hall.configure(sign_in_required=True)
    assert Browser().get(hall.path("/public")).json["sign_in_required"] is True
    # Who identified before has to sign in as well, for every act.
    for reply in (
        early.get(hall.path("/me")),
        early.get(hall.path("/me/rounds")),
        early.put(hall.path("/me/check-in")),
    ):
        assert reply.code == "sign_in_required"
    entry = hall.owner.get(hall.path("/entries")).json["entries"][0]
    mine = {"number": 1, "player": 0, "text": entry["players"][0]["phone"]}
    assert Browser(speaks_as="player").post(hall.path("/devices"), mine).code == "sign_in_required"
    somebody = sign_in(world, phone(999))
    somebody.speaks_as = "player"
    assert somebody.post(hall.path("/devices"), mine).code == "not_your_phone"
    world.time.advance(minutes=1)
    owner = sign_in(world, entry["players"][0]["phone"])
    owner.speaks_as = "player"
    reply = owner.post(hall.path("/devices"), mine)
    assert reply.status == 201, reply.json
    owner.csrf = reply.json["csrf"]
    assert owner.put(hall.path("/me/check-in")).status == 200
    assert [each["signed_in"] for each in hall.owner.get(hall.path("/entries/1/devices")).json["devices"]] == [
        True,
        False,
    ]


def test_a_player_without_a_phone_of_their_own_may_sign_in_as_anybody(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.configure(sign_in_required=True)
    players = [{"name": "甲", "phone": phone(801)}, {"name": "乙", "phone": ""}]
    hall.owner.post(hall.path("/entries"), {"players": players})
    browser = sign_in(world, phone(999))
    browser.speaks_as = "player"
    assert browser.post(hall.path("/devices"), {"number": 1, "player": 1, "text": "乙"}).status == 201


def test_the_own_score_shows_only_where_it_is_switched_on(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    hall.start_round()
    standings.refresh(world, hall.event_id)
    player = hall.player(1)
    assert player.get(hall.path("/me")).json["rank"] is not None
    hall.configure(show_own_score=False)
    assert player.get(hall.path("/me")).json["rank"] is None
