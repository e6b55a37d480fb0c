"""A series of events played through the API: made, played with made-up results, formed stage by stage."""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.rules.levels import LEVELS
from chalicelib.services import clock, entries, rounds, scoring
from chalicelib.services.finding import known_event
from chalicelib.services.views.entries import PlayerView
from chalicelib.store.entries import all_entries
from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.hall import ORGANIZER, Keys, Pump
from tests.support.people import Hall, phone
from tests.support.world import TestWorld

KEYS = Keys("account:series")


def another(hall: Hall, name: str, kind: str = "pairs", rounds: int = 1, **settings: Any) -> Hall:
    """One more event of the same owner."""
    reply = hall.owner.post("/events", {"name": name, "kind": kind, "rounds": rounds})
    assert reply.status == 201, reply.json
    made = Hall(hall.world, hall.owner, reply.json["event_id"])
    made.configure(registration_closed=True, **settings)
    return made


def enter(hall: Hall, count: int, first: int, clubs: int = 0) -> None:
    """Pairs with phones; of so many 团体."""
    for index in range(count):
        one = first + 2 * index
        club = f"团体{index % clubs}" if clubs else ""
        players = [PlayerView(f"选手{each:03d}", phone(each)) for each in (one, one + 1)]
        typed = entries.TypedEntry("", club, players)
        entries.add(hall.world, hall.event_id, typed, ORGANIZER, KEYS.fresh())


def play(hall: Hall, count: int | None = None, *, drawn: bool = False) -> None:
    """Play and settle rounds: of two the one with the smaller number wins; ``drawn``: every table ends level."""
    world, event_id = hall.world, hall.event_id
    planned = hall.owner.get(hall.path()).json["settings"]["rounds"]
    begun = hall.owner.get(hall.path()).json["last_round"]
    for number in range(begun + 1, begun + (count or planned) + 1):
        world.time.advance(seconds=1)  # the log is in the order of time
        rounds.draw(world, event_id, False, ORGANIZER, KEYS.fresh())
        version = rounds.read(world, event_id, number).version
        world.time.advance(seconds=1)
        published = rounds.publish(world, event_id, number, version, ORGANIZER, KEYS.fresh())
        assert published.clock is not None
        clock.command(world, event_id, number, "start", published.clock.version, 0, 0, ORGANIZER, KEYS.fresh())
        for table in scoring.grid(world, event_id, number).tables:
            better = table.ns.number < table.ew.number
            lower = LEVELS[(table.ns.number * 5 + table.ew.number * 3 + table.ns.number * table.ew.number) % 12]
            levels = ("A", lower) if better else (lower, "A")
            world.time.advance(seconds=1)
            score = scoring.Score("played", *(("9", "9") if drawn else levels))
            scoring.rule(world, event_id, number, table.table, table.version, score, "", "referee", KEYS.fresh())
        world.time.advance(seconds=1)
        version = rounds.read(world, event_id, number).version
        rounds.settle(world, event_id, number, version, ORGANIZER, KEYS.fresh())


def arrange(hall: Hall, *stages: list[Hall], name: str = "公开赛") -> Any:
    """Make these the stages of the series; the reply."""
    body = {
        "name": name,
        "stages": [
            {"name": f"阶段{place}", "events": [each.event_id for each in stage]}
            for place, stage in enumerate(stages, start=1)
        ],
        "token": hall.owner.get(hall.path("/series")).json["token"],
    }
    return hall.owner.put(hall.path("/series"), body)


def preview(hall: Hall, stage: int, browser: Browser | None = None, **plan: Any) -> Any:
    """The reply to a preview."""
    return (browser or hall.owner).post(hall.path("/series/previews"), {"stage": stage, "plan": plan})


def order(hall: Hall, stage: int, **plan: Any) -> Any:
    """Agree to the preview as it is; the reply, a job in the queue."""
    shown = preview(hall, stage, **plan)
    assert shown.status == 200, shown.json
    body = {"stage": stage, "plan": plan, "fingerprint": shown.json["fingerprint"]}
    return hall.owner.post(hall.path("/series/formations"), body)


def form(hall: Hall, engine: Engine, stage: int, **plan: Any) -> dict[str, Any]:
    """Form a stage; the job when it is over."""
    reply = order(hall, stage, **plan)
    assert reply.status == 202, reply.json
    return over(hall, engine, reply.json["job_id"])


def undo(hall: Hall, engine: Engine, stage: int) -> dict[str, Any]:
    """Take a stage back; the job when it is over."""
    reply = hall.owner.post(hall.path("/series/undoing"), {"stage": stage})
    assert reply.status == 202, reply.json
    return over(hall, engine, reply.json["job_id"])


def over(hall: Hall, engine: Engine, job: str) -> dict[str, Any]:
    """The job once the streams are through."""
    Pump(engine).run()
    found: dict[str, Any] = hall.owner.get(hall.path(f"/series/jobs/{job}")).json
    assert found["over"], found
    return found


def roster(hall: Hall) -> list[tuple[Any, ...]]:
    """Number, seed, group, names, phones of everybody in an event."""
    header, _ = known_event(hall.event_id)
    return [
        (
            each.number,
            each.seed,
            each.group,
            each.club,
            tuple(player.name for player in each.players),
            tuple(player.phone for player in each.players),
        )
        for each in all_entries(hall.event_id, header.imports or ())
    ]


def series(hall: Hall) -> Any:
    """The series as its organizer sees it."""
    return hall.owner.get(hall.path("/series")).json


def formed(hall: Hall) -> Any:
    """How the event was formed."""
    stages = series(hall)["stages"]
    return next(each["formed"] for stage in stages for each in stage["events"] if each["event_id"] == hall.event_id)


def halls(world: TestWorld, first: Hall) -> list[Hall]:
    """Two batches, a round robin in groups, a knock-out and a final, none of them played."""
    assert world is first.world
    first.configure(registration_closed=True, rounds=3)
    return [
        first,
        another(first, "海选乙", rounds=3),
        another(first, "小组赛", "round_robin", rounds=3),
        another(first, "淘汰赛", rounds=2, knockout=True),
        another(first, "决赛", rounds=1),
    ]


def encoded(value: Any) -> bytes:
    """Equal values, equal bytes."""
    return msgspec.json.encode(value, order="sorted")
