"""The platform's administrators over HTTP: accounts by phone, VIP, their log; and passwords."""

from __future__ import annotations

from chalicelib.services import accounts
from tests.support.client import Browser
from tests.support.people import sign_in
from tests.support.world import TestWorld

CHIEF, MEMBER = "13800130802", "13800130801"


def chief_of(world: TestWorld) -> Browser:
    accounts.make_administrator(world, CHIEF)
    return sign_in(world, CHIEF)


def test_an_account_is_found_by_its_phone_and_raised(world: TestWorld) -> None:
    chief, member = chief_of(world), sign_in(world, MEMBER)
    found = chief.post("/platform/account-searches", {"phone": MEMBER}).json
    assert (found["phone_masked"], found["counts"], found["events_owned"]) == ("138****0801", 0, 0)
    until = world.now() + 1000
    body = {"vip_level": 1, "trial_level": 2, "trial_until": until, "platform_administrator": False}
    reply = chief.put(f"/platform/accounts/{found['account_id']}", body)
    assert (reply.status, reply.json["counts"]) == (200, 2)
    mine = member.get("/auth/session").json["account"]
    assert (mine["vip_level"], mine["trial_until"]) == (2, until)
    world.time.advance(seconds=1)
    mine = member.get("/auth/session").json["account"]
    assert (mine["vip_level"], mine["trial_until"]) == (1, None)
    log = chief.get("/platform/audit").json["lines"]
    assert ("account.manage", f"account:{found['account_id']}") in [(line["action"], line["subject"]) for line in log]


def test_a_phone_without_an_account_is_not_found(world: TestWorld) -> None:
    assert chief_of(world).post("/platform/account-searches", {"phone": MEMBER}).code == "account_not_found"


def test_the_table_of_levels_is_there_for_everybody(world: TestWorld) -> None:
    assert [level["level"] for level in Browser().get("/vip-levels").json["levels"]] == [0, 1, 2, 3]


def test_a_password_is_set_used_and_removed_over_http(world: TestWorld) -> None:
    member = sign_in(world, MEMBER)
    assert member.put("/auth/password", {"password": "没有人会猜到的词"}).json["has_password"] is True
    other = Browser()
    reply = other.post("/auth/password-session", {"phone": MEMBER, "password": "没有人会猜到的词"})
    assert reply.status == 201
    other.csrf = reply.json["csrf"]
    assert len(other.get("/auth/sessions").json["sessions"]) == 2
    removed = other.put("/auth/password", {"password": None, "current": "没有人会猜到的词"})
    assert removed.json["has_password"] is False
    assert member.get("/auth/session").code == "sign_in_required"
