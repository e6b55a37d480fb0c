"""The phones that speak for a place of an entry, and how they lose that right when somebody else plays there.

A phone identifies itself while the entry may be changing, so each that does raises the entry's ``identified``: whoever
takes the right from the phones found a moment ago demands that no other has come since (:func:`none_came`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pynamodb.expressions.condition import Condition

from chalicelib.services.once import transaction
from chalicelib.services.world import World
from chalicelib.store.entries import Device, EntryRecord, StoredEntry, partition
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

MOST_AT_ONCE = 40
"""So many phones lose their right within one transaction, together with all else that changes."""
BATCH = 90


def live(world: World, event_id: str, number: int, places: Collection[int]) -> list[Device]:
    """The phones that speak for the players at ``places`` (from 0), newest first.

    More than one transaction can take the right from nobody carries: the oldest beyond that lose it here, at once.
    """
    found = sorted(
        (each for each in _all(event_id, number) if each.player in places and whole(each.revoked_at) is None),
        key=lambda each: int(each.created_at),
        reverse=True,
    )
    for first in range(MOST_AT_ONCE, len(found), BATCH):
        work = transaction(world)
        revoke(work, found[first : first + BATCH], world.now())
        work.commit()
    return found[:MOST_AT_ONCE]


def revoke(work: Transaction, devices: Iterable[Device], now: int) -> None:
    """Let ``work`` take the right from them."""
    for device in devices:
        work.update(Device(device.pk, device.sk), [Device.revoked_at.set(now)], Device.pk.exists())


def give_back(work: Transaction, event_id: str, number: int, device_ids: Collection[str], lost_at: int) -> None:
    """Let ``work`` give phones the right again that they lost at ``lost_at``. One that is gone, or was put away by its
    owner since, stays so."""
    for device in _all(event_id, number):
        if id_of(device) in device_ids and whole(device.revoked_at) == lost_at:
            lost = Device.revoked_at == lost_at
            work.update(Device(device.pk, device.sk), [Device.revoked_at.remove()], lost)


def id_of(device: Device) -> str:
    """The id within the entry."""
    name: str = device.sk.rpartition("#")[2]
    return name


def none_came(entry: StoredEntry) -> Condition:
    """No phone has identified as a player of the entry since it was read."""
    if entry.identified:
        same: Condition = EntryRecord.identified == entry.identified
        return same
    none: Condition = EntryRecord.identified.does_not_exist()
    return none


def _all(event_id: str, number: int) -> Iterable[Device]:
    found: Iterable[Device] = Device.query(
        partition(event_id, number), Device.sk.startswith(f"DEVICE#{number:05d}#"), consistent_read=True
    )
    return found
