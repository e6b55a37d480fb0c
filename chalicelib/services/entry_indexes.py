"""Index items of an entry: whose phone it is, and who is called so. They change with the entry, in its transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pynamodb.expressions.condition import Condition

from chalicelib.services import phones
from chalicelib.services.names import comparable
from chalicelib.services.privacy.sealing import player_number
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.entries import NameIndex, PhoneIndex, StoredPlayer, name_key, phone_key
from chalicelib.store.transaction import Refusal, Transaction


def reindex(
    change: Transaction,
    world: World,
    event_id: str,
    number: int,
    old: Sequence[StoredPlayer],
    new: Sequence[StoredPlayer],
    imports: Collection[str],
    *,
    claimed: bool = False,
    typed: Sequence[StoredPlayer] = (),
) -> None:
    """Add the steps that turn the index items of ``old`` players of entry ``number`` into those of ``new`` ones.

    Both are as they are stored. The transaction raises phone_taken for a phone that another entry holds. ``claimed``:
    what an unfinished import has claimed counts as held; else the event's header must change in the same transaction,
    so that it notices.
    ``typed``: the new players as they were typed, whose phones the refusal names.
    """
    unclaimed: Condition = PhoneIndex.pk.does_not_exist() | (PhoneIndex.number == number)
    holds = unclaimed if claimed else free(number, imports)
    before, after = _places_by_phone(world, event_id, old), _places_by_phone(world, event_id, new)
    _phones(change, event_id, number, before, after, holds, typed or new)
    gone, come = _name_places(number, old), _name_places(number, new)
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
    free_for_us: Condition,
    typed: Sequence[StoredPlayer],
) -> None:
    for index in old.keys() - new.keys():
        change.delete(PhoneIndex(phone_key(event_id, index), "OWNER"))
    for index, player in new.items():
        if old.get(index) != player:
            change.put(
                PhoneIndex(phone_key(event_id, index), "OWNER", number=number, player=player),
                free_for_us,
                _taken(typed[player].phone, player),
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


def found_by(world: World, event_id: str, player: StoredPlayer) -> str:
    """The index of a stored player's phone, sealed or not; empty if they have none."""
    if player.found_by or not player.phone:
        return player.found_by
    return phones.index_in(world, event_id, player.phone)


def found_name(number: int, index: int, player: StoredPlayer) -> str:
    """The name by which a stored player is found; empty for one who is called by the number only."""
    return "" if player.sealed or player.name == player_number(number, index) else comparable(player.name)


def _places_by_phone(world: World, event_id: str, players: Sequence[StoredPlayer]) -> dict[str, int]:
    return {by: index for index, player in enumerate(players) if (by := found_by(world, event_id, player))}


def _name_places(number: int, players: Sequence[StoredPlayer]) -> set[tuple[str, int]]:
    return {(name, index) for index, player in enumerate(players) if (name := found_name(number, index, player))}
