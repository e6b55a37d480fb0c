"""Devices: a phone that said "this is me" and was given a token for one player of one entry.

Without 签到/记分必须登录 knowing a player's name or phone is enough. With it an account must be signed in on the phone,
and where the player's own phone is known it must be the account's.
"""

from __future__ import annotations

import hmac

import msgspec

from chalicelib.services import accounts, audit, links, phones, players, searches
from chalicelib.services.device_tokens import DeviceToken, ensure_live, read_token, write_token
from chalicelib.services.entry_changes import Moved, persistently
from chalicelib.services.finding import known_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.players import Devices, DeviceView, Me
from chalicelib.services.world import World
from chalicelib.store.entries import Device, EntryRecord, StoredPlayer, find_entry, partition, sort_key
from chalicelib.store.tables import whole

__all__ = [
    "COOKIE_SECONDS",
    "DeviceToken",
    "ensure_live",
    "forget",
    "identify",
    "listed",
    "read_token",
    "revoke",
    "write_token",
]

COOKIE_SECONDS = 60 * 86_400


def identify(
    world: World,
    event_id: str,
    number: int,
    player: int,
    text: str,
    description: str,
    browser_id: str,
    session: str = "",
) -> tuple[Me, str]:
    """Give this browser a token for a player whom the search ``text`` still finds; ``session``: the account's cookie.

    Returns what the phone shows and the device cookie's value. Raises nobody_found, sign_in_required, not_your_phone
    and what ``searches.find`` raises.
    """
    device = persistently(lambda: _identify(world, event_id, number, player, text, description, browser_id, session))
    token = write_token(world, device)
    return players.me(world, event_id, device, links.csrf_of(world, token)), token


def _identify(
    world: World, event_id: str, number: int, player: int, text: str, description: str, browser_id: str, session: str
) -> DeviceToken:
    # Before the search: who is found in an entry that has changed by the end may not be who plays there.
    header, settings = known_event(event_id)
    entry = find_entry(event_id, number, header.imports or ())
    found = searches.find_here(world, event_id, text, browser_id)
    listed_here = any(candidate.number == number and candidate.player == player for candidate in found)
    if entry is None or player >= len(entry.players) or not listed_here:
        raise Problem("nobody_found", "number")
    account_id = _account_behind(world, event_id, settings, entry.players[player], session)
    device = DeviceToken(event_id, number, player, world.random.token(12))
    _, pk, sk = device.keys
    change = transaction(world)
    change.put(
        Device(
            pk,
            sk,
            number=number,
            player=player,
            created_at=world.now(),
            description=description,
            account_id=account_id,
        ),
        Device.pk.does_not_exist(),
    )
    change.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [EntryRecord.identified.add(1)],
        EntryRecord.version == entry.version,
        lambda _: Moved(),
    )
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=f"device:{device.device_id}",
        action="device.identify",
        subject=f"entry:{number}",
        details={"player": player, "account": account_id},
    )
    change.commit()
    return device


def _account_behind(world: World, event_id: str, settings: Settings, player: StoredPlayer, session: str) -> str | None:
    """The signed-in account, where the event asks for one; None where it does not."""
    if not settings.sign_in_required:
        return None
    opened = accounts.open_session(world, session, None) if session else None
    if opened is None:
        raise Problem("sign_in_required")
    if not _may_be(world, event_id, accounts.known_account(opened.account_id).phone, player):
        raise Problem("not_your_phone")
    return opened.account_id


def _may_be(world: World, event_id: str, phone: str, player: StoredPlayer) -> bool:
    """Whether the owner of ``phone`` may be this player: theirs is the same, or was never given."""
    if player.phone:
        return hmac.compare_digest(player.phone, phone)
    if player.found_by:
        return hmac.compare_digest(player.found_by, phones.index_in(world, event_id, phone))
    return True


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


def listed(world: World, event_id: str, number: int) -> Devices:
    """Every device that identified as a player of the entry, newest first. Raises event_not_found."""
    known_event(event_id)
    found = Device.query(
        partition(event_id, number), Device.sk.startswith(f"DEVICE#{number:05d}#"), consistent_read=True
    )
    views = [
        DeviceView(
            device_id=each.sk.rpartition("#")[2],
            player=int(each.player),
            description=each.description,
            created_at=int(each.created_at),
            revoked_at=whole(each.revoked_at),
            signed_in=each.account_id is not None,
        )
        for each in found
    ]
    return Devices(sorted(views, key=lambda view: (view.created_at, view.device_id), reverse=True))


def revoke(world: World, event_id: str, number: int, device_id: str, actor: str, call_once: Once) -> Done:
    """Take a device's token away: its next request has to find itself anew. Doing so again changes nothing.

    Raises event_not_found, device_not_found.
    """
    known_event(event_id)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(Done()), world)
    change.update(
        Device(partition(event_id, number), f"DEVICE#{number:05d}#{device_id}"),
        [Device.revoked_at.set(Device.revoked_at | world.now())],
        Device.pk.exists(),
        lambda _: Problem("device_not_found"),
    )
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="device.revoke",
        subject=f"entry:{number}",
        details={"device": device_id},
    )
    change.commit()
    return Done()
