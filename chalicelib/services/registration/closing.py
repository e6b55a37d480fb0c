"""Whether an event takes registrations: by switch, by deadline, and what waits for the deadline in the due index."""

from __future__ import annotations

from pynamodb.expressions.update import Action

from chalicelib.services.privacy.sealing import purged_for_good
from chalicelib.services.settings import Settings
from chalicelib.store.events import DUE_REGISTRATION, EventHeader
from chalicelib.store.tables import whole

MINUTE = 60_000


def ends_at(deadline: int) -> int:
    """When registration is over: a deadline names a minute, and that minute is included to its last second.

    Zones differ by whole minutes, so the minute begins at the same moment everywhere.
    """
    return (deadline // MINUTE + 1) * MINUTE


def is_open(header: EventHeader, settings: Settings, now: int) -> bool:
    """Whether anybody may register at ``now``: asked at every request, whatever the schedule has done so far."""
    deadline = settings.registration_deadline
    return (
        header.phase == "open"
        and not settings.registration_closed
        and whole(header.registration_closed_at) is None
        and not purged_for_good(header)
        and (deadline is None or now < ends_at(deadline))
    )


def closed_at(header: EventHeader, old: Settings, new: Settings, now: int) -> int | None:
    """When registration was closed by hand or by the schedule; a new deadline in the future opens it again."""
    before = whole(header.registration_closed_at)
    if new.registration_closed:
        return before if old.registration_closed else now
    if old.registration_closed or new.registration_deadline != old.registration_deadline:
        return None
    return before


def due_actions(header: EventHeader, settings: Settings) -> list[Action]:
    """The header's place in the due index: until registration is closed, under its deadline."""
    closed_at = whole(header.registration_closed_at)
    actions: list[Action] = [
        EventHeader.registration_closed_at.remove()
        if closed_at is None
        else EventHeader.registration_closed_at.set(closed_at)
    ]
    if closed_at is None and settings.registration_deadline is not None:
        actions += [
            EventHeader.due_bucket.set(DUE_REGISTRATION),
            EventHeader.due_at.set(ends_at(settings.registration_deadline)),
        ]
    else:
        actions += [EventHeader.due_bucket.remove(), EventHeader.due_at.remove()]
    return actions
