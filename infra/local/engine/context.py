"""What every operation works with: the file, the clock, the faults to inject, the recorder."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from infra.local.engine.errors import missing_table
from infra.local.engine.faults import Fault, Faults
from infra.local.engine.recorder import Recorder
from infra.local.engine.schema import Table
from infra.local.engine.storage import Snapshot, Storage

Request = dict[str, Any]
Response = dict[str, Any]


@dataclass
class Context:
    """``clock`` gives seconds since 1970; ``faults`` may be exchanged at any time, None injects nothing."""

    storage: Storage
    clock: Callable[[], float]
    recorder: Recorder = field(default_factory=Recorder)
    faults: Faults | None = None
    _snapshot: Snapshot | None = None

    def strikes(self, fault: Fault) -> bool:
        """Whether a fault is to be injected now."""
        return self.faults is not None and self.faults.strikes(fault)

    def table(self, name: Any) -> Table:
        """The table a request names."""
        table = self.storage.table(name) if isinstance(name, str) else None
        if table is None:
            raise missing_table()
        return table

    def connection(self, *, consistent: bool, index: bool) -> sqlite3.Connection:
        """The present state or, where that is allowed and the fault strikes, a view of the past.

        Call and use under the storage's lock.
        """
        fault = Fault.STALE_INDEX if index else Fault.STALE_READ
        if consistent or not self.strikes(fault):
            return self.storage.connection
        if self._snapshot is None:
            staleness = self.faults.staleness if self.faults else 0.0
            self._snapshot = Snapshot(self.storage, staleness, self.clock)
        return self._snapshot.connection()

    def close(self) -> None:
        with self.storage.lock:
            if self._snapshot is not None:
                self._snapshot.close()
                self._snapshot = None
            self.storage.close()
