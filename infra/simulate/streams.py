"""Streams and schedules in virtual time: batches as Lambda's event source mappings would form them.

Filters, batch sizes, windows and lanes are those of ``infra/merge.yaml``, schedules those of the application.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
from chalice.utils import to_cfn_resource_name

from infra.local.delivery import Record
from infra.local.event_filters import passes
from infra.local.event_sources import StreamSource, schedules, stream_sources
from infra.local.schedule import parse_schedule
from infra.local.ticker import scheduled_event
from infra.simulate.ledger import Ledger
from infra.simulate.stage import Stage

QUIET = 3000
"""A reader that left a batch out runs at last when nothing has come for so long (ms)."""
MINUTE = 60_000
SHOWN = {"N": "2"}
"""As a record says of itself that it moves no rank (``chalicelib/store/matches.py``)."""


class GaveBack(Exception):
    """A function reported records as failed: in a simulation nothing should fail."""


@dataclass
class _Lane:
    """One reader: records of one partition key always go through the same, in order."""

    source: StreamSource
    window: float
    waiting: deque[tuple[float, Record]] = field(default_factory=deque)
    busy_until: float = 0.0
    planned: float | None = None
    left_out: list[Record] = field(default_factory=list)
    ran: int = 0
    last: float = 0.0


class Streams:
    """All readers of all streams. ``every``: for each function, which share of its batches is carried out: 4 means
    every fourth while more are coming, and always the last one; the others are counted like those."""

    def __init__(self, stage: Stage, every: dict[str, int], program_ms: Callable[[str], float]) -> None:
        self._stage = stage
        self._every = every
        self._program_ms = program_ms
        self._after: dict[str, int] = {}
        self._seen = -1
        self.all = False
        """Whether every batch is carried out for the time being."""
        self.told: list[float] = []
        """When officials and phones could know of changed tables (virtual ms)."""
        self.sizes: dict[str, list[int]] = {}
        self.ages: dict[str, list[float]] = {}
        """Of each batch: how many records, and how long (ms) its oldest waited until the function had ended."""
        sources = stream_sources(stage.app, stage.merge, stage.tables)
        self._lanes = {
            source.function: [_Lane(source, self._window(source)) for _ in range(source.lanes)] for source in sources
        }

    def _window(self, source: StreamSource) -> float:
        name = to_cfn_resource_name(source.function)
        events = self._stage.merge["Resources"][name]["Properties"]["Events"]
        return 1000.0 * float(events[f"{name}DynamodbEventSource"]["Properties"]["MaximumBatchingWindowInSeconds"])

    def follow(self) -> None:
        """Take up what was written since the last time, and plan its batches."""
        storage = self._stage.engine.context.storage
        if storage.announcements == self._seen:
            return
        self._seen = storage.announcements
        for lanes in self._lanes.values():
            source = lanes[0].source
            table = self._stage.engine.table(source.table)
            while found := self._stage.engine.records(table, self._after.get(source.function, 0), 2000):
                self._after[source.function] = found[-1][0]
                for _, record in found:
                    if passes(source.patterns, record):
                        self._take(lanes, record)

    def _take(self, lanes: list[_Lane], record: Record) -> None:
        key = msgspec.json.encode(record["dynamodb"]["Keys"]["pk"])
        lane = lanes[int.from_bytes(hashlib.sha256(key).digest()[:4], "big") % len(lanes)]
        lane.waiting.append((self._stage.time.now, record))
        self._plan(lane)

    def _plan(self, lane: _Lane) -> None:
        if not lane.waiting:
            return
        oldest = lane.waiting[0][0] + self._stage.habits.cloud.stream_ms
        full = len(lane.waiting) >= lane.source.batch_size
        when = max(lane.busy_until, self._stage.time.now if full else oldest + lane.window)
        if lane.planned is None or when < lane.planned:
            lane.planned = when
            self._stage.agenda.at(when, lambda: self._fire(lane, when))

    def _fire(self, lane: _Lane, planned: float) -> None:
        if lane.planned != planned or not lane.waiting:
            # A batch that became full was planned anew, for earlier.
            return
        lane.planned = None
        size = min(lane.source.batch_size, len(lane.waiting))
        taken = [lane.waiting.popleft() for _ in range(size)]
        records = [record for _, record in taken]
        self._stage.ledger.records += size
        self.sizes.setdefault(lane.source.function, []).append(size)
        lane.ran += 1
        lane.last = self._stage.time.now
        if not self.all and (lane.ran - 1) % self._every.get(lane.source.function, 1):
            self._leave_out(lane, records)
        else:
            lane.left_out = []
            self._run(lane, records)
        age = self._stage.time.now - taken[0][0]
        self.ages.setdefault(lane.source.function, []).append(age)
        lane.busy_until = self._stage.time.now
        self._plan(lane)

    @contextmanager
    def completely(self) -> Iterator[None]:
        """For a block nothing is left out, nor still is when it begins: somebody compares results and standings."""
        for lanes in self._lanes.values():
            for lane in lanes:
                self._make_up(lane, lane.last)
        before, self.all = self.all, True
        try:
            yield
        finally:
            self.all = before

    def _run(self, lane: _Lane, records: list[Record]) -> None:
        if lane.source.function == "standings":
            self.told.append(self._stage.time.now)
        answer = self._stage.invoke(lane.source.function, {"Records": records}, self._program_ms(lane.source.function))
        if answer["batchItemFailures"]:
            raise GaveBack(f"{lane.source.function} gave {len(answer['batchItemFailures'])} records back")

    def _leave_out(self, lane: _Lane, records: list[Record]) -> None:
        """Count the batch; carry it out only if nothing follows that makes it unnecessary."""
        function = lane.source.function
        lane.left_out = records
        measured = self._stage.ledger.kind(function, function)
        began = self._stage.time.now
        self._tell(function, records)
        self._stage.time.now = began
        self._stage.ledger.busy(function, self._stage.time.now, sum(measured.samples_ms) / len(measured.samples_ms))
        self._count(function, 1)
        # Virtual time knows nothing of this machine's speed, or a day would not be the same twice.
        self._stage.time.now += measured.done.waited_ms / measured.done.calls + self._program_ms(function)
        moment = lane.last
        self._stage.agenda.at(moment + QUIET, lambda: self._make_up(lane, moment))

    def _tell(self, function: str, records: list[Record]) -> None:
        """What a batch tells is told even if its ranking is left out; the books have the whole batch already."""
        told = [
            {
                **record,
                "dynamodb": {**record["dynamodb"], "NewImage": {**record["dynamodb"]["NewImage"], "wakes": SHOWN}},
            }
            for record in records
        ]
        self.told.append(self._stage.time.now)
        before, self._stage.ledger = self._stage.ledger, Ledger()
        try:
            self._stage.invoke(function, {"Records": told}, 0.0)
        finally:
            self._stage.ledger = before

    def _make_up(self, lane: _Lane, moment: float) -> None:
        if not lane.left_out or lane.last != moment:
            return
        records, lane.left_out = lane.left_out, []
        self._count(lane.source.function, -1)
        self._run(lane, records)

    def _count(self, function: str, batches: int) -> None:
        self._stage.ledger.count(function, batches, function)
        if function == "standings":
            # Each new version changes the pointer, which club_ranks follows.
            self._stage.ledger.count("club_ranks", batches, "club_ranks")


class Clockwork:
    """The schedules of the application, each at its times."""

    def __init__(self, stage: Stage, until: Callable[[], float], streams: Streams | None = None) -> None:
        """``until``: when the day ends (ms); asked anew each time. ``streams`` that go on beside the schedules."""
        self._stage = stage
        self._until = until
        self._streams = streams
        self._schedules = {name: parse_schedule(text) for name, text in schedules(stage.app).items()}
        self._last: dict[str, datetime] = {}

    def start(self) -> None:
        """From now on, each minute."""
        self._stage.agenda.at(self._stage.time.now + MINUTE, self._minute)

    def _minute(self) -> None:
        began = self._stage.time.now
        now = datetime.fromtimestamp(began / 1000, UTC)
        for function, schedule in self._schedules.items():
            if schedule.is_due(self._last.get(function), now):
                self._last[function] = now
                self._stage.time.now = began
                with self._streams.completely() if self._streams and function == "sweep" else nullcontext():
                    self._stage.invoke(function, scheduled_event(function, now), 5.0)
        if began + MINUTE <= self._until():
            self._stage.agenda.at(began + MINUTE, self._minute)

    def once(self) -> dict[str, Any]:
        """Call each function once, now; what they answer."""
        now = datetime.fromtimestamp(self._stage.time.now / 1000, UTC)
        return {name: self._stage.invoke(name, scheduled_event(name, now), 5.0) for name in self._schedules}
