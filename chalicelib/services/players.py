"""What a player's phone shows: who and what event, which table, everything said there, and the queue of calls."""

from __future__ import annotations

import msgspec

from chalicelib.services import calls, clock, line_ups
from chalicelib.services.device_tokens import DeviceToken, ensure_live, ensure_signed_in
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.standings import pages
from chalicelib.services.stored import roster, tables
from chalicelib.services.submissions import may_speak
from chalicelib.services.table_views import (
    ENTRIES,
    EVENTS,
    POINTERS,
    Surroundings,
    scoring_rules,
    table_keys,
    table_view,
)
from chalicelib.services.views.players import Me, MyRank
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.scoring import TableView
from chalicelib.services.views.substitutes import MyLineUp
from chalicelib.services.world import World
from chalicelib.store import matches
from chalicelib.store.bulk import Item, get_items
from chalicelib.store.entries import StoredEntry, partition, sort_key, visible
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.standings import POINTER, TABLE, Pointer
from chalicelib.store.tables import whole

Key = tuple[str, str, str]


class _Player(msgspec.Struct, frozen=True):
    """The first read: the event, what is published, and the entry the device speaks for."""

    event: EventHeader
    settings: Settings
    pointer: Pointer | None
    entry: StoredEntry

    @property
    def round(self) -> int:
        """The last published round; 0 before the first."""
        return 0 if self.pointer is None else int(self.pointer.round)


class _Place(msgspec.Struct, frozen=True):
    """The second read: the published round, the entry's seat in it, and the page of the standings it stands on."""

    round: RoundHeader | None
    table: int | None
    side: str | None
    at_table: list[int]
    page: str | None


def me(world: World, event_id: str, device: DeviceToken, csrf: str) -> Me:
    """Everything the phone of an identified player shows.

    Raises event_not_found, identify_first (token revoked or entry gone), sign_in_required. Drafts do not exist here.
    """
    player = _who(world, event_id, device)
    place = _where(world, event_id, player)
    found, rank = _what(world, event_id, player, place)
    views = [
        table.view if place.round is None else line_ups.as_players_see(table.view, place.side, place.round)
        for table in found
    ]
    now = world.now()
    sits_out = place.round is not None and player.entry.number in (place.round.sit_outs or ())
    why_not = _why_not(player, place, [table.stored for table in found], now)
    return Me(
        event_id=event_id,
        event_name=player.settings.name,
        phase=player.event.phase,
        round=player.round,
        rounds=player.settings.rounds,
        round_phase="draft" if place.round is None else place.round.phase,
        entry=roster.seat(player.entry),
        player=device.player,
        state=player.entry.state,
        checked_in_at=player.entry.checked_in_at,
        table=next(iter(views), None),
        tables=views,
        my_side=place.side,
        bye=place.table == 0 and not sits_out,
        sit_out=sits_out,
        scoring=scoring_rules(player.settings),
        clock=clock.view(player.pointer, player.settings.stop_drawing_minutes, now),
        double_submission=player.settings.double_submission,
        score_any_time=player.settings.score_any_time,
        may_score=bool(found) and why_not is None,
        why_not=why_not,
        rank=rank if player.settings.show_own_score else None,
        calls=calls.at_table(event_id, player.round, [view.table for view in views], device.number),
        line_up=_line_up(player, place, found),
        # Read before the tables, so that nothing up to this change is missing in them.
        changes=0 if player.pointer is None else int(player.pointer.changes),
        server_time=now,
        csrf=csrf,
    )


class Team(msgspec.Struct, frozen=True):
    """A device's team with its match in the last published round: what it needs to give a line-up."""

    event: EventHeader
    settings: Settings
    entry: StoredEntry
    round: RoundHeader | None
    side: str | None
    found: list[tables.StoredTable]
    line_up: MyLineUp | None


def team(world: World, event_id: str, device: DeviceToken) -> Team:
    """The device's team. Raises event_not_found, identify_first, sign_in_required."""
    player = _who(world, event_id, device)
    place = _where(world, event_id, player)
    found, _ = _what(world, event_id, player, place)
    stored = [table.stored for table in found]
    given = _line_up(player, place, found)
    return Team(player.event, player.settings, player.entry, place.round, place.side, stored, given)


def _line_up(player: _Player, place: _Place, found: list[_Table]) -> MyLineUp | None:
    stored = [table.stored for table in found]
    return line_ups.mine(player.settings, player.event.phase, player.entry, player.round, place.round, stored)


