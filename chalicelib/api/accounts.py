"""Signing in: one-time codes, sessions, the account itself."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.callers import cookie
from chalicelib.api.framework import Call, route
from chalicelib.services import accounts, open_sessions, passwords
from chalicelib.services.settings import Line
from chalicelib.services.views.accounts import AccountView, CodeSent, Done, Sessions, SignedIn

blueprint = Blueprint(__name__)

Password = Annotated[str, Meta(min_length=8, max_length=200)]
Phone = Annotated[str, Meta(min_length=5, max_length=30)]
SignInCode = Annotated[str, Meta(min_length=6, max_length=6, pattern=r"^[0-9]{6}$")]


class CodeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Where to send a one-time code."""

    phone: Phone


class SignIn(msgspec.Struct, forbid_unknown_fields=True):
    """The phone and the code it received; ``device`` describes the browser in the session list."""

    phone: Phone
    code: SignInCode
    device: Line = ""


class PasswordSignIn(msgspec.Struct, forbid_unknown_fields=True):
    """A phone and its account's password."""

    phone: Phone
    password: Password
    device: Line = ""


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """``password``: the new one, None to have none. ``current``: the present one, where there is one."""

    password: Password | None
    current: Annotated[str, Meta(max_length=200)] = ""


class Profile(msgspec.Struct, forbid_unknown_fields=True):
    """What an account may change of itself."""

    name: Line


@route(
    blueprint,
    "POST",
    "/auth/codes",
    action="account.sign_in",
    summary="Send a one-time code",
    body=CodeRequest,
    reply=CodeSent,
    status=202,
    keyed=False,
)
def send_code(call: Call) -> CodeSent:
    """The same answer in the same time for known and unknown phones."""
    return accounts.send_code(call.world, call.body.phone, call.language)


@route(
    blueprint,
    "POST",
    "/auth/session",
    action="account.sign_in",
    summary="Sign in with phone and code",
    body=SignIn,
    reply=SignedIn,
    status=201,
    keyed=False,
)
def sign_in(call: Call) -> SignedIn:
    """Opens a session and sets its cookie."""
    signed_in, token = accounts.sign_in(call.world, call.body.phone, call.body.code, call.body.device)
    call.set_cookies.append(
        cookie("guanjun_session", token, max_age=accounts.SESSION_SECONDS, secure=call.world.secure_cookies)
    )
    return signed_in


@route(
    blueprint,
    "POST",
    "/auth/password-session",
    action="account.sign_in",
    summary="Sign in with phone and password",
    body=PasswordSignIn,
    reply=SignedIn,
    status=201,
    keyed=False,
)
def sign_in_with_password(call: Call) -> SignedIn:
    """For accounts that have set a password; the same answer and the same work for all others."""
    signed_in, token = passwords.sign_in(call.world, call.body.phone, call.body.password, call.body.device)
    call.set_cookies.append(
        cookie("guanjun_session", token, max_age=accounts.SESSION_SECONDS, secure=call.world.secure_cookies)
    )
    return signed_in


@route(
    blueprint,
    "PUT",
    "/auth/password",
    action="account.self",
    summary="Set or remove my password",
    body=NewPassword,
    reply=AccountView,
    keyed=False,
)
def change_password(call: Call) -> AccountView:
    """Every other session of the account is closed."""
    return passwords.set_password(
        call.world, _account(call), call.body.current, call.body.password, call.caller.session_id or ""
    )


@route(blueprint, "GET", "/auth/session", action="account.self", summary="Who is signed in", reply=SignedIn)
def read_session(call: Call) -> SignedIn:
    """The account and its CSRF token."""
    return accounts.signed_in(call.world, _account(call), call.caller.csrf or "")


@route(blueprint, "DELETE", "/auth/session", action="account.self", summary="Sign out", reply=Done, keyed=False)
def sign_out(call: Call) -> Done:
    """Closes this session and removes its cookie."""
    open_sessions.close_session(call.world, _account(call), call.caller.session_id or "")
    call.set_cookies.append(cookie("guanjun_session", "", max_age=0, secure=call.world.secure_cookies))
    return Done()


@route(blueprint, "GET", "/auth/sessions", action="account.self", summary="My open sessions", reply=Sessions)
def list_sessions(call: Call) -> Sessions:
    """Every browser in which this account is signed in."""
    return open_sessions.sessions(call.world, _account(call), call.caller.session_id or "")


@route(
    blueprint,
    "DELETE",
    "/auth/sessions/{session_id}",
    action="account.self",
    summary="Revoke a session",
    reply=Done,
    keyed=False,
)
def revoke_session(call: Call, session_id: str) -> Done:
    """Closes another session of this account."""
    open_sessions.close_session(call.world, _account(call), session_id)
    return Done()


@route(
    blueprint, "PUT", "/auth/profile", action="account.self", summary="Change my name", body=Profile, reply=AccountView
)
def change_profile(call: Call) -> AccountView:
    """The name shown to other organizers."""
    return accounts.change_profile(call.world, _account(call), call.body.name, call.once)


def _account(call: Call) -> str:
    assert call.caller.account_id is not None
    return call.caller.account_id
