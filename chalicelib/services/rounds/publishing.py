"""Publishing: from now on players see their tables. Until the round's header flips, nothing of it is visible."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from chalicelib.rules.kinds import Meeting, Scoring
from chalicelib.rules.model import Room
from chalicelib.services import audit, clock, line_ups, public_list, pulse, rank_changes
from chalicelib.services.finding import drawn_round, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts, redrawing
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.rounds.settling import stale_round
from chalicelib.services.rounds.viewing import round_view
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored.tables import board_text, of_round
from chalicelib.services.views.rounds import RoundView, SeatedEntry
from chalicelib.services.world import World
from chalicelib.store.bulk import Item, delete_items, put_items
from chalicelib.store.entries import StoredEntry, all_entries
from chalicelib.store.events import EventHeader, RoundHeader
from chalicelib.store.matches import TABLE, closed_room, keys_of_round, partition, seat_at, table_key
from chalicelib.store.pace import paced
from chalicelib.store.standings import ACTIVE, POINTER, Active, Pointer, find_pointer

TABLES_PER_PAGE = 200
PORTION = 25
"""Tables that are written at once, with the seats that go with them."""


def publish(world: World, event_id: str, number: int, version: int, actor: str, once: Once) -> RoundView:
    """Publish a draft that was seen at ``version``. Raises round_phase, stale_version, and draft_outdated where others
    go on in a knock-out by now."""
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if header.phase != "draft":
        raise Problem("round_phase", phase=header.phase)
    (tables,) = drafts.read(world, [header])
    pointer = find_pointer(event_id)
    if header.version != version:
        current = round_view(world, settings, header, tables, pointer, event)
        raise Problem("stale_version", current=msgspec.to_builtins(current))
    redrawing.refuse_outdated(settings, header)
    now = world.now()
    teams = _teams(event, settings)
    _write_tables(world, header, _matches(settings, header, tables), teams)
    published = RoundHeader(**header.attribute_values)
    published.phase, published.version, published.published_at = "published", version + 1, now
    # The clock of the round before does not belong to this one.
    shown = Pointer(event_id, POINTER, round=number, clock_version=_next_clock_version(pointer))
    reply = round_view(world, settings, published, tables, shown)
    snapshot = write_snapshot(world, event_id, number, reply)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        header,
        [
            RoundHeader.phase.set("published"),
            RoundHeader.version.set(version + 1),
            RoundHeader.published_at.set(now),
            RoundHeader.pairings.set(snapshot),
        ],
        condition=(RoundHeader.version == version)
        & (RoundHeader.phase == "draft")
        & (RoundHeader.generation == header.generation),
        otherwise=stale_round,
    )
    as_read = (EventHeader.phase == "open") & (EventHeader.last_round == number)
    if teams:
        # A line-up that came in this very moment would be lost.
        as_read = as_read & (EventHeader.entries_version == event.entries_version)
    work.check(event, as_read, lambda old: Problem("stale_version"))
    pulse.change(
        work,
        event_id,
        Pointer.round.set(number),
        Pointer.rounds.set(settings.rounds),
        Pointer.name.set(settings.name),
        Pointer.phase.set("published"),
        Pointer.pairings.set(snapshot),
        Pointer.clock.set(clock.IDLE),
        Pointer.clock_version.add(1),
    )
    work.put(Active(ACTIVE, event_id, since=now))
    public_list.follow(work, event, settings, public_list.RUNNING)
    # Byes and absences count from now on. Until the first round registrations do not tell anybody that they came.
    rank_changes.mark(work, event_id, f"round.publish:{number}", roster=number == 1)
    audit.record(work, world, event_id=event_id, actor=actor, action="round.publish", subject=f"round:{number}")
    work.commit()
    pulse.publish(world, event_id)
    return reply


def _next_clock_version(pointer: Pointer | None) -> int:
    return 1 + (int(pointer.clock_version) if pointer is not None else 0)


class _Match(msgspec.Struct, frozen=True):
    """A drawn table as it is played: the boards to be played there, and the rooms (None: it is one table)."""

    drawn: DraftTable
    boards: list[int]
    rooms: tuple[str | None, ...]


def _matches(settings: Settings, header: RoundHeader, tables: Sequence[DraftTable]) -> list[_Match]:
    """The tables with their boards and rooms.

    Boards are numbered 1, 2, ... at every table of a round; where tables play different sets (Mitchell) the sets are
    numbered through, and a set has the size that it had when the movement began.
    """
    kind = kind_of(settings.kind)
    size = 0 if kind.scored_by_levels else settings.boards_per_round
    if kind.meeting is Meeting.MITCHELL and header.number > 1:
        began = drawn_round(header.pk, 1)
        first = next(iter(of_round(header.pk, 1, began.generation)), None)
        size = size if first is None else len(first.boards) or size
    rooms = tuple(room.value for room in Room) if kind.scoring is Scoring.TEAM_BOARDS else (None,)

    def boards(table: DraftTable) -> list[int]:
        before = (table.board_set - 1) * size if isinstance(table.board_set, int) else 0
        return list(range(before + 1, before + size + 1))

    return [_Match(table, boards(table), rooms) for table in tables]


def _teams(event: EventHeader, settings: Settings) -> dict[int, StoredEntry]:
    """The entries, where teams say who of them plays."""
    if not line_ups.rooms_of(settings):
        return {}
    return {entry.number: entry for entry in all_entries(event.event_id, event.imports or ())}


def _write_tables(
    world: World, header: RoundHeader, matches: Sequence[_Match], teams: Mapping[int, StoredEntry]
) -> None:
    """Put matches and seats under their final keys, and remove what an earlier drawing of this round left."""
    number, generation = int(header.number), header.generation
    common = {"generation": {"S": generation}, "wakes": {"N": "0"}}
    tables = [{**common, **item} for item in _match_items(header, matches, teams)]
    seats = [{**common, **item} for item in _seat_items(header, [match.drawn for match in matches])]
    ours = {(item["pk"]["S"], item["sk"]["S"]) for item in (*tables, *seats)}
    leftovers = [key for key in keys_of_round(header.pk, number) if key not in ours]
    delete_items(TABLE, leftovers, world.sleep, world.random.fraction)
    # All tables of a round have one partition key: they are written slowly, and the seats, which have several, between.
    share = -(-len(seats) // max(1, -(-len(tables) // PORTION)))
    for place, portion in enumerate(paced(len(tables), PORTION, 1, world.sleep)):
        both = (*tables[portion], *seats[place * share : (place + 1) * share])
        put_items(TABLE, both, world.sleep, world.random.fraction)
    if not tables:
        put_items(TABLE, seats, world.sleep, world.random.fraction)


def _match_items(header: RoundHeader, matches: Sequence[_Match], teams: Mapping[int, StoredEntry]) -> Iterator[Item]:
    pk = partition(header.pk, int(header.number))
    for match in matches:
        table = match.drawn
        for place, room in enumerate(match.rooms):
            address = closed_room(table.table) if room == Room.CLOSED else table.table
            item: Item = {
                "pk": {"S": pk},
                "sk": {"S": table_key(address)},
                "event_id": {"S": header.pk},
                "round": {"N": str(header.number)},
                "table": {"N": str(address)},
                "ns": {"S": json.dumps(table.ns)},
                "ew": {"S": json.dumps(table.ew)},
                "extra_minutes": {"N": "0"},
                "held_until": {"N": "0"},
                "version": {"N": "1"},
            }
            if match.boards:
                item["boards"] = {"S": board_text(match.boards)}
            if table.board_set is not None:
                item["board_set"] = {"S": json.dumps(table.board_set)}
            if room is not None:
                item["room"] = {"S": room}
            if table.third_place:
                item["third_place"] = {"BOOL": True}
            line_up = line_ups.at_publishing(teams, int(header.number), table.ns, table.ew, place)
            if line_up is not None:
                item["line_up"] = {"S": json.dumps(line_up)}
            yield item


def _seat_items(header: RoundHeader, tables: Sequence[DraftTable]) -> Iterator[Item]:
    for table in tables:
        for side, numbers in (("ns", table.ns), ("ew", table.ew)):
            for number in numbers:
                yield {
                    **_seat(header, number),
                    "table": {"N": str(table.table)},
                    "side": {"S": side},
                    "at_table": {"S": json.dumps([*table.ns, *table.ew])},
                }
    for number in (*(header.byes or ()), *(header.sit_outs or ())):
        yield {**_seat(header, number), "table": {"N": "0"}}


def _seat(header: RoundHeader, number: int) -> Item:
    _, pk, sk = seat_at(header.pk, int(header.number), number)
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def write_snapshot(world: World, event_id: str, number: int, view: RoundView) -> str:
    """Put the public pages of a round's pairings; returns the snapshot's name. It is unguessable until published."""
    snapshot = f"{number}-{world.random.token(9)}"
    tables = [
        {
            "table": table.table,
            "ns": _public(table.ns),
            "ew": _public(table.ew),
            "set": table.board_set,
            "third_place": table.third_place,
        }
        for table in view.tables
    ]
    byes, sit_outs = ([_public(entry) for entry in resting] for resting in (view.byes, view.sit_outs))
    pages = [tables[first : first + TABLES_PER_PAGE] for first in range(0, len(tables), TABLES_PER_PAGE)] or [[]]
    for page, shown in enumerate(pages, 1):
        body = {
            "round": number,
            "page": page,
            "pages": len(pages),
            "tables": shown,
            "byes": byes,
            "sit_outs": sit_outs,
            "rooms": view.rooms,
        }
        world.files.put(
            f"pub/{event_id}/pairings/{snapshot}/{page}.json",
            msgspec.json.encode(body),
            pulse.JSON_TYPE,
            pulse.CACHE_SNAPSHOT,
        )
    return snapshot


def _public(entry: SeatedEntry) -> dict[str, object]:
    return {"no": entry.number, "nos": entry.numbers, "name": entry.name, "players": entry.players}
