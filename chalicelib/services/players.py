"""What a player's phone shows, in three reads: who and what event, which table, and everything said there."""

from __future__ import annotations

import msgspec

from chalicelib.services import calls, clock
from chalicelib.services.device_tokens import DeviceToken, ensure_live, ensure_signed_in
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.standings import pages
from chalicelib.services.stored import roster, tables
from chalicelib.services.submissions import may_speak
from chalicelib.services.table_views import ENTRIES, EVENTS, POINTERS, Surroundings, scoring_rules, table_view
from chalicelib.services.views.players import Me, MyRank
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.scoring import TableView
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
    table, rank = _what(world, event_id, player, place)
    now = world.now()
    sits_out = place.round is not None and player.entry.number in (place.round.sit_outs or ())
    why_not = None
    if table is not None and place.round is not None:
        seen = Surroundings(player.event, player.settings, place.round, player.pointer, table.stored, [])
        why_not = may_speak(seen, now, now).why_not
    elif player.event.phase == "ended":
        why_not = "event_ended"
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
        table=None if table is None else table.view,
        tables=[] if table is None else [table.view],
        my_side=place.side,
        bye=place.table == 0 and not sits_out,
        sit_out=sits_out,
        scoring=scoring_rules(player.settings),
        clock=clock.view(player.pointer, player.settings.stop_drawing_minutes, now),
        double_submission=player.settings.double_submission,
        score_any_time=player.settings.score_any_time,
        may_score=table is not None and why_not is None,
        why_not=why_not,
        rank=rank if player.settings.show_own_score else None,
        calls=calls.at_table(event_id, player.round, [] if table is None else [table.view.table], device.number),
        server_time=now,
        csrf=csrf,
    )


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
            (matches.TABLE, matches.partition(event_id, player.round), matches.seat_key(number)),
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


def _what(world: World, event_id: str, player: _Player, place: _Place) -> tuple[_Table | None, MyRank | None]:
    pk = matches.partition(event_id, player.round)
    keys: list[Key] = []
    if place.table:
        keys += [
            (matches.TABLE, pk, matches.table_key(place.table)),
            (matches.TABLE, pk, matches.word_key(place.table, "ns")),
            (matches.TABLE, pk, matches.word_key(place.table, "ew")),
            (matches.TABLE, pk, matches.running_key(place.table)),
            *((ENTRIES, partition(event_id, number), sort_key(number)) for number in place.at_table),
        ]
    if place.page is not None:
        keys.append((TABLE, event_id, place.page))
    if not keys:
        return None, None
    found = _read(world, keys)
    rank = _rank(found.pop(), player.entry.number) if place.page is not None else None
    if not place.table or place.round is None:
        return None, rank
    match, ns, ew, running, *entries = found
    if match is None or match["generation"]["S"] != place.round.generation:
        return None, rank
    stored = tables.with_words(match, ns, ew, running)
    names: dict[int, SeatedEntry] = {
        number: roster.nobody(number) if item is None else roster.seat(StoredEntry.from_raw(item))
        for number, item in zip(place.at_table, entries, strict=True)
    }
    return _Table(stored, table_view(stored, place.round, player.settings, names, world.now())), rank


def _rank(item: Item | None, number: int) -> MyRank | None:
    if item is None:
        return None
    row = next((row for row in pages.page(item).rows if row["no"] == number), None)
    return None if row is None else MyRank(row["rank"], row["tied"], row["values"])
