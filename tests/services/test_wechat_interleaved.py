"""WeChat sign-in when two do it in the one bad moment."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.gateways.wechat import OfficialAccount
from chalicelib.services import accounts
from chalicelib.services.problems import Problem
from chalicelib.services.wechat import signing_in, visits
from chalicelib.services.wechat.following import access_token
from infra.local.engine.hook import plugged_in
from tests.support.calls import a_call
from tests.support.crowd import CrowdedEngine
from tests.support.official_account import PlayedWeChat
from tests.support.tables import create_tables
from tests.support.world import TestWorld

JIA, YI = "13800130001", "13800130002"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[CrowdedEngine]:
    """The engine of this test's world."""
    engine = CrowdedEngine(tmp_path / "crowded.sqlite")
    create_tables(engine)
    with plugged_in(engine):
        yield engine
    engine.close()


@pytest.fixture
def played() -> Iterator[PlayedWeChat]:
    played = PlayedWeChat()
    yield played
    played.stop()


@pytest.fixture
def there(world: TestWorld, played: PlayedWeChat) -> TestWorld:
    """The world with an official account."""
    return dataclasses.replace(world, wechat=OfficialAccount(played.papers()))


def begun(world: TestWorld) -> tuple[str, str]:
    """A visit that has left: its token and its state."""
    address, token = visits.begin(world, "sign_in", "/c/")
    return token, parse_qs(urlsplit(address).query)["state"][0]


def arrived(world: TestWorld, played: PlayedWeChat, openid: str) -> str:
    """The token of a visit that has come back."""
    token, state = begun(world)
    arrival, _ = signing_in.arrive(world, token, state, played.code(openid), "WeChat", None)
    assert arrival.next == "phone"
    return token


def code_for(world: TestWorld, phone: str) -> str:
    accounts.send_code(world, phone, "zh")
    return world.outbox.last_code(phone)


def test_two_who_were_refused_the_same_token_force_one_new_one(
    there: TestWorld, played: PlayedWeChat, engine: CrowdedEngine
) -> None:
    old = access_token(there)
    engine.before_next("UpdateItem", lambda: access_token(there, refused=old))
    assert access_token(there, refused=old) == played.token() == "token-2"
    assert engine.met


def test_a_state_that_comes_back_twice_at_once_is_used_once(
    there: TestWorld, played: PlayedWeChat, engine: CrowdedEngine
) -> None:
    token, state = begun(there)
    code = played.code("openid-of-jia")
    engine.before_next("UpdateItem", lambda: signing_in.arrive(there, token, state, code, "WeChat", None))
    with pytest.raises(Problem, match="wechat_state"):
        signing_in.arrive(there, token, state, code, "WeChat", None)
    assert engine.met
    assert played.asked.count("/sns/oauth2/access_token") == 1


def test_one_wechat_that_two_phones_bind_at_once_has_one_account(
    there: TestWorld, played: PlayedWeChat, engine: CrowdedEngine
) -> None:
    one, two = (arrived(there, played, "openid-of-jia") for _ in range(2))
    first, second = code_for(there, JIA), code_for(there, YI)
    engine.before_next("TransactWriteItems", lambda: signing_in.bind(there, one, JIA, first, "WeChat"))
    with pytest.raises(Problem, match="wechat_taken"):
        signing_in.bind(there, two, YI, second, "WeChat")
    assert engine.met
    assert accounts.owner_of(there, YI) is None
    # The code was not used up: the phone alone signs in.
    signed_in, _ = accounts.sign_in(there, YI, second, "")
    assert signed_in.account.wechat_bound is False


def test_an_account_to_which_two_wechats_are_bound_at_once_has_one(
    there: TestWorld, played: PlayedWeChat, engine: CrowdedEngine
) -> None:
    code = code_for(there, JIA)
    accounts.sign_in(there, JIA, code, "")
    there.time.advance(minutes=2)
    one, two = arrived(there, played, "openid-of-jia"), arrived(there, played, "openid-of-yi")
    code = code_for(there, JIA)
    engine.before_next("TransactWriteItems", lambda: signing_in.bind(there, one, JIA, code, "WeChat"))
    with pytest.raises(Problem, match="bad_code"):
        signing_in.bind(there, two, JIA, code, "WeChat")
    there.time.advance(minutes=2)
    with pytest.raises(Problem, match="wechat_other"):
        signing_in.bind(there, two, JIA, code_for(there, JIA), "WeChat")


def test_a_wechat_that_is_unbound_while_it_signs_in_opens_nothing(
    there: TestWorld, played: PlayedWeChat, engine: CrowdedEngine
) -> None:
    bound, _ = signing_in.bind(there, arrived(there, played, "openid-of-jia"), JIA, code_for(there, JIA), "WeChat")
    token, state = begun(there)
    account_id = bound.account.account_id
    engine.before_next("TransactWriteItems", lambda: signing_in.unbind(there, account_id, a_call()))
    with pytest.raises(Problem, match="wechat_state"):
        signing_in.arrive(there, token, state, played.code("openid-of-jia"), "WeChat", None)
    assert engine.met
