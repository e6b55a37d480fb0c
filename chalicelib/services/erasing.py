"""The end of a deleted event: thirty days later its data are erased, in every table and every folder.

Found by the due index. Every step can be repeated, and the event's header goes last, so that an erasure that was
interrupted is found again. The log stays: it names numbers and opaque ids only, and nothing may take a line out of it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from chalicelib.services import audit, edge_copies, public_folder
from chalicelib.services.deletion import LOOKED_AT_AGAIN_AFTER, erased_at, restorable
from chalicelib.services.ladders.healing import free
from chalicelib.services.once import transaction
from chalicelib.services.privacy.public_files import PRIVATE_FOLDERS
from chalicelib.services.privacy.purge import keys_to, put_off
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.accounts import Invitation, Membership
from chalicelib.store.due import ERASING, Due, due
from chalicelib.store.entries import SHARDS, EntryRecord, StoredEntry
from chalicelib.store.events import EventHeader, find_event, invited, members
from chalicelib.store.matches import Match, keys_of_round
from chalicelib.store.standings import ACTIVE, Pointer
from chalicelib.store.tables import whole

logger = logging.getLogger("guanjun.erasing")

MOST_EVENTS = 5
"""Events of one run; the next run takes the others."""
MOST_ROUNDS = 100
"""Rounds an event may have; one that was drawn and deleted may have left tables."""
KEPT_TO_THE_END = ("EVENT", f"DUE#{ERASING}")


def erase_due(world: World) -> int:
    """Erase every deleted event whose thirty days are over; returns how many. Twice, or twice at once, erases once."""
    found = list(Due.due.query(ERASING, Due.due_at <= world.now(), limit=MOST_EVENTS))
    return sum(_erase_one(world, waiting) for waiting in found)


def _erase_one(world: World, waiting: Due) -> bool:
    event_id = waiting.pk
    header = find_event(event_id, deleted=True)
    deleted_at = None if header is None else whole(header.deleted_at)
    if header is None or deleted_at is None:
        # It came back this very moment, or an earlier run erased it.
        due(event_id, ERASING).delete()
        return False
    if restorable(deleted_at, world.now()):
        put_off(waiting, erased_at(deleted_at))
        return False
    if not free(event_id):
        # What leads back from a ladder to the event's people must have gone first.
        put_off(waiting, world.now() + LOOKED_AT_AGAIN_AFTER)
        return False
    for folder in ("pub", public_folder.ASIDE, *PRIVATE_FOLDERS):
        world.files.delete_prefix(f"{folder}/{event_id}/")
    edge_copies.forget(world, event_id)
    for table, keys in _rows(world, event_id):
        bulk.delete_items(table, keys, world.sleep, world.random.fraction)
    change = transaction(world)
    change.delete(EventHeader(event_id, "EVENT"))
    change.delete(due(event_id, ERASING))
    audit.record(
        change,
        world,
        event_id=event_id,
        actor="system",
        action="event.erase",
        subject=f"event:{event_id}",
        details={"deleted_at": deleted_at},
    )
    change.commit()
    logger.info("event %s was erased", event_id)
    return True


def _rows(world: World, event_id: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """By table, the keys of everything the event has but its header: what leads to people first."""
    entries = EntryRecord.Meta.table_name
    for shard in range(SHARDS):
        keys: list[tuple[str, str]] = []
        for item in bulk.query_partition(entries, f"{event_id}#{shard}"):
            keys.append(_key(item))
            if item["sk"]["S"].startswith("ENTRY#"):
                keys += keys_to(world, event_id, StoredEntry.from_raw(item))
        yield entries, list(dict.fromkeys(keys))
    for ending in ("WAITING", "PASSED"):
        yield entries, [_key(item) for item in bulk.query_partition(entries, f"{event_id}#{ending}")]
    matches = Match.Meta.table_name
    yield matches, [_key(item) for item in bulk.query_partition(matches, event_id)]
    for number in range(1, MOST_ROUNDS + 1):
        yield matches, list(keys_of_round(event_id, number))
    standings = Pointer.Meta.table_name
    yield standings, [_key(item) for item in bulk.query_partition(standings, event_id)] + [(ACTIVE, event_id)]
    accounts = [f"ACCOUNT#{member.sk.removeprefix('MEMBER#')}" for member in members(event_id)]
    yield Membership.Meta.table_name, [(account, f"EVENT#{event_id}") for account in accounts]
    waiting = [(f"PHONE#{each.sk.removeprefix('INVITED#')}", f"INVITED#{event_id}") for each in invited(event_id)]
    yield Invitation.Meta.table_name, waiting
    events = EventHeader.Meta.table_name
    rest = [_key(item) for item in bulk.query_partition(events, event_id)]
    yield events, [key for key in rest if key[1] not in KEPT_TO_THE_END]


def _key(item: bulk.Item) -> tuple[str, str]:
    return item["pk"]["S"], item["sk"]["S"]
