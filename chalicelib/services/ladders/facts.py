"""What an event tells a ladder: who came where in its final ranking, and the tables that say how strong people are.

People are known from event to event by their phones alone (``phones.person_of``). Who has none here, was erased or
purged, is called by an id of this event that leads nowhere: others are rated against them, and they are not listed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from chalicelib.rules.ladders import Place, PlayedEvent, RatedTable
from chalicelib.rules.level_scores import level_points_of
from chalicelib.rules.model import Event, Outcome
from chalicelib.rules.standings import standings
from chalicelib.services.documents import event_of
from chalicelib.services.line_ups import rooms_of
from chalicelib.services.phones import person_of
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import tables
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, StoredPlayer, all_entries
from chalicelib.store.events import EventHeader, rounds

NOBODY = "~"
"""What ids begin with that belong to one event only."""


class Person(msgspec.Struct, frozen=True, array_like=True):
    """``name`` and ``club`` are empty where the ladder does not show the person."""

    id: str
    name: str = ""
    club: str = ""


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """What a posting holds. ``fields``: each ranking as (rank, indices of people); ``rounds``: tables as (indices of
    NS, of EW, 级差分 of NS)."""

    people: list[Person]
    fields: list[list[tuple[int, list[int]]]]
    rounds: list[list[tuple[list[int], list[int], int]]]

    def played(self) -> PlayedEvent:
        """The same as the rules read it."""
        ids = [person.id for person in self.people]

        def members(indices: Iterable[int]) -> tuple[str, ...]:
            return tuple(ids[index] for index in indices)

        return PlayedEvent(
            tuple(tuple(Place(rank, members(field)) for rank, field in places) for places in self.fields),
            tuple(
                tuple(RatedTable(members(ns), members(ew), points) for ns, ew, points in found) for found in self.rounds
            ),
        )

    def known(self) -> int:
        """How many people stand in the ranking who are known from event to event."""
        ranked = {index for places in self.fields for _, members in places for index in members}
        return sum(not self.people[index].id.startswith(NOBODY) for index in ranked)

    def unknown(self) -> int:
        """How many stand in it who are not."""
        return len({index for places in self.fields for _, members in places for index in members}) - self.known()

    def shown_only(self, members: Iterable[str]) -> Facts:
        """The same without the names of those who are no ``members``."""
        listed = set(members)
        people = [person if person.id in listed else Person(person.id) for person in self.people]
        return Facts(people, self.fields, self.rounds)

    def digest(self) -> str:
        """Equal for equal facts."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:24]


class _People:
    """Gives each person of the event one index."""

    def __init__(self, world: World, event_id: str) -> None:
        self._world = world
        self._event_id = event_id
        self._index: dict[str, int] = {}
        self.people: list[Person] = []

    def index(self, entry: StoredEntry, player: StoredPlayer) -> int:
        if player.phone:
            person = Person(person_of(self._world, player.phone), player.name, entry.club)
        else:
            person = Person(f"{NOBODY}{self._event_id}.{player.person}")
        index = self._index.setdefault(person.id, len(self.people))
        if index == len(self.people):
            self.people.append(person)
        return index


def facts_of(world: World, header: EventHeader, settings: Settings) -> Facts | None:
    """The event's facts as they are now; None if nothing was played in it.

    An entry that never came to a table or a bye takes no place. What a place earns goes to those who play for the entry
    in the end; a table counts for those who sat at it.
    """
    event = event_of(world, header, settings)
    entries = {entry.number: entry for entry in all_entries(header.event_id, header.imports or ())}
    people = _People(world, header.event_id)
    took_part = {number for drawn in event.counted() for number in drawn.byes}
    took_part |= {number for drawn in event.counted() for table in drawn.tables for number in (*table.ns, *table.ew)}
    outcomes = {table.outcome for drawn in event.counted() for table in drawn.tables}
    if Outcome.PLAYED not in outcomes:
        return None
    fields = []
    for _, group in groupby(standings(event, addends=False).rows, key=lambda row: row.group):
        rows = [row for row in group if row.entry in took_part and row.entry in entries]
        places: list[tuple[int, list[int]]] = []
        for _, equal in groupby(rows, key=lambda row: row.rank):
            rank = len(places) + 1
            for row in equal:
                entry = entries[row.entry]
                places.append((rank, [people.index(entry, player) for player in entry.players]))
        fields.append(places)
    rated = [list(tables_) for tables_ in _rated(header, event, settings, entries, people)]
    return Facts(people.people, fields, [tables_ for tables_ in rated if tables_])


def _rated(
    header: EventHeader, event: Event, settings: Settings, entries: dict[int, StoredEntry], people: _People
) -> Iterator[list[tuple[list[int], list[int], int]]]:
    """The rated tables of each round: those that were played to levels."""
    if not kind_of(settings.kind).scored_by_levels:
        return
    line_ups = _line_ups(header, settings)
    for drawn in event.counted():
        found = []
        for table in drawn.tables:
            if table.outcome is not Outcome.PLAYED or table.ns_level is None or table.ew_level is None:
                continue
            named = line_ups.get((drawn.number, table.number), {})
            ns, ew = (
                [
                    people.index(entries[number], player)
                    for number in numbers
                    if number in entries
                    for player in _seated(entries[number], drawn.number, named.get(side))
                ]
                for side, numbers in (("ns", table.ns), ("ew", table.ew))
            )
            if ns and ew:
                found.append((ns, ew, level_points_of(table.ns_level, table.ew_level, table.winner)))
        yield found


def _line_ups(header: EventHeader, settings: Settings) -> dict[tuple[int, int], dict[str, list[int]]]:
    """上场名单 by round and table, where an entry is more than the pair that sits down."""
    if not rooms_of(settings):
        return {}
    return {
        (int(drawn.number), table.match): table.line_up
        for drawn in rounds(header.event_id)
        if drawn.phase != "draft"
        for table in tables.of_round(header.event_id, int(drawn.number), drawn.generation)
        if table.line_up
    }


def _seated(entry: StoredEntry, number: int, named: list[int] | None) -> list[StoredPlayer]:
    """Who sat for an entry in a round: the places of its 上场名单, or (none) all, as before later substitutions."""
    places = range(len(entry.players)) if not named else [each for each in named if each < len(entry.players)]
    seated = []
    for place in places:
        player = entry.players[place]
        for each in reversed(entry.substitutions):
            if each.player == place and number < each.round:
                player = each.gone
        seated.append(player)
    return seated
