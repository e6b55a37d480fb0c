"""Signing in by WeChat over HTTP: to WeChat and back, binding, what others try, and following the official account."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.gateways.wechat import OfficialAccount
from chalicelib.services import accounts
from chalicelib.services.wechat import openids, visits
from chalicelib.services.wechat.following import access_token
from chalicelib.services.world import use
from chalicelib.store.wechat import Token
from tests.support.client import Browser, Reply
from tests.support.official_account import APP_SECRET, PlayedWeChat
from tests.support.people import open_hall, sign_in
from tests.support.world import TestWorld

JIA, YI = "13800130001", "13800130002"
JIAS, YIS = "openid-of-jia", "openid-of-yi"


@pytest.fixture
def played() -> Iterator[PlayedWeChat]:
    played = PlayedWeChat()
    yield played
    played.stop()


@pytest.fixture
def there(world: TestWorld, played: PlayedWeChat) -> TestWorld:
    """The world with an official account."""
    there = dataclasses.replace(world, wechat=OfficialAccount(played.papers()))
    use(there)
    return there


def begin(browser: Browser, purpose: str = "sign_in", path: str = "/c/") -> str:
    """Leave for WeChat; returns the state in the address."""
    reply = browser.post("/wechat/visits", {"purpose": purpose, "return_path": path})
    assert reply.status == 201, reply.json
    return parse_qs(urlsplit(reply.json["address"]).query)["state"][0]


def come_back(browser: Browser, state: str, code: str) -> Reply:
    return browser.post("/wechat/session", {"state": state, "code": code, "device": "WeChat"})


def through(played: PlayedWeChat, browser: Browser, openid: str, purpose: str = "sign_in", path: str = "/c/") -> Reply:
    reply = come_back(browser, begin(browser, purpose, path), played.code(openid))
    if reply.status == 200 and reply.json["signed_in"]:
        browser.csrf = reply.json["signed_in"]["csrf"]
    return reply


def bind(world: TestWorld, browser: Browser, phone: str) -> Reply:
    world.time.advance(minutes=2)
    assert browser.post("/auth/codes", {"phone": phone}).status == 202
    code = world.outbox.last_code(phone)
    reply = browser.post("/wechat/binding", {"phone": phone, "code": code, "device": "WeChat"})
    if reply.status == 201:
        browser.csrf = reply.json["csrf"]
    return reply


def bound(world: TestWorld, played: PlayedWeChat, phone: str, openid: str) -> Browser:
    browser = Browser()
    assert through(played, browser, openid).json["next"] == "phone"
    assert bind(world, browser, phone).status == 201
    return browser


def test_the_phone_is_asked_for_once(there: TestWorld, played: PlayedWeChat) -> None:
    first = bound(there, played, JIA, JIAS)
    mine = first.get("/auth/session").json["account"]
    assert mine["wechat_bound"] is True
    again = Browser()
    reply = through(played, again, JIAS, path="/c/e1/overview?x=1")
    assert (reply.json["next"], reply.json["return_path"]) == ("signed_in", "/c/e1/overview?x=1")
    assert again.get("/auth/session").json["account"]["account_id"] == mine["account_id"]
    assert again.put("/auth/profile", {"name": "甲"}).status == 200


def test_an_account_of_before_is_bound_and_keeps_its_phone(there: TestWorld, played: PlayedWeChat) -> None:
    by_phone = sign_in(there, JIA)
    account_id = by_phone.get("/auth/session").json["account"]["account_id"]
    browser = bound(there, played, JIA, JIAS)
    assert browser.get("/auth/session").json["account"]["account_id"] == account_id
    there.time.advance(minutes=2)
    assert sign_in(there, JIA).get("/auth/session").json["account"]["wechat_bound"] is True


def test_payments_find_the_real_openid_and_nothing_else_shows_it(
    there: TestWorld, played: PlayedWeChat, tmp_path: Path
) -> None:
    browser = bound(there, played, JIA, JIAS)
    browser.get("/wechat/follower")
    account_id = browser.get("/auth/session").json["account"]["account_id"]
    assert openids.of_account(there, accounts.known_account(account_id)) == JIAS
    assert openids.of_account(there, accounts.known_account(_other(there))) is None
    stored = b"".join(each.read_bytes() for each in tmp_path.glob("store.sqlite*"))
    assert account_id.encode() in stored
    for secret in (JIAS, "token-1", APP_SECRET):
        assert secret.encode() not in stored
    for path in ("/auth/session", "/auth/sessions", "/wechat", "/wechat/follower"):
        assert JIAS.encode() not in browser.get(path).body


def _other(world: TestWorld) -> str:
    account_id: str = sign_in(world, YI).get("/auth/session").json["account"]["account_id"]
    return account_id


def test_a_state_is_good_once(there: TestWorld, played: PlayedWeChat) -> None:
    browser = bound(there, played, JIA, JIAS)
    state, code = begin(browser), played.code(JIAS)
    assert come_back(browser, state, code).status == 200
    asked = len(played.asked)
    assert come_back(browser, state, code).code == "wechat_state"
    assert come_back(browser, state, played.code(JIAS)).code == "wechat_state"
    assert len(played.asked) == asked


def test_a_state_of_another_browser_is_refused(there: TestWorld, played: PlayedWeChat) -> None:
    """CSRF login: the attacker's own state and code, opened by somebody else."""
    attacker, victim, nobody = Browser(), Browser(), Browser()
    bound(there, played, YI, YIS)
    state = begin(attacker)
    begin(victim)
    for browser in (victim, nobody):
        reply = come_back(browser, state, played.code(YIS))
        assert reply.code == "wechat_state"
        assert "guanjun_session" not in browser.cookies
    assert come_back(attacker, state, played.code(YIS)).json["next"] == "signed_in"


