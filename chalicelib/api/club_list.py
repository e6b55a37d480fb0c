"""The list of 团体: read it, and put an edited template in its place."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import Call, route
from chalicelib.services import club_list
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Line, Version
from chalicelib.services.views.club_list import ClubImportReport, ClubListView

blueprint = Blueprint(__name__)


class ClubImportBody(msgspec.Struct, forbid_unknown_fields=True):
    """An edited template in base64. ``version``: of the settings whose list it takes the place of; ``commit`` false:
    dry run."""

    filename: Line
    content: Annotated[str, Meta(max_length=5_500_000)]
    commit: bool
    version: Version


@route(blueprint, "GET", "/events/{event_id}/clubs", action="event.configure", summary="The clubs", reply=ClubListView)
def list_clubs(call: Call, event_id: str) -> ClubListView:
    """团体 with 简称, 领队 and 领队手机: organizers only."""
    return club_list.read(event_id)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/club-imports",
    action="event.configure",
    summary="Import a list of clubs",
    body=ClubImportBody,
    reply=ClubImportReport,
)
def import_clubs(call: Call, event_id: str) -> ClubImportReport:
    """Dry run with a report by row; committed all or nothing, in place of the list there is."""
    body: ClubImportBody = call.body
    try:
        data = base64.b64decode(body.content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem("bad_value", "content", why="base64") from error
    return club_list.run(call.world, event_id, data, body.commit, body.version, call.caller.actor, call.once)
