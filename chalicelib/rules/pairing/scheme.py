"""The whole of a design at a glance: the bracket of a knock-out, and the rounds of a round robin still to come.

Source: rules of the game, sections 4 and 7. Both say what the rounds drawn so far and the design make of it; neither
decides anything, and a table that was changed by hand keeps its place as well as it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from chalicelib.rules.kinds import Meeting, meeting_of
from chalicelib.rules.model import Event, Outcome, Round, Side, Table
from chalicelib.rules.pairing.draw import contenders
from chalicelib.rules.pairing.history import history_of
from chalicelib.rules.pairing.knockout import places_of
from chalicelib.rules.pairing.round_robin import draw_round_robin

Contender = tuple[int, ...]
MOST_PLANNED = 128
"""Entries up to which rounds that are not drawn yet are planned; a larger round robin cannot be finished anyway."""


class Slot(NamedTuple):
    """One place of the bracket. ``table``: its record once it is drawn; a side is None while nobody has come so far,
    and the other has a bye if nobody ever can. ``winner``: the side that goes on."""

    table: Table | None = None
    ns: Contender | None = None
    ew: Contender | None = None
    winner: Side | None = None
    third_place: bool = False

    @property
    def goes_on(self) -> Contender | None:
        """Who plays in the next round."""
        return {Side.NS: self.ns, Side.EW: self.ew, None: None}[self.winner]


def winner_of(table: Table) -> Side | None:
    """The side that won a table scored by levels; None without a winner."""
    if table.outcome is Outcome.NS_FORFEIT:
        return Side.EW
    if table.outcome is Outcome.EW_FORFEIT:
        return Side.NS
    if table.outcome is not Outcome.PLAYED:
        return None
    if table.winner is not None:
        return table.winner
    ns, ew = table.ns_level or 0, table.ew_level or 0
    return None if ns == ew else Side.NS if ns > ew else Side.EW


def bracket_of(event: Event) -> list[list[Slot]]:
    """The slots of every round of a knock-out from top to bottom, the third-place match last; [] for other events.

    Slot k of a round is played by those who come out of slots 2k and 2k + 1 of the round before.
    """
    if not event.knockout:
        return []
    places = places_of(event, contenders(event, 1)[0])
    if len(places) < 2:
        return []
    depth = max(places.values()).bit_length()
    rounds: list[list[Slot]] = []
    drawn = {each.number: each for each in event.drawn}
    for number in range(1, depth + 1):
        slots = _slots(places, number, depth, drawn.get(number), rounds[-1] if rounds else None)
        if number == depth and event.third_place_match:
            slots.append(_third_place(drawn.get(number)))
        rounds.append(slots)
    return rounds


def _slots(
    places: dict[Contender, int], number: int, depth: int, drawn: Round | None, before: Sequence[Slot] | None
) -> list[Slot]:
    slots: list[Slot | None] = [None] * (1 << (depth - number))
    if drawn is not None:
        tables = [table for table in drawn.tables if not table.third_place]
        _seat(slots, places, number, [(table.ns, table.ew, table) for table in tables])
        resting = set(drawn.byes)
        _seat(slots, places, number, [(side, None, None) for side in places if resting.issuperset(side)])
    return [slot or _coming(places, number, index, before) for index, slot in enumerate(slots)]


def _seat(
    slots: list[Slot | None],
    places: dict[Contender, int],
    number: int,
    sides: Iterable[tuple[Contender, Contender | None, Table | None]],
) -> None:
    """Put tables (or byes) where they belong, and what was changed by hand wherever there is room."""
    for ns, ew, table in sides:
        place = places.get(ns, places.get(ew, 0) if ew is not None else 0) >> number
        if place >= len(slots) or slots[place] is not None:
            place = next((index for index, slot in enumerate(slots) if slot is None), -1)
        if place >= 0:
            won = Side.NS if table is None else winner_of(table)
            slots[place] = Slot(table, ns, ew, won)


def _coming(places: dict[Contender, int], number: int, index: int, before: Sequence[Slot] | None) -> Slot:
    """A slot without a table: who is known to come there; in the first round who starts there."""
    if before is not None:
        return Slot(None, before[2 * index].goes_on, before[2 * index + 1].goes_on)
    starters = sorted((place, side) for side, place in places.items() if place >> number == index)
    sides = [side for _, side in starters]
    if len(sides) == 1:
        return Slot(None, sides[0], None, Side.NS)
    return Slot(None, sides[0], sides[1]) if sides else Slot()


def _third_place(drawn: Round | None) -> Slot:
    table = next((table for table in drawn.tables if table.third_place), None) if drawn is not None else None
    if table is None:
        return Slot(third_place=True)
    return Slot(table, table.ns, table.ew, winner_of(table), third_place=True)


def planned_rounds(event: Event) -> list[Round]:
    """All rounds of a round robin: those drawn, and those that the design holds for the rest; only the drawn ones of
    a field of more than 128. [] for events that meet otherwise."""
    if meeting_of(event) is not Meeting.ROUND_ROBIN:
        return []
    rounds = list(event.counted())
    if len(event.entries) > MOST_PLANNED:
        return rounds
    for number in range(len(rounds) + 1, event.rounds + 1):
        so_far = replace(event, drawn=tuple(rounds))
        made = draw_round_robin(so_far, history_of(rounds), number)
        if made is None:
            break
        tables = (Table(table.number, table.ns, table.ew, Outcome.UNPLAYED) for table in made.tables)
        rounds.append(Round(number, tuple(tables), made.byes))
    return rounds
