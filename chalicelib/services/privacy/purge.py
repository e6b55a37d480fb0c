"""The date on which an event's personal data go: numbers take the names' place, phones and devices are deleted.

Found by the due index; every step can be repeated, and what is done already changes nothing. Results, standings and
the log stay, for they name numbers and opaque ids only.
"""

from __future__ import annotations

import msgspec
from pynamodb.exceptions import DeleteError, UpdateError

from chalicelib.services import audit, rank_changes
from chalicelib.services.entry_indexes import found_by, found_name
from chalicelib.services.finding import settings_of
from chalicelib.services.ladders.following import follow
from chalicelib.services.once import transaction
from chalicelib.services.privacy import public_files
from chalicelib.services.privacy.encrypting import finish_due
from chalicelib.services.privacy.persons import rewrite_now
from chalicelib.services.privacy.sealing import names_nobody, number_of, player_number
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.calls import OpenCall, keys_of_all
from chalicelib.store.club_list import CLUBS, ClubList
from chalicelib.store.due import FOLDER, PURGE, REWRITING, SEALING, Due, due
from chalicelib.store.entries import (
    SHARDS,
    EntryRecord,
    StoredEntry,
    StoredPlayer,
    name_key,
    partition,
    phone_key,
    sort_key,
)
from chalicelib.store.entry_rows import people_actions
from chalicelib.store.events import EventHeader, find_event
from chalicelib.store.registrations import COUNT, registrant_key
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, Transaction

AT_ONCE = 80
PASSES = 6
MOST_EVENTS = 20
"""Events of one run; the next run takes the others."""
CONDITION_FAILED = "ConditionalCheckFailedException"


class _Moved(Exception):
    """An entry changed while it was being purged: look again."""


def wait(change: Transaction, event_id: str, settings: Settings) -> None:
    """Put the purge date of ``settings`` into the due index, in place of an earlier one."""
    waiting = due(event_id, PURGE)
    if settings.purge_at is None:
        change.delete(waiting)
        return
    waiting.due_bucket, waiting.due_at = PURGE, settings.purge_at
    change.put(waiting)


def purge_due(world: World) -> int:
    """Purge every event whose date has come, and finish what erasures, encryptions and deletions left; returns how many
    events were purged. Running it twice, or twice at once, does no more."""
    for waiting in _found(world, SEALING):
        finish_due(world, waiting.pk)
    for waiting in _found(world, REWRITING):
        rewrite_now(world, waiting.pk)
    for waiting in _found(world, FOLDER):
        public_files.look_again(world, waiting.pk)
        _forget(waiting)
    return sum(_purge_one(world, waiting) for waiting in _found(world, PURGE))


def _found(world: World, bucket: str) -> list[Due]:
    return list(Due.due.query(bucket, Due.due_at <= world.now(), limit=MOST_EVENTS))


def _purge_one(world: World, waiting: Due) -> bool:
    event_id = waiting.pk
    header = find_event(event_id, deleted=True)
    at = None if header is None else settings_of(header).purge_at
    if header is None or at is None:
        _forget(waiting)
        return False
    if at > world.now():
        put_off(waiting, at)
        return False
    purge(world, header)
    return True


def purge(world: World, header: EventHeader) -> None:
    """Purge the event now."""
    event_id = header.event_id
    for _ in range(PASSES):
        left = [entry for entry in _all(event_id) if not (entry.purged and names_nobody(entry))]
        if not left:
            break
        for first in range(0, len(left), AT_ONCE):
            _purge_entries(world, event_id, left[first : first + AT_ONCE])
    else:
        raise Busy
    marked = transaction(world)
    rank_changes.mark(marked, event_id, "event.purge", roster=True)
    marked.update(EventHeader(header.pk, header.sk), [EventHeader.entries_version.add(1)], EventHeader.pk.exists())
    if settings_of(header).ladders:
        follow(marked, world, event_id, "system")
    marked.commit()
    public_files.rewrite(world, event_id)
    # What people wrote to a referee may name anybody.
    bulk.delete_items(OpenCall.Meta.table_name, keys_of_all(event_id), world.sleep, world.random.fraction)
    done = transaction(world)
    done.update(EventHeader(header.pk, header.sk), [EventHeader.purged_at.set(world.now())], EventHeader.pk.exists())
    done.delete(due(event_id, PURGE))
    done.delete(ClubList(event_id, CLUBS))
    if whole(header.purged_at) is None:
        audit.record(done, world, event_id=event_id, actor="system", action="event.purge", subject=f"event:{event_id}")
    done.commit()


