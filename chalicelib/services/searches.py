"""Finding yourself: by phone or, where the event allows it, by name. Same names are all listed, none is chosen.

Whoever searches is nobody we know, and a hall is one network address; so misses are counted, by browser and by event:
honest people hit, and whoever tries numbers or names runs into a limit.
"""

from __future__ import annotations

from typing import Any

from chalicelib.services import phones
from chalicelib.services.finding import known_event
from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem
from chalicelib.services.views.players import Candidate, Candidates
from chalicelib.services.world import World
from chalicelib.store import bulk, limits
from chalicelib.store.entries import (
    EntryRecord,
    NameIndex,
    PhoneIndex,
    StoredEntry,
    name_key,
    partition,
    phone_key,
    sort_key,
    visible,
)
from chalicelib.store.transaction import patiently

MISS_WINDOW_SECONDS = 60
MOST_MISSES = 300
"""Searches that find nobody, within the window, in one event."""
MOST_MISSES_OF_ONE = 20
"""The same by one browser."""
MOST_LISTED = 50
"""People of one name that a page still shows; more must type their phone."""


def find(world: World, event_id: str, text: str, browser_id: str) -> Candidates:
    """Everybody in the event whom ``text`` finds: the owner of a phone, or all of one name.

    Raises event_not_found, search_by_phone_only, nobody_found, too_many_tries.
    """
    header, settings = known_event(event_id)
    imports = frozenset(header.imports or ())
    phone = phones.recognise(text)
    if phone is None and settings.search_by_phone_only:
        raise Problem("search_by_phone_only", "text")
    now = world.now()
    counted = ((event_id, MOST_MISSES), (f"{event_id}#{browser_id}", MOST_MISSES_OF_ONE))
    if any(limits.so_far(what, MISS_WINDOW_SECONDS, now) >= most for what, most in counted):
        raise Problem("too_many_tries", "text", seconds=limits.seconds_left(MISS_WINDOW_SECONDS, now))
    places = _by_phone(event_id, phone, imports) if phone is not None else _by_name(event_id, text, imports)
    found = _candidates(world, event_id, places, imports)
    if not found:
        for what, _ in counted:
            _count(world, what, now)
        raise Problem("nobody_found", "text")
    return Candidates(found)


def _count(world: World, what: str, now: int) -> None:
    patiently(lambda: limits.add(what, MISS_WINDOW_SECONDS, now), world.sleep, world.random.fraction)


def _by_phone(event_id: str, phone: str, imports: frozenset[str]) -> list[tuple[int, int]]:
    try:
        item = PhoneIndex.get(phone_key(event_id, phone), "OWNER", consistent_read=True)
    except PhoneIndex.DoesNotExist:
        return []
    return [(int(item.number), int(item.player))] if visible(item.import_id, imports) else []


def _by_name(event_id: str, text: str, imports: frozenset[str]) -> list[tuple[int, int]]:
    name = comparable(text)
    if not name:
        return []
    items = NameIndex.query(name_key(event_id, name), consistent_read=True)
    places = [(int(item.number), int(item.player)) for item in items if visible(item.import_id, imports)]
    return places[:MOST_LISTED]


def _candidates(world: World, event_id: str, places: list[tuple[int, int]], imports: frozenset[str]) -> list[Candidate]:
    keys = [(EntryRecord.Meta.table_name, partition(event_id, number), sort_key(number)) for number, _ in places]
    items: list[dict[str, Any] | None] = bulk.get_items(keys, world.sleep, world.random.fraction)
    found = []
    for (number, player), item in zip(places, items, strict=True):
        entry = None if item is None else StoredEntry.from_raw(item)
        if entry is None or not visible(entry.import_id, imports) or player >= len(entry.players):
            continue
        me = entry.players[player]
        partners = [other.name for index, other in enumerate(entry.players) if index != player]
        found.append(Candidate(number, player, me.name, entry.name, entry.club, partners, phones.mask(me.phone)))
    return found
