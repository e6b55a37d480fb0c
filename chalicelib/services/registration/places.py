"""Places: who of those who registered is in, and what changes when an entry leaves or comes back.

Tickets count registrations in their order. Tickets up to ``capacity + freed - own`` are in: every place that becomes
free raises the limit by one, every entry that organizers bring in themselves lowers it. Who is in stays in, whatever
the limit does later.
"""

from __future__ import annotations

from collections import Counter

from chalicelib.store.entries import EntryCounts, StoredEntry, counts_of
from chalicelib.store.registrations import (
    COUNT,
    TALLY,
    Registrant,
    Tally,
    Waiting,
    passed_key,
    registrant_key,
    waiting_key,
)
from chalicelib.store.transaction import Transaction


def limit(tally: Tally, capacity: int | None) -> int | None:
    """The last ticket that is in; None: there is no end of places."""
    return None if capacity is None else capacity + int(tally.freed) - int(tally.own)


def give_up(work: Transaction, event_id: str, entry: StoredEntry) -> None:
    """Add what the withdrawal of ``entry`` changes besides the entry itself: counts, caps, its place or its ticket."""
    here = entry.checked_in_at is not None
    if entry.state == "in":
        work.update(
            counts_of(event_id, entry.number),
            [EntryCounts.entries.add(-1), EntryCounts.checked_in.add(-1 if here else 0)],
        )
        own = entry.ticket is None
        work.update(Tally(event_id, TALLY), [Tally.own.add(-1) if own else Tally.freed.add(1)])
    elif entry.state == "waiting":
        work.update(counts_of(event_id, entry.number), [EntryCounts.waiting.add(-1)])
        # The ticket stays on the list without its entry, so that the limit passes over it.
        work.put(Waiting(*waiting_key(event_id, entry.ticket or 0)))
    _count(work, event_id, entry, -1)


def state_of_return(entry: StoredEntry) -> str:
    """What a withdrawn entry comes back as: one that never found a partner is a single again."""
    return "single" if entry.registrants and len(entry.registrants) == 1 and len(entry.players) == 1 else "in"


def take_back(work: Transaction, event_id: str, entry: StoredEntry, state: str) -> None:
    """Add what the return of ``entry`` changes: it comes as one of the organizer's own, who decided it."""
    if state == "in":
        here = entry.checked_in_at is not None
        work.update(
            counts_of(event_id, entry.number),
            [EntryCounts.entries.add(1), EntryCounts.checked_in.add(1 if here else 0)],
        )
        work.update(Tally(event_id, TALLY), [Tally.own.add(1)])
    if entry.ticket is not None:
        # Its place went to somebody else; the ticket must not look like one that nobody used.
        work.put(Waiting(*passed_key(event_id, entry.ticket)))
    _count(work, event_id, entry, 1)


def _count(work: Transaction, event_id: str, entry: StoredEntry, sign: int) -> None:
    for who, halves in Counter(entry.registrants).items():
        work.update(Registrant(registrant_key(event_id, who), COUNT), [Registrant.halves.add(sign * halves)])
