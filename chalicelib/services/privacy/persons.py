"""One person's data: everything that is stored of them, to take along, and its erasure.

The audit log names entries and opaque ids only, so erasing somebody changes neither the log nor what is computed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.services import audit, rank_changes
from chalicelib.services.documents import event_of
from chalicelib.services.entry_changes import Moved
from chalicelib.services.entry_indexes import reindex
from chalicelib.services.finding import known_event
from chalicelib.services.ladders.following import follow
from chalicelib.services.names import comparable
from chalicelib.services.once import Once, transaction
from chalicelib.services.privacy import public_files
from chalicelib.services.privacy.keys import unlocked
from chalicelib.services.privacy.sealing import player_number, readable
from chalicelib.services.problems import Problem
from chalicelib.services.views.privacy import Erased
from chalicelib.services.world import World
from chalicelib.store import audit as audit_store
from chalicelib.store.due import REWRITING, due
from chalicelib.store.entries import (
    Device,
    EntryRecord,
    StoredEntry,
    StoredPlayer,
    find_entry,
    partition,
    sort_key,
)
from chalicelib.store.entry_rows import people_actions
from chalicelib.store.events import EventHeader
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy

ATTEMPTS = 8
HEALED_AFTER = 120_000
"""Milliseconds after which the schedule rewrites public files that an interrupted erasure left."""
MOST_DEVICES = 60


def export(world: World, event_id: str, number: int, player: int, digits: str) -> tuple[bytes, str]:
    """Everything stored of player ``player`` (from 1) of an entry, as JSON, and the name to save it under. Behind the
    players come those for whom somebody was substituted, oldest first.

    Of an encrypted event name and phone only with its ``digits``. Raises entry_not_found, digits_wrong.
    """
    header, settings = known_event(event_id)
    entry = _entry(header, number, player)
    (seen,) = readable([entry], unlocked(world, header, digits))
    me, stored = _people(seen)[player - 1], _people(entry)[player - 1]
    document: dict[str, Any] = {
        "format": "guanjun-person/1",
        "event": {"id": event_id, "name": settings.name, "starts_at": settings.starts_at},
        "person": {"id": me.person, "name": me.name, "phone": me.phone, "phone_index": stored.found_by or None},
        "sealed": bool(stored.sealed) and me.name == stored.name,
        "entry": {
            "number": seen.number,
            "name": seen.name,
            "club": seen.club,
            "seed": seen.seed,
            "group": seen.group,
            "state": seen.state,
            "joined_round": seen.joined_round,
            "left_after_round": seen.left_after_round,
            "registered_at": seen.created_at,
            "registered_by": list(seen.registrants),
            "ticket": seen.ticket,
            "paid_at": seen.paid_at,
            "checked_in_at": seen.checked_in_at,
            "checked_in_by": seen.checked_in_by,
        },
        "devices": [
            {
                "id": _id(device),
                "since": int(device.created_at),
                "revoked_at": whole(device.revoked_at),
                "description": device.description,
            }
            for device in _devices(event_id, entry, player)
        ],
        "tables": _tables(world, header, number),
        "log": _log(event_id, number),
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1), f"{settings.name}-{number}-{player}.json"


def erase(world: World, event_id: str, number: int, player: int, actor: str, call_once: Once) -> Erased:
    """Erase player ``player`` (from 1) of an entry: the number takes the name's place everywhere, the phone is gone,
    and phones that identified as this player are forgotten. Doing so again changes nothing.

    Raises event_not_found, entry_not_found.
    """
    for _ in range(ATTEMPTS):
        try:
            reply = _erase(world, event_id, number, player, actor, call_once)
        except Moved:
            continue
        rewrite_now(world, event_id)
        return reply
    raise Busy


def rewrite_now(world: World, event_id: str) -> None:
    """Rewrite what is public after an erasure; the schedule does the same for one that was interrupted."""
    public_files.rewrite(world, event_id)
    due(event_id, REWRITING).delete()


def _erase(world: World, event_id: str, number: int, player: int, actor: str, call_once: Once) -> Erased:
    header, settings = known_event(event_id)
    old = _entry(header, number, player)
    place = _place(old, player)
    me = _people(old)[player - 1]
    called = player_number(number, old.substitutions[player - 1 - len(old.players)].player if place is None else place)
    reply = Erased(number, player, called)
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(reply), world)
    players, substitutions = [*old.players], [*old.substitutions]
    nameless = StoredPlayer(me.person, called)
    if place is not None:
        players[place] = nameless
    else:
        left = player - 1 - len(players)
        substitutions[left] = msgspec.structs.replace(substitutions[left], gone=nameless, devices=[])
    if players == old.players and tuple(substitutions) == old.substitutions and not old.sealed_name:
        work.commit()
        return reply
    telling = bool(comparable(me.name)) and comparable(me.name) in comparable(old.name)
    # What a sealed team name says nobody here can tell: it goes, too.
    name = "" if telling and not me.sealed else old.name
    entry = msgspec.structs.replace(
        old, name=name, players=players, sealed_name=None, substitutions=tuple(substitutions)
    )
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [*people_actions(entry), EntryRecord.version.set(old.version + 1)],
        EntryRecord.version == old.version,
        lambda _: Moved(),
    )
    reindex(work, world, event_id, number, old.players, players, header.imports or ())
    for device in _devices(event_id, old, player)[:MOST_DEVICES]:
        work.delete(Device(device.pk, device.sk))
    work.update(EventHeader(header.pk, header.sk), [EventHeader.entries_version.add(1)], EventHeader.pk.exists())
    rank_changes.mark(work, event_id, "person.erase", roster=True)
    if settings.ladders:
        follow(work, world, event_id, actor)
    waiting = due(event_id, REWRITING)
    waiting.due_bucket, waiting.due_at = REWRITING, world.now() + HEALED_AFTER
    work.put(waiting)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="person.erase",
        subject=f"entry:{number}",
        details={"person": me.person, "player": player},
    )
    work.commit()
    return reply


def _entry(header: EventHeader, number: int, player: int) -> StoredEntry:
    entry = find_entry(header.event_id, number, header.imports or ())
    if entry is None or not 1 <= player <= len(_people(entry)):
        raise Problem("entry_not_found")
    return entry


def _people(entry: StoredEntry) -> list[StoredPlayer]:
    """Everybody whose data the entry holds: its players, then those for whom somebody came in."""
    return [*entry.players, *(each.gone for each in entry.substitutions)]


def _place(entry: StoredEntry, player: int) -> int | None:
    """The place within the entry of its player ``player`` (from 1); None for somebody who has left."""
    return player - 1 if player <= len(entry.players) else None


def _devices(event_id: str, entry: StoredEntry, player: int) -> list[Device]:
    """The phones of player ``player`` (from 1): of a place those that no earlier player lost it by."""
    number, place = entry.number, _place(entry, player)
    found = Device.query(
        partition(event_id, number), Device.sk.startswith(f"DEVICE#{number:05d}#"), consistent_read=True
    )
    if place is None:
        theirs = set(entry.substitutions[player - 1 - len(entry.players)].devices)
        return [device for device in found if _id(device) in theirs]
    before = {lost for each in entry.substitutions for lost in each.devices}
    return [device for device in found if device.player == place and _id(device) not in before]


def _id(device: Device) -> str:
    name: str = device.sk.rpartition("#")[2]
    return name


def _tables(world: World, header: EventHeader, number: int) -> list[dict[str, Any]]:
    """Where the entry sat in the published rounds, and the result."""
    _, settings = known_event(header.event_id)
    event = event_of(world, header, settings)
    return [
        {
            "round": drawn.number,
            "table": table.number,
            "side": "ns" if number in table.ns else "ew",
            "entries": [*table.ns, *table.ew],
            "outcome": table.outcome.value,
            "ns_level": table.ns_level,
            "ew_level": table.ew_level,
        }
        for drawn in event.drawn
        for table in drawn.tables
        if number in (*table.ns, *table.ew)
    ]


def _log(event_id: str, number: int) -> list[dict[str, Any]]:
    """Lines of the event's log about the entry."""
    found = audit_store.AuditEntry.query(audit_store.partition(event_id), consistent_read=True)
    return [
        {"at": int(line.at), "action": line.action, "actor": line.actor, "reason": line.reason}
        for line in found
        if line.subject == f"entry:{number}"
    ]
