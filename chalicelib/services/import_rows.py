"""The rows of an import: written before anybody sees them, or taken away again.

Phones are claimed on condition that nobody else holds them, a hundred to a transaction; an entry typed at the same
moment may still take a phone from an unfinished import, and then the import's last transaction finds that out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from pynamodb.exceptions import DeleteError

from chalicelib.services.entry_indexes import free
from chalicelib.services.names import comparable
from chalicelib.services.once import transaction
from chalicelib.services.problems import Problem
from chalicelib.services.roster import RosterEntry
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import EntryRecord, NameIndex, PhoneIndex, StoredPlayer, phone_key
from chalicelib.store.entry_rows import NewEntry, entry_item, name_items
from chalicelib.store.transaction import MOST_STEPS, Refusal, patiently

THREADS = 4
CHUNK = 250
Some = TypeVar("Some")


@dataclass(frozen=True)
class Rows:
    """What an import writes. ``imports``: those that were finished before."""

    event_id: str
    import_id: str
    first_number: int
    joined_round: int
    entries: tuple[RosterEntry, ...]
    imports: tuple[str, ...]

    def numbers(self) -> range:
        """The entries' numbers."""
        return range(self.first_number, self.first_number + len(self.entries))

    def numbered(self) -> Iterator[tuple[int, RosterEntry]]:
        """The entries with their numbers."""
        return zip(self.numbers(), self.entries, strict=True)


def write(world: World, rows: Rows) -> None:
    """Write everything. Raises phone_taken when somebody entered one of the phones meanwhile."""
    now = world.now()
    new = [
        NewEntry(
            number,
            entry.name,
            entry.club,
            [StoredPlayer(world.random.token(9), player.name, player.phone) for player in entry.players],
        )
        for number, entry in rows.numbered()
    ]

    def put(chunk: list[NewEntry]) -> None:
        items = []
        for entry in chunk:
            items.append(entry_item(rows.event_id, rows.import_id, entry, rows.joined_round, now))
            names = [comparable(player.name) for player in entry.players]
            items += name_items(rows.event_id, rows.import_id, entry, names)
        bulk.put_items(EntryRecord.Meta.table_name, items, world.sleep, world.random.fraction)

    def claim(chunk: list[PhoneIndex]) -> None:
        claims = transaction(world)
        for item in chunk:
            claims.put(item, free(int(item.number), rows.imports), _taken(item.pk))
        claims.commit()

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(claim, _chunks(_phones(rows), MOST_STEPS)))
        list(threads.map(put, _chunks(new, CHUNK)))


def discard(world: World, rows: Rows) -> None:
    """Take back whatever was written; phones only as far as they are still this import's."""
    entry_keys, name_keys = [], []
    for number, entry in rows.numbered():
        players = [StoredPlayer("", player.name, player.phone) for player in entry.players]
        new = NewEntry(number, entry.name, entry.club, players)
        item = entry_item(rows.event_id, rows.import_id, new, 1, 0)
        entry_keys.append((item["pk"]["S"], item["sk"]["S"]))
        names = [comparable(player.name) for player in players]
        name_keys += [
            (item["pk"]["S"], item["sk"]["S"]) for item in name_items(rows.event_id, rows.import_id, new, names)
        ]
    bulk.delete_items(EntryRecord.Meta.table_name, entry_keys, world.sleep, world.random.fraction)
    bulk.delete_items(NameIndex.Meta.table_name, name_keys, world.sleep, world.random.fraction)
    for phone in _phones(rows):
        _release(world, phone, rows.import_id)


def _release(world: World, phone: PhoneIndex, import_id: str) -> None:
    try:
        patiently(lambda: phone.delete(condition=PhoneIndex.import_id == import_id), world.sleep, world.random.fraction)
    except DeleteError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        # Somebody else's by now, or never ours.


def _phones(rows: Rows) -> Iterator[PhoneIndex]:
    for number, entry in rows.numbered():
        for player, typed in enumerate(entry.players):
            if typed.phone:
                yield PhoneIndex(
                    phone_key(rows.event_id, typed.phone),
                    "OWNER",
                    number=number,
                    player=player,
                    import_id=rows.import_id,
                )


def _taken(pk: str) -> Refusal:
    return lambda _: Problem("phone_taken", phone=pk.rpartition("#")[2])


def _chunks(items: Iterable[Some], size: int) -> Iterator[list[Some]]:
    waiting = iter(items)
    while chunk := list(islice(waiting, size)):
        yield chunk
