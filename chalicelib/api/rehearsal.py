"""演练: an event with robot players by one request, to be watched on every page of the product."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import rehearsal
from chalicelib.services.views.events import EventView
from chalicelib.services.views.rehearsal import RehearsalView

blueprint = Blueprint(__name__)


class RehearsalOrder(msgspec.Struct, forbid_unknown_fields=True):
    """What robots are to play: how many entries, how many rounds, and how many seconds they take for a round."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    kind: Annotated[str, Meta(max_length=30)] = "pairs"
    entries: Annotated[int, Meta(ge=4, le=120)] = 16
    rounds: Annotated[int, Meta(ge=1, le=8)] = 3
    seconds: Annotated[int, Meta(ge=20, le=1800)] = 90


@route(
    blueprint,
    "POST",
    "/rehearsals",
    action="event.create",
    summary="Start a rehearsal",
    body=RehearsalOrder,
    reply=EventView,
    status=201,
)
def start_rehearsal(call: Call) -> EventView:
    """A test event of the caller's in which robots register, check in and play by themselves."""
    body: RehearsalOrder = call.body
    wanted = rehearsal.Rehearsal(body.name, body.kind, body.entries, body.rounds, body.seconds)
    return rehearsal.start(call.world, call.caller.account_id or "", wanted, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/rehearsal",
    action="event.rehearse",
    summary="How a rehearsal goes",
    reply=RehearsalView,
)
def read_rehearsal(call: Call, event_id: str) -> RehearsalView:
    """404 in an event that is no rehearsal."""
    return rehearsal.status(event_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rehearsal/stopping",
    action="event.rehearse",
    summary="Stop the robots",
    reply=RehearsalView,
    keyed=False,
)
def stop_rehearsal(call: Call, event_id: str) -> RehearsalView:
    """What they played stays; doing so again changes nothing."""
    return rehearsal.stop(call.world, event_id)
