"""删除比赛: an event is hidden from everybody at once and can be restored for 30 days.

The event keeps its data meanwhile; then they are erased (``services.erasing``). Phase ``ended`` makes every phone and
table refuse without looking for more. Its public files go at once and are written anew when it comes back; until that
is done the pointer says since when they are withdrawn, so that whoever publishes and began before writes nothing.
What an interruption or a late writer left is put right by ``purge_personal_data`` a few minutes later.
"""

from __future__ import annotations

import msgspec

from chalicelib.services import audit, idle, public_folder, public_list, pulse, registration, vip
from chalicelib.services.finding import settings_of
from chalicelib.services.ladders.following import follow
from chalicelib.services.names import comparable
from chalicelib.services.once import Once, transaction
from chalicelib.services.privacy import public_files
from chalicelib.services.problems import Problem
from chalicelib.services.views.accounts import Done
from chalicelib.services.world import World
from chalicelib.store.accounts import Account, Membership
from chalicelib.store.due import ERASING, FOLDER, due
from chalicelib.store.events import EventHeader, find_event, members
from chalicelib.store.standings import ACTIVE, Active, Pointer, find_pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

RESTORABLE_DAYS = 30
LOOKED_AT_AGAIN_AFTER = 300_000
"""Milliseconds after which nobody is at work any more who had read the event before: no function runs so long."""
_DAY = 86_400_000


def restorable(deleted_at: int, now: int) -> bool:
    """Whether an event deleted at ``deleted_at`` (ms) can still come back."""
    return now < erased_at(deleted_at)


def erased_at(deleted_at: int) -> int:
    """When an event deleted at ``deleted_at`` is erased (both ms): as soon as it cannot come back any more."""
    return deleted_at + RESTORABLE_DAYS * _DAY


def delete(world: World, event_id: str, typed: str, actor: str, call_once: Once) -> Done:
    """Delete an event whose name was ``typed``. Raises event_not_found, name_differs, event_deleted."""
    header = _known(event_id)
    settings = settings_of(header)
    if whole(header.deleted_at) is not None:
        raise Problem("event_deleted")
    if comparable(typed) != comparable(settings.name):
        raise Problem("name_differs", "name")
    now = world.now()
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(Done()), world)
    change.update(
        EventHeader(header.pk, header.sk),
        [
            EventHeader.deleted_at.set(now),
            EventHeader.phase_before.set(header.phase),
            EventHeader.phase.set("ended"),
            EventHeader.due_bucket.remove(),
            EventHeader.due_at.remove(),
        ],
        EventHeader.deleted_at.does_not_exist() & (EventHeader.phase == header.phase),
        lambda _: Problem("stale_version"),
    )
    pulse.change(change, event_id, Pointer.ended.set(True), Pointer.withdrawn_at.set(now))
    idle.wait_no_more(change, event_id)
    public_list.leave(change, event_id)
    _wait(change, event_id, ERASING, erased_at(now))
    _wait(change, event_id, FOLDER, now + LOOKED_AT_AGAIN_AFTER)
    _mark(change, event_id, now)
    if settings.ladders:
        follow(change, world, event_id, actor)
    if not settings.test:
        vip.give_event_back(change, _owner(header))
    audit.record(change, world, event_id=event_id, actor=actor, action="event.delete", subject=f"event:{event_id}")
    change.commit()
    public_folder.take_away(world, event_id)
    return Done()


def restore(world: World, event_id: str, actor: str, call_once: Once) -> Done:
    """Bring a deleted event back as it was. Raises event_not_found, not_deleted, restore_too_late, event_quota."""
    header = _known(event_id)
    deleted_at = whole(header.deleted_at)
    if deleted_at is None:
        raise Problem("not_deleted")
    now = world.now()
    if not restorable(deleted_at, now):
        raise Problem("restore_too_late", days=RESTORABLE_DAYS)
    settings = settings_of(header)
    phase = header.phase_before or "open"
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(Done()), world)
    change.update(
        EventHeader(header.pk, header.sk),
        [
            EventHeader.deleted_at.remove(),
            EventHeader.phase_before.remove(),
            EventHeader.phase.set(phase),
            EventHeader.last_act_at.set(now),
            *registration.due_actions(header, settings),
        ],
        EventHeader.deleted_at == deleted_at,
        lambda _: Problem("stale_version"),
    )
    pointer = find_pointer(event_id)
    pulse.change(change, event_id, Pointer.ended.set(phase == "ended"))
    if phase == "open" and pointer is not None and pointer.round:
        # The sweep forgot it while it was deleted.
        change.put(Active(ACTIVE, event_id, since=now))
    change.delete(due(event_id, ERASING))
    _wait(change, event_id, FOLDER, now + LOOKED_AT_AGAIN_AFTER)
    header.last_act_at = now
    if phase == "open":
        idle.wait(change, header, settings)
    public_list.follow(change, header, settings, public_list.state_of(phase, pointer))
    _mark(change, event_id, None)
    if settings.ladders:
        follow(change, world, event_id, actor)
    if not settings.test:
        vip.take_event(change, _owner(header), now)
    audit.record(change, world, event_id=event_id, actor=actor, action="event.restore", subject=f"event:{event_id}")
    change.commit()
    public_files.look_again(world, event_id)
    return Done()


def _wait(change: Transaction, event_id: str, act: str, at: int) -> None:
    waiting = due(event_id, act)
    waiting.due_bucket, waiting.due_at = act, at
    change.put(waiting)


def _known(event_id: str) -> EventHeader:
    header = find_event(event_id, deleted=True)
    if header is None:
        raise Problem("event_not_found")
    return header


def _owner(header: EventHeader) -> Account:
    return Account.get(f"ACCOUNT#{header.owner}", "PROFILE", consistent_read=True)


def _mark(change: Transaction, event_id: str, deleted_at: int | None) -> None:
    """Keep "my events" of owner and administrators true."""
    for member in members(event_id):
        account_id = member.sk.removeprefix("MEMBER#")
        change.update(
            Membership(f"ACCOUNT#{account_id}", f"EVENT#{event_id}"),
            [Membership.deleted_at.remove() if deleted_at is None else Membership.deleted_at.set(deleted_at)],
            Membership.pk.exists(),
        )
