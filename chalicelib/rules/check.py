"""What the parts of an event must say about each other (``event-json.md``): numbering, references, seats, board sets.

Values by themselves (types, bounds, what a kind offers) are judged while a document is read; here everything is in
range and only contradictions are left. Faults carry the JSON pointer of the later of two contradicting values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chalicelib.rules.faults import Fault, FaultCode, Path, pointer
from chalicelib.rules.kinds import Kind, Scoring, kind_of
from chalicelib.rules.model import Adjustment, Entry, Event, Outcome, Room, Table


class DraftRound(NamedTuple):
    """One round as it stands in a document; what could not be read is None, so that positions are kept."""

    number: int | None
    tables: Sequence[Table | None]
    byes: Sequence[int | None]
    sit_outs: Sequence[int | None]


class Draft(NamedTuple):
    """An event in its document's order.

    ``entries_known`` and ``rounds_known`` are False when one of their numbers could not be read: then nothing
    can be said about references to them.
    """

    kind: Kind
    entries: Sequence[Entry | None]
    rounds: Sequence[DraftRound]
    adjustments: Sequence[Adjustment | None]
    entries_known: bool = True
    rounds_known: bool = True


def faults(event: Event) -> list[Fault]:
    """The contradictions within an event; positions are those of its own tuples. Empty when it is sound."""
    return draft_faults(
        Draft(
            kind_of(event),
            event.entries,
            [DraftRound(drawn.number, drawn.tables, drawn.byes, drawn.sit_outs) for drawn in event.drawn],
            event.adjustments,
        )
    )


def draft_faults(draft: Draft) -> list[Fault]:
    """The contradictions within what could be read of a document."""
    found = list(_numbering(draft.rounds)) if draft.rounds_known else []
    by_number = {entry.number: entry for entry in reversed(draft.entries) if entry is not None}
    for position, drawn in enumerate(draft.rounds):
        path: Path = ("rounds", position)
        seats = _Seats(by_number if draft.entries_known else None, drawn.number)
        records = _Records(draft.kind)
        for index, table in enumerate(drawn.tables):
            if table is not None:
                here = (*path, "tables", index)
                found.extend(records.add(table, here))
                if records.seats_anew(index, table):
                    found.extend(seats.seat_table(table, here))
        found.extend(records.unmatched_rooms())
        for name, numbers in (("byes", drawn.byes), ("sit_outs", drawn.sit_outs)):
            for index, number in enumerate(numbers):
                if number is not None:
                    found.extend(seats.seat(number, (*path, name, index)))
    found.extend(_board_sets(draft))
    found.extend(_side_lengths(draft))
    found.extend(_adjustment_references(draft, by_number))
    return found


def _fault(path: Path, code: FaultCode, message: str) -> Fault:
    return Fault(pointer(path), code, message)


def _numbering(rounds: Sequence[DraftRound]) -> Iterator[Fault]:
    seen: set[int] = set()
    numbers = {drawn.number for drawn in rounds if drawn.number is not None}
    for position, drawn in enumerate(rounds):
        number = drawn.number or 0
        path = ("rounds", position, "no")
        if number in seen:
            yield _fault(path, FaultCode.DUPLICATE, "another round has this number already")
        elif number > 1 and number - 1 not in numbers:
            yield _fault(path, FaultCode.INCONSISTENT, f"there is no round {number - 1} before this one")
        seen.add(number)


class _Records:
    """The records of one round by table number: one each, but a played team match is two, one for each room."""

    def __init__(self, kind: Kind) -> None:
        self.by_teams = kind.scoring is Scoring.TEAM_BOARDS
        self.first: dict[int, tuple[Table, Path]] = {}
        self.paired: set[int] = set()

    def seats_anew(self, index: int, table: Table) -> bool:
        """False for the second record of a team match, which seats nobody anew."""
        return not self.by_teams or self.first[table.number][1][-1] == index

    def add(self, table: Table, path: Path) -> Iterator[Fault]:
        known = self.first.get(table.number)
        if known is None:
            self.first[table.number] = (table, path)
            return
        other = known[0]
        rooms = self.by_teams and table.outcome is other.outcome is Outcome.PLAYED
        if not rooms or table.number in self.paired:
            yield _fault((*path, "table"), FaultCode.DUPLICATE, "another record of this round has this table number")
            return
        self.paired.add(table.number)
        if table.room is None or other.room is None:
            return  # a played record without room: a fault of that record alone
        if table.room is other.room:
            yield _fault((*path, "table"), FaultCode.DUPLICATE, "this room of the match is recorded already")
        else:
            for name, mine, theirs in (("ns", table.ns, other.ns), ("ew", table.ew, other.ew)):
                if mine != theirs:
                    message = "both rooms of a match have the same sides, the home team as ns"
                    yield _fault((*path, name), FaultCode.INCONSISTENT, message)
                    return
            if table.board_set != other.board_set:
                message = "both rooms of a match play the same boards"
                yield _fault((*path, "set"), FaultCode.INCONSISTENT, message)

    def unmatched_rooms(self) -> Iterator[Fault]:
        for number, (table, path) in self.first.items():
            if table.room is not None and number not in self.paired:
                other = Room.CLOSED if table.room is Room.OPEN else Room.OPEN
                message = f"the {other} room of this match has no record"
                yield _fault((*path, "room"), FaultCode.INCONSISTENT, message)


class _Seats:
    """Who has a place in one round: nobody twice, nobody unknown, nobody who is not entered."""

    def __init__(self, entries: dict[int, Entry] | None, round_number: int | None) -> None:
        self.entries = entries
        self.round_number = round_number
        self.taken: set[int] = set()

    def seat_table(self, table: Table, path: Path) -> Iterator[Fault]:
        for name, side in (("ns", table.ns), ("ew", table.ew)):
            if len(side) == 1:
                yield from self.seat(side[0], (*path, name))
            else:
                for index, number in enumerate(side):
                    yield from self.seat(number, (*path, name, index))

    def seat(self, number: int, path: Path) -> Iterator[Fault]:
        if self.entries is not None:
            entry = self.entries.get(number)
            if entry is None:
                yield _fault(path, FaultCode.UNKNOWN_REFERENCE, "there is no entry of this number")
                return
            if self.round_number is not None and not entry.entered(self.round_number):
                early = self.round_number < entry.joined_round
                message = "this entry has not joined yet" if early else "this entry has left"
                yield _fault(path, FaultCode.INCONSISTENT, message)
                return
        if number in self.taken:
            yield _fault(path, FaultCode.INCONSISTENT, "this entry has a place in this round already")
        self.taken.add(number)


def _board_sets(draft: Draft) -> Iterator[Fault]:
    """All records of one set hold the same boards. Without a name a round's tables share one set; only in the
    duplicate kinds, because elsewhere every table deals its own boards."""
    held: dict[object, frozenset[int]] = {}
    for position, drawn in enumerate(draft.rounds):
        for index, table in enumerate(drawn.tables):
            if table is None or table.outcome is not Outcome.PLAYED or not table.boards:
                continue
            if table.board_set is not None:
                name: object = table.board_set
            elif draft.kind.duplicate:
                name = ("position", position)
            else:
                continue
            boards = frozenset(board.number for board in table.boards)
            if held.setdefault(name, boards) != boards:
                path = ("rounds", position, "tables", index, "boards")
                yield _fault(path, FaultCode.INCONSISTENT, "another record of this set holds other boards")


def _side_lengths(draft: Draft) -> Iterator[Fault]:
    """An event is played by pairs or by persons, not by both."""
    expected: int | None = None
    for position, drawn in enumerate(draft.rounds):
        for index, table in enumerate(drawn.tables):
            if table is None:
                continue
            for name, side in (("ns", table.ns), ("ew", table.ew)):
                if expected is None:
                    expected = len(side)
                elif len(side) != expected:
                    path = ("rounds", position, "tables", index, name)
                    message = "an event seats pairs or persons, not both"
                    yield _fault(path, FaultCode.INCONSISTENT, message)


def _adjustment_references(draft: Draft, by_number: dict[int, Entry]) -> Iterator[Fault]:
    drawn_rounds = {drawn.number for drawn in draft.rounds}
    for index, adjustment in enumerate(draft.adjustments):
        if adjustment is None:
            continue
        if draft.entries_known and adjustment.entry not in by_number:
            message = "there is no entry of this number"
            yield _fault(("adjustments", index, "entry"), FaultCode.UNKNOWN_REFERENCE, message)
        if draft.rounds_known and adjustment.round not in drawn_rounds:
            message = "this round has not been drawn"
            yield _fault(("adjustments", index, "round"), FaultCode.UNKNOWN_REFERENCE, message)
