"""Index items of an entry: whose phone it is, and who is called so. They change with the entry, in its transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pynamodb.expressions.condition import Condition

from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem
from chalicelib.store.entries import NameIndex, PhoneIndex, StoredPlayer, name_key, phone_key
from chalicelib.store.transaction import Refusal, Transaction


def reindex(
    change: Transaction,
    event_id: str,
    number: int,
    old: Sequence[StoredPlayer],
    new: Sequence[StoredPlayer],
    imports: Collection[str],
) -> None:
    """Add the steps that turn the index items of ``old`` players of entry ``number`` into those of ``new`` ones.

    The transaction raises phone_taken for a phone that another entry holds.
    """
    _phones(change, event_id, number, _places_by_phone(old), _places_by_phone(new), imports)
    gone, come = _name_places(old), _name_places(new)
    for name, player in gone - come:
        change.delete(NameIndex(name_key(event_id, name), f"{number:05d}#{player}"))
    for name, player in come - gone:
        change.put(NameIndex(name_key(event_id, name), f"{number:05d}#{player}", number=number, player=player))


def _phones(
    change: Transaction,
    event_id: str,
    number: int,
    old: dict[str, int],
    new: dict[str, int],
    imports: Collection[str],
) -> None:
    for phone in old.keys() - new.keys():
        change.delete(PhoneIndex(phone_key(event_id, phone), "OWNER"))
    for phone, player in new.items():
        if old.get(phone) != player:
            change.put(
                PhoneIndex(phone_key(event_id, phone), "OWNER", number=number, player=player),
                free(number, imports),
                _taken(phone, player),
            )


def _taken(phone: str, player: int) -> Refusal:
    return lambda _: Problem("phone_taken", f"players[{player}].phone", phone=phone)


def free(number: int, imports: Collection[str]) -> Condition:
    """Nobody holds the phone: no item, one of this very entry, or one of an import that was never finished."""
    unfinished = PhoneIndex.import_id.exists()
    if imports:
        unfinished = unfinished & ~PhoneIndex.import_id.is_in(*imports)
    nobody: Condition = PhoneIndex.pk.does_not_exist() | (PhoneIndex.number == number) | unfinished
    return nobody


def _places_by_phone(players: Sequence[StoredPlayer]) -> dict[str, int]:
    return {player.phone: index for index, player in enumerate(players) if player.phone}


def _name_places(players: Sequence[StoredPlayer]) -> set[tuple[str, int]]:
    return {(name, index) for index, player in enumerate(players) if (name := comparable(player.name))}
