"""The bracket 对阵图 of a knock-out and the calendar 赛程 of a round robin, with what is known so far."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from chalicelib.rules.kinds import Meeting, meeting_of
from chalicelib.rules.model import Entry, Event, Outcome, Room, Table
from chalicelib.rules.pairing.scheme import Slot, bracket_of, planned_rounds
from chalicelib.rules.table_state import TableResult
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.pulse import CACHE_SNAPSHOT, JSON_TYPE
from chalicelib.services.settings import Settings
from chalicelib.services.stored import roster
from chalicelib.services.stored.tables import score_of
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.schemes import (
    Bracket,
    BracketRound,
    BracketTable,
    Calendar,
    CalendarDay,
    CalendarTable,
)
from chalicelib.services.views.scoring import Score
from chalicelib.services.world import World
from chalicelib.store.standings import Pointer

Names = Mapping[int, SeatedEntry]
Files = Mapping[str, bytes]
"""What is public of an event beside its standings: ``bracket`` or ``calendar`` -> JSON."""


def read_bracket(world: World, event_id: str) -> Bracket:
    """The bracket as it stands. Raises event_not_found."""
    header, settings = known_event(event_id)
    return bracket(event_of(world, header, settings))


def read_calendar(world: World, event_id: str) -> Calendar:
    """The calendar as it stands. Raises event_not_found."""
    header, settings = known_event(event_id)
    return calendar(event_of(world, header, settings), settings)


def public_files(event: Event, settings: Settings, last: int | None) -> Files:
    """What the public may see, with results up to round ``last`` (None: all); nothing before the first round is
    published, for a calendar would tell the draft."""
    if not event.drawn:
        return {}
    seen = seen_through(event, last)
    shown = bracket(seen)
    if shown.rounds:
        return {"bracket": msgspec.json.encode(shown)}
    planned = calendar(seen, settings)
    return {"calendar": msgspec.json.encode(planned)} if planned.days else {}


def has_public_files(event: Event) -> bool:
    """Whether the event is one that has a bracket or a calendar."""
    return event.knockout or meeting_of(event) is Meeting.ROUND_ROBIN


def name_of(content: bytes) -> str:
    """The name of a snapshot, made of its content: nobody can guess it who does not know what it says."""
    return hashlib.sha256(content).hexdigest()[:24]


def write_snapshot(world: World, event_id: str, what: str, content: bytes) -> None:
    """Put a public snapshot under its name."""
    world.files.put(key_of(event_id, what, name_of(content)), content, JSON_TYPE, CACHE_SNAPSHOT)


def key_of(event_id: str, what: str, name: str) -> str:
    """Where a snapshot stands."""
    return f"pub/{event_id}/{what}/{name}/1.json"


def forget_others(world: World, event_id: str, pointer: Pointer | None) -> None:
    """Delete every snapshot that the pointer does not name: it may hold names or results that may not be seen."""
    for what in ("bracket", "calendar", "charts"):
        name = None if pointer is None else getattr(pointer, what)
        kept = None if name is None else key_of(event_id, what, name)
        for key in world.files.list_prefix(f"pub/{event_id}/{what}/"):
            if key != kept:
                world.files.delete(key)


def seen_through(event: Event, last: int | None) -> Event:
    """The event without the results of the rounds after ``last`` (None: with all): who sits there is known, what
    became of it is not."""
    if last is None:
        return event
    return replace(
        event,
        drawn=tuple(
            drawn
            if drawn.number <= last
            else replace(drawn, tables=tuple(_hidden(table) for table in drawn.tables if table.room is not Room.CLOSED))
            for drawn in event.drawn
        ),
    )


def _hidden(table: Table) -> Table:
    return Table(table.number, table.ns, table.ew, Outcome.UNPLAYED, third_place=table.third_place)


def bracket(event: Event) -> Bracket:
    """The bracket of an event."""
    names = _names(event.entries)
    rounds = bracket_of(event)
    return Bracket(
        [
            BracketRound(number, *_round_name(1 << (len(rounds) - number)), [_slot(slot, names) for slot in slots])
            for number, slots in enumerate(rounds, start=1)
        ]
    )


def _round_name(places: int) -> tuple[str, str]:
    """What a round of so many tables is called in Chinese and English."""
    named = {1: ("决赛", "Final"), 2: ("半决赛", "Semifinals"), 4: ("四分之一决赛", "Quarterfinals")}
    return named.get(places, (f"{2 * places}强赛", f"Round of {2 * places}"))


def _slot(slot: Slot, names: Names) -> BracketTable:
    return BracketTable(
        table=0 if slot.table is None else slot.table.number,
        third_place=slot.third_place,
        ns=None if slot.ns is None else roster.side(names, slot.ns),
        ew=None if slot.ew is None else roster.side(names, slot.ew),
        winner=None if slot.winner is None else slot.winner.value,
        result=None if slot.table is None else _result(slot.table),
    )


def calendar(event: Event, settings: Settings) -> Calendar:
    """The calendar of an event."""
    names = _names(event.entries)
    drawn = len(event.counted())
    planned = planned_rounds(event)
    return Calendar(
        [
            CalendarDay(
                round=each.number,
                at=_match_day(settings.match_days, each.number, event.rounds),
                drawn=each.number <= drawn,
                tables=[
                    CalendarTable(
                        table.number,
                        roster.side(names, table.ns),
                        roster.side(names, table.ew),
                        _result(table),
                        table.postponed,
                    )
                    for table in each.tables
                    if table.room is not Room.CLOSED
                ],
                byes=[roster.side(names, (bye,)) for bye in each.byes],
            )
            for each in planned
        ]
    )


def _match_day(days: Sequence[int], number: int, rounds: int) -> int | None:
    """The day of a round: one day for each, or, with fewer days than rounds, equally many rounds on each day."""
    if not days:
        return None
    place = number - 1 if len(days) >= rounds else (number - 1) * len(days) // rounds
    return days[place] if place < len(days) else None


def _result(table: Table) -> Score | None:
    """What a table ended with; the board results of one room of a match are not the match's."""
    if table.outcome is Outcome.UNPLAYED:
        return None
    boards = () if table.room is not None else table.boards
    return score_of(TableResult(table.outcome, table.ns_level, table.ew_level, table.winner, boards))


def _names(entries: Sequence[Entry]) -> dict[int, SeatedEntry]:
    found = {}
    for entry in entries:
        players = [player.name for player in entry.players]
        found[entry.number] = SeatedEntry(
            entry.number, entry.name or " / ".join(players), entry.club or "", players, [entry.number]
        )
    return found
