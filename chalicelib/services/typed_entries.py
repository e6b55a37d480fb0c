"""An entry as somebody typed it, checked before anything is stored: how many players, which phones, who stays who."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from chalicelib.services import phones
from chalicelib.services.names import cleaned
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.world import World
from chalicelib.store.entries import StoredPlayer


class TypedEntry(msgspec.Struct, frozen=True):
    """An entry as somebody typed it; phones not yet normalised, empty if unknown."""

    name: str
    club: str
    players: list[PlayerView]
    seed: int | None = None


def checked_players(
    world: World,
    settings: Settings,
    typed: TypedEntry,
    before: Sequence[StoredPlayer],
    single: bool = False,
    *,
    event_id: str = "",
) -> list[StoredPlayer]:
    """The typed players, checked; who stands in the same place under the same name or phone stays the same person.

    Who is sealed and still called by the number stays sealed. ``single``: exactly one player, who still looks for a
    partner. Raises players_wrong, club_missing, bad_phone, phone_twice, and bad_value for a name nobody can see.
    """
    kind = kind_of(settings.kind)
    fewest, most = (1, 1) if single else kind.players
    if not fewest <= len(typed.players) <= most:
        raise Problem("players_wrong", "players", count=fewest if fewest == most else f"{fewest}-{most}")
    if kind.club_ranking and not typed.club.strip():
        raise Problem("club_missing", "club")
    players: list[StoredPlayer] = []
    for index, player in enumerate(typed.players):
        field = f"players[{index}].phone"
        phone = phones.normalise(player.phone, field) if player.phone.strip() else ""
        if phone and any(phone == other.phone for other in players):
            raise Problem("phone_twice", field)
        name = cleaned(player.name, f"players[{index}].name")
        old = before[index] if index < len(before) else None
        if old is not None and old.sealed and name == old.name and not phone:
            players.append(old)
            continue
        by_phone = old is not None and phone != "" and _has_phone(world, event_id, old, phone)
        stays = old is not None and (name == old.name or by_phone)
        person = old.person if old is not None and stays else world.random.token(9)
        players.append(StoredPlayer(person, name, phone))
    return players


def _has_phone(world: World, event_id: str, player: StoredPlayer, phone: str) -> bool:
    if player.found_by:
        return player.found_by == phones.index_in(world, event_id, phone)
    return player.phone == phone
