"""What moves ranks without being a match: criteria, rounds, names, withdrawals. Each says so in its own transaction.

The event's dirty item stands in the matches table, so touching it wakes the standings function by the same stream.
"""

from __future__ import annotations

from chalicelib.store.matches import Dirty
from chalicelib.store.standings import PackHead
from chalicelib.store.transaction import Transaction

ROSTER = "ROSTER"


def mark(transaction: Transaction, event_id: str, reason: str, *, roster: bool = False) -> None:
    """Let the standings be computed anew after ``transaction``. ``roster``: names, clubs or membership changed, so the
    packed roster is stale as well."""
    transaction.update(
        Dirty(event_id, "DIRTY"),
        [Dirty.touched.add(1), Dirty.event_id.set(event_id), Dirty.reason.set(reason), Dirty.wakes.set(1)],
    )
    if roster:
        transaction.update(PackHead(event_id, ROSTER), [PackHead.wanted.add(1)])
