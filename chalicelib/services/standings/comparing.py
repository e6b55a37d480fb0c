"""Recompute and compare: the stored standings against the pure function of every result in the store, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from chalicelib.services import pulse
from chalicelib.services.finding import known_event
from chalicelib.services.problems import Problem
from chalicelib.services.standings import pages, places
from chalicelib.services.standings.content import Content
from chalicelib.services.standings.refreshing import current_content, refresh
from chalicelib.services.views.standings import Comparison
from chalicelib.services.world import World
from chalicelib.store.standings import ACTIVE, Active, find_pointer

MOST_DIFFERENCES = 20
ATTEMPTS = 3
IDLE_MILLISECONDS = 7 * 86_400_000
ON_ITS_WAY = 10.0
"""Seconds after which a result has come through the stream; longer, and the stream stands still."""


def compare(world: World, event_id: str) -> Comparison:
    """Whether the stored standings say what the results say, and where they differ if not.

    A result that is still on its way through the stream is a difference, too: ask again a moment later.
    """
    known_event(event_id)
    for _ in range(ATTEMPTS):
        pointer = find_pointer(event_id)
        content = current_content(world, event_id, raw=True)
        place = places.inside(pointer)
        if place is None:
            return _nothing_stored(content)
        whole = pages.read(world, event_id, place.name, place.pages)
        if whole is not None:
            break
    else:
        raise Problem("busy")
    clubs = pages.read_clubs(world, event_id, place.name) or []
    stored = Content(place.round, whole.counts, whole.criteria, whole.rows, clubs, content.provisional)
    equal = stored.encoded() == content.encoded()
    differences = [] if equal else list(_differences(stored, content))[:MOST_DIFFERENCES]
    return Comparison(equal, place.number, differences)


def _nothing_stored(content: Content) -> Comparison:
    """Before the first round nothing need be stored."""
    equal = content.round == 0
    return Comparison(equal, 0, [] if equal else ["no standings are stored"])


def _differences(stored: Content, computed: Content) -> Iterator[str]:
    if stored.round != computed.round:
        yield f"round: {stored.round}, should be {computed.round}"
    if stored.criteria != computed.criteria:
        yield "criteria differ"
    ours: dict[int, Any] = {row["no"]: row for row in stored.rows}
    for row in computed.rows:
        mine = ours.pop(row["no"], None)
        if mine is None:
            yield f"entry {row['no']}: missing"
        elif mine != row:
            # Only numbers: names are nobody's business in a log.
            yield f"entry {row['no']}: rank {mine['rank']}, should be {row['rank']}; values " + (
                "differ" if mine["values"] != row["values"] else "equal"
            )
    for number in ours:
        yield f"entry {number}: should not be there"
    if msgspec.json.encode(stored.clubs) != msgspec.json.encode(computed.clubs):
        yield "clubs differ"


def _stays_wrong(world: World, event_id: str) -> bool:
    """Whether the standings differ from the results and nobody is making new ones. At the end of a round there is
    always a result on its way; who healed that would ring the alarm for nothing."""
    before = _ticket(event_id)
    if compare(world, event_id).equal:
        return False
    world.sleep(ON_ITS_WAY)
    return _ticket(event_id) == before and not compare(world, event_id).equal


def _ticket(event_id: str) -> int:
    """The ticket of the run that last stood by the standings."""
    pointer = find_pointer(event_id)
    return 0 if pointer is None else int(pointer.ticket)


def heal(world: World) -> int:
    """Compare and repair the standings and pulses of all active events; returns how many standings were wrong."""
    healed = 0
    for active in list(Active.query(ACTIVE, consistent_read=True)):
        try:
            header, _ = known_event(active.sk)
        except Problem:
            active.delete()
            continue
        if _stays_wrong(world, active.sk):
            refresh(world, active.sk)
            healed += 1
        pulse.publish(world, active.sk)
        if header.phase == "ended" or world.now() - int(header.last_act_at) > IDLE_MILLISECONDS:
            active.delete()
    return healed
