"""What happens by the clock: scheduled functions, items whose time has passed, old stream records."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from infra.local.delivery import Invoke
from infra.local.engine import Engine
from infra.local.engine.schema import ACCOUNT, REGION
from infra.local.schedule import Schedule, parse_schedule, utc_now

TICK_SECONDS = 1.0
SWEEP_TICKS = 10
TRIM_TICKS = 600
RECORD_SECONDS = 24 * 3600

logger = logging.getLogger("guanjun.local")


def scheduled_event(function: str, now: datetime) -> dict[str, Any]:
    """The event EventBridge sends to a scheduled function."""
    return {
        "version": "0",
        "id": str(uuid.uuid4()),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": ACCOUNT,
        "time": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": REGION,
        "resources": [f"arn:aws:events:{REGION}:{ACCOUNT}:rule/{function}"],
        "detail": {},
    }


class Ticker:
    """Runs the schedules of an application and keeps the store tidy. ``engine`` is None for a store elsewhere."""

    def __init__(
        self,
        engine: Engine | None,
        schedules: dict[str, str],
        invoke: Invoke,
        now: Callable[[], datetime] = utc_now,
        forget_files: Callable[[], int] = lambda: 0,
    ) -> None:
        """``schedules``: function name and expression; ``forget_files`` deletes files that have lived their days."""
        self._engine = engine
        self._schedules: dict[str, Schedule] = {name: parse_schedule(text) for name, text in schedules.items()}
        self._invoke = invoke
        self._now = now
        self._forget_files = forget_files
        self._last: dict[str, datetime] = {}
        self._running: dict[str, threading.Thread] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ticker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = 10.0) -> None:
        self._stop.set()
        for thread in (self._thread, *self._running.values()):
            if thread.ident is not None:
                thread.join(seconds)

    def _run(self) -> None:
        ticks = 0
        while not self._stop.is_set():
            try:
                self.start_due()
                if ticks % SWEEP_TICKS == 0:
                    self.sweep()
                if ticks % TRIM_TICKS == 0:
                    self.trim()
                    self._forget_files()
            except Exception:
                # The clock must go on whatever one tick met.
                logger.exception("a tick failed")
            ticks += 1
            self._stop.wait(TICK_SECONDS)

    def start_due(self) -> list[str]:
        """Start the functions that are due, each in a thread of its own; returns their names."""
        now = self._now()
        started = []
        for function, schedule in self._schedules.items():
            running = self._running.get(function)
            if (running is not None and running.is_alive()) or not schedule.is_due(self._last.get(function), now):
                continue
            self._last[function] = now
            thread = threading.Thread(target=self._call, args=(function, now), name=function, daemon=True)
            self._running[function] = thread
            thread.start()
            started.append(function)
        return started

    def wait_for_functions(self) -> None:
        """Wait until every started function has ended."""
        for thread in self._running.values():
            thread.join()

    def _call(self, function: str, now: datetime) -> None:
        try:
            self._invoke(function, scheduled_event(function, now))
        except Exception:
            # As in the cloud: noted, and run again when it is due again.
            logger.exception("the scheduled function %s failed", function)

    def sweep(self) -> int:
        """Let expired items go; returns how many."""
        return self._engine.delete_expired() if self._engine else 0

    def trim(self) -> int:
        """Drop stream records older than a day that every consumer is past; returns how many."""
        return self._engine.trim_streams(RECORD_SECONDS) if self._engine else 0
