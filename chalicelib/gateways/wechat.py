"""WeChat's official account 公众号: who a visitor is (OAuth), and whether they follow the account.

Three plain HTTPS requests, made with urllib3, which boto3 brings along anyway (docs/decisions/wechat.md). Secrets and
codes stand in their addresses, so an address is never logged, and no error carries one.
"""

from __future__ import annotations

import json
import logging
from functools import cached_property
from typing import Any, Protocol
from urllib.parse import urlencode

import msgspec

SECONDS = 5.0
"""How long WeChat is waited for, per request: it answers in a fraction of one."""

_BAD_CODE = {40029, 40163, 41008, 42003, 40226}
"""A code that is wrong, used, missing, too old, or of a user whom WeChat blocked as risky."""
_BAD_TOKEN = {40001, 40014, 41001, 42001}
"""An access token that is wrong, missing or too old."""

logger = logging.getLogger("guanjun.wechat")


class WeChatDown(Exception):
    """WeChat did not answer, or not as it should; the text is an error code or a type, never what was sent."""


class CodeRefused(Exception):
    """WeChat does not take this code (any more)."""


class TokenRefused(Exception):
    """WeChat does not take this access token (any more)."""


class AccessToken(msgspec.Struct, frozen=True):
    """The account's own key to WeChat's interfaces, good for so many seconds."""

    token: str
    seconds: int


class Papers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a stage has to know to speak for an official account.

    ``site``: our own public address, without a slash at its end; its host is the account's 网页授权域名.
    ``follow``: what the account's own QR code says (empty: people are told to search for the account by ``name``).
    ``api`` and ``authorize``: WeChat's addresses.
    """

    app_id: str
    app_secret: str
    site: str
    name: str = ""
    follow: str = ""
    api: str = "https://api.weixin.qq.com"
    authorize: str = "https://open.weixin.qq.com/connect/oauth2/authorize"

    def __repr__(self) -> str:
        return f"Papers({self.app_id})"


class WeChat(Protocol):
    """An official account, or none. What asks WeChat raises :class:`WeChatDown`."""

    def papers(self) -> Papers | None:
        """The account's papers; None where a stage has no account."""
        ...

    def authorize_address(self, path: str, state: str) -> str:
        """Where the browser goes so that WeChat sends it back to our ``path`` with a code and this ``state``."""
        ...

    def openid_of(self, code: str) -> str:
        """Who came back with ``code``. Raises :class:`CodeRefused`."""
        ...

    def access_token(self, force: bool) -> AccessToken:
        """A token that is good; ``force``: another one than before."""
        ...

    def follows(self, token: str, openid: str) -> bool:
        """Whether they follow the account. Raises :class:`TokenRefused`."""
        ...


class NoWeChat:
    """There is no official account."""

    def papers(self) -> Papers | None:
        """None."""
        return None

    def authorize_address(self, path: str, state: str) -> str:
        """Impossible."""
        raise WeChatDown("no account")

    def openid_of(self, code: str) -> str:
        """Impossible."""
        raise WeChatDown("no account")

    def access_token(self, force: bool) -> AccessToken:
        """Impossible."""
        raise WeChatDown("no account")

    def follows(self, token: str, openid: str) -> bool:
        """Impossible."""
        raise WeChatDown("no account")


