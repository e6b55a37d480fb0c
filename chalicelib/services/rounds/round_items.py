"""The items of a round that is published: its matches and the seats of its entries, written in portions.

They stand under their final keys before the round's header says that it is published, so nobody sees half of them; what
an earlier drawing of the round left there goes first. Written again they are the same. Each portion is written on
condition that the draft is still the one that is published: whoever is late would write over what people play.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from chalicelib.rules.kinds import Meeting, Scoring
from chalicelib.rules.model import Room
from chalicelib.services import line_ups
from chalicelib.services.finding import drawn_round
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.rounds.holding import stale_round
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored.tables import board_text, of_round
from chalicelib.services.world import World
from chalicelib.store.bulk import Item
from chalicelib.store.entries import StoredEntry
from chalicelib.store.events import RoundHeader
from chalicelib.store.guarded import UNITS, Guard, Patience, delete_items, put_items
from chalicelib.store.matches import TABLE, closed_room, keys_of_round, partition, seat_at, table_key
from chalicelib.store.pace import paced

PORTION = 25
"""Tables that are written at once, with the seats that go with them."""


class RoundItems:
    """Everything that a round which is published consists of."""

    def __init__(
        self,
        world: World,
        settings: Settings,
        header: RoundHeader,
        tables: Sequence[DraftTable],
        teams: Mapping[int, StoredEntry],
        guards: Sequence[Guard] = (),
    ) -> None:
        """``tables``: as drawn; ``teams``: the entries where teams say who of them plays, else none; ``guards``: what
        else each portion is written on condition of."""
        self._world, self._header = world, header
        self._guards = (_still_this_draft(header), *guards)
        self._patience = Patience(world.sleep, world.random.fraction, lambda: world.random.token(24))
        common: Item = {"generation": {"S": header.generation}, "wakes": {"N": "0"}}
        matches = matches_of(settings, header, tables)
        self._tables = [{**common, **item} for item in _match_items(header, matches, teams)]
        self._seats = [{**common, **item} for item in _seat_items(header, tables)]

    def clear(self) -> Iterator[None]:
        """Remove what an earlier drawing of this round left, one portion after the other.

        Raises stale_version, and what the guards raise.
        """
        world = self._world
        ours = {(item["pk"]["S"], item["sk"]["S"]) for item in (*self._tables, *self._seats)}
        left = [key for key in keys_of_round(self._header.pk, int(self._header.number)) if key not in ours]
        for portion in paced(len(left), PORTION, UNITS, world.sleep, world.now):
            delete_items(TABLE, left[portion], self._guards, self._patience)
            yield

    def write(self, first: int = 0) -> Iterator[int]:
        """Put matches and seats under their final keys, in portions, without the ``first`` tables, which are written;
        yields how many are, each time. Raises as :meth:`clear`."""
        world = self._world
        # All tables of a round have one partition key: they are written slowly, and the seats, which have several,
        # between.
        share = -(-len(self._seats) // max(1, -(-len(self._tables) // PORTION)))
        for portion in paced(len(self._tables), PORTION, UNITS, world.sleep, world.now, first // PORTION):
            place = portion.start // PORTION
            both = (*self._tables[portion], *self._seats[place * share : (place + 1) * share])
            put_items(TABLE, both, self._guards, self._patience)
            yield portion.stop
        if not self._tables:
            put_items(TABLE, self._seats, self._guards, self._patience)

    def __len__(self) -> int:
        """How many tables there are."""
        return len(self._tables)


def _still_this_draft(header: RoundHeader) -> Guard:
    """The condition that the round is the draft that was read."""
    return Guard(
        RoundHeader.Meta.table_name,
        header.pk,
        header.sk,
        {
            "version": {"N": str(int(header.version))},
            "phase": {"S": "draft"},
            "generation": {"S": header.generation},
        },
        lambda: stale_round(None),
    )


class MatchToWrite(msgspec.Struct, frozen=True):
    """A drawn table as it is played: the boards to be played there, and the rooms (None: it is one table)."""

    drawn: DraftTable
    boards: list[int]
    rooms: tuple[str | None, ...]


def matches_of(settings: Settings, header: RoundHeader, tables: Sequence[DraftTable]) -> list[MatchToWrite]:
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

    return [MatchToWrite(table, boards(table), rooms) for table in tables]


def _match_items(
    header: RoundHeader, matches: Sequence[MatchToWrite], teams: Mapping[int, StoredEntry]
) -> Iterator[Item]:
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
