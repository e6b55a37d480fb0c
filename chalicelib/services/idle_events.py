"""The schedule of the idle rule: events that have lain still for a week are ended, found by the sparse due index."""

from __future__ import annotations

from pynamodb.exceptions import DeleteError, UpdateError

from chalicelib.services import audit, idle, public_list, pulse
from chalicelib.services.finding import settings_of
from chalicelib.services.ladders.following import follow
from chalicelib.services.once import transaction
from chalicelib.services.world import World
from chalicelib.store.due import IDLE, Due
from chalicelib.store.events import EventHeader, find_event
from chalicelib.store.standings import Pointer
from chalicelib.store.transaction import Busy

MOST_AT_ONCE = 200


class _SeenToBefore(Exception):
    """Something happened in the event meanwhile, or it is ended already: nothing to do."""


def end_idle_events(world: World) -> int:
    """End every event that has lain idle for a week; returns how many. Twice, or twice at once, ends each once."""
    found = list(Due.due.query(IDLE, Due.due_at <= world.now(), limit=MOST_AT_ONCE))
    return sum(end_one(world, waiting) for waiting in found)


def end_one(world: World, waiting: Due) -> bool:
    """End the event that ``waiting`` (as the index shows it) is about, if it is idle; else wait on, or no more."""
    event_id = waiting.pk
    header = find_event(event_id)
    if header is None or header.phase == "ended":
        _forget(waiting)
        return False
    settings = settings_of(header)
    over_at = idle.ends_at(header, settings)
    if over_at > world.now():
        _put_off(waiting, over_at)
        return False
    change = transaction(world)
    change.update(
        EventHeader(header.pk, header.sk),
        [EventHeader.phase.set("ended")],
        (EventHeader.phase == "open")
        & (EventHeader.version == header.version)
        & (EventHeader.last_act_at == header.last_act_at),
        lambda _: _SeenToBefore(),
    )
    idle.wait_no_more(change, event_id)
    pulse.change(change, event_id, Pointer.ended.set(True))
    public_list.follow(change, header, settings, public_list.FINISHED)
    if settings.ladders:
        follow(change, world, event_id, "system", ends=True)
    audit.record(
        change,
        world,
        event_id=event_id,
        actor="system",
        action="event.end",
        subject=f"event:{event_id}",
        details={"idle_since": over_at - idle.IDLE_MILLISECONDS},
    )
    try:
        change.commit()
    except (_SeenToBefore, Busy):
        # Still in the index: the next run looks again.
        return False
    pulse.publish(world, event_id)
    return True


def _put_off(waiting: Due, over_at: int) -> None:
    try:
        waiting.update([Due.due_at.set(over_at)], Due.due_at == waiting.due_at)
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        # Somebody else has put it off already.


def _forget(waiting: Due) -> None:
    try:
        waiting.delete(Due.due_at == waiting.due_at)
    except DeleteError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        # Opened again this very moment, with a new time to wait for.