class OfficialAccount:
    """An official account (服务号, verified), by its papers."""

    def __init__(self, papers: Papers) -> None:
        """``papers``: of this account."""
        self._papers = papers

    def papers(self) -> Papers | None:
        """Its papers."""
        return self._papers

    def authorize_address(self, path: str, state: str) -> str:
        """``snsapi_base``: WeChat asks the user nothing and tells us nothing but the openid.

        WeChat compares the parameters in this order, and wants the fragment.
        """
        asked = {
            "appid": self._papers.app_id,
            "redirect_uri": self._papers.site + path,
            "response_type": "code",
            "scope": "snsapi_base",
            "state": state,
        }
        return f"{self._papers.authorize}?{urlencode(asked)}#wechat_redirect"

    def openid_of(self, code: str) -> str:
        """``sns/oauth2/access_token``. The access token that comes with it is for profiles; it is not kept."""
        asked = {
            "appid": self._papers.app_id,
            "secret": self._papers.app_secret,
            "code": code,
            "grant_type": "authorization_code",
        }
        answer = self._ask("GET", "/sns/oauth2/access_token", asked)
        if answer.get("errcode") in _BAD_CODE:
            raise CodeRefused(str(answer["errcode"]))
        openid = _text(_demand(answer), "openid")
        if answer.get("is_snapshotuser") == 1:
            # 快照页: WeChat invents a user for whoever has not opened the page in full. It is nobody's.
            raise CodeRefused("snapshot")
        return openid

    def access_token(self, force: bool) -> AccessToken:
        """``cgi-bin/stable_token``: without ``force`` everybody who asks gets the same one, and none ends another."""
        body = {
            "grant_type": "client_credential",
            "appid": self._papers.app_id,
            "secret": self._papers.app_secret,
            "force_refresh": force,
        }
        answer = _demand(self._ask("POST", "/cgi-bin/stable_token", {}, body))
        seconds = answer.get("expires_in")
        if not isinstance(seconds, int):
            raise WeChatDown("expires_in")
        return AccessToken(_text(answer, "access_token"), seconds)

    def follows(self, token: str, openid: str) -> bool:
        """``cgi-bin/user/info``."""
        answer = self._ask("GET", "/cgi-bin/user/info", {"access_token": token, "openid": openid, "lang": "zh_CN"})
        if answer.get("errcode") in _BAD_TOKEN:
            raise TokenRefused(str(answer["errcode"]))
        subscribe = _demand(answer).get("subscribe")
        if subscribe not in (0, 1):
            raise WeChatDown("subscribe")
        return bool(subscribe)

    @cached_property
    def _connections(self) -> Any:
        import urllib3

        # At DEBUG it would write addresses, and secrets stand in them.
        logging.getLogger("urllib3").setLevel(logging.INFO)
        return urllib3.PoolManager(timeout=urllib3.Timeout(total=SECONDS), retries=False)

    def _ask(
        self, method: str, path: str, fields: dict[str, str], body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        from urllib3.exceptions import HTTPError

        address = self._papers.api + path + (f"?{urlencode(fields)}" if fields else "")
        try:
            reply = self._connections.request(method, address, body=None if body is None else json.dumps(body))
        except HTTPError as error:
            # Its text holds the address, and so would the chain.
            raise WeChatDown(type(error).__name__) from None
        if reply.status != 200:
            raise WeChatDown(f"status {reply.status}")
        try:
            answer = json.loads(reply.data)
        except ValueError:
            raise WeChatDown("no JSON") from None
        if not isinstance(answer, dict):
            raise WeChatDown("no object")
        return answer


class StageAccount:
    """The account whose papers stand in a parameter of the stage, read when somebody asks; none if there are none."""

    def __init__(self, parameter: str) -> None:
        """``parameter``: name of the SSM SecureString, which need not be there."""
        self._parameter = parameter

    @cached_property
    def _found(self) -> WeChat:
        from chalicelib.gateways.parameters import read_optional

        text = read_optional(self._parameter)
        try:
            return NoWeChat() if text is None else OfficialAccount(msgspec.json.decode(text, type=Papers))
        except msgspec.DecodeError as error:
            # Registering and signing in by phone go on. The error names a field, never what stands in it.
            logger.error("the official account's papers cannot be read: %s", error)
            return NoWeChat()

    def papers(self) -> Papers | None:
        """As the account does."""
        return self._found.papers()

    def authorize_address(self, path: str, state: str) -> str:
        """As the account does."""
        return self._found.authorize_address(path, state)

    def openid_of(self, code: str) -> str:
        """As the account does."""
        return self._found.openid_of(code)

    def access_token(self, force: bool) -> AccessToken:
        """As the account does."""
        return self._found.access_token(force)

    def follows(self, token: str, openid: str) -> bool:
        """As the account does."""
        return self._found.follows(token, openid)


def _demand(answer: dict[str, Any]) -> dict[str, Any]:
    code = answer.get("errcode", 0)
    if code != 0:
        # Its message may quote what was sent; the number says enough.
        logger.warning("wechat answered errcode %s", code if isinstance(code, int) else "?")
        raise WeChatDown(f"errcode {code}")
    return answer


def _text(answer: dict[str, Any], name: str) -> str:
    value = answer.get(name)
    if not isinstance(value, str) or not 1 <= len(value) <= 1024:
        raise WeChatDown(name)
    return value
