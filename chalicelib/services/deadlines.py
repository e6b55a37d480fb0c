"""Scheduled acts: found by the sparse due index, each conditional and repeatable; expiry is checked on read as well."""

from __future__ import annotations

from chalicelib.services import audit
from chalicelib.services.once import transaction
from chalicelib.services.world import World
from chalicelib.store.events import DUE_REGISTRATION, EventHeader
from chalicelib.store.transaction import Busy

MOST_AT_ONCE = 500


class _SeenToBefore(Exception):
    """Somebody changed the deadline or closed the registration meanwhile: nothing to do."""


def close_registrations(world: World) -> int:
    """Close the registration of every event whose deadline has passed; returns how many were closed.

    The index may lag, so the condition on the event itself decides; running it twice, or twice at once, closes once.
    """
    now = world.now()
    due = EventHeader.due.query(DUE_REGISTRATION, EventHeader.due_at <= now, limit=MOST_AT_ONCE)
    return sum(close_one(world, header) for header in due)


def close_one(world: World, header: EventHeader) -> bool:
    """Close one event's registration if its deadline still is the one that ``header`` (as the index shows it) has."""
    deadline = int(header.due_at)
    change = transaction(world)
    change.update(
        EventHeader(header.pk, header.sk),
        [
            EventHeader.registration_closed_at.set(deadline),
            EventHeader.due_bucket.remove(),
            EventHeader.due_at.remove(),
        ],
        (EventHeader.due_bucket == DUE_REGISTRATION) & (EventHeader.due_at == deadline),
        lambda _: _SeenToBefore(),
    )
    audit.record(
        change,
        world,
        event_id=header.event_id,
        actor="system",
        action="registration.close",
        subject=f"event:{header.event_id}",
        details={"deadline": deadline},
    )
    try:
        change.commit()
    except (_SeenToBefore, Busy):
        # Busy: it stays in the index, and the next minute comes.
        return False
    return True
