"""Devices: a phone that said "this is me" and was given a token for one player of one entry."""

from __future__ import annotations

from chalicelib.services import audit, links, players, searches
from chalicelib.services.device_tokens import DeviceToken, ensure_live, read_token, write_token
from chalicelib.services.once import transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.players import Me
from chalicelib.services.world import World
from chalicelib.store.entries import Device

__all__ = ["COOKIE_SECONDS", "DeviceToken", "ensure_live", "forget", "identify", "read_token", "write_token"]

COOKIE_SECONDS = 60 * 86_400


def identify(
    world: World, event_id: str, number: int, player: int, text: str, description: str, browser_id: str
) -> tuple[Me, str]:
    """Give this browser a token for a player whom the search ``text`` still finds.

    Returns what the phone shows and the cookie's value. Raises nobody_found and what ``searches.find`` raises.
    """
    found = searches.find(world, event_id, text, browser_id).candidates
    if not any(candidate.number == number and candidate.player == player for candidate in found):
        raise Problem("nobody_found", "number")
    device = DeviceToken(event_id, number, player, world.random.token(12))
    token = write_token(world, device)
    _, pk, sk = device.keys
    change = transaction(world)
    change.put(
        Device(pk, sk, number=number, player=player, created_at=world.now(), description=description),
        Device.pk.does_not_exist(),
    )
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=f"device:{device.device_id}",
        action="device.identify",
        subject=f"entry:{number}",
        details={"player": player},
    )
    change.commit()
    return players.me(world, event_id, device, links.csrf_of(world, token)), token


def forget(world: World, event_id: str, device: DeviceToken) -> None:
    """Revoke this browser's token; doing so again changes nothing."""
    _, pk, sk = device.keys
    change = transaction(world)
    change.update(
        Device(pk, sk), [Device.revoked_at.set(world.now())], Device.pk.exists(), lambda _: Problem("identify_first")
    )
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=f"device:{device.device_id}",
        action="device.forget",
        subject=f"entry:{device.number}",
    )
    change.commit()
