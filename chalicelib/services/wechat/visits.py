"""To WeChat and back: the state that only this browser can bring, once, within ten minutes.

``state`` is an HMAC of the browser's own cookie. So somebody else's link that ends here with their code (CSRF login) is
refused without looking anything up, and the state need not be stored.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Literal

from pynamodb.exceptions import UpdateError

from chalicelib.gateways.wechat import CodeRefused, WeChatDown
from chalicelib.services.problems import Problem
from chalicelib.services.wechat.openids import opened, sealed
from chalicelib.services.world import World
from chalicelib.store.transaction import patiently
from chalicelib.store.wechat import Visit

Purpose = Literal["sign_in", "bind", "follow"]

STATE_SECONDS = 600
"""How long somebody may take to come back."""
VISIT_SECONDS = 2 * 3600
"""How long this browser's openid is remembered without an account: as long as a registration takes, generously."""
PAGE = "/w"
"""The page to which WeChat sends the browser back."""

_LOCAL = re.compile(r"/(?!/)[^\\\x00-\x20\x7f#]*")


def offered(world: World) -> bool:
    """Whether this stage has an official account."""
    return world.wechat.papers() is not None


def begin(world: World, purpose: Purpose, return_path: str) -> tuple[str, str]:
    """Begin a visit; returns WeChat's address and the visit's token, which the browser keeps in a cookie.

    ``return_path``: where to go afterwards, a path of ours. Raises wechat_off, bad_value.
    """
    if not offered(world):
        raise Problem("wechat_off")
    if not _LOCAL.fullmatch(return_path):
        raise Problem("bad_value", "return_path", why_zh="须为本站的路径", why_en="not a path of this site")
    token, now = world.random.token(32), world.now()
    visit = Visit(
        _key(token),
        "WECHAT",
        phase="begun",
        purpose=purpose,
        return_path=return_path,
        began_at=now,
        expires_at=now // 1000 + VISIT_SECONDS,
    )
    patiently(visit.save, world.sleep, world.random.fraction)
    return world.wechat.authorize_address(PAGE, _state(world, token)), token


def arrive(world: World, token: str, state: str, code: str) -> tuple[Visit, str]:
    """The visit that came back with ``state`` and ``code``, now arrived, and the openid.

    Raises wechat_state (another browser's, too old, used), wechat_code, wechat_down.
    """
    visit = _find(token)
    now = world.now()
    fresh = visit is not None and now < int(visit.began_at) + STATE_SECONDS * 1000
    if visit is None or not fresh or not hmac.compare_digest(_state(world, token).encode(), state.encode()):
        raise Problem("wechat_state")
    _use_up(world, visit)
    try:
        openid = world.wechat.openid_of(code)
    except CodeRefused:
        raise Problem("wechat_code") from None
    except WeChatDown:
        raise Problem("wechat_down") from None
    kept = sealed(world, openid)
    patiently(
        lambda: visit.update(actions=[Visit.openid.set(kept)], condition=Visit.pk.exists()),
        world.sleep,
        world.random.fraction,
    )
    return visit, openid


def arrived(world: World, token: str | None) -> tuple[Visit, str] | None:
    """The visit and the openid of a browser that has come back within the last two hours."""
    visit = _find(token) if token else None
    if visit is None or visit.openid is None or world.now() // 1000 >= int(visit.expires_at):
        return None
    return visit, opened(world, visit.openid)


def _use_up(world: World, visit: Visit) -> None:
    """One state is good for one return, whatever becomes of it."""
    try:
        patiently(
            lambda: visit.update(actions=[Visit.phase.set("arrived")], condition=Visit.phase == "begun"),
            world.sleep,
            world.random.fraction,
        )
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        raise Problem("wechat_state") from None


def _find(token: str) -> Visit | None:
    try:
        return Visit.get(_key(token), "WECHAT", consistent_read=True)
    except Visit.DoesNotExist:
        return None


def _key(token: str) -> str:
    return f"VISIT#{hashlib.sha256(token.encode()).hexdigest()}"


def _state(world: World, token: str) -> str:
    return hmac.new(world.secret, f"wechat state\n{token}".encode(), hashlib.sha256).hexdigest()
