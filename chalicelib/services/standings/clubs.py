"""The public 团体 page: written one step behind the standings, under the version of the standings it belongs to."""

from __future__ import annotations

import msgspec

from chalicelib.services import pulse
from chalicelib.services.finding import known_event
from chalicelib.services.standings import pages
from chalicelib.services.world import World
from chalicelib.store.standings import find_pointer


def public_clubs(world: World, event_id: str) -> None:
    """Put the public 团体 page of the newest standings, under their very version, if the event ranks clubs."""
    _, settings = known_event(event_id)
    pointer = find_pointer(event_id)
    if not settings.club_ranking.on or pointer is None or pointer.standings is None:
        return
    version = pages.Version(pointer.standings, int(pointer.standings_pages), 0)
    clubs = pages.read_clubs(world, event_id, version.name)
    if clubs is not None and world.files.get(version.clubs_file(event_id)) is None:
        body = {"v": version.number, "round": int(pointer.standings_round), "rows": clubs}
        world.files.put(version.clubs_file(event_id), msgspec.json.encode(body), pulse.JSON_TYPE, pulse.CACHE_SNAPSHOT)
