"""Standings as organizers and referees read them."""

from __future__ import annotations

from typing import Any

from chalicelib.services.finding import known_event
from chalicelib.services.standings import pages, places
from chalicelib.services.views.standings import StandingRow, StandingsView
from chalicelib.services.world import World
from chalicelib.store.standings import find_pointer
from chalicelib.store.transaction import Busy

ATTEMPTS = 5


def read(world: World, event_id: str) -> StandingsView:
    """The newest standings as the standings function wrote them; version 0 without rows before its first run."""
    known_event(event_id)
    for _ in range(ATTEMPTS):
        pointer = find_pointer(event_id)
        place = places.inside(pointer)
        frozen_from = places.frozen_from_of(pointer)
        if place is None:
            return StandingsView(0, 0, "all", [], [], 0, False, frozen_from)
        whole = pages.read(world, event_id, place.name, place.pages)
        if whole is not None:
            return StandingsView(
                place.number,
                place.round,
                whole.counts,
                whole.criteria,
                [_row(row) for row in whole.rows],
                place.at,
                any(row.get("provisional", False) for row in whole.rows),
                frozen_from,
            )
    # Replaced again each time we looked.
    raise Busy


def _row(row: dict[str, Any]) -> StandingRow:
    return StandingRow(
        rank=row["rank"],
        tied=row["tied"],
        number=row["no"],
        name=row["name"],
        club=row["club"],
        players=row["players"],
        values=row["values"],
        group=row["group"],
        left=row["left"],
        provisional=row.get("provisional", False),
    )
