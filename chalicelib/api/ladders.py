"""Ladders (天梯): their tables for anybody, what an event has to do with them, and the platform's own acts."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.accounts import Phone
from chalicelib.api.framework import Call, route
from chalicelib.services import imports
from chalicelib.services.ladders import managing, member_lists, reading
from chalicelib.services.ladders.known import Parameters
from chalicelib.services.settings import Line, Name, VersionOrZero
from chalicelib.services.views.ladders import (
    EventLadders,
    LadderList,
    LadderMember,
    LadderMemberReport,
    LadderMembers,
    LadderTable,
    LadderView,
)

blueprint = Blueprint(__name__)


class NewLadder(msgspec.Struct, forbid_unknown_fields=True):
    """A ladder with the name of its first season and how it counts."""

    name: Name
    season: Name
    parameters: Parameters
    name_en: Line = ""


class ChangedLadder(msgspec.Struct, forbid_unknown_fields=True):
    """Names, and how the open season counts (None: as before)."""

    version: VersionOrZero
    name: Name
    name_en: Line = ""
    parameters: Parameters | None = None


class ArchivedLadder(msgspec.Struct, forbid_unknown_fields=True):
    """Archived or brought back."""

    version: VersionOrZero
    archived: bool


class NewLadderSeason(msgspec.Struct, forbid_unknown_fields=True):
    """The next season."""

    version: VersionOrZero
    name: Name
    parameters: Parameters


class ClosedLadderSeason(msgspec.Struct, forbid_unknown_fields=True):
    """The ladder as the caller saw it."""

    version: VersionOrZero


class LadderRestriction(msgspec.Struct, forbid_unknown_fields=True):
    """Members of the list only, or everybody."""

    version: VersionOrZero
    restricted: bool


class NewLadderMember(msgspec.Struct, forbid_unknown_fields=True):
    """A member by name and phone."""

    name: Name
    phone: Phone


class LadderMemberImport(msgspec.Struct, forbid_unknown_fields=True):
    """An .xlsx or .csv in base64, with the columns 姓名 and 手机. ``commit`` false: dry run."""

    content: Annotated[str, Meta(max_length=5_500_000)]
    commit: bool
    version: VersionOrZero


@route(blueprint, "GET", "/ladders", action="ladder.read", summary="All ladders", reply=LadderList)
def list_ladders(call: Call) -> LadderList:
    """Archived ones too, with their seasons."""
    return reading.listing()


@route(
    blueprint,
    "GET",
    "/ladders/{ladder_id}",
    action="ladder.read",
    summary="A ladder's table",
    reply=LadderTable,
    query=("season", "text", "after"),
)
def read_ladder(call: Call, ladder_id: str) -> LadderTable:
    """``season``: its number (default: the latest); ``text``: part of a name or club; ``after``: ``next`` of the page
    before."""
    query = call.query
    return reading.table(call.world, ladder_id, query.get("season"), query.get("text", ""), query.get("after"))


@route(
    blueprint,
    "GET",
    "/ladders/{ladder_id}/people/{person_id}",
    action="ladder.read",
    summary="Somebody on a ladder, with the history",
    reply=LadderMember,
    query=("season",),
)
def read_ladder_person(call: Call, ladder_id: str, person_id: str) -> LadderMember:
    """The latest hundred events, the newest first."""
    return reading.member(call.world, ladder_id, person_id, call.query.get("season"))


@route(
    blueprint,
    "GET",
    "/events/{event_id}/ladders",
    action="event.configure",
    summary="Which ladders an event counts for",
    reply=EventLadders,
)
def read_event_ladders(call: Call, event_id: str) -> EventLadders:
    """And, once it has ended, what was posted."""
    return reading.of_event(call.world, event_id)


@route(
    blueprint,
    "POST",
    "/platform/ladders",
    action="platform.manage",
    summary="Make a ladder",
    body=NewLadder,
    reply=LadderView,
    status=201,
)
def create_ladder(call: Call) -> LadderView:
    """With its first season open."""
    body: NewLadder = call.body
    return managing.create(
        call.world, body.name, body.name_en, body.season, body.parameters, call.caller.actor, call.once
    )


@route(
    blueprint,
    "PUT",
    "/platform/ladders/{ladder_id}",
    action="platform.manage",
    summary="Rename a ladder, or let its season count otherwise",
    body=ChangedLadder,
    reply=LadderView,
)
def change_ladder(call: Call, ladder_id: str) -> LadderView:
    """Other parameters count from the first event of the open season on."""
    body: ChangedLadder = call.body
    return managing.change(
        call.world, ladder_id, body.version, body.name, body.name_en, body.parameters, call.caller.actor, call.once
    )


@route(
    blueprint,
    "PUT",
    "/platform/ladders/{ladder_id}/archive",
    action="platform.manage",
    summary="Archive a ladder or bring it back",
    body=ArchivedLadder,
    reply=LadderView,
)
def archive_ladder(call: Call, ladder_id: str) -> LadderView:
    """An archived ladder can be read, and no event begins to count for it."""
    body: ArchivedLadder = call.body
    return managing.archive(call.world, ladder_id, body.version, body.archived, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/platform/ladders/{ladder_id}/seasons",
    action="platform.manage",
    summary="Open the next season",
    body=NewLadderSeason,
    reply=LadderView,
    status=201,
)
def begin_season(call: Call, ladder_id: str) -> LadderView:
    """Everybody begins anew; the member list goes on."""
    body: NewLadderSeason = call.body
    return managing.begin_season(
        call.world, ladder_id, body.version, body.name, body.parameters, call.caller.actor, call.once
    )


@route(
    blueprint,
    "POST",
    "/platform/ladders/{ladder_id}/season-end",
    action="platform.manage",
    summary="Close the season",
    body=ClosedLadderSeason,
    reply=LadderView,
)
def close_season(call: Call, ladder_id: str) -> LadderView:
    """Events that end from now on do not count in it."""
    body: ClosedLadderSeason = call.body
    return managing.close_season(call.world, ladder_id, body.version, call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/platform/ladders/{ladder_id}/members",
    action="platform.manage",
    summary="A ladder's member list",
    reply=LadderMembers,
)
def list_ladder_members(call: Call, ladder_id: str) -> LadderMembers:
    """Names with masked phones."""
    return member_lists.read(ladder_id)


@route(
    blueprint,
    "POST",
    "/platform/ladders/{ladder_id}/members",
    action="platform.manage",
    summary="Put somebody on the member list",
    body=NewLadderMember,
    reply=LadderView,
    status=201,
)
def add_ladder_member(call: Call, ladder_id: str) -> LadderView:
    """Somebody who is on it gets the new name."""
    body: NewLadderMember = call.body
    return member_lists.add(call.world, ladder_id, body.name, body.phone, call.caller.actor, call.once)


@route(
    blueprint,
    "DELETE",
    "/platform/ladders/{ladder_id}/members/{person_id}",
    action="platform.manage",
    summary="Take somebody off the member list",
    reply=LadderView,
)
def remove_ladder_member(call: Call, ladder_id: str, person_id: str) -> LadderView:
    """Their results stay in the ledger, and show again with them."""
    return member_lists.remove(call.world, ladder_id, person_id, call.caller.actor, call.once)


@route(
    blueprint,
    "PUT",
    "/platform/ladders/{ladder_id}/restriction",
    action="platform.manage",
    summary="Post members of the list only, or everybody",
    body=LadderRestriction,
    reply=LadderView,
)
def restrict_ladder(call: Call, ladder_id: str) -> LadderView:
    """The list itself stays as it is."""
    body: LadderRestriction = call.body
    return member_lists.restrict(call.world, ladder_id, body.version, body.restricted, call.caller.actor, call.once)


@route(
    blueprint,
    "POST",
    "/platform/ladders/{ladder_id}/member-imports",
    action="platform.manage",
    summary="Import a member list",
    body=LadderMemberImport,
    reply=LadderMemberReport,
)
def import_ladder_members(call: Call, ladder_id: str) -> LadderMemberReport:
    """Dry run with a report by row; committed all or nothing, in place of the list there is."""
    body: LadderMemberImport = call.body
    data = imports.decoded(body.content)
    return member_lists.run_import(call.world, ladder_id, data, body.commit, body.version, call.caller.actor, call.once)
