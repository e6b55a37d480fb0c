"""Taking a stage back while none of its rounds is drawn: one transaction hides its entries, then they are deleted.

What is deleted is found by the import's id, so whatever was changed in the entries meanwhile goes as well; the numbers
are free again once nothing stands under them, unless somebody was entered behind them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from pynamodb.exceptions import DeleteError

from chalicelib.services import audit, rank_changes
from chalicelib.services.entry_changes import Moved
from chalicelib.services.entry_indexes import found_by
from chalicelib.services.event_frames import Frame
from chalicelib.services.once import transaction
from chalicelib.services.privacy.purge import keys_to
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import (
    COUNTS,
    SHARDS,
    EntryCounts,
    EntryRecord,
    PhoneIndex,
    StoredEntry,
    counts_of,
    partition,
    phone_key,
    sort_key,
)
from chalicelib.store.events import EventHeader
from chalicelib.store.registrations import TALLY, Tally
from chalicelib.store.series import FORMED, FormedRecord
from chalicelib.store.transaction import patiently

CLEARED = "-"
"""In the place of an import's id: nothing of it is left."""
FAILED = "ConditionalCheckFailedException"


def hide(world: World, targets: list[Frame], formed: list[FormedRecord], job_id: str, actor: str) -> None:
    """The one transaction that takes the entries out of all targets. Raises :class:`Moved` when one of them changed
    meanwhile, series_drawn, series_ended."""
    change = transaction(world)
    for target, record in zip(targets, formed, strict=True):
        header = target.header
        event_id = header.event_id
        if header.last_round:
            raise Problem("series_drawn", name=target.settings.name)
        if header.phase == "ended":
            raise Problem("series_ended", name=target.settings.name)
        counts = _counts(world, event_id)
        entries = list(stored(event_id, record.import_id))
        taking = [entry for entry in entries if entry.state == "in"]
        change.update(
            EventHeader(header.pk, header.sk),
            [
                EventHeader.imports.set([each for each in header.imports or () if each != record.import_id]),
                EventHeader.entries_version.add(1),
            ],
            (EventHeader.entries_version == header.entries_version)
            & (EventHeader.last_round == 0)
            & (EventHeader.phase == "open"),
            lambda _: Moved(),
        )
        gone = Counter(entry.number % SHARDS for entry in taking)
        here = Counter(entry.number % SHARDS for entry in taking if entry.checked_in_at is not None)
        for shard, number in gone.items():
            # A check-in that nobody else hears of moves these.
            same = (EntryCounts.entries == counts[shard][0]) & (EntryCounts.checked_in == counts[shard][1])
            if not counts[shard][1]:
                same = (EntryCounts.entries == counts[shard][0]) & (
                    EntryCounts.checked_in.does_not_exist() | (EntryCounts.checked_in == 0)
                )
            change.update(
                counts_of(event_id, shard),
                [EntryCounts.entries.add(-number), EntryCounts.checked_in.add(-here[shard])],
                same,
                lambda _: Moved(),
            )
        change.update(Tally(event_id, TALLY), [Tally.own.add(-len(taking))])
        change.update(
            FormedRecord(event_id, FORMED),
            [
                FormedRecord.state.set("undone"),
                FormedRecord.at.set(world.now()),
                FormedRecord.clearing.set(job_id),
            ],
            (FormedRecord.import_id == record.import_id) & (FormedRecord.state == "formed"),
            lambda _: Problem("series_not_formed"),
        )
        rank_changes.mark(change, event_id, "series", roster=True)
        audit.record(
            change,
            world,
            event_id=event_id,
            actor=actor,
            action="series.undo",
            subject=f"event:{event_id}",
            details={"gone": [entry.number for entry in entries]},
        )
    change.commit()


def _counts(world: World, event_id: str) -> list[tuple[int, int]]:
    keys = [(EntryCounts.Meta.table_name, f"{event_id}#{shard}", COUNTS) for shard in range(SHARDS)]
    found = bulk.get_items(keys, world.sleep, world.random.fraction)

    def number(item: bulk.Item | None, name: str) -> int:
        return 0 if item is None else int(item.get(name, {}).get("N", 0))

    return [(number(item, "entries"), number(item, "checked_in")) for item in found]


def stored(event_id: str, import_id: str) -> Iterator[StoredEntry]:
    """Every entry that stands under an import's id, seen or unseen."""
    for shard in range(SHARDS):
        for item in bulk.query_partition(EntryRecord.Meta.table_name, f"{event_id}#{shard}", "ENTRY#"):
            if item.get("import_id", {}).get("S") == import_id:
                yield StoredEntry.from_raw(item)


def clear(world: World, event_id: str, import_id: str, has_time: Callable[[], bool]) -> bool:
    """Delete what stands under an import's id, and what leads there; False when the time is over first. Phones that
    belong to somebody else by now stay his."""
    table = EntryRecord.Meta.table_name
    for entry in list(stored(event_id, import_id)):
        if not has_time():
            return False
        indexes = {phone_key(event_id, by) for player in entry.players if (by := found_by(world, event_id, player))}
        keys = [key for key in keys_to(world, event_id, entry) if key[0] not in indexes]
        for pk in indexes:
            _release(world, pk, entry.number)
        bulk.delete_items(table, keys, world.sleep, world.random.fraction)
        # Last, so that an interruption finds the rest again.
        bulk.delete_items(table, [_key_of(event_id, entry)], world.sleep, world.random.fraction)
    return True


def _key_of(event_id: str, entry: StoredEntry) -> tuple[str, str]:
    return partition(event_id, entry.number), sort_key(entry.number)


def _release(world: World, pk: str, number: int) -> None:
    try:
        patiently(
            lambda: PhoneIndex(pk, "OWNER").delete(condition=PhoneIndex.number == number),
            world.sleep,
            world.random.fraction,
        )
    except DeleteError as error:
        if error.cause_response_code != FAILED:
            raise


def give_numbers_back(world: World, event_id: str, record: FormedRecord) -> None:
    """Free the numbers of a stage whose rows are gone, if nobody was entered behind them; once, however often a step is
    repeated: the record names no rows from then on."""
    last = int(record.first) + int(record.size) - 1
    for free in (True, False):
        change = transaction(world)
        if free:
            change.update(
                Tally(event_id, TALLY),
                [Tally.value.set(int(record.first) - 1)],
                Tally.value == last,
                lambda _: Moved(),
            )
        change.update(
            FormedRecord(event_id, FORMED),
            [FormedRecord.state.set("undone"), FormedRecord.import_id.set(CLEARED)],
            FormedRecord.import_id == record.import_id,
            lambda _: _Done(),
        )
        try:
            change.commit()
            return
        except Moved:
            continue
        except _Done:
            return


class _Done(Exception):
    """An earlier step did it, or the stage is being formed anew."""
