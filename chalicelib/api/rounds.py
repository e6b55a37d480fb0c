"""Rounds: draw, check the draft, publish, the clock, settle, delete."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import clock, rounds
from chalicelib.services.jobs import drawing, large_rounds
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.settings import Version, VersionOrZero
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.events import ClockView
from chalicelib.services.views.jobs import DrawingJob, RoundJob
from chalicelib.services.views.rounds import RoundView

blueprint = Blueprint(__name__)
Number = Annotated[int, Meta(ge=1, le=100_000)]


class Drawing(msgspec.Struct, forbid_unknown_fields=True):
    """Draw the next round. ``accept_proposal``: take the proposal with its rematches when nothing legal exists."""

    accept_proposal: bool = False


Side = Annotated[list[Number], Meta(min_length=1, max_length=2)]


class DraftSeat(msgspec.Struct, forbid_unknown_fields=True):
    """A table of a rearranged draft; a side is one number, or two where two persons play together."""

    table: Number
    ns: Side
    ew: Side


class Rearranged(msgspec.Struct, forbid_unknown_fields=True):
    """The whole draft after swapping: every drawn entry exactly once, at a table, with a bye or sitting out."""

    version: Version
    tables: Annotated[list[DraftSeat], Meta(max_length=20_000)]
    byes: Annotated[list[Number], Meta(max_length=1000)] = []
    sit_outs: Annotated[list[Number], Meta(max_length=1000)] = []


class AtVersion(msgspec.Struct, forbid_unknown_fields=True):
    """The version of the round that the organizer saw."""

    version: Version


class Reopening(msgspec.Struct, forbid_unknown_fields=True):
    """Why a settled round is opened again."""

    reason: Annotated[str, Meta(min_length=1, max_length=200)]


class ClockCommand(msgspec.Struct, forbid_unknown_fields=True):
    """What to do with the clock. ``minutes`` for extend (may be negative); ``starts_in_seconds`` for start."""

    action: Literal["start", "pause", "resume", "extend", "end", "reset"]
    version: VersionOrZero
    minutes: Annotated[int, Meta(ge=-120, le=600)] = 0
    starts_in_seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds",
    action="round.draw",
    summary="Draw the next round",
    body=Drawing,
    reply=RoundView,
    status=201,
)
def draw_round(call: Call, event_id: str) -> RoundView:
    """Drawing settles the last round in the same act; a refusal names the open tables or carries a proposal."""
    return rounds.draw(call.world, event_id, call.body.accept_proposal, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/drawing",
    action="round.draw",
    summary="Draw the next round, however large",
    body=Drawing,
    reply=DrawingJob,
    status=202,
)
def start_drawing(call: Call, event_id: str) -> DrawingJob:
    """Drawn at once for up to 400 entries; beyond that a job with progress, which tells its refusal in ``problem``."""
    return drawing.start(call.world, event_id, call.body.accept_proposal, call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/drawing/{job_id}",
    action="round.draw",
    summary="How far a drawing is",
    reply=DrawingJob,
)
def read_drawing(call: Call, event_id: str, job_id: str) -> DrawingJob:
    """Progress, then the number of the round or why there is none."""
    return drawing.read(call.world, event_id, job_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/drawing/{job_id}/cancellation",
    action="round.draw",
    summary="Cancel a drawing",
    reply=DrawingJob,
    keyed=False,
)
def cancel_drawing(call: Call, event_id: str, job_id: str) -> DrawingJob:
    """No round comes of it; doing so again, or when it is over, changes nothing."""
    return drawing.cancel(call.world, event_id, job_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/rounds/{number}",
    action="round.read_draft",
    summary="One round",
    reply=RoundView,
)
def read_round(call: Call, event_id: str, number: int) -> RoundView:
    """Draft or not, with the reason of every table."""
    return rounds.read(call.world, event_id, number)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/rounds/{number}/draft",
    action="round.draw",
    summary="Rearrange a draft",
    body=Rearranged,
    reply=RoundView,
)
def rearrange_draft(call: Call, event_id: str, number: int) -> RoundView:
    """Swapped teams and tables; the reply marks rematches and club-mates."""
    body: Rearranged = call.body
    return rounds.rearrange(
        call.world,
        event_id,
        number,
        body.version,
        [DraftTable(seat.table, tuple(seat.ns), tuple(seat.ew)) for seat in body.tables],
        list(body.byes),
        list(body.sit_outs),
        call.caller.actor,
        call.once,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/publication",
    action="round.publish",
    summary="Publish a draft",
    body=AtVersion,
    reply=RoundView,
)
def publish_round(call: Call, event_id: str, number: int) -> RoundView:
    """From now on players see their tables."""
    return rounds.publish(call.world, event_id, number, call.body.version, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/publishing",
    action="round.publish",
    summary="Publish a draft, however large",
    body=AtVersion,
    reply=RoundJob,
    status=202,
)
def start_publishing(call: Call, event_id: str, number: int) -> RoundJob:
    """Published at once for up to 200 tables; beyond that a job with progress, which all who ask meanwhile join."""
    version = call.body.version
    return large_rounds.start(call.world, event_id, number, version, "publish", call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/settling",
    action="round.settle",
    summary="Settle a round, however large",
    body=AtVersion,
    reply=RoundJob,
    status=202,
)
def start_settling(call: Call, event_id: str, number: int) -> RoundJob:
    """结算, at once for up to 200 tables; beyond that a job, which lists the open tables in ``problem``."""
    version = call.body.version
    return large_rounds.start(call.world, event_id, number, version, "settle", call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/round-jobs/{job_id}",
    action="round.read_draft",
    summary="How far a publication or settlement is",
    reply=RoundJob,
)
def read_round_job(call: Call, event_id: str, job_id: str) -> RoundJob:
    """Progress, then how it ended."""
    return large_rounds.read(event_id, job_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/round-jobs/{job_id}/cancellation",
    action="round.publish",
    summary="Cancel a publication or settlement",
    reply=RoundJob,
    keyed=False,
)
def cancel_round_job(call: Call, event_id: str, job_id: str) -> RoundJob:
    """The round stays as it was; doing so again, or when it is over, changes nothing."""
    return large_rounds.cancel(call.world, event_id, job_id)


@route(
    blueprint,
    "DELETE",
    "/events/{event_id}/rounds/{number}",
    action="round.draw",
    summary="Delete the last round",
    reply=Done,
    query=("reason",),
)
def delete_round(call: Call, event_id: str, number: int) -> Done:
    """Only the last round, with a reason once it was published."""
    return rounds.delete(call.world, event_id, number, call.query.get("reason", ""), call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/clock",
    action="round.clock",
    summary="Command the clock",
    body=ClockCommand,
    reply=ClockView,
)
def command_clock(call: Call, event_id: str, number: int) -> ClockView:
    """Start, pause, resume, extend, end, reset; 409 stale_version when somebody else was faster."""
    body: ClockCommand = call.body
    return clock.command(
        call.world,
        event_id,
        number,
        body.action,
        body.version,
        body.minutes,
        body.starts_in_seconds,
        call.caller.actor,
        call.once,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/settlement",
    action="round.settle",
    summary="Settle a round",
    body=AtVersion,
    reply=RoundView,
)
def settle_round(call: Call, event_id: str, number: int) -> RoundView:
    """结算; a refusal lists the open tables first."""
    return rounds.settle(call.world, event_id, number, call.body.version, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/reopening",
    action="round.settle",
    summary="Open a settled round again",
    body=Reopening,
    reply=RoundView,
)
def reopen_round(call: Call, event_id: str, number: int) -> RoundView:
    """With a reason, which the log keeps."""
    return rounds.reopen(call.world, event_id, number, call.body.reason, call.caller.actor, call.once)
