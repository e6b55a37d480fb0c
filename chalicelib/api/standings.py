"""Standings and the projection's remote control."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import display, standings
from chalicelib.services.views.events import DisplayView
from chalicelib.services.views.standings import Comparison, EntryAddends, StandingsView

blueprint = Blueprint(__name__)


class DisplayCommand(msgspec.Struct, forbid_unknown_fields=True):
    """What the projection shows from now on. ``page`` None: pages by itself."""

    view: Literal["clock", "pairings", "names", "standings", "qr", "rules", "blank"]
    page: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    paused: bool = False


@route(
    blueprint,
    "GET",
    "/events/{event_id}/standings",
    action="standings.read",
    summary="The newest standings",
    reply=StandingsView,
)
def read_standings(call: Call, event_id: str) -> StandingsView:
    """As the standings function last wrote them."""
    return standings.read(call.world, event_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/standings/{number}",
    action="standings.read",
    summary="One entry's addends",
    reply=EntryAddends,
)
def read_addends(call: Call, event_id: str, number: int) -> EntryAddends:
    """Every addend of every number: which round, which opponent, why."""
    return standings.addends(call.world, event_id, number)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/comparison",
    action="standings.read",
    summary="Recompute and compare",
    reply=Comparison,
)
def compare_standings(call: Call, event_id: str) -> Comparison:
    """The stored standings against the pure function of all effective results."""
    return standings.compare(call.world, event_id)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/display",
    action="display.control",
    summary="Control the projection",
    body=DisplayCommand,
    reply=DisplayView,
)
def control_display(call: Call, event_id: str) -> DisplayView:
    """Every projection of the event follows within two seconds."""
    return display.show(
        call.world,
        event_id,
        DisplayView(call.body.view, call.body.page, call.body.paused),
        call.caller.actor,
        call.once,
    )