def test_a_state_is_good_for_ten_minutes(there: TestWorld, played: PlayedWeChat) -> None:
    browser = Browser()
    state = begin(browser)
    there.time.advance(seconds=visits.STATE_SECONDS)
    assert come_back(browser, state, played.code(JIAS)).code == "wechat_state"


@pytest.mark.parametrize(
    "path",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "evil", "/c/\t", "/c/ x", "/c/#token", "/\n/evil"],
)
def test_the_way_back_is_a_path_of_ours(there: TestWorld, path: str) -> None:
    reply = Browser().post("/wechat/visits", {"purpose": "sign_in", "return_path": path})
    assert reply.status == 400
    assert reply.code in ("bad_value", "bad_characters")


def test_the_cookie_of_a_visit_is_kept_from_scripts_and_other_sites(there: TestWorld) -> None:
    reply = Browser().post("/wechat/visits", {"purpose": "sign_in", "return_path": "/c/"})
    (cookie,) = reply.cookies
    parts = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert parts == {"path=/api", f"max-age={visits.VISIT_SECONDS}", "httponly", "samesite=lax"}


def test_wechats_refusals_are_told_calmly(there: TestWorld, played: PlayedWeChat) -> None:
    used = played.code(JIAS)
    played.codes[used] = "used"
    for code in ("never-given", used):
        browser = Browser()
        reply = come_back(browser, begin(browser), code)
        assert (reply.status, reply.code) == (400, "wechat_code")
        assert reply.json["detail_zh"]
    browser = Browser()
    state = begin(browser)
    played.status = 502
    reply = come_back(browser, state, played.code(JIAS))
    assert (reply.status, reply.code) == (503, "wechat_down")
    assert browser.post("/wechat/binding", {"phone": JIA, "code": "000000"}).code == "wechat_state"


def test_binding_takes_the_phones_own_code(there: TestWorld, played: PlayedWeChat) -> None:
    owner = sign_in(there, JIA)
    thief = Browser()
    through(played, thief, YIS)
    wrong = [thief.post("/wechat/binding", {"phone": JIA, "code": "000000"}).code for _ in range(6)]
    assert wrong == ["bad_code"] * 5 + ["too_many_tries"]
    assert owner.get("/auth/session").json["account"]["wechat_bound"] is False
    assert through(played, Browser(), YIS).json["next"] == "phone"


