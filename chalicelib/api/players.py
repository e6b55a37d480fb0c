"""The phone page: find yourself, check in, see your table, score."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.callers import cookie
from chalicelib.api.framework import Call, File, route
from chalicelib.api.scoring import Said
from chalicelib.services import browsers, check_in, devices, links, my_rounds, players, searches, submissions
from chalicelib.services.settings import Line, Milliseconds, VersionOrZero
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.players import Candidates, CheckedIn, Devices, Me, MyRounds
from chalicelib.services.views.scoring import TableView

blueprint = Blueprint(__name__)


class Search(msgspec.Struct, forbid_unknown_fields=True):
    """A name or a phone, as typed."""

    text: Annotated[str, Meta(min_length=1, max_length=60)]


class Choice(msgspec.Struct, forbid_unknown_fields=True):
    """The candidate somebody says to be. ``text``: what was searched, which must still find the candidate."""

    number: Annotated[int, Meta(ge=1, le=100_000)]
    player: Annotated[int, Meta(ge=0, le=7)]
    text: Annotated[str, Meta(min_length=1, max_length=60)]
    device: Line = ""


class Submission(Said, kw_only=True):
    """The result as this side saw it. ``base_version``: the version of this side's word that the phone knew
    (0: none); ``tapped_at``: when submit was tapped, in server time (milliseconds)."""

    base_version: VersionOrZero
    tapped_at: Milliseconds


class RunningScore(Said, kw_only=True):
    """The score so far; boards still to be played are left out."""


@route(
    blueprint,
    "POST",
    "/events/{event_id}/searches",
    action="player.identify",
    summary="Find yourself",
    body=Search,
    reply=Candidates,
    keyed=False,
)
def find_players(call: Call, event_id: str) -> Candidates:
    """By phone or, if the event allows, by name; same names are listed, never chosen.

    A POST because the text is personal.
    """
    return searches.find(call.world, event_id, call.body.text, browser_of(call))


@route(
    blueprint,
    "POST",
    "/events/{event_id}/devices",
    action="player.identify",
    summary="This is me",
    body=Choice,
    reply=Me,
    status=201,
    keyed=False,
)
def identify_device(call: Call, event_id: str) -> Me:
    """Gives this browser a revocable token for the entry. Where the event asks for it, the account that is signed in
    on this browser must stand behind it, whomever the page speaks for otherwise."""
    body: Choice = call.body
    me, token = devices.identify(
        call.world,
        event_id,
        body.number,
        body.player,
        body.text,
        body.device,
        browser_of(call),
        call.jar.get("guanjun_session", ""),
    )
    call.set_cookies.append(
        cookie(f"guanjun_player_{event_id}", token, max_age=devices.COOKIE_SECONDS, secure=call.world.secure_cookies)
    )
    return me


@route(
    blueprint, "DELETE", "/events/{event_id}/devices", action="player.self", summary="Not me", reply=Done, keyed=False
)
def forget_device(call: Call, event_id: str) -> Done:
    """Revokes this browser's token."""
    assert call.caller.device is not None
    devices.forget(call.world, event_id, call.caller.device)
    call.set_cookies.append(cookie(f"guanjun_player_{event_id}", "", max_age=0, secure=call.world.secure_cookies))
    return Done()


@route(blueprint, "GET", "/events/{event_id}/me", action="player.self", summary="Everything my phone shows", reply=Me)
def read_me(call: Call, event_id: str) -> Me:
    """Table, seat, opponents, clock, state, what may be done and why not."""
    assert call.caller.device is not None
    return players.me(call.world, event_id, call.caller.device, call.caller.csrf or "")


@route(blueprint, "GET", "/events/{event_id}/me/rounds", action="player.self", summary="My rounds", reply=MyRounds)
def read_my_rounds(call: Call, event_id: str) -> MyRounds:
    """Every published round of mine: table, opponents, result and its state."""
    assert call.caller.device is not None
    return my_rounds.my_rounds(call.world, event_id, call.caller.device)


@route(blueprint, "PUT", "/events/{event_id}/me/check-in", action="player.self", summary="Check in", reply=CheckedIn)
def check_myself_in(call: Call, event_id: str) -> CheckedIn:
    """签到; a repeat says when it was."""
    assert call.caller.device is not None
    return check_in.myself(call.world, event_id, call.caller.device, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/me/qr",
    action="player.self",
    summary="QR code of my entry",
    reply=File,
    query=("origin",),
)
def read_my_qr(call: Call, event_id: str) -> File:
    """SVG for the desk's scanner. It says which entry this is, nothing else, and gives no right to anybody."""
    assert call.caller.device is not None
    players.me(call.world, event_id, call.caller.device, "")
    return File(links.entry_qr(event_id, call.caller.device.number, call.query.get("origin", "")), "image/svg+xml")


@route(
    blueprint,
    "GET",
    "/events/{event_id}/entries/{number}/devices",
    action="device.manage",
    summary="The devices of an entry",
    reply=Devices,
)
def list_devices(call: Call, event_id: str, number: int) -> Devices:
    """Every phone that said to be a player of this entry, revoked ones too."""
    return devices.listed(call.world, event_id, number)


@route(
    blueprint,
    "DELETE",
    "/events/{event_id}/entries/{number}/devices/{device_id}",
    action="device.manage",
    summary="Revoke a device",
    reply=Done,
)
def revoke_device(call: Call, event_id: str, number: int, device_id: str) -> Done:
    """Its token stops working at once."""
    return devices.revoke(call.world, event_id, number, device_id, call.caller.actor, call.once)


@route(
    blueprint,
    "PUT",
    "/events/{event_id}/rounds/{number}/tables/{table}/running",
    action="player.score",
    summary="Save the running score",
    body=RunningScore,
    reply=Done,
)
def save_running(call: Call, event_id: str, number: int, table: int) -> Done:
    """Seen by both sides and the referee; no submission."""
    assert call.caller.device is not None
    return submissions.save_running(
        call.world,
        event_id,
        number,
        table,
        call.caller.device,
        call.body.score(),
        call.once,
    )


@route(
    blueprint,
    "POST",
    "/events/{event_id}/rounds/{number}/tables/{table}/submissions",
    action="player.score",
    summary="Submit the result",
    body=Submission,
    reply=TableView,
    status=201,
)
def submit(call: Call, event_id: str, number: int, table: int) -> TableView:
    """Our side's word. 409 stale_version only if our own side said something newer; ruled, locked, closed: 409."""
    assert call.caller.device is not None
    body: Submission = call.body
    return submissions.submit(
        call.world,
        event_id,
        number,
        table,
        call.caller.device,
        body.score(),
        body.base_version,
        body.tapped_at,
        call.once,
    )


def browser_of(call: Call) -> str:
    """Which browser this is; a new one gets its cookie with the reply."""
    known = browsers.read(call.world, call.jar.get(browsers.COOKIE, ""))
    if known is not None:
        return known
    browser_id, token = browsers.fresh(call.world)
    call.set_cookies.append(
        cookie(browsers.COOKIE, token, max_age=browsers.COOKIE_SECONDS, secure=call.world.secure_cookies)
    )
    return browser_id
