"""Registration: requests to the store of a team that gets a place and of one that waits, and a rush of a hundred."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from msgspec import structs, to_builtins

from chalicelib.services.once import once
from chalicelib.services.registration import registering
from chalicelib.services.registration.forms import RegistrationForm
from chalicelib.services.settings import defaults, kind_of
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader
from infra.bench import national
from infra.bench.row import BenchRow
from infra.local.engine import Engine

EVENT = "bench-registration"
MOST_REQUESTS = 3
RUSH = 100
PLACES = 10
THREADS = 16


def rows() -> list[BenchRow]:
    """Requests per registration against the promise, and registrations a second on the local store."""
    with national.store(Engine) as (engine, world):
        _write_event(world)
        counted = []
        for number in range(PLACES + 1):
            engine.recorder.clear()
            _register(world, number)
            counted.append(sum(engine.recorder.requests().values()))
        begun = time.perf_counter()
        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(lambda number: _register(world, number), range(PLACES + 1, PLACES + 1 + RUSH)))
        taken = time.perf_counter() - begun
    return [
        BenchRow("C1", "registration with a place: requests to DynamoDB", counted[0], "requests", target=MOST_REQUESTS),
        BenchRow("C1", "registration that waits: requests to DynamoDB", counted[-1], "requests", target=MOST_REQUESTS),
        BenchRow("C1", f"{RUSH} registrations at once, local store", RUSH / taken, "1/s"),
    ]


def _write_event(world: World) -> None:
    settings = structs.replace(defaults("bench", kind_of("pairs"), "1"), capacity=PLACES)
    now = world.now()
    EventHeader(
        EVENT, "EVENT", event_id=EVENT, owner="bench", settings=to_builtins(settings), created_at=now, last_act_at=now
    ).save()


def _register(world: World, number: int) -> None:
    players = [PlayerView(f"选手{2 * number + each:05}", f"138{2 * number + each:08}") for each in (0, 1)]
    call = once("anyone", f"bench-key-{number:05}", "POST", "/", b"", 201)
    registering.register(world, EVENT, f"browser:{number}", RegistrationForm(players), call)
