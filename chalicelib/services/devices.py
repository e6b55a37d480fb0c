"""Devices: a phone that said "this is me" and was given a token for one player of one entry.

The token carries what it says under an HMAC, so it is read without the store; that it was not revoked is seen
when the device's item is read, together with everything else a request needs.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Any

from chalicelib.services import audit, links, players, searches
from chalicelib.services.once import transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.players import Me
from chalicelib.services.world import World
from chalicelib.store.entries import Device, partition

COOKIE_SECONDS = 60 * 86_400
_TOKEN = re.compile(r"([1-9][0-9]{0,5})\.([0-7])\.([A-Za-z0-9_-]{8,32})\.([A-Za-z0-9_-]{32})")


@dataclass(frozen=True)
class DeviceToken:
    """What a device's token says: event, entry number, index of the player within the entry, id of the device."""

    event_id: str
    number: int
    player: int
    device_id: str

    @property
    def keys(self) -> tuple[str, str, str]:
        """Where the device's item stands: table name, partition key, sort key (for ``bulk.get_items``)."""
        return (
            Device.Meta.table_name,
            partition(self.event_id, self.number),
            f"DEVICE#{self.number:05d}#{self.device_id}",
        )


def identify(world: World, event_id: str, number: int, player: int, text: str, description: str) -> tuple[Me, str]:
    """Give this browser a token for a player whom the search ``text`` still finds.

    Returns what the phone shows and the cookie's value. Raises nobody_found and what ``searches.find`` raises.
    """
    found = searches.find(world, event_id, text).candidates
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


def write_token(world: World, device: DeviceToken) -> str:
    """The cookie's value for a device."""
    return f"{device.number}.{device.player}.{device.device_id}.{_signature(world, device)}"


def read_token(world: World, event_id: str, token: str) -> DeviceToken | None:
    """The device that a cookie's value names, None if the value was not written by us for this event.

    Pure: whether the device was revoked must be asked of its item (:func:`ensure_live`).
    """
    found = _TOKEN.fullmatch(token)
    if found is None:
        return None
    device = DeviceToken(event_id, int(found[1]), int(found[2]), found[3])
    return device if hmac.compare_digest(_signature(world, device), found[4]) else None


def ensure_live(item: dict[str, Any] | None) -> None:
    """Raise identify_first unless ``item`` (DynamoDB JSON of a Device) is there and was not revoked."""
    if item is None or "N" in item.get("revoked_at", {}):
        raise Problem("identify_first")


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


def _signature(world: World, device: DeviceToken) -> str:
    text = f"device\n{device.event_id}\n{device.number}\n{device.player}\n{device.device_id}"
    digest = hmac.new(world.secret, text.encode(), hashlib.sha256).digest()[:24]
    return base64.urlsafe_b64encode(digest).decode()