def _why_not(player: _Player, place: _Place, found: list[tables.StoredTable], now: int) -> str | None:
    """Why the player may not score now; None while one of its tables (both rooms of a match) takes words."""
    if place.round is None or not found:
        return "event_ended" if player.event.phase == "ended" else None
    reasons = []
    for table in found:
        seen = Surroundings(player.event, player.settings, place.round, player.pointer, table, [])
        reasons.append(may_speak(seen, now, now).why_not)
    return None if None in reasons else reasons[0]


def _read(world: World, keys: list[Key]) -> list[Item | None]:
    return get_items(keys, world.sleep, world.random.fraction)


def _who(world: World, event_id: str, device: DeviceToken) -> _Player:
    header, pointer, token, entry = _read(
        world,
        [
            (EVENTS, event_id, "EVENT"),
            (POINTERS, event_id, POINTER),
            device.keys,
            (ENTRIES, partition(event_id, device.number), sort_key(device.number)),
        ],
    )
    if header is None:
        raise Problem("event_not_found")
    ensure_live(token)
    event = EventHeader.from_raw_data(header)
    if whole(event.deleted_at) is not None:
        raise Problem("event_not_found")
    settings = settings_of(event)
    ensure_signed_in(token, settings)
    as_it_is(event, settings, world.now())
    mine = None if entry is None else StoredEntry.from_raw(entry)
    if mine is None or not visible(mine.import_id, event.imports or ()):
        raise Problem("identify_first")
    return _Player(event, settings, None if pointer is None else Pointer.from_raw_data(pointer), mine)


def _where(world: World, event_id: str, player: _Player) -> _Place:
    number = player.entry.number
    version = None if player.pointer is None else player.pointer.standings
    header, seat, index = _read(
        world,
        [
            (EVENTS, event_id, round_key(player.round)),
            matches.seat_at(event_id, player.round, number),
            (TABLE, event_id, pages.index_key(version or "", number)),
        ],
    )
    drawn = None if header is None else RoundHeader.from_raw_data(header)
    page = pages.page_of(index, number) if version is not None and index is not None else 0
    page_key = pages.page_key(version, page) if version is not None and page else None
    if drawn is None or drawn.phase == "draft" or seat is None or seat["generation"]["S"] != drawn.generation:
        # Not seated in this round: joined late, or left.
        return _Place(None if drawn is None or drawn.phase == "draft" else drawn, None, None, [], page_key)
    stored = matches.Seat.from_raw_data(seat)
    return _Place(drawn, int(stored.table), stored.side, stored.at_table or [], page_key)


class _Table(msgspec.Struct, frozen=True):
    stored: tables.StoredTable
    view: TableView


def _what(world: World, event_id: str, player: _Player, place: _Place) -> tuple[list[_Table], MyRank | None]:
    """The third read: the table with all that was said there, or both rooms of a match of teams of four."""
    keys: list[Key] = []
    addresses = [] if not place.table else [place.table]
    if addresses and scoring_rules(player.settings).rooms:
        addresses.append(matches.closed_room(addresses[0]))
    for address in addresses:
        keys += table_keys(event_id, player.round, address)
    if place.table:
        keys += [(ENTRIES, partition(event_id, number), sort_key(number)) for number in place.at_table]
    if place.page is not None:
        keys.append((TABLE, event_id, place.page))
    items = dict(zip(keys, _read(world, keys) if keys else [], strict=True))
    rank = None if place.page is None else _rank(items[TABLE, event_id, place.page], player.entry.number)
    if place.round is None:
        return [], rank
    names: dict[int, SeatedEntry] = {}
    for number in place.at_table:
        item = items.get((ENTRIES, partition(event_id, number), sort_key(number)))
        names[number] = roster.nobody(number) if item is None else roster.seat(StoredEntry.from_raw(item))
    found = []
    for address in addresses:
        match, ns, ew, running = (items[key] for key in table_keys(event_id, player.round, address))
        if match is not None and match["generation"]["S"] == place.round.generation:
            stored = tables.with_words(match, ns, ew, running)
            found.append(_Table(stored, table_view(stored, place.round, player.settings, names, world.now())))
    return found, rank


def _rank(item: Item | None, number: int) -> MyRank | None:
    if item is None:
        return None
    row = next((row for row in pages.page(item).rows if row["no"] == number), None)
    return None if row is None else MyRank(row["rank"], row["tied"], row["values"], row.get("provisional", False))
