"""Signing in over HTTP: cookies, equal answers for known and unknown phones, the first administrator."""

from __future__ import annotations

import dataclasses
import logging

import pytest

from chalicelib.services import accounts
from chalicelib.services.world import use
from tests.support.client import Browser, Reply
from tests.support.people import open_hall, sign_in
from tests.support.world import TestWorld

KNOWN, UNKNOWN = "13800130001", "13800130002"


def attributes(cookie: str) -> set[str]:
    return {part.strip().lower() for part in cookie.split(";")[1:]}


def test_the_session_cookie_is_kept_from_scripts_and_other_sites(world: TestWorld) -> None:
    browser = Browser()
    browser.post("/auth/codes", {"phone": KNOWN})
    reply = browser.post("/auth/session", {"phone": KNOWN, "code": world.outbox.last_code(KNOWN)})
    (cookie,) = reply.cookies
    assert cookie.startswith("guanjun_session=")
    assert attributes(cookie) == {"path=/api", f"max-age={accounts.SESSION_SECONDS}", "httponly", "samesite=lax"}
    assert reply.headers["cache-control"] == "no-store"
    secret = browser.cookies["guanjun_session"].rpartition(".")[2]
    assert secret not in reply.body.decode()


def test_in_the_cloud_every_cookie_is_for_https_only(world: TestWorld) -> None:
    use(dataclasses.replace(world, secure_cookies=True))
    hall = open_hall(world)
    hall.enter(1)
    browser = Browser()
    world.time.advance(minutes=2)
    browser.post("/auth/codes", {"phone": KNOWN})
    links = hall.owner.get(hall.path("/links")).json["links"]
    link = next(link["path"] for link in links if link["role"] == "referee")
    replies = [
        browser.post("/auth/session", {"phone": KNOWN, "code": world.outbox.last_code(KNOWN)}),
        browser.post("/links/exchange", {"event_id": hall.event_id, "token": link.partition("#")[2]}),
        browser.post(hall.path("/devices"), {"number": 1, "player": 0, "text": "选手100"}),
    ]
    assert [len(reply.cookies) for reply in replies] == [1, 1, 2]
    for reply in replies:
        for cookie in reply.cookies:
            assert {"secure", "httponly", "samesite=lax", "path=/api"} <= attributes(cookie)


def test_cookies_of_links_and_devices_are_kept_apart(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(1)
    assert list(hall.by_link("referee").cookies) == [f"guanjun_link_{hall.event_id}"]
    assert set(hall.player(1).cookies) == {f"guanjun_player_{hall.event_id}", "guanjun_browser"}


def answers(world: TestWorld, phone: str) -> list[tuple[int, bytes, list[tuple[str, str]]]]:
    browser = Browser()
    replies = [browser.post("/auth/codes", {"phone": phone})]
    replies += [browser.post("/auth/session", {"phone": phone, "code": "abcdef"}) for _ in range(1)]
    right = world.outbox.last_code(phone)
    wrong = str((int(right) + 1) % 1_000_000).zfill(6)
    replies += [browser.post("/auth/session", {"phone": phone, "code": wrong}) for _ in range(7)]
    replies += [browser.post("/auth/codes", {"phone": phone})]
    return [(reply.status, reply.body, sorted(reply.headers.items())) for reply in replies]


def test_nobody_learns_whether_a_phone_has_an_account(world: TestWorld) -> None:
    sign_in(world, KNOWN)
    world.time.advance(hours=2)
    known, unknown = answers(world, KNOWN), answers(world, UNKNOWN)
    assert known == unknown
    assert [status for status, _, _ in known] == [202, 400, 400, 400, 400, 400, 400, 429, 429, 429]


def guesses(phone: str, wrong: str) -> list[tuple[int, bytes, str]]:
    browser = Browser()
    replies = [browser.post("/auth/session", {"phone": phone, "code": wrong}) for _ in range(8)]
    return [(reply.status, reply.body, reply.headers.get("retry-after", "")) for reply in replies]


def test_a_phone_that_signed_in_a_moment_ago_answers_guesses_like_any_other(world: TestWorld) -> None:
    sign_in(world, KNOWN)
    waiting = "13800130004"
    Browser().post("/auth/codes", {"phone": waiting})
    world.time.advance(seconds=50)
    wrong = str((int(world.outbox.last_code(waiting)) + 1) % 1_000_000).zfill(6)
    known, sent, unknown = (guesses(phone, wrong) for phone in (KNOWN, waiting, UNKNOWN))
    assert known == unknown
    assert sent == unknown
    assert [status for status, _, _ in unknown] == [400] * 5 + [429] * 3


def test_the_first_administrator_is_one_to_the_platform_only(world: TestWorld) -> None:
    accounts.make_administrator(world, KNOWN)
    browser = sign_in(world, KNOWN)
    assert browser.get("/auth/session").json["account"]["platform_administrator"] is True
    assert sign_in(world, UNKNOWN).get("/auth/session").json["account"]["platform_administrator"] is False
    theirs = open_hall(world, "13800130003")
    assert browser.get(theirs.path()).code == "forbidden"


def test_signing_out_closes_the_session_and_takes_the_cookie(world: TestWorld) -> None:
    browser = sign_in(world, KNOWN)
    kept = dict(browser.cookies)
    reply = browser.delete("/auth/session")
    assert "Max-Age=0" in reply.cookies[0]
    assert browser.cookies == {}
    browser.cookies = kept
    assert browser.get("/auth/session").code == "sign_in_required"


def test_a_session_can_be_revoked_from_another_browser(world: TestWorld) -> None:
    lost = sign_in(world, KNOWN)
    world.time.advance(minutes=2)
    mine = sign_in(world, KNOWN)
    other = next(each for each in mine.get("/auth/sessions").json["sessions"] if not each["current"])
    assert mine.delete(f"/auth/sessions/{other['session_id']}").status == 200
    assert lost.get("/auth/session").code == "sign_in_required"
    assert mine.get("/auth/session").status == 200


def test_the_account_is_shown_with_a_masked_phone(world: TestWorld) -> None:
    reply = sign_in(world, KNOWN).get("/auth/session")
    assert KNOWN not in reply.body.decode()
    assert reply.json["account"]["phone_masked"] == "138****0001"


def test_a_limit_says_when_to_come_back(world: TestWorld) -> None:
    browser = Browser()
    browser.post("/auth/codes", {"phone": KNOWN})
    reply: Reply = browser.post("/auth/codes", {"phone": KNOWN})
    assert (reply.status, reply.code, reply.headers["retry-after"]) == (429, "too_many_codes", "60")


def test_no_log_line_names_a_person_a_phone_or_a_token(world: TestWorld, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "guanjun")
    hall = open_hall(world, KNOWN)
    hall.enter(1)
    player, referee = hall.player(1), hall.by_link("referee")
    player.put(hall.path("/me/check-in"))
    hall.owner.get(hall.path("/entries"))
    referee.get(hall.path("/current-tables"))
    ours = caplog.text
    secrets = [KNOWN, "13800130100", "选手100", *hall.owner.cookies.values(), *player.cookies.values()]
    assert not [secret for secret in [*secrets, *referee.cookies.values()] if secret in ours]
