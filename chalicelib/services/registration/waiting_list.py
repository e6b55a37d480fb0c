"""候补: the waiting list moves up, in the order of tickets."""

from __future__ import annotations

from collections import Counter
from itertools import islice, takewhile

from msgspec.structs import replace

from chalicelib.services import audit
from chalicelib.services.entry_changes import Moved, joins_round, touch
from chalicelib.services.finding import known_event
from chalicelib.services.once import transaction
from chalicelib.services.payments import orders
from chalicelib.services.registration.places import limit
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import (
    SHARDS,
    EntryCounts,
    EntryRecord,
    StoredEntry,
    all_entries,
    counts_of,
    partition,
    sort_key,
)
from chalicelib.store.events import EventHeader
from chalicelib.store.registrations import (
    TALLY,
    Tally,
    Waiting,
    passed,
    passed_key,
    tally_of,
    ticket_of,
    waiting,
    waiting_key,
)
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, Transaction

MOST_AT_ONCE = 200
TOGETHER = 20
"""Teams that move up in one transaction: each takes four of its hundred steps, besides the counts they share."""
ATTEMPTS = 8
UNUSED_AFTER = 120_000
"""Milliseconds after which nobody can still be about to use a ticket: no request lives that long."""


def admit(world: World, event_id: str) -> int:
    """Give the free places to the first teams that wait; returns how many moved in.

    Every step is conditional on what was read and can be repeated, so two at once admit nobody twice. What is left
    when it is interrupted is done by the next one. Raises event_not_found.
    """
    admitted, together = 0, TOGETHER
    for _ in range(MOST_AT_ONCE):
        found = list(islice(waiting(event_id, most=together), together))
        if not found:
            break
        header, settings = known_event(event_id)
        last = limit(tally_of(event_id), settings.capacity)
        ready = [item for item in found if last is None or ticket_of(item) <= last]
        if header.phase != "open" or not ready:
            break
        teams = list(takewhile(lambda item: whole(item.number) is not None, ready))
        try:
            if teams:
                _let_in(world, header, settings, teams)
            else:
                _pass_over(world, event_id, ready[0])
            admitted += len(teams)
        except (Moved, Busy):
            # One that changed this moment must not hold up the others.
            together = 1
            continue
    return admitted


def _pass_over(world: World, event_id: str, void: Waiting) -> None:
    """Take a ticket without an entry off the list: its place goes to the next."""
    work = transaction(world)
    work.delete(Waiting(void.pk, void.sk), Waiting.pk.exists() & Waiting.number.does_not_exist(), _moved)
    work.put(Waiting(*passed_key(event_id, ticket_of(void))))
    work.update(Tally(event_id, TALLY), [Tally.freed.add(1)])
    work.commit()


def _let_in(world: World, header: EventHeader, settings: Settings, teams: list[Waiting]) -> None:
    """Take the first tickets off the list, all or none: their teams move in."""
    event_id, joined = header.event_id, joins_round(header)
    work = transaction(world)
    numbers = [int(item.number) for item in teams]
    owing = _owing(world, event_id, settings, numbers)
    for item, number in zip(teams, numbers, strict=True):
        work.delete(Waiting(item.pk, item.sk), Waiting.number == number, _moved)
        work.update(
            EntryRecord(partition(event_id, number), sort_key(number)),
            [
                EntryRecord.state.set("in"),
                EntryRecord.joined_round.set(joined),
                EntryRecord.version.add(1),
                *(orders.held(_held(work, world, event_id, settings, owing[number])) if number in owing else []),
            ],
            EntryRecord.state == "waiting",
            _moved,
        )
        audit.record(
            work,
            world,
            event_id=event_id,
            actor="system",
            action="registration.admit",
            subject=f"entry:{number}",
            details={"ticket": ticket_of(item), "admitted": [[number, joined]]},
        )
    for shard, count in Counter(number % SHARDS for number in numbers).items():
        work.update(counts_of(event_id, shard), [EntryCounts.entries.add(count), EntryCounts.waiting.add(-count)])
    touch(work, header, "registration.admit")
    work.commit()


def _owing(world: World, event_id: str, settings: Settings, numbers: list[int]) -> dict[int, StoredEntry]:
    """The entries of these numbers, where teams pay online."""
    if not orders.online(world, settings):
        return {}
    keys = [(EntryRecord.Meta.table_name, partition(event_id, number), sort_key(number)) for number in numbers]
    found = bulk.get_items(keys, world.sleep, world.random.fraction)
    return {entry.number: entry for entry in (StoredEntry.from_raw(item) for item in found if item is not None)}


def _held(work: Transaction, world: World, event_id: str, settings: Settings, entry: StoredEntry) -> StoredEntry:
    """The entry as it is once it has moved in: it has a day to pay, unless it has paid on site."""
    return orders.hold(work, world, event_id, settings, replace(entry, state="in"), orders.HOLD_LATER)


def give_back(world: World, event_id: str, ticket: int) -> None:
    """A ticket that nobody will use: it is passed over, and its place goes to the next."""
    Waiting(*waiting_key(event_id, ticket)).save()
    admit(world, event_id)


def reclaim(world: World, event_id: str) -> int:
    """Give back tickets whose request died before it entered anybody; returns how many there were.

    Only once the last ticket is so old that no request can still be under way. Raises event_not_found.
    """
    header, settings = known_event(event_id)
    tally = tally_of(event_id)
    last_at = whole(tally.last_at)
    if settings.capacity is None or last_at is None or world.now() - last_at < UNUSED_AFTER:
        return 0
    used = {entry.ticket for entry in all_entries(event_id, header.imports or ())}
    used |= {ticket_of(item) for item in waiting(event_id)}
    used |= {ticket_of(item) for item in passed(event_id)}
    unused = [ticket for ticket in range(1, int(tally.tickets) + 1) if ticket not in used]
    for ticket in unused[:MOST_AT_ONCE]:
        _void(world, event_id, ticket)
    admit(world, event_id)
    return len(unused)


def _void(world: World, event_id: str, ticket: int) -> None:
    """Put a ticket without an entry on the list, unless it was passed over before."""
    work = transaction(world)
    work.check(Waiting(*passed_key(event_id, ticket)), Waiting.pk.does_not_exist(), _moved)
    work.put(Waiting(*waiting_key(event_id, ticket)), Waiting.pk.does_not_exist(), _moved)
    try:
        work.commit()
    except Moved:
        return


def _moved(_: object) -> Exception:
    return Moved()
