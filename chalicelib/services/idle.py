"""An event in which nothing happens ends by itself: a week without drawing or settling (manual: 比赛结束).

The week counts from the latest of creation, start, registration deadline, match day, last drawing or settlement and
last undo, so nothing that is still to come can be ended. Whether it is over is asked at every request
(:func:`phase_at`); the schedule (services/idle_events.py) only writes down what has been true since.
"""

from __future__ import annotations

from chalicelib.services.settings import Settings
from chalicelib.store.due import IDLE, due
from chalicelib.store.events import EventHeader
from chalicelib.store.transaction import Transaction

IDLE_MILLISECONDS = 7 * 86_400_000


def ends_at(header: EventHeader, settings: Settings) -> int:
    """When the event ends if nothing happens in it, in milliseconds since 1970 UTC."""
    days = (settings.starts_at or 0, settings.registration_deadline or 0, *settings.match_days)
    return max(int(header.created_at), int(header.last_act_at), *days) + IDLE_MILLISECONDS


def phase_at(header: EventHeader, settings: Settings, now: int) -> str:
    """``open`` or ``ended``, as it is at ``now`` whatever the schedule has done so far."""
    return "ended" if header.phase == "ended" or now >= ends_at(header, settings) else "open"


def wait(change: Transaction, header: EventHeader, settings: Settings) -> None:
    """Let the schedule look at the open event again when it may be over; takes the place of an earlier wait."""
    waiting = due(header.event_id, IDLE)
    waiting.due_bucket, waiting.due_at = IDLE, ends_at(header, settings)
    change.put(waiting)


def wait_no_more(change: Transaction, event_id: str) -> None:
    """The event has ended: nothing is due."""
    change.delete(due(event_id, IDLE))
