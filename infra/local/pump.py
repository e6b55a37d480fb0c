"""Streams to functions: what Lambda's event source mapping does, one thread per lane.

Records of one partition key always go through the same lane, in order. A lane keeps its place in the store's own
file, so a killed process takes up where it stopped; a batch may then come twice, never not at all.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from infra.local.engine import Engine
from infra.local.engine.streams import position_of
from infra.local.event_filters import passes
from infra.local.event_sources import StreamSource

IDLE_SECONDS = 0.5
READ_AHEAD = 500
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 5.0

Record = dict[str, Any]
Invoke = Callable[[str, dict[str, Any]], Any]

logger = logging.getLogger("guanjun.local")


class Stopped(Exception):
    """The pump was told to stop in the middle of a batch; it will be done after the next start."""


def consumers(source: StreamSource) -> list[str]:
    """The names under which the lanes of a source keep their places."""
    return [f"{source.function}/{number + 1}of{source.lanes}" for number in range(source.lanes)]


def lanes(
    engine: Engine, source: StreamSource, invoke: Invoke, dead_letters: Path, stop: threading.Event
) -> list[Lane]:
    """All lanes of a source, each from where it stopped."""
    positions = engine.context.storage.take_up(source.function, consumers(source))
    return [
        Lane(engine, source, number, position, invoke, dead_letters, stop) for number, position in enumerate(positions)
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
    ) -> None:
        """``position``: behind which record to begin; ``invoke(function, event)`` calls the function;
        ``dead_letters``: the directory for what failed.
        """
        self._engine = engine
        self._source = source
        self._number = number
        self._invoke = invoke
        self._dead_letters = dead_letters
        self._stop = stop
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
            self._deal_with(batch)
        self._move_to(last, save=bool(batch) or last - self._saved >= READ_AHEAD)
        return True

    def _is_ours(self, record: Record) -> bool:
        if self._source.lanes > 1:
            key = msgspec.json.encode(record["dynamodb"]["Keys"][self._table.keys.partition.name])
            if int.from_bytes(hashlib.sha256(key).digest()[:4], "big") % self._source.lanes != self._number:
                return False
        return passes(self._source.patterns, record)

    def _move_to(self, position: int, *, save: bool) -> None:
        self._position = max(self._position, position)
        if save:
            self._engine.context.storage.save_checkpoint(self._consumer, self._position)
            self._saved = self._position

    def _deal_with(self, batch: list[tuple[int, Record]]) -> None:
        failures = 0
        while batch:
            done, error = self._call(batch)
            if done:
                # What came before the failure is done for good and not handed over again.
                self._move_to(batch[done - 1][0], save=True)
                batch, failures = batch[done:], 0
                continue
            failures += 1
            if self._source.bisects and len(batch) > 1:
                middle = len(batch) // 2
                self._deal_with(batch[:middle])
                self._deal_with(batch[middle:])
                return
            if failures > self._source.max_retries:
                self._give_up(batch, error)
                return
            if self._stop.wait(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1))):
                raise Stopped

    def _call(self, batch: list[tuple[int, Record]]) -> tuple[int, str]:
        """Hand a batch over; returns how many records from its beginning are done, and what went wrong."""
        if self._stop.is_set():
            raise Stopped
        try:
            answer = self._invoke(self._source.function, {"Records": [record for _, record in batch]})
        except Exception as error:
            logger.warning("%s failed on %d records", self._source.function, len(batch), exc_info=True)
            return 0, repr(error)
        failed = (answer or {}).get("batchItemFailures") or [] if self._source.reports_failures else []
        if not failed:
            return len(batch), ""
        try:
            first = min(position_of(failure["itemIdentifier"]) for failure in failed)
        except (KeyError, TypeError, ValueError):
            # As in AWS: an answer that names no record means that none is done.
            return 0, "reported a failure without naming a record"
        return sum(position < first for position, _ in batch), "reported as failed"

    def _give_up(self, batch: list[tuple[int, Record]], error: str) -> None:
        first = batch[0][0]
        directory = self._dead_letters / self._source.function
        directory.mkdir(parents=True, exist_ok=True)
        letter = {
            "function": self._source.function,
            "table": self._source.table,
            "error": error,
            "records": [record for _, record in batch],
        }
        temporary = directory / f"{first}.writing"
        temporary.write_bytes(msgspec.json.encode(letter))
        temporary.replace(directory / f"{first}.json")
        logger.error("%s gave up on %d records: see %s", self._source.function, len(batch), directory)
        self._move_to(batch[-1][0], save=True)


class Pump:
    """All lanes of all stream functions."""

    def __init__(self, engine: Engine, sources: list[StreamSource], invoke: Invoke, dead_letters: Path) -> None:
        self._engine = engine
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=lane.run, name=f"reader of {source.table}", daemon=True)
            for source in sources
            for lane in lanes(engine, source, invoke, dead_letters, self._stop)
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
