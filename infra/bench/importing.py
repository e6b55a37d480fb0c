"""Q8: a committed import of 10,000 pairs, as the job carries it out on the local store, from its order to its end."""

from __future__ import annotations

import time

import msgspec

from chalicelib.services.jobs import advancing, importing
from chalicelib.services.once import once
from chalicelib.services.settings import defaults, kind_of
from chalicelib.services.world import World
from chalicelib.store.entries import all_entries
from chalicelib.store.events import EventHeader, find_event
from infra.bench import national
from infra.bench.roster import ENTRIES, MOST_SECONDS, _openpyxl_pass, _roster_file, _seconds
from infra.bench.row import BenchRow
from infra.local.engine import Engine

EVENT = "bench-import"
KEY = f"uploads/{EVENT}/roster"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def rows() -> list[BenchRow]:
    """Seconds of all steps of the job: check, rows and indexes, and the one transaction that makes them count."""
    data = _roster_file()
    reference = _seconds(lambda: _openpyxl_pass(data))
    with national.store(Engine) as (engine, world):
        _write_event(world)
        world.files.put(KEY, data, XLSX, "no-store")
        engine.recorder.clear()
        begun = time.perf_counter()
        steps = _import(world)
        taken = time.perf_counter() - begun
        requests = sum(engine.recorder.requests().values())
        header = find_event(EVENT)
        count = 0 if header is None else len(all_entries(EVENT, header.imports or ()))
    return [
        BenchRow(
            id="Q8",
            what=f"import of {count:,} pairs from .xlsx, committed, local store",
            value=taken,
            unit="s",
            target=MOST_SECONDS,
            reference=reference,
            reference_name="openpyxl read-only pass over the same file",
            note=f"{steps} steps, {requests:,} requests to the store",
        )
    ]


def _write_event(world: World) -> None:
    settings = defaults("bench", kind_of("pairs"), "1")
    now = world.now()
    EventHeader(
        EVENT,
        "EVENT",
        event_id=EVENT,
        owner="bench",
        settings=msgspec.to_builtins(settings),
        created_at=now,
        last_act_at=now,
    ).save()


def _import(world: World) -> int:
    """Carry the job out to its end; how many steps it took."""
    call = once("account:bench", "bench-import-key", "POST", "/", b"", 202)
    job = importing.start(world, EVENT, KEY, True, None, "zh", "account:bench", call)
    steps = 0
    while not importing.read(world, EVENT, job.job_id).over:
        advancing.advance(world, job.job_id)
        steps += 1
    over = importing.read(world, EVENT, job.job_id)
    if over.phase != "done" or over.done != ENTRIES:
        raise RuntimeError(f"the import ended as {over.phase} with {over.done} entries")
    return steps