def test_nobody_binds_without_having_been_to_wechat(there: TestWorld, played: PlayedWeChat) -> None:
    browser = Browser()
    assert bind(there, browser, JIA).code == "wechat_state"
    begin(browser)
    assert bind(there, browser, JIA).code == "wechat_state"
    begin(browser)
    come_back(browser, begin(browser), played.code(JIAS))
    there.time.advance(seconds=visits.VISIT_SECONDS)
    assert bind(there, browser, JIA).code == "wechat_state"


def test_one_wechat_has_one_account_and_one_account_one_wechat(there: TestWorld, played: PlayedWeChat) -> None:
    late = Browser()
    assert through(played, late, JIAS).json["next"] == "phone"
    owner = bound(there, played, JIA, JIAS)
    refused = bind(there, late, YI)
    assert (refused.status, refused.code) == (409, "wechat_taken")
    other = Browser()
    assert through(played, other, YIS).json["next"] == "phone"
    refused = bind(there, other, JIA)
    assert (refused.status, refused.code) == (409, "wechat_other")
    assert owner.get("/auth/session").json["account"]["wechat_bound"] is True
    assert through(played, Browser(), JIAS).json["next"] == "signed_in"
    assert through(played, Browser(), YIS).json["next"] == "phone"


def test_binding_again_what_is_bound_signs_in(there: TestWorld, played: PlayedWeChat) -> None:
    one, two = Browser(), Browser()
    assert [through(played, each, JIAS).json["next"] for each in (one, two)] == ["phone", "phone"]
    assert bind(there, one, JIA).status == 201
    assert bind(there, two, JIA).status == 201


def test_from_the_account_page_a_foreign_wechat_does_not_change_who_is_signed_in(
    there: TestWorld, played: PlayedWeChat
) -> None:
    bound(there, played, YI, YIS)
    there.time.advance(minutes=2)
    mine = sign_in(there, JIA)
    account_id = mine.get("/auth/session").json["account"]["account_id"]
    assert through(played, mine, YIS, "bind").code == "wechat_taken"
    assert mine.get("/auth/session").json["account"]["account_id"] == account_id
    assert through(played, mine, JIAS, "bind", "/c/account").json["next"] == "phone"
    assert bind(there, mine, JIA).status == 201
    assert through(played, mine, JIAS, "bind").json["next"] == "done"


def test_unbinding_takes_the_way_in(there: TestWorld, played: PlayedWeChat) -> None:
    browser = bound(there, played, JIA, JIAS)
    waiting = Browser()
    state = begin(waiting)
    assert browser.delete("/wechat/binding").json["wechat_bound"] is False
    assert browser.delete("/wechat/binding").json["wechat_bound"] is False
    assert come_back(waiting, state, played.code(JIAS)).json["next"] == "phone"
    there.time.advance(minutes=2)
    assert bind(there, waiting, YI).status == 201
    accounts.make_administrator(there, JIA)
    there.time.advance(minutes=2)
    acts = [each["action"] for each in sign_in(there, JIA).get("/platform/audit").json["lines"]]
    assert acts.count("account.wechat_bound") == 2
    assert acts.count("account.wechat_unbound") == 1


def test_without_an_account_at_wechat_nothing_is_offered(world: TestWorld) -> None:
    browser = Browser()
    assert browser.get("/wechat").json == {"configured": False}
    begun = browser.post("/wechat/visits", {"purpose": "sign_in", "return_path": "/c/"})
    assert (begun.status, begun.code) == (409, "wechat_off")
    assert browser.get("/wechat/follower").code == "wechat_off"
    hall = open_hall(world)
    hall.configure(allow_wechat=True)
    assert browser.get(hall.path("/registration")).json["follow_first"] is False


def follower(browser: Browser) -> dict[str, Any]:
    reply = browser.get("/wechat/follower")
    assert reply.status == 200, reply.json
    found: dict[str, Any] = reply.json
    return found


