"""Finding yourself: by phone or, where the event allows it, by name. Same names are all listed, none is chosen.

Whoever searches is nobody we know, and a hall is one network address; so misses are counted, by browser and by event:
honest people hit, and whoever tries numbers or names runs into a limit.
"""

from __future__ import annotations

from typing import Any

from chalicelib.services import linked_events, phones
from chalicelib.services.finding import known_event
from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem
from chalicelib.services.series.known import known
from chalicelib.services.settings import Settings
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
from chalicelib.store.events import EventHeader
from chalicelib.store.transaction import patiently

MISS_WINDOW_SECONDS = 60
MOST_MISSES = 300
"""Searches that find nobody, within the window, in one event."""
MOST_MISSES_OF_ONE = 20
"""The same by one browser."""
MOST_LISTED = 50
"""People of one name that a page still shows; more must type their phone."""


def find(world: World, event_id: str, text: str, browser_id: str) -> Candidates:
    """Everybody whom ``text`` finds in the event and in those that share its QR: a phone's owner, or all of one name.
    Of the events of a series (赛事阶段) the latest stage comes first: that is where somebody plays now.

    Raises event_not_found, search_by_phone_only, nobody_found, too_many_tries.
    """
    found = _found(world, event_id, text, browser_id, linked=True)
    if any(one.event_id != event_id for one in found):
        stage_of = {each: place for place, stage in enumerate(known(event_id).stages) for each in stage.events}
        found.sort(key=lambda one: -stage_of.get(one.event_id, -1))
    return Candidates(found)


def find_here(world: World, event_id: str, text: str, browser_id: str) -> list[Candidate]:
    """The same in this event alone."""
    return _found(world, event_id, text, browser_id, linked=False)


def _found(world: World, event_id: str, text: str, browser_id: str, *, linked: bool) -> list[Candidate]:
    header, settings = known_event(event_id)
    phone = phones.recognise(text)
    if phone is None and _by_phone_only(header, settings):
        raise Problem("search_by_phone_only", "text")
    now = world.now()
    counted = ((event_id, MOST_MISSES), (f"{event_id}#{browser_id}", MOST_MISSES_OF_ONE))
    if any(limits.so_far(what, MISS_WINDOW_SECONDS, now) >= most for what, most in counted):
        raise Problem("too_many_tries", "text", seconds=limits.seconds_left(MISS_WINDOW_SECONDS, now))
    found = _in_event(world, header, settings, text, phone)
    for sibling in linked_events.open_siblings(world, event_id) if linked else ():
        if phone is not None or not _by_phone_only(sibling.header, sibling.settings):
            found += _in_event(world, sibling.header, sibling.settings, text, phone)
    if not found:
        for what, _ in counted:
            _count(world, what, now)
        raise Problem("nobody_found", "text")
    return found


def _by_phone_only(header: EventHeader, settings: Settings) -> bool:
    """Whether the event lets itself be searched by phone only; the names of an encrypted one are not known."""
    return settings.search_by_phone_only or header.sealing is not None


def _in_event(world: World, header: EventHeader, settings: Settings, text: str, phone: str | None) -> list[Candidate]:
    event_id, imports = header.event_id, frozenset(header.imports or ())
    places = _by_phone(world, event_id, phone, imports) if phone is not None else _by_name(event_id, text, imports)
    return _candidates(world, event_id, settings.name, places, imports, phones.mask(phone or ""))


def _count(world: World, what: str, now: int) -> None:
    patiently(lambda: limits.add(what, MISS_WINDOW_SECONDS, now), world.sleep, world.random.fraction)


def _by_phone(world: World, event_id: str, phone: str, imports: frozenset[str]) -> list[tuple[int, int]]:
    try:
        key = phone_key(event_id, phones.index_in(world, event_id, phone))
        item = PhoneIndex.get(key, "OWNER", consistent_read=True)
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


def _candidates(
    world: World, event_id: str, event_name: str, places: list[tuple[int, int]], imports: frozenset[str], masked: str
) -> list[Candidate]:
    """Who sits there; ``masked``: the phone that was typed, which an encrypted event does not know."""
    keys = [(EntryRecord.Meta.table_name, partition(event_id, number), sort_key(number)) for number, _ in places]
    items: list[dict[str, Any] | None] = bulk.get_items(keys, world.sleep, world.random.fraction)
    found = []
    for (number, player), item in zip(places, items, strict=True):
        entry = None if item is None else StoredEntry.from_raw(item)
        if entry is None or not visible(entry.import_id, imports) or player >= len(entry.players):
            continue
        me = entry.players[player]
        partners = [other.name for index, other in enumerate(entry.players) if index != player]
        shown = phones.mask(me.phone) or masked
        found.append(Candidate(number, player, me.name, entry.name, entry.club, partners, shown, event_id, event_name))
    return found
