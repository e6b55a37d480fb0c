"""Entries: the roster, single changes, withdrawal.

A phone plays once per event: an index item per phone, put in the same transaction as the entry, says whose it is.
Items of an import that was never finished count as not there (``store.entries.visible``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from pynamodb.expressions.condition import Condition

from chalicelib.services import audit, phones, rank_changes
from chalicelib.services.entry_indexes import reindex
from chalicelib.services.entry_numbers import last_number, take_numbers
from chalicelib.services.finding import known_event, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.views.entries import EntryList, EntryName, EntryNames, EntryView, PlayerView
from chalicelib.services.world import World
from chalicelib.store.entries import (
    Device,
    EntryCounts,
    EntryRecord,
    StoredEntry,
    StoredPlayer,
    all_entries,
    counts_of,
    find_entry,
    partition,
    sort_key,
)
from chalicelib.store.events import EventHeader, RoundHeader, find_round, round_key
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, Transaction

MOST_ENTRIES = 20_000
ATTEMPTS = 8


@dataclass(frozen=True)
class TypedEntry:
    """An entry as somebody typed it; phones not yet normalised, empty if unknown."""

    name: str
    club: str
    players: list[PlayerView]
    seed: int | None = None


class _Moved(Exception):
    """What was read a moment ago is not so any more: read again."""


def roster(world: World, event_id: str) -> EntryList:
    """All entries with full phones, by number. Raises event_not_found."""
    header, _ = known_event(event_id)
    return EntryList([view(entry) for entry in all_entries(event_id, header.imports or ())])


def names(world: World, event_id: str) -> EntryNames:
    """All entries with masked phones, by number. Raises event_not_found."""
    header, _ = known_event(event_id)
    return EntryNames([name_view(entry) for entry in all_entries(event_id, header.imports or ())])


def view(entry: StoredEntry) -> EntryView:
    """An entry as organizers see it."""
    return EntryView(
        number=entry.number,
        name=entry.name,
        club=entry.club,
        players=[PlayerView(player.name, player.phone) for player in entry.players],
        seed=entry.seed,
        state=entry.state,
        joined_round=entry.joined_round,
        left_after_round=entry.left_after_round,
        checked_in_at=entry.checked_in_at,
        checked_in_by=entry.checked_in_by,
        version=entry.version,
    )


def name_view(entry: StoredEntry) -> EntryName:
    """An entry as the desk sees it."""
    return EntryName(
        number=entry.number,
        name=entry.name,
        club=entry.club,
        players=[player.name for player in entry.players],
        phones_masked=[phones.mask(player.phone) for player in entry.players],
        state=entry.state,
        checked_in_at=entry.checked_in_at,
        checked_in_by=entry.checked_in_by,
    )


def add(world: World, event_id: str, typed: TypedEntry, actor: str, call_once: Once) -> EntryView:
    """A new entry under the next number; after the first drawing it joins the next round.

    Raises event_ended, players_wrong, club_missing, bad_phone, phone_twice, phone_taken, too_many_entries.
    """
    return _persistently(lambda: _add(world, event_id, typed, actor, call_once))


def _add(world: World, event_id: str, typed: TypedEntry, actor: str, call_once: Once) -> EntryView:
    header, settings = open_event(event_id)
    players = _players(world, settings, typed, ())
    last = last_number(event_id)
    number = last + 1
    if number > MOST_ENTRIES:
        raise Problem("too_many_entries", limit=MOST_ENTRIES)
    record = EntryRecord(
        partition(event_id, number),
        sort_key(number),
        event_id=event_id,
        number=number,
        name=typed.name.strip(),
        club=typed.club.strip(),
        players=msgspec.to_builtins(players),
        seed=typed.seed,
        joined_round=_next_round(header),
        version=1,
        created_at=world.now(),
    )
    reply = view(StoredEntry.from_raw(record.to_dynamodb_dict()))
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    take_numbers(change, event_id, last, 1, _Moved)
    change.put(record, EntryRecord.pk.does_not_exist(), _moved)
    reindex(change, event_id, number, (), players, header.imports or ())
    change.update(counts_of(event_id, number), [EntryCounts.entries.add(1)])
    _touch(change, header, "entry.add")
    audit.record(change, world, event_id=event_id, actor=actor, action="entry.add", subject=f"entry:{number}")
    change.commit()
    return reply


def change(
    world: World, event_id: str, number: int, typed: TypedEntry, version: int, actor: str, call_once: Once
) -> EntryView:
    """Change an entry read at ``version``; a player who was replaced loses the phones that identified as them.

    Raises entry_not_found, stale_version with the entry as it is, and what :func:`add` raises.
    """
    return _persistently(lambda: _change(world, event_id, number, typed, version, actor, call_once))


def _change(
    world: World, event_id: str, number: int, typed: TypedEntry, version: int, actor: str, call_once: Once
) -> EntryView:
    header, settings = open_event(event_id)
    imports = header.imports or ()
    old = _found(event_id, number, imports)
    if old.version != version:
        raise Problem("stale_version", current=msgspec.to_builtins(view(old)))
    players = _players(world, settings, typed, old.players)
    reply = EntryView(
        number=number,
        name=typed.name.strip(),
        club=typed.club.strip(),
        players=[PlayerView(player.name, player.phone) for player in players],
        seed=typed.seed,
        state=old.state,
        joined_round=old.joined_round,
        left_after_round=old.left_after_round,
        checked_in_at=old.checked_in_at,
        checked_in_by=old.checked_in_by,
        version=version + 1,
    )
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [
            EntryRecord.name.set(reply.name),
            EntryRecord.club.set(reply.club),
            EntryRecord.players.set(msgspec.to_builtins(players)),
            EntryRecord.seed.remove() if typed.seed is None else EntryRecord.seed.set(typed.seed),
            EntryRecord.version.set(version + 1),
        ],
        EntryRecord.version == version,
        _stale,
    )
    reindex(work, event_id, number, old.players, players, imports)
    _revoke_devices(work, world, event_id, number, _replaced(old.players, players))
    _touch(work, header, "entry.change")
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.change",
        subject=f"entry:{number}",
        details={"persons": [player.person for player in players], "version": version + 1},
    )
    work.commit()
    return reply


def withdraw(
    world: World, event_id: str, number: int, withdrawn: bool, reason: str, actor: str, call_once: Once
) -> EntryView:
    """退赛, or back again: not paired after the last drawn round, results stay. Doing so again changes nothing.

    Raises entry_not_found, event_ended, and entry_seated while a draft may seat the entry.
    """
    return _persistently(lambda: _withdraw(world, event_id, number, withdrawn, reason, actor, call_once))


def _withdraw(
    world: World, event_id: str, number: int, withdrawn: bool, reason: str, actor: str, call_once: Once
) -> EntryView:
    header, _ = open_event(event_id)
    old = _found(event_id, number, header.imports or ())
    state = "withdrawn" if withdrawn else "in"
    work = transaction(world)
    if old.state == state:
        reply = view(old)
        call_once.record(work, msgspec.to_builtins(reply), world)
        work.commit()
        return reply
    last_round = int(header.last_round)
    left = max(last_round, old.joined_round - 1) if withdrawn else None
    reply = msgspec.convert(
        {**msgspec.to_builtins(view(old)), "state": state, "left_after_round": left, "version": old.version + 1},
        EntryView,
    )
    call_once.record(work, msgspec.to_builtins(reply), world)
    if last_round:
        work.check(
            RoundHeader(event_id, round_key(last_round)),
            RoundHeader.phase != "draft",
            lambda _: Problem("entry_seated", round=last_round),
        )
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [
            EntryRecord.state.set(state),
            EntryRecord.left_after_round.remove() if left is None else EntryRecord.left_after_round.set(left),
            EntryRecord.version.set(old.version + 1),
        ],
        (EntryRecord.version == old.version) & _same_check_in(old),
        _moved,
    )
    step = -1 if withdrawn else 1
    work.update(
        counts_of(event_id, number),
        [
            EntryCounts.entries.add(step),
            EntryCounts.checked_in.add(step if old.checked_in_at is not None else 0),
        ],
    )
    _touch(work, header, "entry.withdraw")
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.withdraw" if withdrawn else "entry.return",
        subject=f"entry:{number}",
        reason=reason or None,
        details={"after_round": left},
    )
    work.commit()
    return reply


def _same_check_in(entry: StoredEntry) -> Condition:
    if entry.checked_in_at is None:
        return EntryRecord.checked_in_at.does_not_exist()
    return EntryRecord.checked_in_at == entry.checked_in_at


def _found(event_id: str, number: int, imports: Sequence[str]) -> StoredEntry:
    entry = find_entry(event_id, number, imports)
    if entry is None:
        raise Problem("entry_not_found")
    return entry


def _players(world: World, settings: Settings, typed: TypedEntry, before: Sequence[StoredPlayer]) -> list[StoredPlayer]:
    """The typed players, checked; who stands in the same place under the same name or phone stays the same person."""
    kind = kind_of(settings.kind)
    fewest, most = kind.players
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
        name = player.name.strip()
        old = before[index] if index < len(before) else None
        stays = old is not None and (name == old.name or (phone != "" and phone == old.phone))
        person = old.person if old is not None and stays else world.random.token(9)
        players.append(StoredPlayer(person, name, phone))
    return players


def _replaced(old: Sequence[StoredPlayer], new: Sequence[StoredPlayer]) -> set[int]:
    """Indices at which another person plays now, or nobody."""
    return {index for index, player in enumerate(old) if index >= len(new) or new[index].person != player.person}


def _revoke_devices(work: Transaction, world: World, event_id: str, number: int, players: set[int]) -> None:
    if not players:
        return
    for device in Device.query(
        partition(event_id, number), Device.sk.startswith(f"DEVICE#{number:05d}#"), consistent_read=True
    ):
        if device.player in players and whole(device.revoked_at) is None and len(work) < 90:
            work.update(device, [Device.revoked_at.set(world.now())], Device.pk.exists())


def _next_round(header: EventHeader) -> int:
    """The round from which a new entry may be drawn: a draft can still be drawn anew with it."""
    last = int(header.last_round)
    if last == 0:
        return 1
    drawn = find_round(header.event_id, last)
    return last if drawn is not None and drawn.phase == "draft" else last + 1


def _touch(change: Transaction, header: EventHeader, reason: str) -> None:
    """Tell the event that its entries changed: standings, packed roster, and an import that may be under way."""
    change.update(
        header,
        [EventHeader.entries_version.add(1)],
        (EventHeader.phase == "open") & (EventHeader.last_round == header.last_round),
        lambda raw: Problem("event_ended") if raw and raw["phase"]["S"] == "ended" else _Moved(),
    )
    rank_changes.mark(change, header.event_id, reason, roster=True)


def _moved(_: dict[str, Any] | None) -> Exception:
    return _Moved()


def _stale(raw: dict[str, Any] | None) -> Exception:
    if raw is None:
        return Problem("entry_not_found")
    return Problem("stale_version", current=msgspec.to_builtins(view(StoredEntry.from_raw(raw))))


def _persistently(act: Callable[[], EntryView]) -> EntryView:
    """Read and decide again while others move what was read. Raises :class:`Busy` when that does not end."""
    for _ in range(ATTEMPTS):
        try:
            return act()
        except _Moved:
            continue
    raise Busy
