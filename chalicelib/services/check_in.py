"""签到: an entry is here, said by the desk or by one of its players. A repeat says who said so first, and when.

Two requests to the store: one look at the event and the entry (and the device), and one transaction.
"""

from __future__ import annotations

import msgspec

from chalicelib.services import audit
from chalicelib.services.device_tokens import DeviceToken, ensure_live, ensure_signed_in
from chalicelib.services.entries import name_view
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.entries import EntryName
from chalicelib.services.views.players import CheckedIn
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import (
    EntryCounts,
    EntryRecord,
    StoredEntry,
    counts_of,
    partition,
    sort_key,
    visible,
)
from chalicelib.store.events import EventHeader
from chalicelib.store.transaction import Busy, Transaction

ATTEMPTS = 8


class _Moved(Exception):
    """Somebody else checked the entry in or out at the same moment: look again."""


def at_desk(world: World, event_id: str, number: int, checked_in: bool, actor: str, call_once: Once) -> EntryName:
    """Check an entry in, or undo that; doing so again changes nothing and shows who did it and when.

    Raises event_ended, entry_not_found, entry_withdrawn, entry_not_in (on the waiting list, or without a partner).
    """
    for _ in range(ATTEMPTS):
        _, entry, _ = _look(world, event_id, number)
        if entry is None:
            raise Problem("entry_not_found")
        change = transaction(world)
        after = _step(change, world, event_id, entry, checked_in, actor)
        reply = name_view(after)
        call_once.record(change, msgspec.to_builtins(reply), world)
        try:
            change.commit()
        except _Moved:
            continue
        return reply
    raise Busy


def myself(world: World, event_id: str, device: DeviceToken, call_once: Once) -> CheckedIn:
    """Check the device's own entry in; doing so again changes nothing and says when it was.

    Raises event_ended, identify_first, sign_in_required, entry_withdrawn, entry_not_in.
    """
    for _ in range(ATTEMPTS):
        settings, entry, (token,) = _look(world, event_id, device.number, device.keys)
        ensure_live(token)
        ensure_signed_in(token, settings)
        if entry is None:
            raise Problem("identify_first")
        change = transaction(world)
        after = _step(change, world, event_id, entry, True, f"device:{device.device_id}")
        assert after.checked_in_at is not None
        reply = CheckedIn(after.number, after.checked_in_at)
        call_once.record(change, msgspec.to_builtins(reply), world)
        try:
            change.commit()
        except _Moved:
            continue
        return reply
    raise Busy


def _look(
    world: World, event_id: str, number: int, *extra: tuple[str, str, str]
) -> tuple[Settings, StoredEntry | None, list[bulk.Item | None]]:
    """The settings of an event that goes on, the visible entry, and what ``extra`` keys hold, in one request."""
    keys = [
        (EventHeader.Meta.table_name, event_id, "EVENT"),
        (EntryRecord.Meta.table_name, partition(event_id, number), sort_key(number)),
        *extra,
    ]
    raw, item, *rest = bulk.get_items(keys, world.sleep, world.random.fraction)
    if raw is None or "N" in raw.get("deleted_at", {}):
        raise Problem("event_not_found")
    header = EventHeader.from_raw_data(raw)
    settings = settings_of(header)
    if as_it_is(header, settings, world.now()).phase == "ended":
        raise Problem("event_ended")
    entry = None if item is None else StoredEntry.from_raw(item)
    if entry is not None and not visible(entry.import_id, header.imports or ()):
        entry = None
    return settings, entry, rest


def _step(
    change: Transaction, world: World, event_id: str, entry: StoredEntry, checked_in: bool, actor: str
) -> StoredEntry:
    """Add the change to the transaction (nothing, if it is so already); returns the entry as it will be."""
    if checked_in and entry.state == "withdrawn":
        raise Problem("entry_withdrawn")
    if checked_in and entry.state != "in":
        raise Problem("entry_not_in")
    if checked_in == (entry.checked_in_at is not None):
        return entry
    number, now = entry.number, world.now()
    record = EntryRecord(partition(event_id, number), sort_key(number))
    if checked_in:
        change.update(
            record,
            [EntryRecord.checked_in_at.set(now), EntryRecord.checked_in_by.set(actor)],
            (EntryRecord.state == "in") & EntryRecord.checked_in_at.does_not_exist(),
            lambda _: _Moved(),
        )
    else:
        change.update(
            record,
            [EntryRecord.checked_in_at.remove(), EntryRecord.checked_in_by.remove()],
            (EntryRecord.state == entry.state) & (EntryRecord.checked_in_at == entry.checked_in_at),
            lambda _: _Moved(),
        )
    if entry.state == "in":
        change.update(counts_of(event_id, number), [EntryCounts.checked_in.add(1 if checked_in else -1)])
    change.check(EventHeader(event_id, "EVENT"), EventHeader.phase == "open", lambda _: Problem("event_ended"))
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.check_in" if checked_in else "entry.check_out",
        subject=f"entry:{number}",
    )
    return msgspec.structs.replace(
        entry, checked_in_at=now if checked_in else None, checked_in_by=actor if checked_in else None
    )
