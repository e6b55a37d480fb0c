"""Faults one lock on one machine never shows, injected at random from a seed.

A service that passes its tests with these on has met what DynamoDB does under load: conflicts, throttling,
unprocessed parts of a batch, replies lost after the write took effect, indexes and plain reads that lag behind.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum


class Fault(StrEnum):
    """What can be injected; the rate is per request (per item for UNPROCESSED)."""

    TRANSACTION_CONFLICT = "transaction_conflict"
    """TransactWriteItems, TransactGetItems: cancelled with TransactionConflict, nothing written."""
    WRITE_CONFLICT = "write_conflict"
    """PutItem, UpdateItem, DeleteItem: TransactionConflictException, nothing written."""
    THROTTLING = "throttling"
    """Any data request: ProvisionedThroughputExceededException, nothing done."""
    UNPROCESSED = "unprocessed"
    """BatchWriteItem, BatchGetItem: single items come back unprocessed."""
    LOST_REPLY = "lost_reply"
    """Any write: committed, then the connection breaks before the answer."""
    STALE_INDEX = "stale_index"
    """Query or Scan of an index: answered from a view up to ``staleness`` seconds old."""
    STALE_READ = "stale_read"
    """Read without ConsistentRead: answered from a view up to ``staleness`` seconds old."""


class Faults:
    """Decides which requests meet a fault. The same seed and the same order of requests give the same faults."""

    def __init__(self, seed: int, rates: Mapping[Fault, float], staleness: float = 0.2) -> None:
        """``rates``: probability from 0 to 1 by kind; ``staleness``: how old, in seconds, a stale view may be."""
        for fault, rate in rates.items():
            if not 0 <= rate <= 1:
                raise ValueError(f"rate of {fault} must lie between 0 and 1, not {rate}")
        self.staleness = staleness
        self.injected: Counter[Fault] = Counter()
        self._rates = dict(rates)
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    @classmethod
    def every(cls, seed: int, rate: float, staleness: float = 0.2) -> Faults:
        """All kinds of fault at one rate."""
        return cls(seed, dict.fromkeys(Fault, rate), staleness)

    def strikes(self, fault: Fault) -> bool:
        """Whether this time the fault happens."""
        rate = self._rates.get(fault, 0.0)
        if not rate:
            return False
        with self._lock:
            if self._random.random() >= rate:
                return False
            self.injected[fault] += 1
            return True
