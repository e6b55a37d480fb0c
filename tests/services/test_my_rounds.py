"""我的各轮: what a phone lists of a player's own rounds."""

from __future__ import annotations

from typing import Any

from tests.support.client import Browser
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld


def listed(phone: Browser, hall: Hall) -> list[dict[str, Any]]:
    reply = phone.get(hall.path("/me/rounds"))
    assert reply.status == 200, reply.json
    rounds: list[dict[str, Any]] = reply.json["rounds"]
    return rounds


def test_before_the_first_round_there_is_none_and_a_draft_is_not_shown(world: TestWorld) -> None:
    hall = open_hall(world)
    numbers = hall.enter(3)
    phone = hall.player(numbers[0])
    assert listed(phone, hall) == []
    hall.owner.post(hall.path("/rounds"), {})
    assert listed(phone, hall) == []


def test_every_round_says_table_side_opponents_and_result_or_the_bye(world: TestWorld) -> None:
    hall = open_hall(world, rounds=3)
    numbers = hall.enter(3)
    hall.start_round()
    grid = hall.owner.get(hall.path("/current-tables")).json
    table = grid["tables"][0]
    ns, ew, bye = table["ns"]["number"], table["ew"]["number"], grid["byes"][0]["number"]
    assert {ns, ew, bye} == set(numbers)
    ruled = hall.owner.post(
        hall.path("/rounds/1/tables/1/ruling"),
        {"version": table["version"], "ns_level": "A", "ew_level": "9", "reason": ""},
    )
    assert ruled.status == 200, ruled.json

    (mine,) = listed(hall.player(ew), hall)
    assert (mine["round"], mine["my_side"], mine["bye"]) == (1, "ew", False)
    assert (mine["table"]["ns"]["number"], mine["table"]["state"]) == (ns, "ruled")
    result = mine["table"]["result"]
    assert (result["outcome"], result["ns_level"], result["ew_level"]) == ("played", "A", "9")

    (sitting_out,) = listed(hall.player(bye), hall)
    assert (sitting_out["bye"], sitting_out["table"]) == (True, None)


def test_who_joined_late_is_neither_seated_nor_has_a_bye(world: TestWorld) -> None:
    hall = open_hall(world, rounds=3)
    hall.enter(2)
    hall.start_round()
    (late,) = hall.enter(1, first=200)
    (missed,) = listed(hall.player(late), hall)
    assert (missed["bye"], missed["table"], missed["my_side"]) == (False, None, None)


def test_a_revoked_phone_must_identify_again(world: TestWorld) -> None:
    hall = open_hall(world)
    (number,) = hall.enter(1)
    phone = hall.player(number)
    cookies = dict(phone.cookies)
    assert phone.send("DELETE", hall.path("/devices"), None).status == 200
    phone.cookies = cookies
    assert phone.get(hall.path("/me/rounds")).code == "identify_first"


def test_a_deleted_event_has_no_rounds_to_tell_of(world: TestWorld) -> None:
    hall = open_hall(world)
    phone = hall.player(hall.enter(4)[0])
    hall.start_round()
    name = hall.owner.get(hall.path()).json["settings"]["name"]
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": name}).status == 200
    assert phone.get(hall.path("/me/rounds")).code == "event_not_found"
