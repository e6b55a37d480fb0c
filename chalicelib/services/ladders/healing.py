"""What a job that died has left: found by the due index and queued again."""

from __future__ import annotations

from chalicelib.services.ladders.following import queue
from chalicelib.services.once import transaction
from chalicelib.services.world import World
from chalicelib.store.due import LADDERS, Due
from chalicelib.store.ladders import find_note
from chalicelib.store.transaction import Busy

MOST_AT_ONCE = 20


class _SeenToBefore(Exception):
    """Somebody finished it, or queued it again, this very moment."""


def heal(world: World) -> int:
    """Queue a job for everything that should have been posted ten minutes ago; returns how many. Twice, or twice at
    once, queues each once."""
    found = list(Due.due.query(LADDERS, Due.due_at <= world.now(), limit=MOST_AT_ONCE))
    return sum(_queue_again(world, waiting) for waiting in found)


def _queue_again(world: World, waiting: Due) -> bool:
    change = transaction(world)
    queue(change, world, waiting.pk, "system", Due.due_at == waiting.due_at, lambda _: _SeenToBefore())
    try:
        change.commit()
    except (_SeenToBefore, Busy):
        return False
    return True


def free(event_id: str) -> bool:
    """Whether no ladder holds anything of the event any more."""
    note = find_note(event_id)
    return note is None or not (note.posted or note.touched or int(note.done) < int(note.wanted))
