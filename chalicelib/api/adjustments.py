"""罚分: points that referees give or take."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import adjustments
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.adjustments import Adjustments, AdjustmentView

blueprint = Blueprint(__name__)
Reason = Annotated[str, Meta(min_length=1, max_length=200)]


class NewAdjustment(msgspec.Struct, forbid_unknown_fields=True):
    """Points for an entry in a round. ``amount``: a multiple of 0.5, negative for a penalty; ``criterion``: a code of
    those that the list offers."""

    entry: Annotated[int, Meta(ge=1, le=100_000)]
    round: Annotated[int, Meta(ge=1, le=100)]
    criterion: Annotated[str, Meta(max_length=40)]
    amount: Annotated[float, Meta(ge=-1000, le=1000)]
    reason: Reason


class Removal(msgspec.Struct, forbid_unknown_fields=True):
    """Why an adjustment is taken back."""

    reason: Reason


@route(
    blueprint,
    "GET",
    "/events/{event_id}/adjustments",
    action="entry.adjust",
    summary="All adjustments",
    reply=Adjustments,
)
def list_adjustments(call: Call, event_id: str) -> Adjustments:
    """Those in force, oldest first, with the criteria that may be adjusted."""
    return adjustments.listed(call.world, event_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/adjustments",
    action="entry.adjust",
    summary="Give or take points",
    body=NewAdjustment,
    reply=AdjustmentView,
    status=201,
)
def adjust_entry(call: Call, event_id: str) -> AdjustmentView:
    """They count in every later pairing and ranking while their round counts."""
    body: NewAdjustment = call.body
    given = adjustments.Given(body.entry, body.round, body.criterion, body.amount, body.reason)
    return adjustments.give(call.world, event_id, given, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/adjustments/{adjustment_id}/removal",
    action="entry.adjust",
    summary="Take an adjustment back",
    body=Removal,
    reply=Done,
)
def remove_adjustment(call: Call, event_id: str, adjustment_id: str) -> Done:
    """With a reason, which the log keeps."""
    return adjustments.remove(call.world, event_id, adjustment_id, call.body.reason, call.caller.actor, call.once)
