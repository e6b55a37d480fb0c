"""赛事阶段: which events are the stages of one series, and forming the next stage from the last."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services.jobs import series as forming
from chalicelib.services.series import managing, reading
from chalicelib.services.series.known import MOST_EVENTS, StageOf
from chalicelib.services.settings import Name
from chalicelib.services.views.series import PublicSeries, SeriesJob, SeriesView, StagePlan, StagePreview

blueprint = Blueprint(__name__)

EventId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
StageNumber = Annotated[int, Meta(ge=1, le=MOST_EVENTS)]


class ArrangedStage(msgspec.Struct, forbid_unknown_fields=True):
    """A stage and the events that are played side by side in it."""

    name: Name
    events: Annotated[list[EventId], Meta(min_length=1, max_length=MOST_EVENTS)]


class ArrangedSeries(msgspec.Struct, forbid_unknown_fields=True):
    """The series as it is to be; without stages it is dissolved. ``token`` as it was read."""

    name: Name
    stages: Annotated[list[ArrangedStage], Meta(max_length=MOST_EVENTS)]
    token: Annotated[str, Meta(max_length=40)] = ""


class PlannedStage(msgspec.Struct, forbid_unknown_fields=True):
    """The stage to be formed, counted from 0 (so at least 1), and how."""

    stage: StageNumber
    plan: StagePlan


class AgreedStage(msgspec.Struct, forbid_unknown_fields=True):
    """The same with the fingerprint of the preview that was agreed to."""

    stage: StageNumber
    plan: StagePlan
    fingerprint: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]


class UndoneStage(msgspec.Struct, forbid_unknown_fields=True):
    """The stage whose forming is taken back."""

    stage: StageNumber


@route(
    blueprint,
    "GET",
    "/events/{event_id}/series",
    action="series.manage",
    summary="The series of an event",
    reply=SeriesView,
)
def read_series(call: Call, event_id: str) -> SeriesView:
    """Its stages with their events, how each was formed, and what is different in its sources since."""
    return reading.read(call.world, event_id, call.caller.account_id or "")


@route(
    blueprint,
    "GET",
    "/events/{event_id}/series/stages",
    action="event.read_public",
    summary="The stages of an event's series",
    reply=PublicSeries,
)
def read_public_series(call: Call, event_id: str) -> PublicSeries:
    """As anybody may know them."""
    return reading.public(call.world, event_id)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/series",
    action="series.manage",
    summary="Arrange the stages of a series",
    body=ArrangedSeries,
    reply=SeriesView,
)
def arrange_series(call: Call, event_id: str) -> SeriesView:
    """Every event of the series shows the same series, and they share one QR. The caller must run all of them."""
    body: ArrangedSeries = call.body
    stages = [StageOf(stage.name, list(stage.events)) for stage in body.stages]
    return managing.arrange(
        call.world,
        event_id,
        body.name,
        stages,
        body.token,
        call.caller.account_id or "",
        call.caller.actor,
        call.once,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/series/previews",
    action="series.manage",
    summary="Preview the next stage",
    body=PlannedStage,
    reply=StagePreview,
    keyed=False,
)
def preview_stage(call: Call, event_id: str) -> StagePreview:
    """Who goes on, from where, into which event and group; ties at the cut. Nothing is written."""
    body: PlannedStage = call.body
    return forming.preview(call.world, event_id, body.stage, body.plan, call.caller.account_id or "")


@route(
    blueprint,
    "POST",
    "/events/{event_id}/series/formations",
    action="series.manage",
    summary="Form the next stage",
    body=AgreedStage,
    reply=SeriesJob,
    status=202,
)
def form_stage(call: Call, event_id: str) -> SeriesJob:
    """Exactly what the preview showed, all or nothing, as a job."""
    body: AgreedStage = call.body
    return forming.start(
        call.world,
        event_id,
        body.stage,
        body.plan,
        body.fingerprint,
        call.caller.account_id or "",
        call.caller.actor,
        call.once,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/series/undoing",
    action="series.manage",
    summary="Take a formed stage back",
    body=UndoneStage,
    reply=SeriesJob,
    status=202,
)
def undo_stage(call: Call, event_id: str) -> SeriesJob:
    """While none of its rounds is drawn."""
    body: UndoneStage = call.body
    return forming.start_undo(
        call.world, event_id, body.stage, call.caller.account_id or "", call.caller.actor, call.once
    )


@route(
    blueprint,
    "GET",
    "/events/{event_id}/series/jobs/{job_id}",
    action="series.manage",
    summary="How far the forming of a stage is",
    reply=SeriesJob,
)
def read_series_job(call: Call, event_id: str, job_id: str) -> SeriesJob:
    """Progress, then how it ended."""
    return forming.read(event_id, job_id)
