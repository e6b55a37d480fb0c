"""The ``rounds`` of a document: tables, byes and sit-outs, each value judged by itself and against its kind.

What the tables of a round say about each other is judged in ``check.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chalicelib.rules.check import DraftRound
from chalicelib.rules.document.reader import HIGHEST_NUMBER, Reader
from chalicelib.rules.faults import FaultCode, Path
from chalicelib.rules.kinds import Entrants, Kind, Scoring
from chalicelib.rules.levels import INDEX, level_index
from chalicelib.rules.model import Board, Event, Outcome, Room, Side, Table

ROUND_FIELDS: Final = frozenset({"no", "tables", "byes", "sit_outs"})
TABLE_FIELDS: Final = frozenset(
    [
        "table",
        "ns",
        "ew",
        "outcome",
        "ns_level",
        "ew_level",
        "boards",
        "set",
        "room",
        "winner",
        "postponed",
        "third_place",
    ]
)
BOARD_FIELDS: Final = frozenset({"board", "result"})
LAP_FIELDS: Final = frozenset({"lap", "level"})
RESULTS: Final = frozenset({3, 2, 1, -1, -2, -3})
PERSONS_ON_A_SIDE: Final = 2
HIGHEST_SET: Final = 10**9
OUTCOMES: Final = {outcome.value: outcome for outcome in Outcome}


def read_rounds(reader: Reader, top: Mapping[str, Any], event: Event, kind: Kind) -> list[DraftRound]:
    """The rounds in the document's order."""
    tables = _TableReader(reader, event, kind)
    return [
        _round(reader, value, ("rounds", position), kind, tables)
        for position, value in enumerate(reader.array(top, "rounds", ()))
    ]


def _round(reader: Reader, value: Any, path: Path, kind: Kind, tables: _TableReader) -> DraftRound:
    fields = reader.fields(value, path, ROUND_FIELDS)
    if fields is None:
        return DraftRound(None, [], [], [])
    number = reader.integer(fields, "no", path)
    reader.required(fields, "tables", path)
    read = [
        tables.read(table, (*path, "tables", position))
        for position, table in enumerate(reader.array(fields, "tables", path))
    ]
    sit_outs = _entry_numbers(reader, fields, "sit_outs", path)
    if sit_outs and not kind.sit_outs:
        message = f"{kind.english} events have no sit-outs"
        reader.fault((*path, "sit_outs"), FaultCode.NOT_OFFERED, message)
        sit_outs = []
    return DraftRound(number, read, _entry_numbers(reader, fields, "byes", path), sit_outs)


def _entry_numbers(reader: Reader, fields: Mapping[str, Any], name: str, path: Path) -> list[int | None]:
    return [
        reader.whole(value, (*path, name, position)) for position, value in enumerate(reader.array(fields, name, path))
    ]


