"""Passwords: optional, hashed by Argon2id, limited per phone; nothing tells whether a phone has one."""

from __future__ import annotations

import pytest

from chalicelib.services import accounts, passwords
from chalicelib.store.accounts import Account
from infra.local.engine import Engine
from tests.support.refusals import refused_as
from tests.support.world import TestWorld

KNOWN, PLAIN, UNKNOWN = "13800130001", "13800130002", "13800130003"
PASSWORD = "没有人会猜到的词"


def account_of(world: TestWorld, phone: str) -> str:
    accounts.send_code(world, phone, "zh")
    signed_in, _ = accounts.sign_in(world, phone, world.outbox.last_code(phone), "浏览器")
    return signed_in.account.account_id


@pytest.fixture
def owner(world: TestWorld) -> str:
    account_id = account_of(world, KNOWN)
    passwords.set_password(world, account_id, "", PASSWORD, "")
    return account_id


def test_a_password_opens_a_session_and_the_code_goes_on_working(world: TestWorld, owner: str) -> None:
    signed_in, token = passwords.sign_in(world, "138 0013 0001", PASSWORD, "平板")
    assert signed_in.account.account_id == owner
    assert signed_in.account.has_password
    session = accounts.open_session(world, token, None)
    assert session is not None
    assert session.account_id == owner
    world.time.advance(minutes=2)
    assert account_of(world, KNOWN) == owner


def test_only_its_hash_is_kept(world: TestWorld, owner: str) -> None:
    kept = Account.get(f"ACCOUNT#{owner}", "PROFILE").password_hash
    assert kept is not None
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert PASSWORD not in kept


def test_wrong_none_and_nobody_are_refused_alike(world: TestWorld, owner: str) -> None:
    account_of(world, PLAIN)
    refusals = [
        refused_as("bad_password", passwords.sign_in, world, phone, word, "")
        for phone, word in ((KNOWN, "别的什么密码"), (PLAIN, PASSWORD), (UNKNOWN, PASSWORD))
    ]
    assert len({(refusal.field, refusal.sentence("zh")) for refusal in refusals}) == 1


def test_refusing_costs_the_same_requests_whoever_has_a_password(world: TestWorld, owner: str, engine: Engine) -> None:
    account_of(world, PLAIN)

    def work(phone: str) -> dict[tuple[str, str], int]:
        engine.recorder.clear()
        refused_as("bad_password", passwords.sign_in, world, phone, "别的什么密码", "")
        return engine.recorder.requests()

    assert work(KNOWN) == work(PLAIN) == work(UNKNOWN)


@pytest.mark.parametrize("phone", [KNOWN, UNKNOWN])
def test_guessing_is_limited_by_phone_whoever_has_one(world: TestWorld, owner: str, phone: str) -> None:
    for _ in range(passwords.MOST_TRIES):
        refused_as("bad_password", passwords.sign_in, world, phone, "别的什么密码", "")
    assert refused_as("too_many_tries", passwords.sign_in, world, phone, PASSWORD, "").words["seconds"] > 0
    world.time.advance(seconds=passwords.WINDOW_SECONDS)
    if phone == KNOWN:
        passwords.sign_in(world, phone, PASSWORD, "")


def test_changing_it_needs_the_present_one_and_closes_the_other_sessions(world: TestWorld, owner: str) -> None:
    _, mine = passwords.sign_in(world, KNOWN, PASSWORD, "")
    _, other = passwords.sign_in(world, KNOWN, PASSWORD, "")
    refused_as("bad_password", passwords.set_password, world, owner, "", "换了一个新的密码", "")
    passwords.set_password(world, owner, PASSWORD, "换了一个新的密码", mine.split(".")[1])
    assert accounts.open_session(world, mine, None) is not None
    assert accounts.open_session(world, other, None) is None
    refused_as("bad_password", passwords.sign_in, world, KNOWN, PASSWORD, "")
    passwords.sign_in(world, KNOWN, "换了一个新的密码", "")


def test_without_it_there_is_no_way_in_by_password(world: TestWorld, owner: str) -> None:
    assert not passwords.set_password(world, owner, PASSWORD, None, "").has_password
    refused_as("bad_password", passwords.sign_in, world, KNOWN, PASSWORD, "")


@pytest.mark.parametrize("weak", ["aaaaaaaaaa", "12345678", f"x{KNOWN}"])
def test_what_anybody_would_guess_is_no_password(world: TestWorld, owner: str, weak: str) -> None:
    refused_as("password_weak", passwords.set_password, world, owner, PASSWORD, weak, "")