def _all(event_id: str) -> list[StoredEntry]:
    """Every entry, those of unfinished imports included."""
    table = EntryRecord.Meta.table_name
    return [
        StoredEntry.from_raw(item)
        for shard in range(SHARDS)
        for item in bulk.query_partition(table, f"{event_id}#{shard}", "ENTRY#")
    ]


def _purge_entries(world: World, event_id: str, entries: list[StoredEntry]) -> None:
    table = EntryRecord.Meta.table_name
    keys: list[tuple[str, str]] = []
    for entry in entries:
        keys += keys_to(world, event_id, entry)
    # Indexes first: an entry without names does not tell any more what there was.
    bulk.delete_items(table, dict.fromkeys(keys), world.sleep, world.random.fraction)
    change = transaction(world)
    for entry in entries:
        change.update(
            EntryRecord(partition(event_id, entry.number), sort_key(entry.number)),
            [
                *people_actions(_nameless(entry)),
                EntryRecord.purged.set(True),
                EntryRecord.registrants.remove(),
                EntryRecord.version.add(1),
            ],
            EntryRecord.version == entry.version,
            lambda _: _Moved(),
        )
    try:
        change.commit()
    except _Moved:
        return


def _nameless(entry: StoredEntry) -> StoredEntry:
    players = [
        StoredPlayer(player.person, player_number(entry.number, index)) for index, player in enumerate(entry.players)
    ]
    substitutions = tuple(
        msgspec.structs.replace(
            each, gone=StoredPlayer(each.gone.person, player_number(entry.number, each.player)), devices=[]
        )
        for each in entry.substitutions
    )
    return msgspec.structs.replace(
        entry,
        name=number_of(entry.number),
        players=players,
        sealed_name=None,
        sealed_club=None,
        substitutions=substitutions,
    )


def keys_to(world: World, event_id: str, entry: StoredEntry) -> list[tuple[str, str]]:
    """Keys of everything that leads from a person to the entry: phones, names, devices, registrants."""
    keys: list[tuple[str, str]] = []
    for index, player in enumerate(entry.players):
        if by := found_by(world, event_id, player):
            keys.append((phone_key(event_id, by), "OWNER"))
        if name := found_name(entry.number, index, player):
            keys.append((name_key(event_id, name), f"{entry.number:05d}#{index}"))
    for who in entry.registrants:
        keys += [(registrant_key(event_id, who), f"ENTRY#{entry.number:05d}"), (registrant_key(event_id, who), COUNT)]
    pk = partition(event_id, entry.number)
    devices = bulk.query_partition(EntryRecord.Meta.table_name, pk, f"DEVICE#{entry.number:05d}#")
    return [*keys, *((item["pk"]["S"], item["sk"]["S"]) for item in devices)]


def put_off(waiting: Due, at: int) -> None:
    """Let ``waiting`` wait until ``at``, unless somebody else has put it off already."""
    try:
        waiting.update([Due.due_at.set(at)], Due.due_at == waiting.due_at)
    except UpdateError as error:
        if error.cause_response_code != CONDITION_FAILED:
            raise
        # Put off already.


def _forget(waiting: Due) -> None:
    try:
        waiting.delete(Due.due_at == waiting.due_at)
    except DeleteError as error:
        if error.cause_response_code != CONDITION_FAILED:
            raise
        # A new date was set this very moment.