def test_who_does_not_follow_sees_the_qr_code_first(there: TestWorld, played: PlayedWeChat) -> None:
    hall = open_hall(there, YI)
    browser = Browser()
    assert browser.get(hall.path("/registration")).json["follow_first"] is False
    hall.configure(allow_wechat=True)
    assert browser.get(hall.path("/registration")).json["follow_first"] is True
    assert follower(browser) == {"known": False, "follows": None, "picture": None, "name": "掼军俱乐部"}
    path = f"/e/{hall.event_id}"
    assert through(played, browser, JIAS, "follow", path).json == {
        "next": "done",
        "return_path": path,
        "signed_in": None,
    }
    assert "guanjun_session" not in browser.cookies
    found = follower(browser)
    assert (found["known"], found["follows"]) == (True, False)
    assert found["picture"].startswith("data:image/png;base64,")
    played.followers.add(JIAS)
    assert follower(browser)["follows"] is True
    assert follower(browser)["picture"] is None
    body = {
        "players": [{"name": "甲", "phone": "13800130903"}, {"name": "乙", "phone": "13800130904"}],
        "consent": True,
    }
    assert browser.post(hall.path("/registrations"), body).status == 201
    assert (
        Browser()
        .post(
            hall.path("/registrations"),
            {**body, "players": [{"name": "丙", "phone": "13800130905"}, {"name": "丁", "phone": "13800130906"}]},
        )
        .status
        == 201
    )


def test_a_bound_account_is_known_without_going_to_wechat(there: TestWorld, played: PlayedWeChat) -> None:
    browser = bound(there, played, JIA, JIAS)
    del browser.cookies["guanjun_wechat"]
    played.followers.add(JIAS)
    assert follower(browser)["follows"] is True


def test_the_access_token_is_kept_and_renewed_before_its_end(there: TestWorld, played: PlayedWeChat) -> None:
    browser = bound(there, played, JIA, JIAS)
    for _ in range(3):
        follower(browser)
    assert played.asked.count("/cgi-bin/stable_token") == 1
    there.time.advance(seconds=7200 - 200)
    follower(browser)
    assert played.asked.count("/cgi-bin/stable_token") == 2


def test_a_token_that_somebody_ended_is_renewed_once(there: TestWorld, played: PlayedWeChat) -> None:
    browser = bound(there, played, JIA, JIAS)
    follower(browser)
    played.tokens = 7
    assert follower(browser)["follows"] is False
    assert played.asked.count("/cgi-bin/stable_token") == 2
    played.errcode = 42001
    reply = browser.get("/wechat/follower")
    assert (reply.status, reply.code) == (503, "wechat_down")


def test_one_renews_while_others_use_what_is_good(there: TestWorld, played: PlayedWeChat) -> None:
    first = access_token(there)
    there.time.advance(seconds=7200 - 200)
    Token("WECHAT", "TOKEN").update(actions=[Token.lease_until.set(there.now() + 5000)])
    assert access_token(there) == first
    assert played.asked.count("/cgi-bin/stable_token") == 1
    # Whoever renewed died: the lease ends by itself.
    there.time.advance(seconds=6)
    access_token(there)
    assert played.asked.count("/cgi-bin/stable_token") == 2


def test_wechat_being_down_gives_the_lease_back(there: TestWorld, played: PlayedWeChat) -> None:
    browser = bound(there, played, JIA, JIAS)
    played.status = 500
    assert browser.get("/wechat/follower").code == "wechat_down"
    played.status = 200
    assert follower(browser)["follows"] is False


def test_somebody_may_ask_often_and_not_without_end(there: TestWorld, played: PlayedWeChat) -> None:
    browser = bound(there, played, JIA, JIAS)
    answers = [browser.get("/wechat/follower").status for _ in range(61)]
    assert answers == [200] * 60 + [429]
    there.time.advance(minutes=10)
    assert follower(browser)["known"] is True
