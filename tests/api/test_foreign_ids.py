"""Ids, tokens and keys of one event or person are worth nothing in another's, whoever shows them."""

from __future__ import annotations

import pytest

from tests.support.client import Browser
from tests.support.people import Hall, open_hall, phone, sign_in
from tests.support.world import TestWorld


@pytest.fixture
def mine(world: TestWorld) -> Hall:
    hall = open_hall(world)
    hall.enter(3)
    return hall


@pytest.fixture
def theirs(world: TestWorld) -> Hall:
    """Another organizer's event."""
    hall = open_hall(world, "13800130009", name="别人的比赛")
    hall.enter(3, first=300)
    return hall


def registration(hall: Hall, first: int, partner: str = "typed") -> tuple[Browser, dict[str, object]]:
    """A browser that registered, and its registration."""
    browser = Browser()
    count = 2 if partner == "typed" else 1
    players = [{"name": f"选手{one}", "phone": phone(one)} for one in range(first, first + count)]
    made = browser.post(hall.path("/registrations"), {"players": players, "consent": True, "partner": partner})
    assert made.status == 201, made.json
    return browser, made.json


def test_an_upload_is_imported_into_its_own_event_only(mine: Hall, theirs: Hall) -> None:
    foreign = theirs.owner.post(theirs.path("/uploads"), {})
    assert foreign.status == 201
    key = foreign.json["key"]
    for stolen in (key, f"uploads/{mine.event_id}/../{key.partition('/')[2]}", f"{key}x", "backups/x", "pub/x"):
        body = {"key": stolen, "commit": True, "columns": None}
        reply = mine.owner.post(mine.path("/import-jobs"), body)
        assert (reply.status, reply.code) == (404, "upload_missing"), stolen
    assert len(mine.owner.get(mine.path("/entries")).json["entries"]) == 3


def test_a_job_is_read_and_stopped_in_its_own_event_only(mine: Hall, theirs: Hall, world: TestWorld) -> None:
    key = theirs.owner.post(theirs.path("/uploads"), {}).json["key"]
    world.files.put(key, "队伍名称,选手1姓名,选手2姓名\n灯塔,甲,乙\n".encode(), "text/csv", "no-store")
    started = theirs.owner.post(theirs.path("/import-jobs"), {"key": key, "commit": False, "columns": None})
    assert started.status == 202, started.json
    job = started.json["job_id"]
    assert theirs.owner.get(theirs.path(f"/import-jobs/{job}")).status == 200
    assert mine.owner.get(mine.path(f"/import-jobs/{job}")).status == 404
    assert mine.owner.post(mine.path(f"/import-jobs/{job}/cancellation"), {}).status == 404
    assert theirs.owner.get(theirs.path(f"/import-jobs/{job}")).json["phase"] == "queued"


def test_a_device_is_revoked_at_its_own_entry_and_event_only(mine: Hall, theirs: Hall) -> None:
    player = mine.player(1)
    (device,) = mine.owner.get(mine.path("/entries/1/devices")).json["devices"]
    for hall, entry in ((mine, 2), (theirs, 1)):
        refused = hall.owner.delete(hall.path(f"/entries/{entry}/devices/{device['device_id']}"))
        assert (refused.status, refused.code) == (404, "device_not_found")
    assert player.get(mine.path("/me")).status == 200


def test_a_session_and_a_membership_are_ended_by_their_own_people_only(mine: Hall, theirs: Hall) -> None:
    sessions = theirs.owner.get("/auth/sessions").json["sessions"]
    mine.owner.delete(f"/auth/sessions/{sessions[0]['session_id']}")
    assert theirs.owner.get("/auth/session").status == 200
    theirs.administrator("13800130808")
    members = theirs.owner.get(theirs.path("/members")).json["members"]
    administrator = next(one["member_id"] for one in members if one["role"] != "owner")
    mine.owner.delete(mine.path(f"/members/{administrator}"))
    assert len(theirs.owner.get(theirs.path("/members")).json["members"]) == 2
    # An administrator is no owner: neither the list of members nor the event's life is theirs to change.
    other = sign_in(mine.world, "13800130810")
    assert other.delete(theirs.path(f"/members/{administrator}")).status == 403


def test_a_registration_belongs_to_whoever_made_it(mine: Hall, theirs: Hall) -> None:
    _, first = registration(mine, 500)
    stranger, second = registration(mine, 510)
    number, other = int(str(first["number"])), int(str(second["number"]))
    players = [{"name": "选手900", "phone": phone(900)}, {"name": "选手901", "phone": phone(901)}]
    change = {"players": players, "version": 1}
    for wanted in (number, 1, other + 1, 100_000):
        assert stranger.put(mine.path(f"/registrations/{wanted}"), change).code == "entry_not_found"
        assert stranger.post(mine.path(f"/registrations/{wanted}/withdrawal"), {}).code == "entry_not_found"
    # The browser's cookie is no key to another event, even to an entry of the same number.
    assert stranger.post(theirs.path("/registrations/1/withdrawal"), {}).code == "entry_not_found"
    # Nor is a cookie that was made up, or a part of one that was not.
    forged = Browser(cookies={"guanjun_browser": stranger.cookies["guanjun_browser"][:-1] + "A"})
    assert forged.post(mine.path(f"/registrations/{other}/withdrawal"), {}).code == "entry_not_found"


def test_an_invitation_is_for_its_event_and_its_single_only(mine: Hall, theirs: Hall) -> None:
    mine.configure(allow_single=True)
    theirs.configure(allow_single=True)
    _, single = registration(mine, 500, "invited")
    _, other = registration(mine, 501, "invited")
    _, foreign = registration(theirs, 500, "invited")
    assert single["number"] == foreign["number"]
    token = str(single["invitation"]).partition("#")[2]
    wanted = f"{other['number']}.{token.partition('.')[2]}"
    joining = {"name": "选手900", "phone": phone(900), "consent": True}
    for hall, shown in ((theirs, token), (mine, wanted), (mine, token[:-1]), (mine, f"{token}A"), (mine, "1.")):
        assert hall.owner.post(hall.path("/partner-invitations"), {"token": shown}).code == "invitation_invalid"
        assert Browser().post(hall.path("/partners"), {"token": shown, **joining}).code == "invitation_invalid"
    assert Browser().post(mine.path("/partners"), {"token": token, **joining}).status == 201
    # It was good once.
    again = {**joining, "name": "选手902", "phone": phone(902)}
    assert Browser().post(mine.path("/partners"), {"token": token, **again}).code == "invitation_invalid"


def test_a_linked_set_takes_no_event_of_others(mine: Hall, theirs: Hall) -> None:
    refused = mine.owner.put(mine.path("/linked-events"), {"events": [theirs.event_id]})
    assert (refused.status, refused.code) == (400, "not_linkable")
    assert theirs.owner.get(theirs.path("/linked-events")).json["events"] == []


def test_an_event_is_cloned_by_its_people_only(mine: Hall, theirs: Hall) -> None:
    refused = mine.owner.post("/events", {"name": "抄来的", "kind": "pairs", "clone_of": theirs.event_id})
    assert refused.status in (403, 404)
