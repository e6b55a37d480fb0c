"""What one call of a function asks of the cloud, read off the store's engine and the files while it runs."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chalicelib.gateways.files import StoredFile
from chalicelib.gateways.metrics import Figure
from infra.local.engine import Engine
from infra.local.engine.errors import ServiceError
from infra.local.engine.recorder import Recorder
from infra.local.files import LocalFiles
from infra.simulate.agenda import VirtualTime
from infra.simulate.settings import Cloud

TRANSACTED = 2
_LONG = ("BatchGetItem", "BatchWriteItem", "Query", "Scan", "TransactWriteItems", "TransactGetItems")


@dataclass(slots=True)
class Cost:
    """Sums over one or more calls. Units are DynamoDB's; ``waited_ms`` is virtual, ``cpu_ms`` measured on the program
    alone, without the store that stands in for the cloud's."""

    calls: int = 0
    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    s3_writes: int = 0
    s3_reads: int = 0
    figures: int = 0
    waited_ms: float = 0.0
    cpu_ms: float = 0.0
    bytes_out: int = 0

    def add(self, other: Cost, times: float = 1.0) -> None:
        """Add another cost, so many times over."""
        for name in Cost.__slots__:
            setattr(self, name, getattr(self, name) + times * getattr(other, name))


class Meter:
    """Adds up what happens between :meth:`begin` and :meth:`end`, lets virtual time pass for it, and keeps the write
    rate of every partition key."""

    def __init__(self, clock: VirtualTime, cloud: Cloud) -> None:
        self.clock = clock
        self.cloud = cloud
        self.cost = Cost()
        self.hot: dict[tuple[str, str], dict[int, float]] = defaultdict(lambda: defaultdict(float))
        """Write units of (table, partition key) by second."""
        self.tables: set[str] = set()
        """Tables that the present call has asked."""
        self._away = 0.0
        self._began = 0.0
        self._outer: list[tuple[Cost, set[str], float, float]] = []

    def begin(self) -> None:
        """A call begins; perhaps while another one sleeps."""
        self._outer.append((self.cost, self.tables, self._away, self._began))
        self.cost, self.tables, self._away = Cost(calls=1), set(), 0.0
        self._began = time.thread_time()

    def end(self) -> tuple[Cost, set[str]]:
        """It ended; what it asked for, and which tables."""
        cost, tables = self.cost, self.tables
        taken = time.thread_time() - self._began
        cost.cpu_ms = max(0.0, 1000 * (taken - self._away))
        self.cost, self.tables, self._away, self._began = self._outer.pop()
        self._away += taken
        return cost, tables

    def wait(self, milliseconds: float) -> None:
        """The call waited for the cloud."""
        self.cost.waited_ms += milliseconds
        self.clock.now += milliseconds

    def away(self, seconds: float) -> None:
        """So much CPU time went into what stands in for the cloud."""
        self._away += seconds

    def wrote(self, table: str, key: str, units: float) -> None:
        """One item of a partition was written."""
        self.hot[table, key][int(self.clock.now) // 1000] += units


class _Units(Recorder):
    """Hands the units of each access on to a meter, beside the engine's own books."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self._meter = meter
        self.written: list[float] = []

    def access(
        self,
        operation: str,
        action: str,
        table: str,
        index: str | None = None,
        *,
        items: int = 1,
        read_units: float = 0.0,
        write_units: float = 0.0,
    ) -> None:
        """As the engine reports it."""
        super().access(operation, action, table, index, items=items, read_units=read_units, write_units=write_units)
        self._meter.cost.read_units += read_units
        self._meter.cost.write_units += write_units
        if write_units:
            self.written.append(write_units)


class MeteredEngine(Engine):
    """The local engine, with a meter on it."""

    def __init__(self, path: Path, meter: Meter) -> None:
        super().__init__(path, clock=meter.clock.seconds)
        self._meter = meter
        self._units = self.context.recorder = _Units(meter)

    def answer(self, operation: str, body: bytes) -> tuple[int, bytes]:
        """As any engine; its own CPU time is not the program's."""
        begun = time.thread_time()
        try:
            return super().answer(operation, body)
        finally:
            self._meter.away(time.thread_time() - begun)

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry the request out, at the time when the cloud would have."""
        cloud = self._meter.cloud
        self._meter.cost.requests += 1
        self._meter.wait(cloud.dynamodb_batch_ms if operation in _LONG else cloud.dynamodb_ms)
        self._meter.tables.update(_tables(request))
        self._units.written.clear()
        try:
            return super().call(operation, request)
        except ServiceError as error:
            if error.code == "TransactionCanceledException":
                # The engine books nothing for it; AWS bills what was tried.
                tried = [float(TRANSACTED)] * len(request["TransactItems"])
                self._meter.cost.write_units += sum(tried)
                self._units.written[:] = tried
            raise
        finally:
            self._note_keys(operation, request)

    def _note_keys(self, operation: str, request: dict[str, Any]) -> None:
        units = self._units.written
        if not units:
            return
        keys = list(_written_keys(operation, request))
        if operation == "BatchWriteItem":
            # Booked by table: all items of one batch of ours have nearly the same size.
            units = [sum(units) / len(keys)] * len(keys)
        for (table, key), amount in zip(keys, units, strict=False):
            self._meter.wrote(table, key, amount)


def _tables(request: dict[str, Any]) -> Iterator[str]:
    if "TableName" in request:
        yield request["TableName"]
    yield from request.get("RequestItems", ())
    for item in request.get("TransactItems", ()):
        yield from (part["TableName"] for part in item.values())


def _written_keys(operation: str, request: dict[str, Any]) -> list[tuple[str, str]]:
    if operation == "TransactWriteItems":
        parts = [part for item in request["TransactItems"] for part in item.values()]
        return [(part["TableName"], _key(part)) for part in parts]
    if operation == "BatchWriteItem":
        return [
            (table, _key(part))
            for table, writes in request["RequestItems"].items()
            for write in writes
            for part in write.values()
        ]
    return [(request["TableName"], _key(request))]


def _key(part: dict[str, Any]) -> str:
    return str((part.get("Item") or part["Key"])["pk"]["S"])


class MeteredFiles(LocalFiles):
    """The local files, counted as requests to S3. A signed link costs nothing until somebody follows it."""

    def __init__(self, root: Path, secret: bytes, meter: Meter) -> None:
        super().__init__(root, secret, clock=meter.clock.seconds)
        self._meter = meter
        self.root = root
        self.uncounted = LocalFiles(root, secret)
        """The same files, for looking at them without a bill."""
        self.pulses: list[float] = []
        """When a pulse moved (virtual ms)."""

    def get(self, key: str) -> StoredFile | None:
        self._read()
        return super().get(key)

    def put(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        self._write_request()
        return super().put(key, body, content_type, cache_control)

    def put_if_match(self, key: str, body: bytes, etag: str | None, content_type: str, cache_control: str) -> str:
        self._write_request()
        # The disk looks at the file that is there; S3 does so by itself.
        self._meter.cost.s3_reads -= 1
        self._meter.wait(-self._meter.cloud.s3_read_ms)
        written = super().put_if_match(key, body, etag, content_type, cache_control)
        if key.endswith("/pulse.json"):
            self.pulses.append(self._meter.clock.now)
        return written

    def list_prefix(self, prefix: str) -> list[str]:
        # Billed like a write.
        self._write_request()
        return super().list_prefix(prefix)

    def delete_prefix(self, prefix: str) -> int:
        found = super().delete_prefix(prefix)
        # Deletions are free; a thousand go in one request.
        self._meter.wait(self._meter.cloud.s3_write_ms)
        return found

    def _read(self) -> None:
        self._meter.cost.s3_reads += 1
        self._meter.wait(self._meter.cloud.s3_read_ms)

    def _write_request(self) -> None:
        self._meter.cost.s3_writes += 1
        self._meter.wait(self._meter.cloud.s3_write_ms)


class CountedFigures:
    """The program's figures, each a line in the log."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self.sums: dict[str, float] = defaultdict(float)

    def add(self, figure: Figure, value: float = 1) -> None:
        """Count one line."""
        self._meter.cost.figures += 1
        self.sums[figure] += value
