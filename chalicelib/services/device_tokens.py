"""Tokens of devices: what a phone's cookie says about who it is.

The token carries what it says under an HMAC, so it is read without the store; that it was not revoked is seen
when the device's item is read, together with everything else a request needs.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Any

import msgspec

from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store.entries import Device, partition

_TOKEN = re.compile(r"([1-9][0-9]{0,5})\.([0-7])\.([A-Za-z0-9_-]{8,32})\.([A-Za-z0-9_-]{32})")


class DeviceToken(msgspec.Struct, frozen=True):
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


def ensure_signed_in(item: dict[str, Any] | None, settings: Settings) -> None:
    """签到/记分必须登录: raise sign_in_required unless an account stands behind the device (or need not)."""
    if settings.sign_in_required and (item is None or "account_id" not in item):
        raise Problem("sign_in_required")


def _signature(world: World, device: DeviceToken) -> str:
    text = f"device\n{device.event_id}\n{device.number}\n{device.player}\n{device.device_id}"
    digest = hmac.new(world.secret, text.encode(), hashlib.sha256).digest()[:24]
    return base64.urlsafe_b64encode(digest).decode()
