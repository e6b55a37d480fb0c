"""分组: the groups of a round robin."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import groups
from chalicelib.services.views.groups import Groups

blueprint = Blueprint(__name__)


class Grouping(msgspec.Struct, forbid_unknown_fields=True):
    """How many groups (1 takes them away), and how they are filled: by lot with club-mates spread, or like a snake by
    seed."""

    groups: Annotated[int, Meta(ge=1, le=groups.MOST_GROUPS)]
    method: Literal["lot", "snake"] = "lot"


@route(blueprint, "GET", "/events/{event_id}/groups", action="round.read_draft", summary="The groups", reply=Groups)
def read_groups(call: Call, event_id: str) -> Groups:
    """Who plays in which group of a round robin."""
    return groups.read(call.world, event_id)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/groups",
    action="round.draw",
    summary="Draw the groups",
    body=Grouping,
    reply=Groups,
)
def assign_groups(call: Call, event_id: str) -> Groups:
    """Before the first round; again as often as wanted."""
    body: Grouping = call.body
    return groups.assign(call.world, event_id, body.groups, body.method, call.caller.actor, call.once)
