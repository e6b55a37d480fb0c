"""Events: create, list, configure, end; what anybody may know of one."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import GZIP, Call, File, route
from chalicelib.services import audit_lines, configuring, deletion, documents, events, vip
from chalicelib.services.settings import Line, Milliseconds, Name, Settings, Version
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.events import AuditLog, EventList, EventView, EventVip, Kinds, PublicEvent

blueprint = Blueprint(__name__)


class NewEvent(msgspec.Struct, forbid_unknown_fields=True):
    """The least an event needs; all else has the kind's defaults. ``clone_of``: copy that event's settings."""

    name: Name
    kind: Annotated[str, Meta(max_length=30)]
    starts_at: Milliseconds | None = None
    time_zone: Annotated[str, Meta(max_length=60)] = "Asia/Shanghai"
    rounds: Annotated[int, Meta(ge=1, le=100)] | None = None
    minutes_per_round: Annotated[int, Meta(ge=1, le=600)] | None = None
    clone_of: Annotated[str, Meta(max_length=64)] | None = None
    test: bool = False


class ChangedSettings(msgspec.Struct, forbid_unknown_fields=True):
    """All settings, and the version they were read at. ``confirmed``: change the rules although there are results."""

    version: Version
    settings: Settings
    confirmed: bool = False


class Ending(msgspec.Struct, forbid_unknown_fields=True):
    """比赛结束 on or off."""

    ended: bool
    reason: Line = ""


class Deletion(msgspec.Struct, forbid_unknown_fields=True):
    """Delete (``name``: the event's name as it was typed) or restore."""

    deleted: bool
    name: Line = ""


@route(blueprint, "GET", "/kinds", action="service.read", summary="Kinds of event and what they offer", reply=Kinds)
def list_kinds(call: Call) -> Kinds:
    """All ten kinds in the manual's order."""
    return events.kinds()


@route(blueprint, "GET", "/events", action="event.list_own", summary="My events", reply=EventList)
def list_events(call: Call) -> EventList:
    """Events in which the account is owner or administrator, newest first."""
    return events.mine(call.world, call.caller.account_id or "")


@route(
    blueprint,
    "POST",
    "/events",
    action="event.create",
    summary="Create an event",
    body=NewEvent,
    reply=EventView,
    status=201,
)
def create_event(call: Call) -> EventView:
    """A new event with the kind's defaults, owned by the account."""
    body: NewEvent = call.body
    return events.create(
        call.world,
        call.caller.account_id or "",
        events.Draft(
            body.name,
            body.kind,
            body.starts_at,
            body.time_zone,
            body.rounds,
            body.minutes_per_round,
            body.clone_of,
            body.test,
        ),
        call.once,
    )


@route(
    blueprint, "GET", "/events/{event_id}", action="event.read", summary="One event for its organizers", reply=EventView
)
def read_event(call: Call, event_id: str) -> EventView:
    """Settings, phase, rounds, clock, display and the next step."""
    return events.read(call.world, event_id, call.caller.roles)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/settings",
    action="event.configure",
    summary="Change the settings",
    body=ChangedSettings,
    reply=EventView,
)
def change_settings(call: Call, event_id: str) -> EventView:
    """409 stale_version (with the current settings) when somebody else saved in between."""
    return configuring.change_settings(
        call.world,
        event_id,
        call.body.version,
        call.body.settings,
        call.caller.actor,
        call.caller.roles,
        call.once,
        confirmed=call.body.confirmed,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/ending",
    action="event.end",
    summary="End the event, or undo that",
    body=Ending,
    reply=EventView,
)
def end_event(call: Call, event_id: str) -> EventView:
    """比赛结束 and its undo."""
    return events.set_ended(
        call.world, event_id, call.body.ended, call.body.reason, call.caller.actor, call.caller.roles, call.once
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/deletion",
    action="event.delete",
    summary="Delete the event, or restore it",
    body=Deletion,
    reply=Done,
)
def delete_event(call: Call, event_id: str) -> Done:
    """删除比赛: its name must be typed; undone for 30 days."""
    if call.body.deleted:
        return deletion.delete(call.world, event_id, call.body.name, call.caller.actor, call.once)
    return deletion.restore(call.world, event_id, call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/public",
    action="event.read_public",
    summary="What anybody may know",
    reply=PublicEvent,
)
def read_public(call: Call, event_id: str) -> PublicEvent:
    """Name, kind, phase and how to find oneself; no person."""
    return events.read_public(call.world, event_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/vip",
    action="event.read",
    summary="What the owner's VIP level opens",
    reply=EventVip,
)
def read_event_vip(call: Call, event_id: str) -> EventVip:
    """The level that counts now, and the settings that need a higher one."""
    return vip.of_owner(event_id, call.world.now())


@route(
    blueprint,
    "GET",
    "/events/{event_id}/audit",
    action="event.audit",
    summary="The event's log",
    reply=AuditLog,
    query=("before",),
)
def read_audit(call: Call, event_id: str) -> AuditLog:
    """Newest first, 100 a page."""
    return events.audit_log(call.world, event_id, call.query.get("before"))


@route(
    blueprint,
    "GET",
    "/events/{event_id}/audit-lines",
    action="event.audit",
    summary="The event's log as a file",
    reply=File,
)
def download_audit(call: Call, event_id: str) -> File:
    """JSON lines, oldest first, persons by opaque ids; ``./guanjun replay`` makes the ranking of it. A long one comes
    packed (gzip)."""
    body, filename, packed = audit_lines.download_at_once(call.world, event_id)
    return File(body, GZIP if packed else "text/plain; charset=utf-8", filename)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/document",
    action="event.document",
    summary="The event as one JSON file",
    reply=File,
)
def export_document(call: Call, event_id: str) -> File:
    """guanjun-event/1, as ``./guanjun standings`` reads it."""
    body, filename = documents.export(call.world, event_id, call.digits)
    return File(body, "application/json", filename)
