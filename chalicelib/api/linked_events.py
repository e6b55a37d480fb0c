"""关联赛事: which events share one QR."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import linked_events
from chalicelib.services.views.linked_events import LinkedEvents

blueprint = Blueprint(__name__)

EventId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class LinkedWith(msgspec.Struct, forbid_unknown_fields=True):
    """The other events of the set; none: the event stands alone."""

    events: Annotated[list[EventId], Meta(max_length=20)]


@route(
    blueprint,
    "GET",
    "/events/{event_id}/linked-events",
    action="event.read",
    summary="The events that share this one's QR",
    reply=LinkedEvents,
)
def list_linked_events(call: Call, event_id: str) -> LinkedEvents:
    """Ended ones have dropped out."""
    return linked_events.listed(call.world, event_id)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/linked-events",
    action="event.link",
    summary="Link events",
    body=LinkedWith,
    reply=LinkedEvents,
)
def link_events(call: Call, event_id: str) -> LinkedEvents:
    """关联赛事 is symmetric: every event of the set shows the same set. Each must be administered by the caller."""
    return linked_events.link(
        call.world, event_id, call.body.events, call.caller.account_id or "", call.caller.actor, call.once
    )
