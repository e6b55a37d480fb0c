"""候补: the waiting list moves up, in the order of tickets."""

from __future__ import annotations

from chalicelib.services import audit
from chalicelib.services.entry_changes import Moved, joins_round, touch
from chalicelib.services.finding import known_event
from chalicelib.services.once import transaction
from chalicelib.services.registration.places import limit
from chalicelib.services.world import World
from chalicelib.store.entries import EntryCounts, EntryRecord, all_entries, counts_of, partition, sort_key
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
from chalicelib.store.transaction import Busy

MOST_AT_ONCE = 200
ATTEMPTS = 8
UNUSED_AFTER = 120_000
"""Milliseconds after which nobody can still be about to use a ticket: no request lives that long."""


def admit(world: World, event_id: str) -> int:
    """Give the free places to the first teams that wait; returns how many moved in.

    Every step is conditional on what was read and can be repeated, so two at once admit nobody twice. What is left
    when it is interrupted is done by the next one. Raises event_not_found.
    """
    admitted = 0
    for _ in range(MOST_AT_ONCE):
        first = next(iter(waiting(event_id, most=1)), None)
        if first is None:
            break
        header, settings = known_event(event_id)
        last = limit(tally_of(event_id), settings.capacity)
        if header.phase != "open" or (last is not None and ticket_of(first) > last):
            break
        try:
            admitted += _pass(world, header, first)
        except (Moved, Busy):
            continue
    return admitted


def _pass(world: World, header: EventHeader, first: Waiting) -> int:
    """Take the first ticket off the list: its team moves in, a void one gives its place to the next."""
    event_id = header.event_id
    number = whole(first.number)
    work = transaction(world)
    if number is None:
        work.delete(Waiting(first.pk, first.sk), Waiting.pk.exists() & Waiting.number.does_not_exist(), _moved)
        work.put(Waiting(*passed_key(event_id, ticket_of(first))))
        work.update(Tally(event_id, TALLY), [Tally.freed.add(1)])
        work.commit()
        return 0
    work.delete(Waiting(first.pk, first.sk), Waiting.number == number, _moved)
    work.update(
        EntryRecord(partition(event_id, number), sort_key(number)),
        [
            EntryRecord.state.set("in"),
            EntryRecord.joined_round.set(joins_round(header)),
            EntryRecord.version.add(1),
        ],
        EntryRecord.state == "waiting",
        _moved,
    )
    work.update(counts_of(event_id, number), [EntryCounts.entries.add(1), EntryCounts.waiting.add(-1)])
    touch(work, header, "registration.admit")
    audit.record(
        work,
        world,
        event_id=event_id,
        actor="system",
        action="registration.admit",
        subject=f"entry:{number}",
        details={"ticket": ticket_of(first)},
    )
    work.commit()
    return 1


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
