"""Streams to functions: what Lambda's event source mapping does, one thread per lane.

Records of one partition key always go through the same lane, in order. A lane keeps its place in the store's own
file, so a killed process takes up where it stopped; a batch may then come twice, never not at all.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from pathlib import Path

import msgspec

from infra.local.delivery import LONGEST_PAUSE, Delivery, Invoke, Record, Stopped, number_of
from infra.local.engine import Engine
from infra.local.engine.streams import position_of
from infra.local.event_filters import passes
from infra.local.event_sources import StreamSource

IDLE_SECONDS = 0.5
READ_AHEAD = 500

logger = logging.getLogger("guanjun.local")


def consumers(source: StreamSource) -> list[str]:
    """The names under which the lanes of a source keep their places."""
    return [f"{source.function}/{number + 1}of{source.lanes}" for number in range(source.lanes)]


def lanes(
    engine: Engine,
    source: StreamSource,
    invoke: Invoke,
    dead_letters: Path,
    stop: threading.Event,
    switches: Path | None = None,
) -> list[Lane]:
    """All lanes of a source, each from where it stopped."""
    positions = engine.context.storage.take_up(source.function, consumers(source))
    return [
        Lane(engine, source, number, position, invoke, dead_letters, stop, switches)
        for number, position in enumerate(positions)
    ]


class Lane:
    """One ordered consumer of a stream: reads, filters, calls the function, retries, bisects, gives up."""

    def __init__(
        self,
        engine: Engine,
        source: StreamSource,
        number: int,
        position: int,
        invoke: Invoke,
        dead_letters: Path,
        stop: threading.Event,
        switches: Path | None = None,
    ) -> None:
        """``position``: behind which record to begin; ``invoke(function, event)`` calls the function;
        ``dead_letters``: the directory for what failed; ``switches``: that of the functions that wait.
        """
        self._engine = engine
        self._source = source
        self._number = number
        self._stop = stop
        self._delivery = Delivery(source, invoke, dead_letters, stop, self._is_done, switches)
        self._table = engine.table(source.table)
        self._consumer = consumers(source)[number]
        self._position = self._saved = position

    def run(self) -> None:
        """Consume until told to stop."""
        storage = self._engine.context.storage
        while not self._stop.is_set():
            # Looked at before reading, so that a write in between is not slept through.
            seen = storage.announcements
            try:
                if not self.step():
                    storage.wait_for_records(seen, IDLE_SECONDS)
            except Stopped:
                return
            except Exception:
                # A full disk or a locked file may pass; a lane that ended would never come back.
                logger.exception("the reader %s stumbled", self._consumer)
                self._stop.wait(LONGEST_PAUSE)

    def step(self) -> bool:
        """Deal with what is there, at most one batch; says whether there was anything."""
        newest = self._engine.context.storage.last_position()
        found = self._engine.records(self._table, self._position, READ_AHEAD)
        if not found:
            # Positions are counted over all streams: what others wrote must not hold up the trimming of records.
            self._move_to(newest, save=newest - self._saved >= READ_AHEAD)
            return False
        batch: list[tuple[int, Record]] = []
        last = self._position
        for position, record in found:
            if self._is_ours(record):
                if len(batch) == self._source.batch_size:
                    break
                batch.append((position, record))
            last = position
        if batch:
            self._delivery.deliver([record for _, record in batch])
        self._move_to(last, save=bool(batch) or last - self._saved >= READ_AHEAD)
        return True

    def _is_ours(self, record: Record) -> bool:
        if self._source.lanes > 1:
            key = msgspec.json.encode(record["dynamodb"]["Keys"][self._table.keys.partition.name])
            if int.from_bytes(hashlib.sha256(key).digest()[:4], "big") % self._source.lanes != self._number:
                return False
        return passes(self._source.patterns, record)

    def _is_done(self, record: Record) -> None:
        self._move_to(position_of(number_of(record)), save=True)

    def _move_to(self, position: int, *, save: bool) -> None:
        self._position = max(self._position, position)
        if save:
            self._engine.context.storage.save_checkpoint(self._consumer, self._position)
            self._saved = self._position


class Pump:
    """All lanes of all stream functions."""

    def __init__(
        self,
        engine: Engine,
        sources: list[StreamSource],
        invoke: Invoke,
        dead_letters: Path,
        switches: Path | None = None,
    ) -> None:
        self._engine = engine
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=lane.run, name=f"reader of {source.table}", daemon=True)
            for source in sources
            for lane in lanes(engine, source, invoke, dead_letters, self._stop, switches)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float = 10.0) -> None:
        """Let running batches end (up to ``seconds`` each lane) and stop."""
        self._stop.set()
        self._engine.context.storage.wake_readers()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(seconds)
