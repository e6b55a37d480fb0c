"""管理员列表: who else runs the event."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import members
from chalicelib.services.views.events import Members

blueprint = Blueprint(__name__)


class NewMember(msgspec.Struct, forbid_unknown_fields=True):
    """An administrator, named by phone; effective when that phone signs in."""

    phone: Annotated[str, Meta(min_length=5, max_length=30)]


@route(
    blueprint,
    "GET",
    "/events/{event_id}/members",
    action="event.read",
    summary="Who runs the event",
    reply=Members,
)
def list_members(call: Call, event_id: str) -> Members:
    """Owner and administrators with masked phones."""
    return members.listed(call.world, event_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/members",
    action="member.manage",
    summary="Name an administrator",
    body=NewMember,
    reply=Members,
    status=201,
)
def add_member(call: Call, event_id: str) -> Members:
    """The same answer whether or not the phone has an account."""
    return members.add(call.world, event_id, call.body.phone, call.caller.actor, call.once)


@route(
    blueprint,
    "DELETE",
    "/events/{event_id}/members/{member_id}",
    action="member.manage",
    summary="Remove an administrator",
    reply=Members,
)
def remove_member(call: Call, event_id: str, member_id: str) -> Members:
    """Effective with that person's next request."""
    return members.remove(call.world, event_id, member_id, call.caller.actor, call.once)
