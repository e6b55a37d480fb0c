"""H1: the whole workbook of a large national event as its job makes it, step by step, on the local store."""

from __future__ import annotations

import time
from dataclasses import replace

from chalicelib.services.jobs import advancing, exporting
from chalicelib.services.jobs.exporting import FileName
from chalicelib.services.once import once
from chalicelib.services.world import World
from chalicelib.store.jobs import find_job
from infra.bench import national
from infra.bench.row import BenchRow
from infra.local.engine import Engine

TABLES = 5000
"""In each round, of 10,000 entries: 10,000 pairs are twice the largest event we know of."""
MOST_STEP_SECONDS = 30
NAMES: tuple[FileName, ...] = ("workbook", "document")


def rows() -> list[BenchRow]:
    """CPU seconds of the longest step of each file; its size and all steps in the note."""
    with national.store(Engine) as (_, world):
        national.write_event(world, settled=national.ROUNDS, tables=TABLES, playing=False)
        return [_row(world, name) for name in NAMES]


def _row(world: World, name: FileName) -> BenchRow:
    steps, size = made(world, name)
    return BenchRow(
        id="H1",
        what=f"longest step of the {name} of {2 * TABLES:,} entries, {national.ROUNDS} rounds, CPU",
        value=max(steps),
        unit="s",
        target=MOST_STEP_SECONDS,
        note=f"{size / 1e6:.1f} MB in {len(steps)} steps: {', '.join(f'{step:.1f}' for step in steps)} s",
    )


def made(world: World, name: FileName, event_id: str = national.EVENT) -> tuple[list[float], int]:
    """CPU seconds of each step that making a file takes, and its bytes. Steps end by the clock on the wall."""
    world = replace(world, clock=lambda: time.time_ns() // 1_000_000)
    call = once("account:bench", f"bench-export-{name}", "POST", f"/{name}", b"", 202)
    job = exporting.start(world, event_id, name, "zh", "account:bench", call)
    steps = []
    while not exporting.read(world, event_id, job.job_id).over:
        begun = time.process_time()
        advancing.advance(world, job.job_id)
        steps.append(time.process_time() - begun)
    kept = find_job(job.job_id)
    file = None if kept is None else world.files.get(f"downloads/{event_id}/{job.job_id}-file")
    if file is None:
        raise RuntimeError(f"the export ended as {None if kept is None else kept.problem}")
    return steps, len(file.body)
