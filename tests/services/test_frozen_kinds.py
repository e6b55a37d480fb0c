"""Frozen standings of every kind of event: nothing that anybody may fetch depends on what happens from then on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.services import adjustments, freezing, standings
from chalicelib.store.events import find_event
from infra.local.engine import Engine
from tests.api.routes import all_routes, concrete
from tests.support.client import Browser
from tests.support.hall import ORGANIZER, OWNER, Hall, Pump
from tests.support.kinds import WAYS, Way, confirm, made_up, open_way, rule, tables_of
from tests.support.world import TestWorld

TURNS = (0, 5, 9)
"""Made-up results, not all of which rank alike."""
CASES = [(way, False) for way in WAYS] + [(way, True) for way in WAYS[:3]]
"""And whether what only one side has said counts, too."""


def frozen_hall(world: TestWorld, way: Way, engine: Engine) -> Hall:
    """An event whose standings are frozen from round 2 on, which is being played."""
    hall = open_way(world, way)
    hall.play(1)
    for table in tables_of(hall, 1):
        confirm(hall, table)
    Pump(engine).run()
    header = find_event(hall.event_id)
    assert header is not None
    freezing.freeze(world, hall.event_id, int(header.version), 2, ORGANIZER, OWNER, hall.keys.fresh())
    hall.play(2)
    return hall


def play_on(hall: Hall, turn: int) -> None:
    """Rule every table of round 2 in one way or another."""
    for table in tables_of(hall, 2):
        rule(hall, table, made_up(hall, table, turn), "更正")


def public(hall: Hall) -> dict[str, Any]:
    """All that anybody may fetch, by folder or route, without the counters that say that something happened."""
    found: dict[str, Any] = {}
    prefix = f"pub/{hall.event_id}/"
    for key in hall.world.files.list_prefix(prefix):
        folder = key.removeprefix(prefix).partition("/")[0]
        file = hall.world.files.get(key)
        if file is not None and folder != "changes":
            found.setdefault(folder, []).append(_steady(msgspec.json.decode(file.body)))
    for route in all_routes():
        if route.method == "GET" and "{event_id}" in route.path:
            reply = Browser().get(concrete(route, hall.event_id))
            if reply.status == 200 and reply.headers["content-type"].startswith("application/json"):
                found[route.name] = _steady(reply.json)
    return found


def _steady(body: Any) -> Any:
    counters = ("v", "changes", "recent", "calls", "standings", "charts", "server_time")
    return {name: value for name, value in body.items() if name not in counters} if isinstance(body, dict) else body


def ranking(hall: Hall) -> list[tuple[int, list[str]]]:
    return [(row.number, row.values) for row in standings.read(hall.world, hall.event_id).rows]


@pytest.mark.parametrize(("way", "live"), CASES, ids=lambda part: "live" if part is True else getattr(part, "name", ""))
def test_nothing_public_depends_on_what_happens_after_the_freeze(
    world: TestWorld, engine: Engine, way: Way, *, live: bool
) -> None:
    hall = frozen_hall(world, way, engine)
    if live:
        hall.configure(ranking_after_submission_only=False)
    seen, inside = [], []
    for turn in TURNS:
        play_on(hall, turn)
        Pump(engine).run()
        seen.append(public(hall))
        inside.append(ranking(hall))
    assert any(one != inside[0] for one in inside[1:])
    for criterion in adjustments.listed(world, hall.event_id).criteria[:1]:
        given = adjustments.Given(1, 2, criterion.code, -1, "迟到")
        adjustments.give(world, hall.event_id, given, "referee", hall.keys.fresh())
        Pump(engine).run()
        seen.append(public(hall))
    assert {"pulse.json", "standings", "charts"} <= seen[0].keys()
    for other in seen[1:]:
        assert other == seen[0]
