"""The Mitchell movement (米切尔): NS stay, EW go up one table, the boards go down one.

Source: rules of the game, section 5, and bridge practice. T tables, round r and table t from 0: NS t, EW (t - r)
mod T, board set (t + r) mod T. An odd T runs T rounds. With an even T the EW pairs would come back to boards they
know after T/2 rounds: either they skip a table there (at most T - 1 rounds), or the first and the last table share
their boards and a relay stand stands in the middle (T rounds). With an odd number of pairs one NS seat is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chalicelib.rules.model import Event
from chalicelib.rules.pairing.contenders import first_round_order
from chalicelib.rules.pairing.result import Drawn, DrawnTable, Report, Why

DESIGN = "mitchell"


class EvenTables(StrEnum):
    """What an even number of tables does about boards met twice."""

    SKIP = "skip"
    SHARE_AND_RELAY = "share_and_relay"


@dataclass(frozen=True, slots=True)
class Seat:
    """Table, NS pair, EW pair and board set of one table in one round, all from 0; ``switched``: NS sit EW."""

    table: int
    ns: int
    ew: int
    board_set: int
    switched: bool = False


def most_rounds(tables: int, even: EvenTables) -> int:
    """How many rounds the movement runs without repeating a meeting or a board."""
    return tables - 1 if tables % 2 == 0 and even is EvenTables.SKIP else tables


def mitchell_round(
    tables: int, index: int, even: EvenTables = EvenTables.SKIP, *, switch_from: int | None = None
) -> list[Seat]:
    """All seats of round ``index``. From round ``switch_from`` on (both from 0) the arrows are switched."""
    is_even = tables % 2 == 0
    skipped = 1 if is_even and even is EvenTables.SKIP and index >= tables // 2 else 0
    relay = is_even and even is EvenTables.SHARE_AND_RELAY
    switched = switch_from is not None and index >= switch_from

    def place(table: int) -> int:
        """Where a table stands in the ring of boards; the relay stand takes a place in the middle."""
        return table + 1 if relay and table >= tables // 2 else table

    return [
        Seat(table, table, (table - index - skipped) % tables, (place(table) + index) % tables, switched)
        for table in range(tables)
    ]


def best_switch(tables: int) -> int:
    """How many of the last rounds to switch where all are ranked as one field: about an eighth of them.

    Then a pair has been compared about equally often with all others (one round at least).
    """
    return max(1, round(tables / 8))


def draw_mitchell(
    event: Event, round_number: int, even: EvenTables | None = None, switched_rounds: int = 0
) -> Drawn | None:
    """The next round, board sets numbered from 1; None when the movement is over.

    ``even``: None takes the relay when the event has as many rounds as tables, else the skip.
    """
    ns_line, ew_line = _lines(event)
    tables = len(ew_line)
    if even is None:
        even = EvenTables.SHARE_AND_RELAY if event.rounds >= tables else EvenTables.SKIP
    if round_number > most_rounds(tables, even):
        return None
    switch_from = event.rounds - switched_rounds if switched_rounds else None
    entered = {entry.number for entry in event.entries if entry.entered(round_number)}
    drawn: list[DrawnTable] = []
    resting: list[int] = []
    for seat in mitchell_round(tables, round_number - 1, even, switch_from=switch_from):
        sides = [pair for pair in (ns_line[seat.ns], ew_line[seat.ew]) if pair in entered]
        if len(sides) < 2:
            resting += [pair for pair in sides if pair is not None]
            continue
        ns, ew = reversed(sides) if seat.switched else sides
        if ns is not None and ew is not None:
            drawn.append(DrawnTable(seat.table + 1, (ns,), (ew,), Why(DESIGN), board_set=seat.board_set + 1))
    return Drawn(round_number, tuple(drawn), sit_outs=tuple(sorted(resting)), report=Report())


def _lines(event: Event) -> tuple[list[int | None], list[int | None]]:
    """The NS line and the EW line by table. Once a round is drawn it says who sits where; late pairs take what is
    free."""
    if event.drawn:
        first = event.drawn[0]
        tables = max((table.number for table in first.tables), default=0)
        size = max(tables, len(first.tables) + len(first.sit_outs))
        ns_line: list[int | None] = [None] * size
        ew_line: list[int | None] = [None] * size
        for table in first.tables:
            ns_line[table.number - 1], ew_line[table.number - 1] = table.ns[0], table.ew[0]
        _fill(ew_line, iter(sorted(first.sit_outs)))
        seated = {pair for pair in (*ns_line, *ew_line) if pair is not None}
        entered = [entry.number for entry in event.entries if entry.entered(len(event.drawn) + 1)]
        late = iter([number for number in entered if number not in seated])
        _fill(ns_line, late)
        _fill(ew_line, late)
        return ns_line, ew_line
    order = first_round_order(event, [(entry.number,) for entry in event.entries if entry.entered(1)])
    pairs: list[int | None] = [side[0] for side in order]
    if len(pairs) % 2:
        return [*pairs[: len(pairs) // 2 * 2 : 2], None], [*pairs[1::2], pairs[-1]]
    return pairs[::2], pairs[1::2]


def _fill(line: list[int | None], pairs: Iterator[int]) -> None:
    for table, pair in enumerate(line):
        if pair is None:
            line[table] = next(pairs, None)


def comparisons(rounds: Sequence[Sequence[Seat]], tables: int) -> Counter[tuple[str, str]]:
    """How often two pairs are compared: +1 for the same boards in the same direction, -1 in opposite directions, and
    as opponents once for every comparison with the rest of the field. Pairs are named ``ns0``, ``ew3``.

    The measure by which arrow switches are judged: the smaller its spread, the fairer one common ranking.
    """
    north: dict[int, list[str]] = {}
    east: dict[int, list[str]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for seats in rounds:
        for seat in seats:
            ns, ew = f"ns{seat.ns}", f"ew{seat.ew}"
            sides = (ew, ns) if seat.switched else (ns, ew)
            north.setdefault(seat.board_set, []).append(sides[0])
            east.setdefault(seat.board_set, []).append(sides[1])
            counts[min(ns, ew), max(ns, ew)] += tables - 1
    for board_set, ns_sides in north.items():
        ew_sides = east[board_set]
        for line in (ns_sides, ew_sides):
            counts.update((min(a, b), max(a, b)) for i, a in enumerate(line) for b in line[:i])
        counts.subtract((min(a, b), max(a, b)) for a in ns_sides for b in ew_sides)
    return counts
