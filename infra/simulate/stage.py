"""The stage of a simulation: store, files, application, gateway and functions as the runner puts them together, in
virtual time and with a meter on everything that would be somebody's bill.
"""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import os
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3

from infra.local.engine.hook import plugged_in
from infra.local.functions import invoke
from infra.local.gateway import Answer, Gateway, GatewayResponses
from infra.local.outbox import Outbox
from infra.local.stack import load_product, prepare_environment
from infra.local.tables import ensure_tables
from infra.local.templates import DATA_TEMPLATE, MERGE_TEMPLATE, read_template
from infra.simulate.agenda import Agenda, VirtualTime
from infra.simulate.ledger import API, Ledger
from infra.simulate.meter import Cost, CountedFigures, Meter, MeteredEngine, MeteredFiles
from infra.simulate.settings import Habits

BEGIN = 1_790_000_000_000
"""When every simulation begins: milliseconds since 1970 UTC, in September 2026."""
SECRET = b"a secret that guards nothing, as long as it must"
COMPRESSED_FROM = 1024
_CONFIG = Path(__file__).resolve().parents[2] / ".chalice" / "config.json"


class SeededRandomness:
    """The same "random" values for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def token(self, length: int = 16) -> str:
        """URL-safe text holding ``length`` bytes."""
        return base64.urlsafe_b64encode(self._random.randbytes(length)).rstrip(b"=").decode()

    def digits(self, length: int) -> str:
        """``length`` decimal digits."""
        return str(self._random.randrange(10**length)).zfill(length)

    def fraction(self) -> float:
        """A number in [0, 1)."""
        return self._random.random()


def memory_of_functions() -> dict[str, int]:
    """MB of each function, as it is deployed."""
    stages = json.loads(_CONFIG.read_text("utf-8"))["stages"]
    (stage,) = stages.values()
    return {name: int(each["lambda_memory_size"]) for name, each in stage["lambda_functions"].items()}


@dataclass
class Stage:
    """What a simulated day is played on."""

    app: Any
    world: Any
    time: VirtualTime
    agenda: Agenda
    meter: Meter
    engine: MeteredEngine
    files: MeteredFiles
    figures: CountedFigures
    outbox: Outbox
    ledger: Ledger
    habits: Habits
    merge: Mapping[str, Any]
    tables: Mapping[str, str]
    memory: Mapping[str, int]
    gateway: Gateway
    keys: Iterator[int] = field(default_factory=itertools.count)
    """Numbers for idempotency keys."""

    def ask(self, name: str, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[Answer, float]:
        """One request through the gateway, in the books under ``name``; the answer and its time in milliseconds."""
        began = self.time.now
        self.meter.begin()
        answer = self.gateway.handle(method, path, headers, body)
        cost, tables = self.meter.end()
        cost.bytes_out = len(compressed(answer.body)) + self.habits.cloud.header_bytes
        self.time.now += self.habits.cloud.api_program_ms
        return answer, self._book(name, API, began, cost, tables)

    def invoke(self, function: str, event: dict[str, Any], program_ms: float) -> Any:
        """One call of a function that a stream or the clock wakes. ``program_ms``: its own work in virtual time."""
        began = self.time.now
        self.meter.begin()
        answer = invoke(self.app, function, event)
        cost, tables = self.meter.end()
        self.time.now += program_ms
        self._book(function, function, began, cost, tables)
        return answer

    def _book(self, name: str, function: str, began: float, cost: Cost, tables: set[str]) -> float:
        milliseconds = self.billed_ms(function, cost)
        self.ledger.measured(name, function, began, cost, milliseconds)
        window = int(began // (60_000 * self.habits.cloud.key_minutes))
        self.ledger.keys.update((function, table, window) for table in tables)
        return milliseconds

    def billed_ms(self, function: str, cost: Cost) -> float:
        """What a call takes in the cloud: the program's measured time on its share of a processor, and the waiting.

        At least a millisecond, the unit in which AWS bills.
        """
        share = min(1.0, self.memory[function] / self.habits.cloud.cpu_mb)
        return max(1.0, cost.cpu_ms / share + cost.waited_ms)


def compressed(body: bytes) -> bytes:
    """As API Gateway and the edge send it."""
    return gzip.compress(body, 6, mtime=0) if len(body) > COMPRESSED_FROM else body


@contextmanager
def set_up(directory: Path, habits: Habits, seed: int) -> Iterator[Stage]:
    """An empty stage for a block; afterwards the process has the store and world it had before."""
    from chalicelib.services import world as worlds

    before = worlds._current
    template, merge = read_template(DATA_TEMPLATE), read_template(MERGE_TEMPLATE)
    names = prepare_environment(directory, template)
    # The program's times are UTC; what a container's zone is must not show in a simulation.
    os.environ.setdefault("TZ", "UTC")
    time = VirtualTime(BEGIN)
    agenda = Agenda(time)
    meter = Meter(time, habits.cloud)
    engine = MeteredEngine(directory / "store.sqlite", meter)
    with plugged_in(engine):
        ensure_tables(boto3.client("dynamodb"), template, names)
        files = MeteredFiles(directory / "files", SECRET, meter)
        outbox, figures = Outbox(lambda line: None, time.seconds), CountedFigures(meter)
        world = worlds.World(
            secret=SECRET,
            files=files,
            sms=outbox,
            clock=time,
            random=SeededRandomness(seed),
            sleep=agenda.sleep,
            secure_cookies=True,
            metrics=figures,
        )
        worlds.use(world)
        app = load_product()
        try:
            yield Stage(
                app=app,
                world=world,
                time=time,
                agenda=agenda,
                meter=meter,
                engine=engine,
                files=files,
                figures=figures,
                outbox=outbox,
                ledger=Ledger(),
                habits=habits,
                merge=merge,
                tables=names,
                memory=memory_of_functions(),
                gateway=Gateway(app, GatewayResponses(merge)),
            )
        finally:
            worlds.use(before)
            engine.close()
