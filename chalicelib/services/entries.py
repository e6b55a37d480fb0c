"""Entries: the roster, single changes, withdrawal.

A phone plays once per event: an index item per phone, put in the same transaction as the entry, says whose it is.
Items of an import that was never finished count as not there (``store.entries.visible``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.services import audit, audit_facts, line_ups, phones, place_phones
from chalicelib.services.entry_changes import Moved, joins_round, persistently, touch
from chalicelib.services.entry_indexes import reindex
from chalicelib.services.entry_numbers import last_number, take_numbers
from chalicelib.services.finding import known_event, open_event
from chalicelib.services.names import neat
from chalicelib.services.once import Once, transaction
from chalicelib.services.payments import orders, progress
from chalicelib.services.privacy.keys import OpenKey, unlocked
from chalicelib.services.privacy.sealing import readable, stored_form
from chalicelib.services.problems import Problem
from chalicelib.services.registration import places, waiting_list
from chalicelib.services.typed_entries import TypedEntry, checked_players
from chalicelib.services.views.entries import EntryList, EntryName, EntryNames, EntryView, PlayerView
from chalicelib.services.world import World
from chalicelib.store.entries import (
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
from chalicelib.store.entry_rows import entry_record, people_actions
from chalicelib.store.events import RoundHeader, round_key

MOST_ENTRIES = 20_000


def roster(world: World, event_id: str, digits: str = "") -> EntryList:
    """All entries with full phones; an encrypted event's names only with its digits. Raises digits_wrong."""
    return EntryList([view(entry) for entry in _readable(world, event_id, digits)])


def names(world: World, event_id: str, digits: str = "") -> EntryNames:
    """The same with masked phones. Raises event_not_found, digits_wrong."""
    return EntryNames([name_view(entry) for entry in _readable(world, event_id, digits)])


def _readable(world: World, event_id: str, digits: str) -> list[StoredEntry]:
    header, _ = known_event(event_id)
    key = unlocked(world, header, digits)
    return readable(all_entries(event_id, header.imports or ()), key)


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
        paid_at=entry.paid_at,
        registered=entry.ticket is not None or bool(entry.registrants),
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
    return persistently(lambda: _add(world, event_id, typed, actor, call_once))


def _add(world: World, event_id: str, typed: TypedEntry, actor: str, call_once: Once) -> EntryView:
    header, settings = open_event(world, event_id)
    players = checked_players(world, settings, typed, ())
    last = last_number(event_id)
    number = last + 1
    if number > MOST_ENTRIES:
        raise Problem("too_many_entries", limit=MOST_ENTRIES)
    entry = stored_form(
        world,
        header,
        StoredEntry(
            number=number,
            name=neat(typed.name),
            club=neat(typed.club),
            players=players,
            seed=typed.seed,
            group=None,
            state="in",
            joined_round=joins_round(header),
            left_after_round=None,
            checked_in_at=None,
            checked_in_by=None,
            import_id=None,
            version=1,
            created_at=world.now(),
        ),
    )
    record = entry_record(event_id, entry)
    reply = view(entry)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    take_numbers(change, event_id, last, 1, Moved, own=1)
    change.put(record, EntryRecord.pk.does_not_exist(), _moved)
    reindex(change, world, event_id, number, (), entry.players, header.imports or (), typed=players)
    change.update(counts_of(event_id, number), [EntryCounts.entries.add(1)])
    touch(change, header, "entry.add")
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.add",
        subject=f"entry:{number}",
        details=audit_facts.of_entries([entry]),
    )
    change.commit()
    return reply


def change(
    world: World,
    event_id: str,
    number: int,
    typed: TypedEntry,
    version: int,
    actor: str,
    call_once: Once,
    digits: str = "",
) -> EntryView:
    """Change an entry read at ``version``; a player who was replaced loses the phones that identified as them.

    In an encrypted event a player or team that is still called by the number stays what it is; ``digits`` were used to
    read the names that were typed over. Raises entry_not_found, stale_version with the entry as it is, digits_wrong,
    and what :func:`add` raises.
    """
    return persistently(lambda: _change(world, event_id, number, typed, version, actor, call_once, digits))


def _change(
    world: World,
    event_id: str,
    number: int,
    typed: TypedEntry,
    version: int,
    actor: str,
    call_once: Once,
    digits: str,
) -> EntryView:
    header, settings = open_event(world, event_id)
    imports = header.imports or ()
    key = unlocked(world, header, digits)
    old = _found(event_id, number, imports)
    (seen,) = readable([old], key)
    if old.version != version:
        raise Problem("stale_version", current=msgspec.to_builtins(view(seen)))
    before = seen.players if key is not None else old.players
    players = checked_players(world, settings, typed, before, old.state == "single", event_id=event_id)
    club = neat(typed.club)
    entry = stored_form(
        world,
        header,
        replace(
            old,
            name=neat(typed.name),
            club=club,
            players=players,
            seed=typed.seed,
            version=version + 1,
            sealed_club=old.sealed_club if club == old.club else None,
        ),
    )
    reply = view(entry)
    gone = _replaced(old.players, players)
    losing = place_phones.live(world, event_id, number, gone) if gone else []
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [
            *people_actions(entry),
            *_line_up_actions(old, before, players),
            EntryRecord.seed.remove() if typed.seed is None else EntryRecord.seed.set(typed.seed),
            EntryRecord.version.set(version + 1),
        ],
        (EntryRecord.version == version) & place_phones.none_came(old),
        lambda raw: _stale(raw, key, version),
    )
    reindex(work, world, event_id, number, old.players, entry.players, imports, typed=players)
    place_phones.revoke(work, losing, world.now())
    touch(work, header, "entry.change")
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.change",
        subject=f"entry:{number}",
        details={
            "persons": [player.person for player in players],
            "version": version + 1,
            **audit_facts.of_entries([entry]),
        },
    )
    work.commit()
    return reply


