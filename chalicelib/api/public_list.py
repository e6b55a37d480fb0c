"""The list of events that anybody may see."""

from __future__ import annotations

from chalice.app import Blueprint

from chalicelib.api.framework import Call, route
from chalicelib.services import public_list
from chalicelib.services.views.public_list import PublicList

blueprint = Blueprint(__name__)


@route(
    blueprint,
    "GET",
    "/public-events",
    action="event.list_public",
    summary="The public event list",
    reply=PublicList,
    query=("state", "text", "after"),
)
def list_public_events(call: Call) -> PublicList:
    """``state``: upcoming (soonest first, the default), running, finished (the archive; latest first); ``text``: part
    of a name; ``after``: ``next`` of the page before. Private events are not in it."""
    query = call.query
    return public_list.page(query.get("state", public_list.UPCOMING), query.get("text", ""), query.get("after"))
