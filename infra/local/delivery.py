"""Handing a batch of stream records to a function until it is dealt with: retries, bisecting, dead letters."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from infra.local.event_sources import StreamSource

FIRST_PAUSE = 0.05
LONGEST_PAUSE = 5.0
LOOKED_AT_EVERY = 0.1
"""Seconds between two looks at whether a source is switched on again."""

Record = dict[str, Any]
Invoke = Callable[[str, dict[str, Any]], Any]

logger = logging.getLogger("guanjun.local")


class Stopped(Exception):
    """The stack was told to stop in the middle of a batch; it will be handed over again after the next start."""


def number_of(record: Record) -> str:
    """The sequence number of a record, by which a function reports it."""
    return str(record["dynamodb"]["SequenceNumber"])


class Delivery:
    """Delivers the batches of one event source, as AWS does.

    What a function reports as failed is handed over again from there. A batch that fails is halved where the source
    bisects, else tried again after growing pauses; what fails for the last time is written to a file, so that one
    bad record never holds up the others.
    """

    def __init__(
        self,
        source: StreamSource,
        invoke: Invoke,
        dead_letters: Path,
        stop: threading.Event,
        done: Callable[[Record], None],
        switches: Path | None = None,
    ) -> None:
        """``invoke(function, event)`` calls the function; ``done(record)``: everything up to this one is dealt with;
        ``switches``: nothing is handed over while a file with the function's name lies there.
        """
        self._source = source
        self._invoke = invoke
        self._directory = dead_letters / source.function
        self._stop = stop
        self._done = done
        self._switch = None if switches is None else switches / source.function

    def deliver(self, batch: list[Record]) -> None:
        """Deal with all records of a batch; raises :class:`Stopped`."""
        failures = 0
        while batch:
            count, error = self._call(batch)
            if count:
                # What came before the failure is done for good and not handed over again.
                self._done(batch[count - 1])
                batch, failures = batch[count:], 0
                continue
            failures += 1
            if self._source.bisects and len(batch) > 1:
                middle = len(batch) // 2
                self.deliver(batch[:middle])
                self.deliver(batch[middle:])
                return
            if failures > self._source.max_retries:
                self._give_up(batch, error)
                return
            if self._stop.wait(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1))):
                raise Stopped

    def _call(self, batch: list[Record]) -> tuple[int, str]:
        """Hand a batch over; returns how many records from its beginning are done, and what went wrong."""
        # After the records were read: whoever switches a source off before a write knows that it is not handed over.
        while self._switch is not None and self._switch.exists():
            if self._stop.wait(LOOKED_AT_EVERY):
                raise Stopped
        if self._stop.is_set():
            raise Stopped
        try:
            answer = self._invoke(self._source.function, {"Records": batch})
        except Exception as error:
            logger.warning("%s failed on %d records", self._source.function, len(batch), exc_info=True)
            return 0, repr(error)
        failed = (answer or {}).get("batchItemFailures") or [] if self._source.reports_failures else []
        numbers = [number_of(record) for record in batch]
        # As in AWS: a report that names no record of the batch means that none is done.
        places = [
            numbers.index(failure["itemIdentifier"]) if failure.get("itemIdentifier") in numbers else 0
            for failure in failed
        ]
        return min(places, default=len(batch)), "reported as failed"

    def _give_up(self, batch: list[Record], error: str) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        letter = {
            "function": self._source.function,
            "table": self._source.table,
            "error": error,
            "records": batch,
        }
        name = number_of(batch[0])
        temporary = self._directory / f"{name}.writing"
        temporary.write_bytes(msgspec.json.encode(letter))
        temporary.replace(self._directory / f"{name}.json")
        logger.error("%s gave up on %d records: see %s", self._source.function, len(batch), self._directory)
        self._done(batch[-1])
