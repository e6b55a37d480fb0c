"""The rows of an import: written before anybody sees them, or taken away again.

Phones are claimed on condition that nobody else holds them, a hundred to a transaction; an entry typed at the same
moment may still take a phone from an unfinished import, and then the import's last transaction finds that out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

import msgspec
from pynamodb.exceptions import DeleteError

from chalicelib.services.entry_indexes import found_by, found_name
from chalicelib.services.privacy.sealing import stored_form
from chalicelib.services.problems import Problem
from chalicelib.services.roster import RosterEntry
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.claims import Claim, claim_phones
from chalicelib.store.entries import EntryRecord, NameIndex, PhoneIndex, StoredEntry, StoredPlayer, phone_key
from chalicelib.store.entry_rows import NewEntry, entry_item, name_items
from chalicelib.store.events import EventHeader
from chalicelib.store.transaction import MOST_STEPS, patiently

THREADS = 4
CHUNK = 250
Some = TypeVar("Some")


class Rows(msgspec.Struct, frozen=True):
    """What an import writes into the event, whose ``header`` knows the imports that were finished before.

    ``drawn``: seed and group of each entry where those are known already; else none has any.
    """

    event_id: str
    import_id: str
    first_number: int
    joined_round: int
    entries: tuple[RosterEntry, ...]
    header: EventHeader
    drawn: tuple[tuple[int | None, str | None], ...] = ()

    @property
    def imports(self) -> tuple[str, ...]:
        """Ids of the imports that were finished before."""
        return tuple(self.header.imports or ())

    def numbers(self) -> range:
        """The entries' numbers."""
        return range(self.first_number, self.first_number + len(self.entries))

    def numbered(self) -> Iterator[tuple[int, RosterEntry]]:
        """The entries with their numbers."""
        return zip(self.numbers(), self.entries, strict=True)


def write(world: World, rows: Rows) -> None:
    """Write everything. Raises phone_taken when somebody entered one of the phones meanwhile."""
    now = world.now()
    new = [_new_entry(world, rows, number, entry) for number, entry in rows.numbered()]

    def put(chunk: list[NewEntry]) -> None:
        items = []
        for entry in chunk:
            items.append(entry_item(rows.event_id, rows.import_id, entry, rows.joined_round, now))
            items += name_items(rows.event_id, rows.import_id, entry, _names(entry))
        bulk.put_items(EntryRecord.Meta.table_name, items, world.sleep, world.random.fraction)

    def claim(chunk: list[tuple[Claim, str]]) -> None:
        held = claim_phones(
            rows.event_id,
            rows.import_id,
            rows.imports,
            [each for each, _ in chunk],
            world.random.token(18),
            world.sleep,
            world.random.fraction,
        )
        if held is not None:
            raise Problem("phone_taken", phone=chunk[held][1])

    _in_threads(claim, _chunks(_phones(world, rows), MOST_STEPS))
    _in_threads(put, _chunks(new, CHUNK))


def _in_threads(act: Callable[[list[Some]], None], chunks: Iterable[list[Some]]) -> None:
    """Call ``act`` on every chunk, a few at a time. What is known of the request goes along into its threads."""
    with ThreadPoolExecutor(THREADS) as threads:
        for under_way in [threads.submit(copy_context().run, act, chunk) for chunk in chunks]:
            under_way.result()


def discard(world: World, rows: Rows) -> None:
    """Take back whatever was written; phones only as far as they are still this import's."""
    entry_keys, name_keys = [], []
    for number, entry in rows.numbered():
        new = _new_entry(world, rows, number, entry)
        item = entry_item(rows.event_id, rows.import_id, new, 1, 0)
        entry_keys.append((item["pk"]["S"], item["sk"]["S"]))
        name_keys += [
            (item["pk"]["S"], item["sk"]["S"]) for item in name_items(rows.event_id, rows.import_id, new, _names(new))
        ]
    bulk.delete_items(EntryRecord.Meta.table_name, entry_keys, world.sleep, world.random.fraction)
    bulk.delete_items(NameIndex.Meta.table_name, name_keys, world.sleep, world.random.fraction)
    for (index, number, player), _ in _phones(world, rows):
        claimed = PhoneIndex(phone_key(rows.event_id, index), "OWNER", number=number, player=player)
        _release(world, claimed, rows.import_id)


def _release(world: World, phone: PhoneIndex, import_id: str) -> None:
    try:
        patiently(lambda: phone.delete(condition=PhoneIndex.import_id == import_id), world.sleep, world.random.fraction)
    except DeleteError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        # Somebody else's by now, or never ours.


def _new_entry(world: World, rows: Rows, number: int, read: RosterEntry) -> NewEntry:
    """An entry of the file as it is stored."""
    seed, group = rows.drawn[number - rows.first_number] if rows.drawn else (None, None)
    entry = stored_form(
        world,
        rows.header,
        StoredEntry(
            number=number,
            name=read.name,
            club=read.club,
            players=[StoredPlayer(world.random.token(9), player.name, player.phone) for player in read.players],
            seed=seed,
            group=group,
            state="in",
            joined_round=rows.joined_round,
            left_after_round=None,
            checked_in_at=None,
            checked_in_by=None,
            import_id=rows.import_id,
            version=1,
        ),
    )
    return NewEntry(number, entry.name, entry.club, entry.players, entry.sealed_name, entry.sealed_club, seed, group)


def _names(entry: NewEntry) -> list[str]:
    """The names by which the players are found."""
    return [found_name(entry.number, index, player) for index, player in enumerate(entry.players)]


def _phones(world: World, rows: Rows) -> Iterator[tuple[Claim, str]]:
    """Claims of all phones, each with the phone."""
    for number, entry in rows.numbered():
        for player, typed in enumerate(entry.players):
            if typed.phone:
                index = found_by(world, rows.event_id, StoredPlayer("", typed.name, typed.phone))
                yield (index, number, player), typed.phone


def _chunks(items: Iterable[Some], size: int) -> Iterator[list[Some]]:
    waiting = iter(items)
    while chunk := list(islice(waiting, size)):
        yield chunk
