"""The official account's gateway, against a server that plays WeChat."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import boto3
import msgspec
import pytest
from moto import mock_aws

from chalicelib.gateways.wechat import (
    CodeRefused,
    NoWeChat,
    OfficialAccount,
    Papers,
    StageAccount,
    TokenRefused,
    WeChatDown,
)
from tests.support.official_account import APP_ID, APP_SECRET, PlayedWeChat


@pytest.fixture
def played() -> Iterator[PlayedWeChat]:
    played = PlayedWeChat()
    yield played
    played.stop()


@pytest.fixture
def account(played: PlayedWeChat) -> OfficialAccount:
    return OfficialAccount(played.papers())


def test_the_address_has_what_wechat_asks_for_in_its_order() -> None:
    account = OfficialAccount(Papers(APP_ID, APP_SECRET, "https://guanjun.example"))
    parts = urlsplit(account.authorize_address("/w", "s"))
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == "https://open.weixin.qq.com/connect/oauth2/authorize"
    assert list(parse_qs(parts.query)) == ["appid", "redirect_uri", "response_type", "scope", "state"]
    assert parse_qs(parts.query)["redirect_uri"] == ["https://guanjun.example/w"]
    assert parts.fragment == "wechat_redirect"
    assert APP_SECRET not in account.authorize_address("/w", "s")


def test_a_code_names_its_user_once(played: PlayedWeChat, account: OfficialAccount) -> None:
    code = played.code("openid-of-yi")
    assert account.openid_of(code) == "openid-of-yi"
    with pytest.raises(CodeRefused, match="40163"):
        account.openid_of(code)
    with pytest.raises(CodeRefused, match="40029"):
        account.openid_of("nobody-gave-this")


def test_a_forced_token_ends_the_one_before(played: PlayedWeChat, account: OfficialAccount) -> None:
    first = account.access_token(force=False)
    assert account.access_token(force=False) == first
    played.followers.add("openid-of-jia")
    assert account.follows(first.token, "openid-of-jia") is True
    assert account.follows(first.token, "openid-of-yi") is False
    second = account.access_token(force=True)
    assert second.token != first.token
    with pytest.raises(TokenRefused):
        account.follows(first.token, "openid-of-jia")


@pytest.mark.parametrize(
    ("status", "text", "errcode"),
    [(502, None, 0), (200, "<html>", 0), (200, "[]", 0), (200, "{}", 0), (200, None, -1), (200, None, 40125)],
)
def test_whatever_else_wechat_says_is_wechat_being_down(
    played: PlayedWeChat, account: OfficialAccount, status: int, text: str | None, errcode: int
) -> None:
    played.status, played.text, played.errcode = status, text, errcode
    with pytest.raises(WeChatDown):
        account.openid_of("c")
    with pytest.raises(WeChatDown):
        account.access_token(force=False)
    with pytest.raises(WeChatDown):
        account.follows("t", "o")


def test_nothing_that_is_secret_is_logged_or_raised(
    played: PlayedWeChat, account: OfficialAccount, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    code = played.code("openid-of-jia")
    account.openid_of(code)
    account.follows(account.access_token(force=False).token, "openid-of-jia")
    played.stop()
    with pytest.raises(WeChatDown) as down:
        account.openid_of(code)
    said = caplog.text + repr(down.value) + repr(down.value.__cause__) + repr(played.papers("x"))
    for secret in (APP_SECRET, "openid-of-jia", "token-1", code):
        assert secret not in said


def test_no_account_does_nothing() -> None:
    nobody = NoWeChat()
    assert nobody.papers() is None
    for ask in (
        lambda: nobody.authorize_address("/w", "s"),
        lambda: nobody.openid_of("c"),
        lambda: nobody.access_token(False),
        lambda: nobody.follows("t", "o"),
    ):
        with pytest.raises(WeChatDown):
            ask()


def test_a_stage_has_the_account_of_its_parameter_or_none(played: PlayedWeChat) -> None:
    with mock_aws():
        store = boto3.client("ssm")
        assert StageAccount("/guanjun/dev/wechat").papers() is None
        papers = json.loads(msgspec.json.encode(played.papers()))
        store.put_parameter(Name="/guanjun/dev/wechat", Value=json.dumps(papers), Type="SecureString")
        account = StageAccount("/guanjun/dev/wechat")
        assert account.papers() == played.papers()
    assert account.openid_of(played.code("openid-of-jia")) == "openid-of-jia"
    token = account.access_token(False).token
    assert account.follows(token, "openid-of-jia") is False
    assert account.authorize_address("/w", "s").startswith(played.address)


def test_the_invented_user_of_a_snapshot_page_is_nobody(played: PlayedWeChat, account: OfficialAccount) -> None:
    played.text = json.dumps({"access_token": "t", "openid": "invented", "scope": "snsapi_base", "is_snapshotuser": 1})
    with pytest.raises(CodeRefused, match="snapshot"):
        account.openid_of("c")


@pytest.mark.parametrize("papers", ["", "{}", "no JSON", '{"app_id": "a", "app_secret": "hidden-1", "sight": "s"}'])
def test_papers_that_cannot_be_read_are_none_and_leak_nothing(papers: str, caplog: pytest.LogCaptureFixture) -> None:
    with mock_aws():
        boto3.client("ssm").put_parameter(Name="/guanjun/dev/wechat", Value=papers or " ", Type="SecureString")
        assert StageAccount("/guanjun/dev/wechat").papers() is None
    assert "cannot be read" in caplog.text
    assert "hidden-1" not in caplog.text
