"""Bracket and calendar for organizers: the whole of a knock-out or a round robin at a glance.

They tell frozen results, and before the first publication a calendar tells the draft; everybody else reads the public
files that the pulse names.
"""

from __future__ import annotations

from chalice.app import Blueprint

from chalicelib.api.framework import Call, route
from chalicelib.services import schemes
from chalicelib.services.views.schemes import Bracket, Calendar

blueprint = Blueprint(__name__)


@route(blueprint, "GET", "/events/{event_id}/bracket", action="round.read_draft", summary="The bracket", reply=Bracket)
def read_bracket(call: Call, event_id: str) -> Bracket:
    """Every round of a knock-out, future ones with the places that are still empty."""
    return schemes.read_bracket(call.world, event_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/calendar",
    action="round.read_draft",
    summary="The calendar",
    reply=Calendar,
)
def read_calendar(call: Call, event_id: str) -> Calendar:
    """Every round of a round robin or league with its match day, future ones as the design has them."""
    return schemes.read_calendar(call.world, event_id)