def withdraw(
    world: World,
    event_id: str,
    number: int,
    withdrawn: bool,
    reason: str,
    actor: str,
    call_once: Once,
    *,
    refund: bool = False,
) -> EntryView:
    """退赛, or back again: not paired after the last drawn round, results stay. Doing so again changes nothing.

    A place that becomes free goes to the first team that waits. An unpaid order ends with it; what was paid online goes
    back if ``refund`` and the entry has not played.

    Raises entry_not_found, event_ended, and entry_seated while a draft may seat the entry.
    """
    act = _Leaving(number, withdrawn, reason, actor, refund)
    reply, order_id = persistently(lambda: _withdraw(world, event_id, act, call_once))
    waiting_list.admit(world, event_id)
    progress.after_leaving(world, event_id, order_id)
    return reply


def lapse(world: World, event_id: str, number: int, order_id: str) -> None:
    """Nobody paid the order that held the entry's place: it is withdrawn, and the place goes to the first that waits.

    Raises order_not_found if nobody loses a place by that order (any more), and what :func:`withdraw` raises.
    """
    act = _Leaving(number, True, "", "system", False, order_id)
    persistently(lambda: _withdraw(world, event_id, act, Once("system", f"lapse-{order_id}", order_id)))
    waiting_list.admit(world, event_id)


class _Leaving(msgspec.Struct, frozen=True):
    """A withdrawal or return. ``unpaid``: the order whose time is over, if that is why."""

    number: int
    withdrawn: bool
    reason: str
    actor: str
    refund: bool
    unpaid: str | None = None


def _withdraw(world: World, event_id: str, act: _Leaving, call_once: Once) -> tuple[EntryView, str | None]:
    """The entry afterwards, and its order if that changed."""
    number, withdrawn = act.number, act.withdrawn
    header, settings = open_event(world, event_id)
    old = _found(event_id, number, header.imports or ())
    if act.unpaid is not None and not orders.still_owed(world, settings, header, old, act.unpaid):
        raise Problem("order_not_found")
    state = "withdrawn" if withdrawn else places.state_of_return(old)
    work = transaction(world)
    if (old.state == "withdrawn") is withdrawn:
        reply = view(old)
        call_once.record(work, msgspec.to_builtins(reply), world)
        work.commit()
        return reply, None
    last_round = int(header.last_round)
    left = max(last_round, old.joined_round - 1) if withdrawn else None
    told, refund = act.unpaid is not None, act.refund and not orders.plays(header, old)
    of_order, goes_back = orders.leave(work, world, event_id, old, refund, told) if withdrawn else ([], False)
    gone = replace(old, state=state, left_after_round=left, version=old.version + 1, pay_by=None)
    reply = view(replace(gone, paid_at=None) if goes_back else gone)
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
            *([] if withdrawn else [EntryRecord.ticket.remove()]),
            *of_order,
        ],
        (EntryRecord.version == old.version)
        & (EntryRecord.state == old.state)
        & _same_check_in(old)
        & orders.same_order(old),
        _moved,
    )
    if withdrawn:
        places.give_up(work, event_id, old)
    else:
        places.take_back(work, event_id, old, state)
    touch(work, header, "entry.withdraw")
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=act.actor,
        action="entry.withdraw" if withdrawn else "entry.return",
        subject=f"entry:{number}",
        reason=act.reason or None,
        details={
            "after_round": left,
            **({} if act.unpaid is None else {"unpaid": act.unpaid}),
            **audit_facts.of_entries([replace(old, state=state, left_after_round=left)]),
        },
    )
    work.commit()
    return reply, old.order if withdrawn else None


def _same_check_in(entry: StoredEntry) -> Condition:
    if entry.checked_in_at is None:
        return EntryRecord.checked_in_at.does_not_exist()
    return EntryRecord.checked_in_at == entry.checked_in_at


def _found(event_id: str, number: int, imports: Sequence[str]) -> StoredEntry:
    entry = find_entry(event_id, number, imports)
    if entry is None:
        raise Problem("entry_not_found")
    return entry


def _replaced(old: Sequence[StoredPlayer], new: Sequence[StoredPlayer]) -> set[int]:
    """Indices at which another person plays now, or nobody."""
    return {index for index, player in enumerate(old) if index >= len(new) or new[index].person != player.person}


def _line_up_actions(old: StoredEntry, before: Sequence[StoredPlayer], now: Sequence[StoredPlayer]) -> list[Action]:
    """A line-up names places, at which others may play now."""
    if old.line_up is None:
        return []
    kept = line_ups.after_change(old.line_up, before, now)
    if kept is None:
        return [EntryRecord.line_up.remove()]
    return [EntryRecord.line_up.set(line_ups.kept_form(kept))]


def _moved(_: dict[str, Any] | None) -> Exception:
    return Moved()


def _stale(raw: dict[str, Any] | None, key: OpenKey | None, version: int) -> Exception:
    if raw is None:
        return Problem("entry_not_found")
    (seen,) = readable([StoredEntry.from_raw(raw)], key)
    if seen.version == version:
        return Moved()  # a phone identified as one of its players this very moment
    return Problem("stale_version", current=msgspec.to_builtins(view(seen)))
