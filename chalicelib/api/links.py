"""Links that give a role: listed, renewed, exchanged for a cookie; QR codes of them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.callers import cookie
from chalicelib.api.framework import Call, File, route
from chalicelib.services import links
from chalicelib.services.permissions import LINK_ROLES, Role
from chalicelib.services.views.accounts import LinkSession
from chalicelib.services.views.events import Links

blueprint = Blueprint(__name__)


class Exchange(msgspec.Struct, forbid_unknown_fields=True):
    """A token out of a link's fragment."""

    event_id: Annotated[str, Meta(min_length=1, max_length=64)]
    token: Annotated[str, Meta(min_length=1, max_length=200)]


class Renewal(msgspec.Struct, forbid_unknown_fields=True):
    """Which link to replace."""

    role: Literal["referee", "desk", "display"]


@route(
    blueprint,
    "POST",
    "/links/exchange",
    action="link.exchange",
    summary="Exchange a link's token for a cookie",
    body=Exchange,
    reply=LinkSession,
    keyed=False,
)
def exchange_link(call: Call) -> LinkSession:
    """The token never stands in a path or a log; from here on a cookie speaks."""
    session, token = links.exchange(call.world, call.body.event_id, call.body.token)
    call.set_cookies.append(
        cookie(
            f"guanjun_link_{session.event_id}", token, max_age=links.COOKIE_SECONDS, secure=call.world.secure_cookies
        )
    )
    return session


@route(
    blueprint,
    "GET",
    "/events/{event_id}/link-session",
    action="round.read",
    summary="My role by link",
    reply=LinkSession,
)
def read_link_session(call: Call, event_id: str) -> LinkSession:
    """Role and CSRF token of the cookie this page holds; an organizer may open these pages without a link."""
    role = next(role for role in (Role.OWNER, Role.ADMINISTRATOR, *LINK_ROLES) if role in call.caller.roles)
    return LinkSession(event_id, str(role), call.caller.csrf or "")


@route(blueprint, "GET", "/events/{event_id}/links", action="link.manage", summary="The event's links", reply=Links)
def list_links(call: Call, event_id: str) -> Links:
    """Every link with its path, generation and last use."""
    return links.listed(call.world, event_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/links/renewal",
    action="link.manage",
    summary="Renew a link",
    body=Renewal,
    reply=Links,
)
def renew_link(call: Call, event_id: str) -> Links:
    """The old link stops working at once."""
    return links.renew(call.world, event_id, call.body.role, call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/qr/{code}",
    action="event.read_public",
    summary="QR code of the phone page",
    reply=File,
    query=("origin",),
)
def read_qr(call: Call, event_id: str, code: str) -> File:
    """SVG of a public page (``code``: play, registration, home). Links with tokens are drawn in the console."""
    return File(links.public_qr(call.world, event_id, code, call.query.get("origin", "")), "image/svg+xml")


@route(
    blueprint,
    "GET",
    "/events/{event_id}/links/{role}/qr",
    action="link.manage",
    summary="QR code of a link",
    reply=File,
    query=("origin",),
)
def read_link_qr(call: Call, event_id: str, role: str) -> File:
    """SVG of a link with its token, for organizers only."""
    return File(links.link_qr(call.world, event_id, role, call.query.get("origin", "")), "image/svg+xml")
