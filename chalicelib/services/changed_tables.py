"""The tables that changed since somebody looked: a referee of 2,500 tables is sent a few of them, not all."""

from __future__ import annotations

import msgspec

from chalicelib.services import calls, clock, table_changes
from chalicelib.services.finding import known_event, visible_round
from chalicelib.services.settings import Settings
from chalicelib.services.stored import roster, tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.table_views import names_at, table_keys, table_view
from chalicelib.services.views.calls import CallView
from chalicelib.services.views.changed_tables import ChangedTables
from chalicelib.services.views.events import ClockView
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.world import World
from chalicelib.store.bulk import get_items
from chalicelib.store.events import RoundHeader
from chalicelib.store.standings import Pointer, find_pointer

MOST = 150
"""Tables that are read one by one; from there on the whole round is as cheap."""
_KEYS_OF_A_TABLE = 4


def changed(world: World, event_id: str, number: int, since: int) -> ChangedTables:
    """Tables of a published round that changed after ``since`` (a number that an earlier answer gave), or all of them
    where that is not known. Raises round_not_found, also for a draft."""
    _, settings = known_event(event_id)
    header = visible_round(event_id, number)
    # Before the tables: what is told of is in the store already, and what comes later has a higher number.
    pointer = find_pointer(event_id)
    newest = 0 if pointer is None else int(pointer.changes)
    wanted = _wanted(world, header, newest, since)
    found = _all(header) if wanted is None else _these(world, header, wanted)
    queue = calls.queue(event_id, {})
    numbers = {entry for table in found for entry in (*table.ns, *table.ew)} | {call.entry for call in queue}
    few = len(numbers) <= MOST * _KEYS_OF_A_TABLE
    names = names_at(world, event_id, sorted(numbers)) if few else roster.seated_entries(world, event_id)
    now = world.now()
    return ChangedTables(
        round=number,
        phase=header.phase,
        clock=_clock(header, settings, pointer, now),
        changes=newest,
        whole=wanted is None,
        tables=[table_view(table, header, settings, names, now) for table in found],
        calls=[_named(call, names) for call in queue],
        outdated_by=list(header.outdated_by or ()),
    )


def _wanted(world: World, header: RoundHeader, newest: int, since: int) -> list[int] | None:
    """The tables to read, None for all."""
    if since == newest:
        return []
    if not 0 < since < newest:
        return None
    changes = table_changes.read(world, header.pk, newest)
    if changes.round != header.number:
        return None
    tables_since = changes.since(since)
    return tables_since if len(tables_since) <= MOST else None


def _all(header: RoundHeader) -> list[StoredTable]:
    return tables.of_round(header.pk, int(header.number), header.generation)


def _these(world: World, header: RoundHeader, numbers: list[int]) -> list[StoredTable]:
    keys = [key for table in numbers for key in table_keys(header.pk, int(header.number), table)]
    items = get_items(keys, world.sleep, world.random.fraction)
    found = []
    for first in range(0, len(items), _KEYS_OF_A_TABLE):
        match, ns, ew, running = items[first : first + _KEYS_OF_A_TABLE]
        if match is not None and match["generation"]["S"] == header.generation:
            found.append(tables.with_words(match, ns, ew, running))
    return found


def _clock(header: RoundHeader, settings: Settings, pointer: Pointer | None, now: int) -> ClockView:
    in_play = pointer if pointer is not None and pointer.round == header.number else None
    return clock.view(in_play, settings.stop_drawing_minutes, now)


def _named(call: CallView, names: dict[int, SeatedEntry]) -> CallView:
    return msgspec.structs.replace(call, name=names[call.entry].name if call.entry in names else "")
