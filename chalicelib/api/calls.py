"""Calls for a referee, requests to correct a result, and giving up one's own table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import calls, forfeits
from chalicelib.services.settings import Milliseconds, VersionOrZero
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.calls import CallView
from chalicelib.services.views.scoring import TableView

blueprint = Blueprint(__name__)


class RefereeCall(msgspec.Struct, forbid_unknown_fields=True):
    """What is wanted: the referee at the table, or a correction of the result (then with a message)."""

    kind: Literal["call", "correction"] = "call"
    message: Annotated[str, Meta(max_length=200)] = ""


class Taking(msgspec.Struct, forbid_unknown_fields=True):
    """``by``: what the referee is called, if they say."""

    by: Annotated[str, Meta(max_length=20, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


class GivingUp(msgspec.Struct, forbid_unknown_fields=True):
    """The own side gives up. ``base_version``: the version of its word that the phone knew (0: none); ``tapped_at``:
    when it was confirmed, in server time (milliseconds)."""

    base_version: VersionOrZero
    tapped_at: Milliseconds


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/tables/{table}/calls",
    action="player.score",
    summary="Call a referee",
    body=RefereeCall,
    reply=CallView,
    status=201,
)
def call_referee(call: Call, event_id: str, number: int, table: int) -> CallView:
    """呼叫裁判 or 更正请求, with the place in the queue; one open call of each side of a table."""
    assert call.caller.device is not None
    return calls.make(
        call.world, event_id, number, table, call.caller.device, call.body.kind, call.body.message, call.once
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/calls/{call_id}/withdrawal",
    action="player.score",
    summary="Withdraw my call",
    reply=Done,
)
def withdraw_call(call: Call, event_id: str, call_id: str) -> Done:
    """Either player of the side that called may."""
    assert call.caller.device is not None
    return calls.withdraw(call.world, event_id, call_id, call.caller.device, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/calls/{call_id}/taking",
    action="call.answer",
    summary="Take a call",
    body=Taking,
    reply=CallView,
)
def take_call(call: Call, event_id: str, call_id: str) -> CallView:
    """The players see that somebody is on the way."""
    return calls.take(call.world, event_id, call_id, call.body.by, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/calls/{call_id}/closing",
    action="call.answer",
    summary="Close a call",
    reply=Done,
)
def close_call(call: Call, event_id: str, call_id: str) -> Done:
    """It is dealt with and leaves the queue."""
    return calls.close(call.world, event_id, call_id, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/calls/{call_id}/returning",
    action="call.answer",
    summary="Put a call back into the queue",
    reply=CallView,
)
def return_call(call: Call, event_id: str, call_id: str) -> CallView:
    """One that was taken waits again; one that was closed is open again as it was."""
    return calls.give_back(call.world, event_id, call_id, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/tables/{table}/forfeit",
    action="player.score",
    summary="Give up my table",
    body=GivingUp,
    reply=TableView,
)
def forfeit_table(call: Call, event_id: str, number: int, table: int) -> TableView:
    """允许选手自己操作弃权: effective at once; a referee can lift it."""
    assert call.caller.device is not None
    body: GivingUp = call.body
    return forfeits.give_up(
        call.world, event_id, number, table, call.caller.device, body.base_version, body.tapped_at, call.once
    )
