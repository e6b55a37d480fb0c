"""是否加密: an event is encrypted, also one with entries; its digits are changed; what was interrupted is finished."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from chalicelib.rules.replay import club_mark
from chalicelib.services import audit, rank_changes
from chalicelib.services.entry_indexes import found_name
from chalicelib.services.finding import known_event
from chalicelib.services.ladders.following import follow
from chalicelib.services.names import comparable
from chalicelib.services.once import Once, transaction
from chalicelib.services.privacy import public_files, sealed_log
from chalicelib.services.privacy.keys import EventKeys, keys_of, make, rewrap, unlock, unlocked
from chalicelib.services.privacy.sealing import club_ids, names_nobody, sealed_form
from chalicelib.services.problems import Problem
from chalicelib.services.views.privacy import Encryption
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.club_list import CLUBS, ClubList
from chalicelib.store.due import SEALING, due
from chalicelib.store.entries import SHARDS, EntryRecord, StoredEntry, name_key, partition, sort_key
from chalicelib.store.entry_rows import people_actions
from chalicelib.store.events import EventHeader, find_event
from chalicelib.store.transaction import Busy

AT_ONCE = 60
PASSES = 6
LATEST_REQUEST = 120_000
"""Milliseconds after which no request that read the event before it was encrypted can still be under way."""


class _Moved(Exception):
    """An entry changed while it was being sealed: look again."""


def state(world: World, event_id: str, digits: str) -> Encryption:
    """Whether the event is encrypted, and whether ``digits`` (if any) open it. Raises event_not_found, digits_wrong."""
    header, _ = known_event(event_id)
    return _view(header, unlocked(world, header, digits) is not None)


def switch_on(world: World, event_id: str, digits: str, actor: str, call_once: Once) -> Encryption:
    """Encrypt the event under ``digits``: from now on everything is sealed, then what is there already, and the public
    files are written anew. Asked again after an interruption it finishes that work.

    Raises event_not_found, digits_weak, encrypted_already.
    """
    header, settings = known_event(event_id)
    keys = keys_of(header)
    if keys is not None:
        if keys.pending:
            finish(world, event_id)
        raise Problem("encrypted_already")
    keys = make(digits, world.now(), pending=True)
    header.sealing = msgspec.to_builtins(keys)
    # Who somebody is on a ladder is known by the phone alone, which nobody here can read from now on.
    sealed = msgspec.structs.replace(settings, clubs=club_ids(world, header, settings.clubs), ladders=[])
    reply = _view(header, True)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.update(
        EventHeader(header.pk, header.sk),
        [
            EventHeader.sealing.set(header.sealing),
            EventHeader.settings.set(msgspec.to_builtins(sealed)),
            EventHeader.version.add(1),
            EventHeader.entries_version.add(1),
        ],
        (EventHeader.version == header.version) & EventHeader.sealing.does_not_exist(),
        lambda _: Problem("stale_version"),
    )
    waiting = due(event_id, SEALING)
    waiting.due_bucket, waiting.due_at = SEALING, world.now() + LATEST_REQUEST
    change.put(waiting)
    change.delete(ClubList(event_id, CLUBS))
    if settings.ladders:
        follow(change, world, event_id, actor)
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="event.encrypt",
        subject=f"event:{event_id}",
        details={
            "names": sealed.clubs,
            "renamed": {club_mark(old): club_mark(new) for old, new in zip(settings.clubs, sealed.clubs, strict=True)},
        },
    )
    change.commit()
    finish(world, event_id)
    return msgspec.structs.replace(reply, pending=False)


def change_digits(
    world: World, event_id: str, new: str, old: str, typed_name: str, actor: str, call_once: Once
) -> Encryption:
    """New digits. With the ``old`` ones the key is wrapped anew and no entry is lost; without them a new key pair takes
    its place, the entries so far become unreadable, and ``typed_name`` must be the event's name.

    Raises not_encrypted, digits_weak, digits_needed, digits_wrong, too_many_tries, name_differs.
    """
    header, settings = known_event(event_id)
    keys = keys_of(header)
    if keys is None:
        raise Problem("not_encrypted")
    lost = not old
    if not lost:
        after = rewrap(keys, unlock(world, header, old), new)
    elif not typed_name.strip():
        raise Problem("digits_needed")
    elif comparable(typed_name) != comparable(settings.name):
        raise Problem("name_differs", "name")
    else:
        after = make(new, world.now(), keys.generation + 1, pending=keys.pending)
    before, header.sealing = header.sealing, msgspec.to_builtins(after)
    reply = _view(header, True)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.update(
        EventHeader(header.pk, header.sk),
        [EventHeader.sealing.set(header.sealing), EventHeader.version.add(1)],
        EventHeader.sealing == before,
        lambda _: Problem("stale_version"),
    )
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="event.new_key" if lost else "event.new_digits",
        subject=f"event:{event_id}",
        details={"generation": after.generation},
    )
    change.commit()
    return reply


def finish(world: World, event_id: str) -> None:
    """Seal every entry that is still in the clear, rewrite what is public, and say that it is done. Repeatable."""
    header = find_event(event_id, deleted=True)
    keys = None if header is None else keys_of(header)
    if header is None or keys is None:
        return
    sealed_log.rename_clubs(world, event_id)
    found = False
    for _ in range(PASSES):
        left = list(_in_the_clear(header))
        if not left:
            break
        found = True
        for first in range(0, len(left), AT_ONCE):
            _seal(world, header, keys, left[first : first + AT_ONCE])
    else:
        raise Busy
    if not found and not keys.pending:
        return
    change = transaction(world)
    rank_changes.mark(change, event_id, "event.encrypt", roster=True)
    change.commit()
    public_files.rewrite(world, event_id)
    _say_done(world, event_id)


def finish_due(world: World, event_id: str) -> None:
    """What the schedule does a little later: catch what a request wrote that had begun before."""
    finish(world, event_id)
    due(event_id, SEALING).delete()


def _in_the_clear(header: EventHeader) -> Iterator[StoredEntry]:
    """Entries that are not sealed, those of unfinished imports included."""
    table = EntryRecord.Meta.table_name
    for shard in range(SHARDS):
        for item in bulk.query_partition(table, f"{header.event_id}#{shard}", "ENTRY#"):
            entry = StoredEntry.from_raw(item)
            if not (entry.purged and names_nobody(entry)) and any(not player.sealed for player in entry.players):
                yield entry


def _seal(world: World, header: EventHeader, keys: EventKeys, entries: list[StoredEntry]) -> None:
    event_id, names = header.event_id, []
    change = transaction(world)
    for entry in entries:
        change.update(
            EntryRecord(partition(event_id, entry.number), sort_key(entry.number)),
            people_actions(sealed_form(world, event_id, keys, entry)),
            EntryRecord.version == entry.version,
            lambda _: _Moved(),
        )
        names += [
            (name_key(event_id, name), f"{entry.number:05d}#{index}")
            for index, player in enumerate(entry.players)
            if (name := found_name(entry.number, index, player))
        ]
    # Names first: an entry that is sealed does not tell any more by which names it was found.
    bulk.delete_items(EntryRecord.Meta.table_name, names, world.sleep, world.random.fraction)
    try:
        change.commit()
    except _Moved:
        return


def _say_done(world: World, event_id: str) -> None:
    for _ in range(PASSES):
        header, _settings = known_event(event_id)
        keys = keys_of(header)
        if keys is None or not keys.pending:
            return
        change = transaction(world)
        change.update(
            EventHeader(header.pk, header.sk),
            [EventHeader.sealing.set(msgspec.to_builtins(msgspec.structs.replace(keys, pending=False)))],
            EventHeader.sealing == header.sealing,
            lambda _: _Moved(),
        )
        try:
            change.commit()
        except _Moved:
            continue
        return


def _view(header: EventHeader, open_now: bool) -> Encryption:
    keys = keys_of(header)
    if keys is None:
        return Encryption(False, None, False, 0, False)
    return Encryption(True, keys.since, keys.pending, keys.generation, open_now)
