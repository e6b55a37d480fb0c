"""WeChat: signing in, binding, and whether somebody follows the official account."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.accounts import Phone, SignInCode
from chalicelib.api.callers import cookie
from chalicelib.api.framework import Call, route
from chalicelib.services import accounts
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Line
from chalicelib.services.views.accounts import AccountView, SignedIn
from chalicelib.services.views.wechat import Arrival, Follower, WeChatBeginning, WeChatOffer
from chalicelib.services.wechat import following, signing_in, visits

blueprint = Blueprint(__name__)

VISIT_COOKIE = "guanjun_wechat"


class Beginning(msgspec.Struct, forbid_unknown_fields=True):
    """``return_path``: the path of ours to go to afterwards."""

    purpose: visits.Purpose
    return_path: Annotated[str, Meta(min_length=1, max_length=300)]


class Return(msgspec.Struct, forbid_unknown_fields=True):
    """What WeChat put into the address; ``device`` describes the browser in the session list."""

    state: Annotated[str, Meta(min_length=1, max_length=128)]
    code: Annotated[str, Meta(min_length=1, max_length=512)]
    device: Line = ""


class Binding(msgspec.Struct, forbid_unknown_fields=True):
    """The phone and the code it received."""

    phone: Phone
    code: SignInCode
    device: Line = ""


@route(blueprint, "GET", "/wechat", action="service.read", summary="Is there an official account", reply=WeChatOffer)
def read_wechat(call: Call) -> WeChatOffer:
    """Whether 微信登录 and 允许微信公众号报名 can be offered."""
    return WeChatOffer(visits.offered(call.world))


@route(
    blueprint,
    "POST",
    "/wechat/visits",
    action="account.sign_in",
    summary="Begin to sign in by WeChat",
    body=Beginning,
    reply=WeChatBeginning,
    status=201,
    keyed=False,
)
def begin_wechat(call: Call) -> WeChatBeginning:
    """Sets a cookie without which nobody can come back."""
    address, token = visits.begin(call.world, call.body.purpose, call.body.return_path)
    call.set_cookies.append(cookie(VISIT_COOKIE, token, max_age=visits.VISIT_SECONDS, secure=call.world.secure_cookies))
    return WeChatBeginning(address)


@route(
    blueprint,
    "POST",
    "/wechat/session",
    action="account.sign_in",
    summary="Come back from WeChat",
    body=Return,
    reply=Arrival,
    keyed=False,
)
def arrive_from_wechat(call: Call) -> Arrival:
    """Opens a session where the WeChat is bound to an account."""
    body: Return = call.body
    arrival, session = signing_in.arrive(
        call.world, _visit(call), body.state, body.code, body.device, call.caller.account_id
    )
    if session is not None:
        _open(call, session)
    return arrival


@route(
    blueprint,
    "POST",
    "/wechat/binding",
    action="account.sign_in",
    summary="Bind WeChat to a phone's account",
    body=Binding,
    reply=SignedIn,
    status=201,
    keyed=False,
)
def bind_wechat(call: Call) -> SignedIn:
    """Opens a session; from then on WeChat alone signs in."""
    body: Binding = call.body
    signed_in, session = signing_in.bind(call.world, _visit(call), body.phone, body.code, body.device)
    _open(call, session)
    return signed_in


@route(blueprint, "DELETE", "/wechat/binding", action="account.self", summary="Unbind WeChat", reply=AccountView)
def unbind_wechat(call: Call) -> AccountView:
    """Signing in by phone goes on working."""
    assert call.caller.account_id is not None
    return signing_in.unbind(call.world, call.caller.account_id, call.once)


@route(
    blueprint,
    "GET",
    "/wechat/follower",
    action="account.sign_in",
    summary="Do I follow the official account",
    reply=Follower,
)
def read_follower(call: Call) -> Follower:
    """Asked anew each time."""
    return following.follower(call.world, call.jar.get(VISIT_COOKIE), call.caller.account_id)


def _visit(call: Call) -> str:
    token = call.jar.get(VISIT_COOKIE)
    if not token:
        raise Problem("wechat_state")
    return token


def _open(call: Call, session: str) -> None:
    call.set_cookies.append(
        cookie("guanjun_session", session, max_age=accounts.SESSION_SECONDS, secure=call.world.secure_cookies)
    )
