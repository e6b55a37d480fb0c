"""允许选手自己操作弃权: giving up one's own table from the phone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.client import Browser, Reply
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world)
    hall.configure(self_forfeit=True)
    hall.enter(4)
    hall.start_round()
    return hall


def row(hall: Hall, table: int = 1) -> dict[str, Any]:
    tables = hall.owner.get(hall.path("/current-tables")).json["tables"]
    found: dict[str, Any] = next(each for each in tables if each["table"] == table)
    return found


def give_up(hall: Hall, phone: Browser, base: int = 0, table: int = 1, **more: Any) -> Reply:
    body = {"base_version": base, "tapped_at": hall.world.now()}
    return phone.post(hall.path(f"/rounds/1/tables/{table}/forfeit"), body, **more)


@pytest.mark.parametrize("side", ["ns", "ew"])
def test_the_own_side_forfeits_at_once_and_a_referee_lifts_it(hall: Hall, side: str) -> None:
    phone = hall.player(row(hall)[side]["number"])
    reply = give_up(hall, phone)
    assert reply.status == 200, reply.json
    assert (reply.json["state"], reply.json["result"]["outcome"]) == ("ruled", f"{side}_forfeit")
    assert (reply.json["ruling"]["self_forfeit"], reply.json["ruling"]["actor"][:7]) == (True, "device:")
    assert row(hall) == reply.json | {"ns": row(hall)["ns"], "ew": row(hall)["ew"]}
    lines = hall.owner.get(hall.path("/rounds/1/tables/1/history")).json["lines"]
    assert [line["act"] for line in lines] == ["forfeit"]
    version = row(hall)["version"]
    lifted = hall.by_link("referee").post(hall.path("/rounds/1/tables/1/lifting"), {"version": version})
    assert (lifted.status, lifted.json["state"]) == (200, "open")
    assert give_up(hall, phone).status == 200


def test_any_number_of_taps_is_one_forfeit(hall: Hall) -> None:
    phone = hall.player(row(hall)["ns"]["number"])
    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(lambda _: give_up(hall, phone, key="forfeit-key-1"), range(20)))
    assert {(reply.status, reply.body) for reply in replies} == {(200, replies[0].body)}
    assert give_up(hall, phone).code == "table_ruled"
    log = hall.owner.get(hall.path("/audit")).json["lines"]
    assert [line["action"] for line in log].count("table.forfeit") == 1


def test_both_sides_at_the_same_moment_leave_one_forfeit(hall: Hall) -> None:
    phones = [hall.player(row(hall)[side]["number"]) for side in ("ns", "ew")]
    with ThreadPoolExecutor(2) as threads:
        replies = list(threads.map(lambda phone: give_up(hall, phone), phones))
    assert sorted(reply.status for reply in replies) == [200, 409]
    assert {reply.code for reply in replies if reply.status == 409} == {"table_ruled"}


def test_a_partner_who_said_something_newer_stops_it(hall: Hall) -> None:
    number = row(hall)["ns"]["number"]
    one, other = hall.player(number, 0), hall.player(number, 1)
    word = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": hall.world.now()}
    assert other.post(hall.path("/rounds/1/tables/1/submissions"), word).status == 201
    refused = give_up(hall, one)
    assert (refused.code, refused.json["current"]["word_ns"]["version"]) == ("stale_version", 1)
    assert give_up(hall, one, base=1).status == 200


def test_a_result_on_which_both_sides_agree_is_not_given_away(hall: Hall) -> None:
    """25 level points become 20 by a forfeit, 14 as well: a table that is over is over."""
    one, other = (hall.player(row(hall)[side]["number"]) for side in ("ns", "ew"))
    word = {"ns_level": "A", "ew_level": "2", "base_version": 0, "tapped_at": hall.world.now()}
    assert one.post(hall.path("/rounds/1/tables/1/submissions"), word).status == 201
    assert other.post(hall.path("/rounds/1/tables/1/submissions"), word).status == 201
    refused = give_up(hall, other, base=1)
    assert (refused.status, refused.code) == (409, "result_agreed")
    assert row(hall)["state"] == "confirmed"
    objection = {**word, "ew_level": "3", "base_version": 1}
    assert other.post(hall.path("/rounds/1/tables/1/submissions"), objection).status == 201
    assert give_up(hall, other, base=2).status == 200


def test_when_it_is_not_possible(world: TestWorld, hall: Hall) -> None:
    phone = hall.player(row(hall)["ns"]["number"])
    assert give_up(hall, phone, table=2).code == "not_your_table"
    hall.configure(self_forfeit=False)
    assert give_up(hall, phone).code == "forfeit_not_allowed"
    hall.configure(self_forfeit=True)
    hall.owner.post(hall.path("/ending"), {"ended": True})
    assert give_up(hall, phone).code == "event_ended"


def test_the_clock_does_not_matter_a_settled_round_does(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.configure(self_forfeit=True)
    hall.enter(2)
    drawn = hall.owner.post(hall.path("/rounds"), {}).json
    hall.owner.post(hall.path("/rounds/1/publication"), {"version": drawn["version"]})
    phone = hall.player(row(hall)["ns"]["number"])
    assert give_up(hall, phone).status == 200
    version = hall.owner.get(hall.path("/rounds/1")).json["version"]
    assert hall.owner.post(hall.path("/rounds/1/settlement"), {"version": version}).status == 200
    assert give_up(hall, phone).code == "table_locked"
