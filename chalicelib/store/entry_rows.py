"""Entries as they are written: one by one, or thousands at once as DynamoDB JSON, invisible until their import is in
the event's header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from pynamodb.expressions.update import Action

from chalicelib.store.bulk import Item
from chalicelib.store.entries import EntryRecord, StoredEntry, StoredPlayer, name_key, partition, sort_key


def entry_record(event_id: str, entry: StoredEntry) -> EntryRecord:
    """The item of a new entry, which is in its stored form."""
    return EntryRecord(
        partition(event_id, entry.number),
        sort_key(entry.number),
        event_id=event_id,
        number=entry.number,
        name=entry.name,
        club=entry.club,
        players=msgspec.to_builtins(entry.players),
        seed=entry.seed,
        state=entry.state,
        joined_round=entry.joined_round,
        version=entry.version,
        created_at=entry.created_at,
        ticket=entry.ticket,
        registrants=list(entry.registrants) or None,
        sealed_name=entry.sealed_name,
        sealed_club=entry.sealed_club,
        order=entry.order,
        pay_by=entry.pay_by,
    )


def people_actions(entry: StoredEntry) -> list[Action]:
    """What an update of an entry sets when its people or names change; ``entry`` is in its stored form."""
    return [
        EntryRecord.name.set(entry.name),
        EntryRecord.club.set(entry.club),
        EntryRecord.players.set(msgspec.to_builtins(entry.players)),
        *(
            attribute.remove() if box is None else attribute.set(box)
            for attribute, box in (
                (EntryRecord.sealed_name, entry.sealed_name),
                (EntryRecord.sealed_club, entry.sealed_club),
                (EntryRecord.substitutions, msgspec.to_builtins(entry.substitutions) or None),
            )
        ),
    ]


class NewEntry(msgspec.Struct, frozen=True):
    """An entry to be imported under ``number``, in its stored form."""

    number: int
    name: str
    club: str
    players: Sequence[StoredPlayer]
    sealed_name: str | None = None
    sealed_club: str | None = None
    seed: int | None = None
    group: str | None = None


def entry_item(event_id: str, import_id: str, entry: NewEntry, joined_round: int, now: int) -> Item:
    """The entry itself."""
    boxes = {"sealed_name": entry.sealed_name, "sealed_club": entry.sealed_club}
    drawn = {} if entry.seed is None else {"seed": {"N": str(entry.seed)}}
    if entry.group is not None:
        drawn["group"] = {"S": entry.group}
    return {
        **{name: {"S": box} for name, box in boxes.items() if box is not None},
        **drawn,
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
    """Index items of the entry's players; ``names`` are theirs in comparable form, empty where none is to be found."""
    for player, name in enumerate(names):
        if name:
            yield {
                "pk": {"S": name_key(event_id, name)},
                "sk": {"S": f"{entry.number:05d}#{player}"},
                "number": {"N": str(entry.number)},
                "player": {"N": str(player)},
                "import_id": {"S": import_id},
            }
