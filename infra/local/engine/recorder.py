"""Who asked the store for what, and what it costs: requests, items and capacity units by caller.

The cost sheet multiplies the units by AWS's prices; the policy test compares the actions with each function's policy.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

UNLABELLED = "unlabelled"

_caller: ContextVar[str] = ContextVar("caller of the store", default=UNLABELLED)


@contextmanager
def calling(label: str) -> Iterator[None]:
    """Label every request of this block (in this thread) as made by ``label``, e.g. a function's name."""
    token = _caller.set(label)
    try:
        yield
    finally:
        _caller.reset(token)


def caller() -> str:
    """Who is at work in this thread, as :func:`calling` says."""
    return _caller.get()


@dataclass(frozen=True)
class Access:
    """One kind of access: the caller, the operation called, the IAM action it needs, and on which table or index."""

    caller: str
    operation: str
    action: str
    table: str
    index: str | None = None


@dataclass(frozen=True)
class Usage:
    """Sums: requests (retries included), items touched, read and write capacity units."""

    requests: int = 0
    items: int = 0
    read_units: float = 0.0
    write_units: float = 0.0


class Recorder:
    """Sums up usage; safe in threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str], int] = {}
        self._usage: dict[Access, Usage] = {}

    def request(self, operation: str) -> None:
        """Count one request; one request may touch several tables."""
        key = (_caller.get(), operation)
        with self._lock:
            self._requests[key] = self._requests.get(key, 0) + 1

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
        """Count what one request did to one table or index."""
        key = Access(_caller.get(), operation, action, table, index)
        with self._lock:
            sums = self._usage.get(key, Usage())
            self._usage[key] = replace(
                sums,
                requests=sums.requests + 1,
                items=sums.items + items,
                read_units=sums.read_units + read_units,
                write_units=sums.write_units + write_units,
            )

    def requests(self) -> dict[tuple[str, str], int]:
        """Number of requests by (caller, operation)."""
        with self._lock:
            return dict(self._requests)

    def usage(self) -> dict[Access, Usage]:
        """Everything counted since the start or the last ``clear``."""
        with self._lock:
            return dict(self._usage)

    def clear(self) -> None:
        with self._lock:
            self._requests.clear()
            self._usage.clear()
