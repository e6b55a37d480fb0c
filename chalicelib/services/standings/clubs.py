"""The public 团体 page: written one step behind the standings, under the version of the standings it belongs to."""

from __future__ import annotations

import msgspec

from chalicelib.rules.criteria import CRITERIA, HeadToHead
from chalicelib.services import pulse
from chalicelib.services.finding import known_event
from chalicelib.services.standings import pages, places
from chalicelib.services.world import World
from chalicelib.store.standings import find_pointer


def public_clubs(world: World, event_id: str) -> None:
    """Put the public 团体 page of the newest standings, under their very version, if the event ranks clubs.

    It names the criteria, and with every club the entries that were counted for it (``entries`` their numbers).
    """
    # Before the event: if it is deleted after this look, the pointer will tell.
    seen = find_pointer(event_id)
    _, settings = known_event(event_id)
    place = places.public(seen)
    if not settings.club_ranking.on or place is None:
        return
    file = pages.Version(place.name, place.pages, 0).clubs_file(event_id)
    clubs = pages.read_clubs(world, event_id, place.name)
    whole = pages.read(world, event_id, place.name, place.pages)
    if clubs is None or whole is None or world.files.get(file) is not None:
        return
    names = {row["no"]: row["name"] for row in whole.rows}
    body = {
        "v": place.number,
        "round": place.round,
        "counts": whole.counts,
        "page": 1,
        "pages": 1,
        "criteria": [label for label in whole.criteria if not _passed_over(label.code)],
        "best": settings.club_ranking.best,
        "provisional": any(row.get("provisional", False) for row in whole.rows),
        "rows": [{**row, "names": [names.get(number, "") for number in row["entries"]]} for row in clubs],
    }
    world.files.put(file, msgspec.json.encode(body), pulse.JSON_TYPE, pulse.CACHE_SNAPSHOT)
    pointer = find_pointer(event_id)
    kept = [] if pointer is None else [name for name, _, _ in pointer.kept or ()]
    withdrawn = pointer is not None and seen is not None and pointer.withdrawn_at not in (None, seen.withdrawn_at)
    if place.name not in kept or withdrawn:
        # Replaced while we wrote, perhaps by a freeze, or the event was deleted: what was removed must not come back.
        world.files.delete(file)


def _passed_over(code: str) -> bool:
    """Head to head says nothing of clubs; their values leave it out."""
    return isinstance(CRITERIA.get(code), HeadToHead)