class _TableReader:
    """Reads the tables of one event; a document may hold hundreds of thousands, so the usual path is short."""

    def __init__(self, reader: Reader, event: Event, kind: Kind) -> None:
        self.reader = reader
        self.event = event
        self.kind = kind
        self.by_levels = kind.scored_by_levels
        self.by_teams = kind.scoring is Scoring.TEAM_BOARDS

    def read(self, value: Any, path: Path) -> Table | None:
        """One record; None when it has no table number or no sides."""
        reader = self.reader
        fields = reader.fields(value, path, TABLE_FIELDS)
        if fields is None:
            return None
        number = reader.integer(fields, "table", path)
        ns = self._side(fields, "ns", path)
        ew = self._side(fields, "ew", path)
        outcome: Outcome | None = Outcome.PLAYED
        if "outcome" in fields:
            stated = fields["outcome"]
            outcome = OUTCOMES.get(stated) if isinstance(stated, str) else None
            if outcome is None:
                outcome = reader.chosen(stated, (*path, "outcome"), Outcome)
        played = outcome is Outcome.PLAYED
        ns_level = self._level(fields, "ns_level", path, needed=played)
        ew_level = self._level(fields, "ew_level", path, needed=played)
        boards = self._boards(fields, path, needed=played)
        winner = self._winner(fields, path, outcome) if "winner" in fields else None
        room = self._room(fields, path, outcome) if self.by_teams or "room" in fields else None
        board_set = self._board_set(fields, path) if "set" in fields else None
        postponed = self._postponed(fields, path, outcome) if "postponed" in fields else False
        third_place = self._third_place(fields, path) if "third_place" in fields else False
        if played and self.event.knockout and winner is None and "winner" not in fields:
            self._needs_winner(ns_level, ew_level, path)
        if number is None or not ns or not ew:
            return None
        return Table(
            number,
            ns,
            ew,
            outcome or Outcome.UNPLAYED,
            ns_level,
            ew_level,
            boards,
            board_set,
            room,
            winner,
            postponed,
            third_place,
        )

    def _side(self, fields: Mapping[str, Any], name: str, path: Path) -> tuple[int, ...]:
        if name not in fields:
            self.reader.required(fields, name, path)
            return ()
        value = fields[name]
        if type(value) is int and 1 <= value <= HIGHEST_NUMBER:
            if self.kind.entrants is Entrants.PERSON:
                self.reader.fault((*path, name), FaultCode.WRONG_TYPE, "must be a list of two entry numbers")
                return ()
            return (value,)
        here = (*path, name)
        if not isinstance(value, list):
            self.reader.whole(value, here)
            return ()
        if self.kind.entrants not in (Entrants.PERSON, Entrants.PAIR_OR_PERSON):
            self.reader.fault(here, FaultCode.WRONG_TYPE, "must be one entry number")
            return ()
        if len(value) != PERSONS_ON_A_SIDE:
            self.reader.fault(here, FaultCode.OUT_OF_RANGE, "must name two entries")
            return ()
        persons = [self.reader.whole(person, (*here, position)) for position, person in enumerate(value)]
        sound = tuple(person for person in persons if person is not None)
        return sound if len(sound) == PERSONS_ON_A_SIDE else ()

    def _level(self, fields: Mapping[str, Any], name: str, path: Path, *, needed: bool) -> int | None:
        if name not in fields:
            if needed and self.by_levels:
                self.reader.required(fields, name, path)
            return None
        value = fields[name]
        here = (*path, name)
        if not self.by_levels:
            message = f"{self.kind.english} tables have boards, not levels"
            self.reader.fault(here, FaultCode.NOT_OFFERED, message)
            return None
        if isinstance(value, str):
            level = INDEX.get(value)
            if level is None:
                self.reader.fault(here, FaultCode.OUT_OF_RANGE, "must be a level from 2 to A+")
            return level
        if isinstance(value, dict) and self.kind.laps:
            return self._lap_level(value, here)
        self.reader.fault(here, FaultCode.WRONG_TYPE, "must be the text of a level")
        return None

    def _lap_level(self, value: Any, path: Path) -> int | None:
        fields = self.reader.fields(value, path, LAP_FIELDS)
        if fields is None:
            return None
        lap = self.reader.integer(fields, "lap", path)
        if not self.reader.required(fields, "level", path):
            return None
        name = fields["level"]
        if not isinstance(name, str):
            self.reader.fault((*path, "level"), FaultCode.WRONG_TYPE, "must be the text of a level")
        elif name not in INDEX:
            self.reader.fault((*path, "level"), FaultCode.OUT_OF_RANGE, "must be a level from 2 to A+")
        elif lap is not None:
            return level_index(name, lap)
        return None

    def _boards(self, fields: Mapping[str, Any], path: Path, *, needed: bool) -> tuple[Board, ...]:
        needed = needed and not self.by_levels
        if "boards" not in fields:
            if needed:
                self.reader.required(fields, "boards", path)
            return ()
        here = (*path, "boards")
        stated = self.reader.array(fields, "boards", path)
        if needed and isinstance(fields["boards"], list) and not stated:
            self.reader.fault(here, FaultCode.OUT_OF_RANGE, "a played table has at least one board")
        boards: list[Board] = []
        seen: set[int] = set()
        for position, value in enumerate(stated):
            board = self._board(value, (*here, position))
            if board is None:
                continue
            if board.number in seen:
                self.reader.fault((*here, position, "board"), FaultCode.DUPLICATE, "this board stands here twice")
                continue
            seen.add(board.number)
            boards.append(board)
        return tuple(boards)

    def _board(self, value: Any, path: Path) -> Board | None:
        fields = self.reader.fields(value, path, BOARD_FIELDS)
        if fields is None:
            return None
        number = self.reader.integer(fields, "board", path)
        if not self.reader.required(fields, "result", path):
            return None
        result = fields["result"]
        if type(result) is not int:
            self.reader.fault((*path, "result"), FaultCode.WRONG_TYPE, "must be an integer")
        elif result not in RESULTS:
            self.reader.fault((*path, "result"), FaultCode.OUT_OF_RANGE, "must be 3, 2, 1, -1, -2 or -3")
        elif number is not None:
            return Board(number, result)
        return None

    def _winner(self, fields: Mapping[str, Any], path: Path, outcome: Outcome | None) -> Side | None:
        here = (*path, "winner")
        winner = self.reader.chosen(fields["winner"], here, Side)
        if not self.by_levels:
            self.reader.fault(here, FaultCode.NOT_OFFERED, "a winner belongs to the level-scored kinds")
            return None
        contradicted = {
            Outcome.NS_FORFEIT: winner is Side.NS,
            Outcome.EW_FORFEIT: winner is Side.EW,
            Outcome.DOUBLE_FORFEIT: winner is not None,
            Outcome.UNPLAYED: winner is not None,
        }
        if outcome is not None and contradicted.get(outcome, False):
            self.reader.fault(here, FaultCode.INCONSISTENT, "this side cannot have won by this outcome")
        return winner

    def _needs_winner(self, ns_level: int | None, ew_level: int | None, path: Path) -> None:
        if ns_level is not None and ns_level == ew_level:
            message = "a knock-out table on equal levels needs a winner"
            self.reader.fault((*path, "winner"), FaultCode.INCONSISTENT, message)

    def _room(self, fields: Mapping[str, Any], path: Path, outcome: Outcome | None) -> Room | None:
        here = (*path, "room")
        played = outcome is Outcome.PLAYED
        if "room" not in fields:
            if played:
                self.reader.required(fields, "room", path)
            return None
        room = self.reader.chosen(fields["room"], here, Room)
        if not self.by_teams:
            self.reader.fault(here, FaultCode.NOT_OFFERED, "rooms belong to team_of_four")
        elif outcome is not None and not played:
            self.reader.fault(here, FaultCode.INCONSISTENT, "a match that was not played is one record without room")
        else:
            return room
        return None

    def _board_set(self, fields: Mapping[str, Any], path: Path) -> str | int | None:
        here = (*path, "set")
        value = fields["set"]
        if self.by_levels:
            self.reader.fault(here, FaultCode.NOT_OFFERED, "board sets belong to the kinds scored by boards")
            return None
        if isinstance(value, str):
            return self.reader.words(value, here)
        if type(value) is int:
            return self.reader.whole(value, here, -HIGHEST_SET, HIGHEST_SET)
        self.reader.fault(here, FaultCode.WRONG_TYPE, "must be text or an integer")
        return None

    def _postponed(self, fields: Mapping[str, Any], path: Path, outcome: Outcome | None) -> bool:
        postponed = self.reader.switch(fields, "postponed", path)
        if postponed and outcome is not None and outcome is not Outcome.UNPLAYED:
            message = "only an unplayed table is postponed"
            self.reader.fault((*path, "postponed"), FaultCode.INCONSISTENT, message)
        return postponed

    def _third_place(self, fields: Mapping[str, Any], path: Path) -> bool:
        third_place = self.reader.switch(fields, "third_place", path)
        if third_place and not self.event.knockout:
            message = "a third-place match belongs to a knock-out"
            self.reader.fault((*path, "third_place"), FaultCode.NOT_OFFERED, message)
        return third_place
