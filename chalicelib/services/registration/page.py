"""The registration page: what it says about the event, and one's own registrations."""

from __future__ import annotations

from collections.abc import Sequence

from chalicelib.services import rotation_rules
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.payments import expiry, orders
from chalicelib.services.problems import Problem
from chalicelib.services.registration import waiting_list
from chalicelib.services.registration.closing import ends_at, is_open
from chalicelib.services.registration.forms import own_view
from chalicelib.services.registration.places import limit
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.views.registration import RegistrationPage, RegistrationView
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import (
    COUNTS,
    SHARDS,
    EntryCounts,
    EntryRecord,
    StoredEntry,
    partition,
    sort_key,
)
from chalicelib.store.events import EventHeader
from chalicelib.store.registrations import TALLY, Tally, own_numbers, ticket_of, waiting

MOST_SHOWN_AHEAD = 2000


def page(world: World, event_id: str, whose: Sequence[str]) -> RegistrationPage:
    """Everything the page shows to a visitor who is known as ``whose``. Raises event_not_found."""
    keys = [
        (EventHeader.Meta.table_name, event_id, "EVENT"),
        (Tally.Meta.table_name, event_id, TALLY),
        *((EntryCounts.Meta.table_name, f"{event_id}#{shard}", COUNTS) for shard in range(SHARDS)),
    ]
    raw, raw_tally, *counts = bulk.get_items(keys, world.sleep, world.random.fraction)
    if raw is None or "deleted_at" in raw:
        raise Problem("event_not_found")
    header = EventHeader.from_raw_data(raw)
    settings = settings_of(header)
    kind = kind_of(settings.kind)
    now = world.now()
    header = as_it_is(header, settings, now)
    tally = Tally(event_id, TALLY) if raw_tally is None else Tally.from_raw_data(raw_tally)
    last = limit(tally, settings.capacity)
    deadline = settings.registration_deadline
    seen = settings.show_entry_count
    return RegistrationPage(
        event_id=event_id,
        name=settings.name,
        kind_zh=kind.chinese,
        kind_en=kind.english,
        starts_at=settings.starts_at,
        time_zone=settings.time_zone,
        open=is_open(header, settings, now),
        closed_because=_why_closed(header, settings, now),
        deadline=deadline,
        closes_at=None if deadline is None else ends_at(deadline),
        prompt=settings.registration_prompt,
        rules_text=rotation_rules.rules_of(settings),
        fee=settings.fees.entry,
        extra_fee=settings.fees.extra,
        players=kind.players[0],
        most_players=kind.players[1],
        allow_single=settings.allow_single and kind.players == (2, 2),
        club_needed=kind.club_ranking or not settings.allow_empty_club,
        # The ids of an encrypted event say nothing to who registers.
        clubs=list(settings.clubs) if header.sealing is None else [],
        most_entries=settings.entries_per_account,
        capacity=settings.capacity,
        full=last is not None and int(tally.tickets) >= last,
        teams=_sum(counts, "entries") if seen else None,
        waiting=_sum(counts, "waiting") if seen else None,
        mine=_mine(world, header, settings, whose, last),
        consent=settings.consent_text,
        encrypted=header.sealing is not None,
        prizes=settings.prizes,
        online=orders.online(world, settings),
        now=now,
        follow_first=settings.allow_wechat and world.wechat.papers() is not None,
    )


def _why_closed(header: EventHeader, settings: Settings, now: int) -> str | None:
    if header.phase == "ended":
        return "ended"
    if is_open(header, settings, now):
        return None
    return "switch" if settings.registration_closed else "deadline"


def _sum(counts: Sequence[bulk.Item | None], name: str) -> int:
    return sum(int(item.get(name, {}).get("N", 0)) for item in counts if item is not None)


def _mine(
    world: World, header: EventHeader, settings: Settings, whose: Sequence[str], last: int | None
) -> list[RegistrationView]:
    event_id = header.event_id
    entries = _read(world, event_id, whose)
    for entry in entries:
        if entry.order is not None and entry.pay_by is not None and entry.pay_by <= world.now():
            # Its time to pay is over, and the schedule has not come by yet.
            expiry.look_at(world, event_id, entry.order)
            entries = _read(world, event_id, whose)
    if any(entry.state == "waiting" and (last is None or (entry.ticket or 0) <= last) for entry in entries):
        # A place became free while this team was being entered, and nobody has moved up since.
        waiting_list.admit(world, event_id)
        entries = _read(world, event_id, whose)
    waits = any(entry.state == "waiting" for entry in entries)
    queue = _queue(event_id) if waits and settings.show_entry_count else None
    return [
        own_view(world, event_id, settings, entry, _ahead(queue, entry))
        for entry in sorted(entries, key=lambda entry: (entry.state == "withdrawn", entry.number))
    ]


def _read(world: World, event_id: str, whose: Sequence[str]) -> list[StoredEntry]:
    numbers = {number for who in whose for number in own_numbers(event_id, who)}
    keys = [(EntryRecord.Meta.table_name, partition(event_id, number), sort_key(number)) for number in numbers]
    found = bulk.get_items(keys, world.sleep, world.random.fraction)
    return [StoredEntry.from_raw(item) for item in found if item is not None]


def _queue(event_id: str) -> list[int]:
    """Tickets of teams that wait, in order; void ones do not count."""
    return [ticket_of(item) for item in waiting(event_id, most=MOST_SHOWN_AHEAD) if item.number is not None]


def _ahead(queue: list[int] | None, entry: StoredEntry) -> int | None:
    if queue is None or entry.state != "waiting" or entry.ticket not in queue:
        return None
    return queue.index(entry.ticket)
