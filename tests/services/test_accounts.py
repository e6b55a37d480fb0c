"""Signing in, sessions, the first administrator."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chalicelib.services import accounts, open_sessions
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.store.accounts import Account
from infra.local.engine import Engine, Fault, Faults
from tests.support.calls import a_call
from tests.support.world import TestWorld

KNOWN, UNKNOWN = "13800130001", "13800130002"


def sign_in(world: TestWorld, phone: str = KNOWN) -> tuple[str, accounts.OpenSession]:
    accounts.send_code(world, phone, "zh")
    _, token = accounts.sign_in(world, phone, world.outbox.last_code(phone), "测试浏览器")
    session = accounts.open_session(world, token, None)
    assert session is not None
    return token, session


def refused(code: str, act: Any, *arguments: Any) -> Problem:
    with pytest.raises(Problem) as refusal:
        act(*arguments)
    assert refusal.value.code == code
    return refusal.value


def everything(engine: Engine) -> str:
    return str([engine.call("Scan", {"TableName": f"guanjun-local-{table}"}) for table in ("accounts", "audit")])


def test_a_code_opens_a_session_and_the_phone_stays_one_account(world: TestWorld) -> None:
    _, first = sign_in(world)
    world.time.advance(minutes=2)
    _, second = sign_in(world)
    assert first.account_id == second.account_id
    assert first.session_id != second.session_id
    assert first.roles == {Role.ACCOUNT}


def test_a_message_carries_six_digits_in_the_language_asked_for(world: TestWorld) -> None:
    accounts.send_code(world, KNOWN, "zh")
    accounts.send_code(world, UNKNOWN, "en")
    (to, chinese), (_, english) = world.outbox.sent
    assert to == KNOWN
    assert "验证码" in chinese
    assert "Your code is" in english


def test_a_wrong_code_opens_nothing(world: TestWorld) -> None:
    accounts.send_code(world, KNOWN, "zh")
    right = world.outbox.last_code(KNOWN)
    wrong = str((int(right) + 1) % 1_000_000).zfill(6)
    refused("bad_code", accounts.sign_in, world, KNOWN, wrong, "")
    accounts.sign_in(world, KNOWN, right, "")


def test_a_code_lives_five_minutes(world: TestWorld) -> None:
    accounts.send_code(world, KNOWN, "zh")
    accounts.send_code(world, UNKNOWN, "zh")
    world.time.advance(seconds=299)
    accounts.sign_in(world, KNOWN, world.outbox.last_code(KNOWN), "")
    world.time.advance(seconds=1)
    refused("bad_code", accounts.sign_in, world, UNKNOWN, world.outbox.last_code(UNKNOWN), "")


def test_the_fifth_try_may_be_right_and_the_sixth_may_not(world: TestWorld) -> None:
    for phone, wrong_ones, outcome in ((KNOWN, 4, None), (UNKNOWN, 5, "too_many_tries")):
        accounts.send_code(world, phone, "zh")
        right = world.outbox.last_code(phone)
        wrong = str((int(right) + 1) % 1_000_000).zfill(6)
        for _ in range(wrong_ones):
            refused("bad_code", accounts.sign_in, world, phone, wrong, "")
        if outcome is None:
            accounts.sign_in(world, phone, right, "")
        else:
            assert refused(outcome, accounts.sign_in, world, phone, right, "").words["seconds"] > 0


def test_parallel_guesses_are_counted_one_by_one(world: TestWorld, engine: Engine) -> None:
    accounts.send_code(world, KNOWN, "zh")
    right = world.outbox.last_code(KNOWN)
    wrong = str((int(right) + 1) % 1_000_000).zfill(6)

    def guess(_: int) -> str:
        with pytest.raises(Problem) as refusal:
            accounts.sign_in(world, KNOWN, wrong, "")
        return refusal.value.code

    with ThreadPoolExecutor(8) as threads:
        codes = list(threads.map(guess, range(20)))
    assert (codes.count("bad_code"), codes.count("too_many_tries")) == (5, 15)


def test_a_code_works_once_even_for_two_at_the_same_moment(world: TestWorld) -> None:
    accounts.send_code(world, KNOWN, "zh")
    code = world.outbox.last_code(KNOWN)

    def enter(_: int) -> bool:
        try:
            accounts.sign_in(world, KNOWN, code, "")
        except Problem:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(enter, range(4))).count(True) == 1
    refused("bad_code", accounts.sign_in, world, KNOWN, code, "")


def test_a_newer_code_replaces_the_older(world: TestWorld) -> None:
    accounts.send_code(world, KNOWN, "zh")
    old = world.outbox.last_code(KNOWN)
    world.time.advance(seconds=60)
    accounts.send_code(world, KNOWN, "zh")
    assert world.outbox.last_code(KNOWN) != old
    refused("bad_code", accounts.sign_in, world, KNOWN, old, "")
    accounts.sign_in(world, KNOWN, world.outbox.last_code(KNOWN), "")


def test_codes_are_limited_per_phone(world: TestWorld) -> None:
    accounts.send_code(world, KNOWN, "zh")
    world.time.advance(seconds=20)
    assert refused("too_many_codes", accounts.send_code, world, KNOWN, "zh").words == {"seconds": 40}
    for _ in range(4):
        world.time.advance(minutes=2)
        accounts.send_code(world, KNOWN, "zh")
    world.time.advance(minutes=2)
    refused("too_many_codes", accounts.send_code, world, KNOWN, "zh")
    accounts.send_code(world, UNKNOWN, "zh")
    world.time.advance(hours=1)
    accounts.send_code(world, KNOWN, "zh")
    assert len(world.outbox.sent) == 7


def test_tries_without_a_code_do_not_stand_in_the_way_of_one(world: TestWorld) -> None:
    for _ in range(5):
        refused("bad_code", accounts.sign_in, world, KNOWN, "000000", "")
    refused("too_many_tries", accounts.sign_in, world, KNOWN, "000000", "")
    sign_in(world)


def test_known_and_unknown_phones_get_equal_answers_for_equal_work(world: TestWorld, engine: Engine) -> None:
    sign_in(world, KNOWN)
    world.time.advance(hours=2)

    def work(phone: str) -> tuple[Any, ...]:
        engine.recorder.clear()
        sent = accounts.send_code(world, phone, "zh")
        problem = refused("bad_code", accounts.sign_in, world, phone, "abcdef", "")
        return sent, problem.document(), engine.recorder.requests()

    known, unknown = work(KNOWN), work(UNKNOWN)
    assert known[:2] == unknown[:2]
    assert known[2] == unknown[2]
    assert known[2]


def test_nothing_that_opens_a_door_is_stored(world: TestWorld, engine: Engine) -> None:
    accounts.send_code(world, UNKNOWN, "zh")
    token, _ = sign_in(world, KNOWN)
    stored = everything(engine)
    assert token.rpartition(".")[2] not in stored
    assert world.outbox.last_code(UNKNOWN) not in stored
    assert UNKNOWN not in stored
    # The account itself knows its phone, once; no key, session or log does.
    assert stored.count(KNOWN) == 1


def test_reading_a_session_is_one_request(world: TestWorld, engine: Engine) -> None:
    token, _ = sign_in(world)
    engine.recorder.clear()
    assert accounts.open_session(world, token, "some-event") is not None
    assert [operation for _, operation in engine.recorder.requests()] == ["BatchGetItem"]


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_session_needs_all_three_parts(world: TestWorld, part: int) -> None:
    token, _ = sign_in(world)
    parts = token.split(".")
    parts[part] = parts[part][:-1] + ("A" if parts[part][-1] != "A" else "B")
    assert accounts.open_session(world, ".".join(parts), None) is None
    for broken in ("", ".", "..", "a.b", token + ".x", token.replace(".", "")):
        assert accounts.open_session(world, broken, None) is None


def test_sessions_end_by_themselves(world: TestWorld) -> None:
    token, _ = sign_in(world)
    world.time.advance(seconds=accounts.SESSION_SECONDS - 1)
    assert accounts.open_session(world, token, None) is not None
    world.time.advance(seconds=1)
    assert accounts.open_session(world, token, None) is None


def test_sessions_are_listed_and_revoked(world: TestWorld) -> None:
    first_token, first = sign_in(world)
    world.time.advance(minutes=15)
    accounts.open_session(world, first_token, None)
    _, second = sign_in(world)
    listed = open_sessions.sessions(world, first.account_id, second.session_id).sessions
    assert [(view.session_id, view.current) for view in listed] == [
        (second.session_id, True),
        (first.session_id, False),
    ]
    assert listed[1].last_seen_at - listed[1].created_at == 15 * 60_000
    open_sessions.close_session(world, first.account_id, first.session_id)
    assert accounts.open_session(world, first_token, None) is None
    assert len(open_sessions.sessions(world, first.account_id, second.session_id).sessions) == 1


def test_nobody_closes_the_session_of_another(world: TestWorld) -> None:
    token, mine = sign_in(world, KNOWN)
    _, other = sign_in(world, UNKNOWN)
    open_sessions.close_session(world, other.account_id, mine.session_id)
    assert accounts.open_session(world, token, None) is not None


def test_the_first_administrator_is_made_once(world: TestWorld) -> None:
    made = accounts.make_administrator(world, "+86 138 0013 0001")
    assert accounts.make_administrator(world, KNOWN) == made
    _, session = sign_in(world, KNOWN)
    assert (session.account_id, session.roles) == (made, {Role.ACCOUNT, Role.PLATFORM})
    _, other = sign_in(world, UNKNOWN)
    assert Role.PLATFORM not in other.roles
    accounts.make_administrator(world, UNKNOWN)
    assert Account.get(f"ACCOUNT#{other.account_id}", "PROFILE").platform_administrator


def test_the_profile_is_changed_once_per_call(world: TestWorld) -> None:
    _, session = sign_in(world)
    view = accounts.change_profile(world, session.account_id, " 甲 ", a_call())
    assert (view.name, view.phone_masked) == ("甲", "138****0001")
    assert accounts.signed_in(world, session.account_id, "x").account == view


def test_signing_in_survives_what_a_store_does_under_load(world: TestWorld, engine: Engine) -> None:
    faults = Faults(
        7, {Fault.TRANSACTION_CONFLICT: 0.3, Fault.WRITE_CONFLICT: 0.3, Fault.UNPROCESSED: 0.3, Fault.LOST_REPLY: 0.1}
    )
    engine.faults = faults
    for number in range(10):
        phone = f"1380013{number:04d}"
        accounts.send_code(world, phone, "zh")
        _, token = accounts.sign_in(world, phone, world.outbox.last_code(phone), "")
        assert accounts.open_session(world, token, None) is not None
    assert faults.injected[Fault.TRANSACTION_CONFLICT] > 0
    assert faults.injected[Fault.WRITE_CONFLICT] > 0
