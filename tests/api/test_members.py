"""Administrators: named by phone, effective when that phone signs in, removed at once."""

from __future__ import annotations

from tests.support.client import Browser
from tests.support.people import Hall, open_hall, sign_in
from tests.support.world import TestWorld

KNOWN, UNKNOWN = "13800130801", "13800130802"


def roles(hall: Hall, browser: Browser | None = None) -> list[tuple[str, str]]:
    members = (browser or hall.owner).get(hall.path("/members")).json["members"]
    return [(member["role"], member["phone_masked"]) for member in members]


def test_a_phone_with_an_account_is_an_administrator_at_once(world: TestWorld) -> None:
    hall, other = open_hall(world), sign_in(world, KNOWN)
    assert other.get(hall.path()).code == "forbidden"
    assert hall.owner.post(hall.path("/members"), {"phone": "138 0013 0801"}).status == 201
    assert other.get(hall.path()).json["role"] == "administrator"
    assert [line["event_id"] for line in other.get("/events").json["events"]] == [hall.event_id]
    assert roles(hall) == [("owner", "138****0001"), ("administrator", "138****0801")]


def test_a_phone_without_one_becomes_one_when_it_signs_in(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.owner.post(hall.path("/members"), {"phone": UNKNOWN})
    hall.configure(name="改名")
    assert roles(hall)[1] == ("administrator", "138****0802")
    new = sign_in(world, UNKNOWN)
    assert new.get(hall.path()).json["role"] == "administrator"
    assert [line["name"] for line in new.get("/events").json["events"]] == ["改名"]
    assert roles(hall, new) == [("owner", "138****0001"), ("administrator", "138****0802")]


def test_who_signs_in_while_the_event_is_deleted_is_an_administrator_when_it_is_back(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.owner.post(hall.path("/members"), {"phone": "13800130003"})
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    invited = sign_in(world, "13800130003")
    assert invited.get("/events").json["events"] == []
    assert hall.owner.post(hall.path("/deletion"), {"deleted": False}).status == 200
    assert [event["event_id"] for event in invited.get("/events").json["events"]] == [hall.event_id]
    assert invited.get(hall.path()).json["role"] == "administrator"


def test_the_answer_does_not_tell_whether_a_phone_has_an_account(world: TestWorld) -> None:
    hall = open_hall(world)
    sign_in(world, KNOWN)
    replies = [hall.owner.post(hall.path("/members"), {"phone": phone}) for phone in (KNOWN, UNKNOWN)]
    known, unknown = (reply.json["members"][-1] for reply in replies)
    assert known.keys() == unknown.keys()
    assert known["role"] == unknown["role"]
    assert len(known["member_id"]) == len(unknown["member_id"])
    assert KNOWN not in replies[1].body.decode()
    # The id stays when the invited person signs in, so that does not show either.
    sign_in(world, UNKNOWN)
    members = hall.owner.get(hall.path("/members")).json["members"]
    assert unknown["member_id"] in [member["member_id"] for member in members]


def test_who_is_removed_is_out_with_the_next_request(world: TestWorld) -> None:
    hall, other = open_hall(world), sign_in(world, KNOWN)
    for phone in (KNOWN, UNKNOWN):
        hall.owner.post(hall.path("/members"), {"phone": phone})
    for member in hall.owner.get(hall.path("/members")).json["members"][1:]:
        for _ in range(2):
            assert hall.owner.delete(hall.path(f"/members/{member['member_id']}")).status == 200
    assert other.get(hall.path()).code == "forbidden"
    assert other.get("/events").json["events"] == []
    assert sign_in(world, UNKNOWN).get(hall.path()).code == "forbidden"
    assert roles(hall) == [("owner", "138****0001")]


def test_the_owner_stays_and_naming_twice_is_once(world: TestWorld) -> None:
    hall = open_hall(world)
    owner = hall.owner.get(hall.path("/members")).json["members"][0]["member_id"]
    assert hall.owner.delete(hall.path(f"/members/{owner}")).code == "owner_stays"
    for phone in (KNOWN, KNOWN, "13800130001"):
        assert hall.owner.post(hall.path("/members"), {"phone": phone}).status == 201
    assert roles(hall) == [("owner", "138****0001"), ("administrator", "138****0801")]
    assert hall.owner.get(hall.path()).json["role"] == "owner"


def test_administrators_do_not_name_others(world: TestWorld) -> None:
    hall = open_hall(world)
    administrator = hall.administrator(KNOWN)
    assert administrator.post(hall.path("/members"), {"phone": UNKNOWN}).code == "forbidden"
    assert administrator.get(hall.path("/members")).status == 200


def test_nobody_is_named_by_what_is_no_phone(world: TestWorld) -> None:
    hall = open_hall(world)
    assert hall.owner.post(hall.path("/members"), {"phone": "12345"}).code == "bad_phone"
