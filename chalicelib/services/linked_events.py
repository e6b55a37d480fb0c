"""关联赛事: a symmetric set of events that share the QR of any one of them. Ended and deleted ones drop out.

The set is stored with each of its events (``store.linked_events``), so a phone finds it with the event it scanned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from chalicelib.services import audit
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.linked_events import LinkedEvent, LinkedEvents
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.accounts import Membership
from chalicelib.store.events import EventHeader
from chalicelib.store.linked_events import LINKED, LinkedSet
from chalicelib.store.transaction import Transaction

MOST_LINKED = 10
"""Events of one set. A change of a set rewrites each, and may break up as many other sets."""


class OpenEvent(msgspec.Struct, frozen=True):
    """An event of a set that still goes on."""

    header: EventHeader
    settings: Settings


class _Stored(msgspec.Struct, frozen=True):
    """A set as an event holds it; ``token`` None: the event is in none."""

    events: list[str]
    token: str | None


def open_siblings(world: World, event_id: str) -> list[OpenEvent]:
    """The other events that a QR of this one serves now, in one or two requests."""
    return _open(world, [each for each in _stored(world, [event_id])[event_id].events if each != event_id])


def listed(world: World, event_id: str) -> LinkedEvents:
    """The events linked with this one, by name."""
    return _view(open_siblings(world, event_id))


def link(
    world: World, event_id: str, others: Collection[str], account_id: str, actor: str, call_once: Once
) -> LinkedEvents:
    """Make ``event_id`` and ``others`` one set; who was linked with one of them and is not named stays behind.

    The account must administer every event that comes newly into the set. Raises not_linkable, bad_value (too many),
    stale_version when somebody else changes one of the sets at the same moment.
    """
    wanted = sorted({event_id, *others})
    if len(wanted) > MOST_LINKED:
        raise Problem("bad_value", "events", why=f"<= {MOST_LINKED}")
    before = _stored(world, [event_id])[event_id]
    names = names_of(world, account_id, [each for each in wanted if each != event_id])
    foreign = next((each for each in wanted if each not in names and each not in before.events), None)
    if foreign is not None and foreign != event_id:
        # The same whether the event is somebody else's or not there at all.
        raise Problem("not_linkable", "events", name=foreign)
    siblings = _open(world, [each for each in wanted if each != event_id])
    known = {sibling.header.event_id for sibling in siblings}
    missing = next((each for each in wanted if each not in known and each != event_id), None)
    if missing is not None:
        raise Problem("not_linkable", "events", name=names.get(missing, missing))
    reply = _view(siblings)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    regroup(change, world, wanted)
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="event.link",
        subject=f"event:{event_id}",
        details={"events": wanted},
    )
    change.commit()
    return reply


def regroup(change: Transaction, world: World, wanted: list[str]) -> None:
    """Add to ``change`` that these are one set, and smaller ones of what they leave behind. Raises stale_version when
    a set changes meanwhile."""
    held = _stored(world, wanted)
    left_behind: dict[str, list[str]] = {}
    for stored in held.values():
        if stored.token is not None:
            left_behind[stored.token] = [each for each in stored.events if each not in wanted]
    rest = [each for group in left_behind.values() for each in group]
    held.update(_stored(world, [each for each in rest if each not in held]))
    # An event that was erased holds no set any more: nothing may stand under its key again.
    left = [[each for each in group if held[each].token is not None] for group in left_behind.values()]
    for group in [wanted, *left]:
        token = world.random.token(9)
        for each in group:
            item = LinkedSet(each, LINKED, events=group, token=token)
            seen = held[each].token
            condition = LinkedSet.token.does_not_exist() if seen is None else LinkedSet.token == seen
            if len(group) > 1:
                change.put(item, condition, lambda _: Problem("stale_version"))
            elif seen is not None:
                change.delete(item, condition, lambda _: Problem("stale_version"))


def set_of(world: World, events: Iterable[str]) -> set[str]:
    """Everything that still goes on of what is linked with one of these events."""
    held = {each for stored in _stored(world, events).values() for each in stored.events}
    return {each.header.event_id for each in _open(world, sorted(held))}


def _stored(world: World, events: Iterable[str]) -> dict[str, _Stored]:
    wanted = list(dict.fromkeys(events))
    items = bulk.get_items(
        [(LinkedSet.Meta.table_name, each, LINKED) for each in wanted], world.sleep, world.random.fraction
    )
    found = {}
    for each, item in zip(wanted, items, strict=True):
        stored = None if item is None else LinkedSet.from_raw_data(item)
        found[each] = _Stored([each], None) if stored is None else _Stored(list(stored.events), stored.token)
    return found


def _open(world: World, events: list[str]) -> list[OpenEvent]:
    items = bulk.get_items(
        [(EventHeader.Meta.table_name, each, "EVENT") for each in events], world.sleep, world.random.fraction
    )
    found = []
    for item in items:
        if item is None or "N" in item.get("deleted_at", {}):
            continue
        header = EventHeader.from_raw_data(item)
        settings = settings_of(header)
        if as_it_is(header, settings, world.now()).phase == "open":
            found.append(OpenEvent(header, settings))
    return found


def names_of(world: World, account_id: str, events: list[str]) -> dict[str, str]:
    """The names of those of the events that the account administers."""
    keys = [(Membership.Meta.table_name, f"ACCOUNT#{account_id}", f"EVENT#{each}") for each in events]
    items = bulk.get_items(keys, world.sleep, world.random.fraction)
    return {each: item["event_name"]["S"] for each, item in zip(events, items, strict=True) if item is not None}


def _view(siblings: list[OpenEvent]) -> LinkedEvents:
    found = [
        LinkedEvent(each.header.event_id, each.settings.name, each.settings.kind, each.settings.starts_at)
        for each in siblings
    ]
    return LinkedEvents(sorted(found, key=lambda one: (one.name, one.event_id)))
