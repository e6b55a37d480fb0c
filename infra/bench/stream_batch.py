"""Q5: a stream batch of 100 score changes of one event with 2,500 tables, from the batch to pages, pointer and pulse.

The program's time is the CPU time of the call without what the local store itself takes; the store's answers are real.
"""

from __future__ import annotations

import time
from typing import Any

from chalicelib.services.world import World
from chalicelib.store.bulk import put_items
from chalicelib.store.tables import table_name
from infra.bench import national
from infra.bench.row import BenchRow
from infra.local.engine import Engine
from infra.local.functions import invoke

CHANGES = 100
TARGET_SECONDS = 1.0
MOST_PER_ROUND = 0.05
"""What one settled round may cost in reads, as a part of a whole batch in round 2: its pack, not its tables."""


class _Clocked(Engine):
    """Adds up the CPU time that it takes itself."""

    seconds = 0.0

    def answer(self, operation: str, body: bytes) -> tuple[int, bytes]:
        """As any engine does."""
        begun = time.thread_time()
        reply = super().answer(operation, body)
        self.seconds += time.thread_time() - begun
        return reply


def rows() -> list[BenchRow]:
    """Program time of the batch in round 8, and how reads grow from round 2 to round 8."""
    early, _, _ = _measured(settled=1)
    late, seconds, requests = _measured(settled=national.ROUNDS - 1)
    return [
        BenchRow(
            "Q5",
            f"stream batch of {CHANGES} changes, {national.TABLE_COUNT} tables, round {national.ROUNDS}: program time",
            seconds,
            "CPU s",
            target=TARGET_SECONDS,
        ),
        BenchRow("Q5", "the same: read units in round 8", late, "RCU", note=f"{requests} requests"),
        BenchRow(
            "Q5",
            "the same: read units that one more settled round adds",
            (late - early) / (national.ROUNDS - 2),
            "RCU",
            reference=early,
            reference_name="the whole batch in round 2",
            ratio_target=MOST_PER_ROUND,
        ),
    ]


def _measured(settled: int) -> tuple[float, float, int]:
    """Read units, program seconds and requests of one batch after ``settled`` settled rounds."""
    import app as application

    with national.store(_Clocked) as (engine, world):
        national.write_event(world, settled)
        # The first run packs what is settled; a round is packed once.
        _run(application.app, _batch(engine, world, settled + 1, level=3))
        batch = _batch(engine, world, settled + 1, level=5)
        engine.recorder.clear()
        engine.seconds = 0.0
        begun = time.process_time()
        _run(application.app, batch)
        seconds = time.process_time() - begun - engine.seconds
        units = sum(usage.read_units for usage in engine.recorder.usage().values())
        requests = sum(engine.recorder.requests().values())
    return units, seconds, requests


def _batch(engine: Engine, world: World, number: int, level: int) -> list[dict[str, Any]]:
    """Change the words of 50 tables, both sides, and give the stream's records of it."""
    table = engine.table(table_name("matches"))
    after = 0
    while records := engine.records(table, after, 1000):
        after = records[-1][0]
    words = [
        national.word(number, table_number, side, level)
        for table_number in range(2, CHANGES + 2, 2)
        for side in ("ns", "ew")
    ]
    put_items(table_name("matches"), words, world.sleep, world.random.fraction)
    return [record for _, record in engine.records(table, after, 1000)]


def _run(application: Any, batch: list[dict[str, Any]]) -> None:
    answer = invoke(application, "standings", {"Records": batch})
    if len(batch) != CHANGES or answer["batchItemFailures"]:
        raise RuntimeError(f"a batch of {len(batch)} was answered by {answer}")
