"""我的各轮: a player's own rounds so far, in three reads: what is published, where it sat, what was said there and why
it sat there."""

from __future__ import annotations

from chalicelib.services import line_ups
from chalicelib.services.device_tokens import DeviceToken, ensure_live, ensure_signed_in
from chalicelib.services.finding import settings_of
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts
from chalicelib.services.settings import Settings
from chalicelib.services.stored import roster, tables
from chalicelib.services.table_reasons import ranks_are_told, reason_of, reason_of_bye
from chalicelib.services.table_views import ENTRIES, EVENTS, POINTERS, scoring_rules, table_keys, table_view
from chalicelib.services.views.players import MyRound, MyRounds, TableReason
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.scoring import TableView
from chalicelib.services.world import World
from chalicelib.store import matches
from chalicelib.store.bulk import Item, get_items
from chalicelib.store.entries import StoredEntry, partition, sort_key
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.standings import POINTER, Pointer
from chalicelib.store.tables import whole

Key = tuple[str, str, str]


def my_rounds(world: World, event_id: str, device: DeviceToken) -> MyRounds:
    """Every published round of the device's entry, oldest first: where it sat, against whom, and the result.

    Raises event_not_found, identify_first (token revoked).
    """
    header, pointer, token = _read(world, [(EVENTS, event_id, "EVENT"), (POINTERS, event_id, POINTER), device.keys])
    if header is None:
        raise Problem("event_not_found")
    ensure_live(token)
    event = EventHeader.from_raw_data(header)
    if whole(event.deleted_at) is not None:
        raise Problem("event_not_found")
    settings = settings_of(event)
    ensure_signed_in(token, settings)
    public = None if pointer is None else Pointer.from_raw_data(pointer)
    last = 0 if public is None else int(public.round)
    numbers = range(1, last + 1)
    found = _read(
        world,
        [(EVENTS, event_id, round_key(number)) for number in numbers]
        + [matches.seat_at(event_id, number, device.number) for number in numbers],
    )
    drawn = [
        (RoundHeader.from_raw_data(header), None if seat is None else matches.Seat.from_raw_data(seat))
        for header, seat in zip(found[:last], found[last:], strict=True)
        if header is not None
    ]
    shown = [pair for pair in drawn if pair[0].phase != "draft"]
    told = {int(header.number): ranks_are_told(public, settings, int(header.number)) for header, _ in shown}
    return MyRounds(_rounds(world, event, settings, shown, device.number, told))


def _read(world: World, keys: list[Key]) -> list[Item | None]:
    return get_items(keys, world.sleep, world.random.fraction) if keys else []


def _rounds(
    world: World,
    event: EventHeader,
    settings: Settings,
    drawn: list[tuple[RoundHeader, matches.Seat | None]],
    number: int,
    told: dict[int, bool],
) -> list[MyRound]:
    event_id = str(event.event_id)
    keys: list[Key] = []
    rooms = scoring_rules(settings).rooms
    for header, seat in drawn:
        if seat is not None and seat.table:
            keys.append(drafts.key_of(header, int(seat.table)))
        for address in _addresses(header, seat, rooms):
            keys += table_keys(event_id, int(header.number), address)
        if seat is not None:
            keys += [(ENTRIES, partition(event_id, number), sort_key(number)) for number in seat.at_table or ()]
    keys = list(dict.fromkeys(keys))
    items = dict(zip(keys, _read(world, keys), strict=True))
    names: dict[int, SeatedEntry] = {}
    for (place, _, _), item in items.items():
        if place == ENTRIES and item is not None:
            entry = StoredEntry.from_raw(item)
            names[entry.number] = roster.seat(entry)
    made = []
    for header, seat in drawn:
        views = []
        for address in _addresses(header, seat, rooms):
            match, ns, ew, _ = (items[key] for key in table_keys(event_id, int(header.number), address))
            if match is not None and match["generation"]["S"] == header.generation:
                stored = tables.with_words(match, ns, ew)
                view = table_view(stored, header, settings, names, world.now())
                views.append(line_ups.as_players_see(view, stored.side_of(number), header))
        why = None
        if seat is not None and seat.generation == header.generation:
            allowed = told[int(header.number)]
            if seat.table:
                drawing = drafts.find(items[drafts.key_of(header, int(seat.table))], int(seat.table))
                # A round that came back from an event document brought no reasons.
                if drawing is not None and drawing.why is not None:
                    why = reason_of(drawing.why, allowed, event.sealing is not None)
            else:
                why = reason_of_bye(header, number, allowed)
        made.append(_round(header, seat, views, number, why))
    return made


def _addresses(header: RoundHeader, seat: matches.Seat | None, rooms: bool) -> list[int]:
    """Where the entry sits: its table, or both rooms of its match; nothing without a table."""
    if seat is None or seat.generation != header.generation or not seat.table:
        return []
    table = int(seat.table)
    return [table, matches.closed_room(table)] if rooms else [table]


def _round(
    header: RoundHeader, seat: matches.Seat | None, views: list[TableView], number: int, why: TableReason | None
) -> MyRound:
    here = seat is not None and seat.generation == header.generation
    resting = here and seat is not None and not seat.table
    sits_out = resting and number in (header.sit_outs or ())
    side = seat.side if seat is not None and views else None
    table = next(iter(views), None)
    return MyRound(int(header.number), header.phase, resting and not sits_out, sits_out, side, table, views, why)
