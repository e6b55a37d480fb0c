"""The projection: its remote control, its pictures, the winners it reveals, and freezing what the public sees."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import display, freezing, winners
from chalicelib.services.settings import Version
from chalicelib.services.views.events import DisplayView, EventView, Pictures
from chalicelib.services.views.jobs import UploadView
from chalicelib.services.views.winners import Revealed, Winners

blueprint = Blueprint(__name__)


class DisplayCommand(msgspec.Struct, forbid_unknown_fields=True):
    """What the projection shows from now on. ``page`` None: pages by itself; ``step``: winners revealed so far;
    ``picture``: one of the event's pictures."""

    view: Literal[
        "clock",
        "pairings",
        "names",
        "standings",
        "clubs",
        "winners",
        "rules",
        "qr",
        "picture",
        "chart",
        "bracket",
        "calendar",
        "blank",
    ]
    page: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    paused: bool = False
    step: Annotated[int, Meta(ge=0, le=100_000)] = 0
    picture: Annotated[str, Meta(max_length=200)] | None = None


class Uploaded(msgspec.Struct, forbid_unknown_fields=True):
    """A file that the browser has uploaded."""

    key: Annotated[str, Meta(min_length=1, max_length=200)]


class Freeze(msgspec.Struct, forbid_unknown_fields=True):
    """From the results of which round on the public sees no ranks (None: it sees all). ``version``: the settings'."""

    version: Version
    round: Annotated[int, Meta(ge=1, le=100)] | None = None


class Decision(msgspec.Struct, forbid_unknown_fields=True):
    """The order of tied entries, best first; ``version``: the settings'."""

    version: Version
    entries: Annotated[list[Annotated[int, Meta(ge=1, le=100_000)]], Meta(max_length=1000)]


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
    body: DisplayCommand = call.body
    shown = DisplayView(body.view, body.page, body.paused, body.step, body.picture)
    return display.show(call.world, event_id, shown, call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/pictures",
    action="display.control",
    summary="The event's pictures",
    reply=Pictures,
)
def list_pictures(call: Call, event_id: str) -> Pictures:
    """Addresses of what the projection can show, newest first."""
    return display.listed(call.world, event_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/picture-uploads",
    action="display.control",
    summary="Leave to upload a picture",
    reply=UploadView,
    status=201,
    keyed=False,
)
def begin_picture(call: Call, event_id: str) -> UploadView:
    """PNG, JPEG or WebP, at most 5 MB; the browser posts the file by itself."""
    return display.upload(call.world, event_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/pictures",
    action="display.control",
    summary="Add an uploaded picture",
    body=Uploaded,
    reply=Pictures,
    status=201,
)
def add_picture(call: Call, event_id: str) -> Pictures:
    """Checked, and freed of what a camera wrote into it; everybody may see it from now on."""
    return display.add_picture(call.world, event_id, call.body.key, call.caller.actor, call.once)


@route(
    blueprint,
    "DELETE",
    "/events/{event_id}/pictures/{picture}",
    action="display.control",
    summary="Remove a picture",
    reply=Pictures,
)
def remove_picture(call: Call, event_id: str, picture: str) -> Pictures:
    """By its name without folder and ending; not while the projection shows it."""
    return display.remove_picture(call.world, event_id, picture, call.caller.actor, call.once)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/freeze",
    action="standings.freeze",
    summary="Freeze the public standings",
    body=Freeze,
    reply=EventView,
)
def freeze_standings(call: Call, event_id: str) -> EventView:
    """No public page, file, projection or phone shows a rank that knows the results of this round or a later one."""
    return freezing.freeze(
        call.world,
        event_id,
        call.body.version,
        call.body.round,
        call.caller.actor,
        call.caller.roles,
        call.once,
    )


@route(
    blueprint,
    "GET",
    "/events/{event_id}/winners",
    action="standings.read",
    summary="Who wins what",
    reply=Winners,
)
def read_winners(call: Call, event_id: str) -> Winners:
    """The awards down the ranking as it is, for officials only."""
    return winners.read(call.world, event_id)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/winners/decision",
    action="display.control",
    summary="Decide between tied winners",
    body=Decision,
    reply=Winners,
)
def decide_winners(call: Call, event_id: str) -> Winners:
    """It moves no rank; it says who gets the prize that cannot be shared."""
    return winners.decide(call.world, event_id, call.body.version, call.body.entries, call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/winners/revealed",
    action="display.read",
    summary="The winners revealed so far",
    reply=Revealed,
)
def read_revealed(call: Call, event_id: str) -> Revealed:
    """What the projection shows in its view of winners; the display's ``step`` says how many."""
    return winners.revealed(call.world, event_id)
