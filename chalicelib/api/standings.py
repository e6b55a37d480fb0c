"""Standings: the newest, an entry's addends, and their comparison with the results."""

from __future__ import annotations

from chalice.app import Blueprint

from chalicelib.api.framework import Call, route
from chalicelib.services import charts, standings
from chalicelib.services.views.charts import Charts
from chalicelib.services.views.standings import Comparison, EntryAddends, PublicAddends, StandingsView

blueprint = Blueprint(__name__)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/standings",
    action="standings.read",
    summary="The newest standings",
    reply=StandingsView,
)
def read_standings(call: Call, event_id: str) -> StandingsView:
    """As the standings function last wrote them."""
    return standings.read(call.world, event_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/standings/{number}",
    action="standings.read",
    summary="One entry's addends",
    reply=EntryAddends,
)
def read_addends(call: Call, event_id: str, number: int) -> EntryAddends:
    """Every addend of every number: which round, which opponent, why."""
    return standings.addends(call.world, event_id, number)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/public-standings/{number}",
    action="event.read_public",
    summary="One entry's addends, for everybody",
    reply=PublicAddends,
)
def read_public_addends(call: Call, event_id: str, number: int) -> PublicAddends:
    """Only what the public standings count: nothing of a round from which on they are frozen."""
    return standings.public_addends(call.world, event_id, number)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/charts",
    action="standings.read",
    summary="What charts are drawn from",
    reply=Charts,
)
def read_charts(call: Call, event_id: str) -> Charts:
    """As things stand, frozen or not; everybody else reads the snapshot that the pulse names."""
    return charts.read(call.world, event_id)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/comparison",
    action="standings.read",
    summary="Recompute and compare",
    reply=Comparison,
)
def compare_standings(call: Call, event_id: str) -> Comparison:
    """The stored standings against the pure function of all effective results."""
    return standings.compare(call.world, event_id)
