"""Thousands of entries at once: their items as DynamoDB JSON, invisible until their import is in the event's header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from chalicelib.store.bulk import Item
from chalicelib.store.entries import StoredPlayer, name_key, partition, sort_key


@dataclass(frozen=True)
class NewEntry:
    """An entry to be imported under ``number``."""

    number: int
    name: str
    club: str
    players: Sequence[StoredPlayer]


def entry_item(event_id: str, import_id: str, entry: NewEntry, joined_round: int, now: int) -> Item:
    """The entry itself."""
    return {
        "pk": {"S": partition(event_id, entry.number)},
        "sk": {"S": sort_key(entry.number)},
        "event_id": {"S": event_id},
        "number": {"N": str(entry.number)},
        "name": {"S": entry.name},
        "club": {"S": entry.club},
        "players": {"S": msgspec.json.encode(entry.players).decode()},
        "state": {"S": "in"},
        "joined_round": {"N": str(joined_round)},
        "import_id": {"S": import_id},
        "version": {"N": "1"},
        "created_at": {"N": str(now)},
    }


def name_items(event_id: str, import_id: str, entry: NewEntry, names: Sequence[str]) -> Iterator[Item]:
    """Index items of the entry's players; ``names`` are theirs in comparable form."""
    for player, name in enumerate(names):
        if name:
            yield {
                "pk": {"S": name_key(event_id, name)},
                "sk": {"S": f"{entry.number:05d}#{player}"},
                "number": {"N": str(entry.number)},
                "player": {"N": str(player)},
                "import_id": {"S": import_id},
            }
