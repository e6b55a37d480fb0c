"""Who is calling: an account session, a link (referee, desk, display), an identified player's device, or anybody.

Cookies: ``guanjun_session`` (``account.session.secret``), and per event ``guanjun_link_<event>`` (a link token) and
``guanjun_player_<event>`` (a device token). All HttpOnly, SameSite=Lax, Path=/api. Tokens are checked by services.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

import msgspec

from chalicelib.services import accounts, device_tokens, links
from chalicelib.services.permissions import Role
from chalicelib.services.world import World


class Caller(msgspec.Struct, frozen=True):
    """An identified caller. ``scope`` isolates idempotency keys; ``actor`` is what the audit log shows; ``csrf`` is
    the token that changes must carry (None: no cookie speaks for the caller)."""

    scope: str
    actor: str
    roles: frozenset[Role]
    csrf: str | None = None
    account_id: str | None = None
    session_id: str | None = None
    device: device_tokens.DeviceToken | None = None

    def may_change(self, headers: Mapping[str, Any]) -> bool:
        """Whether the request carries this caller's CSRF token."""
        given = str(headers.get("x-csrf-token", ""))
        return self.csrf is not None and hmac.compare_digest(given.encode(), self.csrf.encode())


def cookies_of(headers: Mapping[str, Any]) -> dict[str, str]:
    """Name to value of the request's cookies; an unreadable header counts as none."""
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(str(headers.get("cookie", "")))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}


def cookie(name: str, value: str, *, max_age: int, secure: bool) -> str:
    """A Set-Cookie header's value; ``max_age`` 0 removes the cookie."""
    return f"{name}={value}; Path=/api; Max-Age={max_age}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def identify(world: World, headers: Mapping[str, Any], event_id: str | None) -> Caller:
    """The caller of a request that concerns ``event_id`` (None: no event).

    A browser may hold several cookies (an organizer who also plays); each page says in X-Guanjun-As (account | link |
    player) which one it speaks for. Without the header an account with a role in the event comes first, then a
    link, then a device.
    """
    jar = cookies_of(headers)
    wanted = str(headers.get("x-guanjun-as", ""))
    signed_in = _account_caller(world, jar, event_id) if wanted in ("", "account") else None
    if signed_in is not None and (event_id is None or wanted or signed_in.roles - {Role.ACCOUNT, Role.PLATFORM}):
        return signed_in
    if event_id is not None and wanted in ("", "link") and (token := jar.get(f"guanjun_link_{event_id}")):
        role = links.role_of(world, event_id, token)
        if role is not None:
            return _link_caller(world, event_id, role, token)
    if event_id is not None and wanted in ("", "player") and (token := jar.get(f"guanjun_player_{event_id}")):
        device = device_tokens.read_token(world, event_id, token)
        if device is not None:
            return _device_caller(world, event_id, device, token)
    return signed_in or Caller(scope="anyone", actor="anyone", roles=frozenset({Role.ANYONE}))


def _account_caller(world: World, jar: dict[str, str], event_id: str | None) -> Caller | None:
    token = jar.get("guanjun_session")
    session = accounts.open_session(world, token, event_id) if token else None
    if session is None:
        return None
    return Caller(
        scope=f"account:{session.account_id}",
        actor=f"account:{session.account_id}",
        roles=session.roles,
        csrf=session.csrf,
        account_id=session.account_id,
        session_id=session.session_id,
    )


def _device_caller(world: World, event_id: str, device: device_tokens.DeviceToken, token: str) -> Caller:
    return Caller(
        scope=f"device:{event_id}:{device.device_id}",
        actor=f"device:{device.device_id}",
        roles=frozenset({Role.PLAYER}),
        csrf=links.csrf_of(world, token),
        device=device,
    )


def _link_caller(world: World, event_id: str, role: Role, token: str) -> Caller:
    return Caller(
        scope=f"link:{event_id}:{role}",
        actor=str(role),
        roles=frozenset({role}),
        csrf=links.csrf_of(world, token),
    )
