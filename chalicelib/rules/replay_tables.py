"""Rounds and tables as a log tells of them (``replay``): what was said last, and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from chalicelib.rules.levels import LEVELS, level_index, level_name
from chalicelib.rules.model import Board, Outcome, Side
from chalicelib.rules.table_state import TableResult, table_state

_BOARDS: Final = re.compile(r"([0-9]{1,6})([+-][123])")
_FORFEITS: Final = (Outcome.NS_FORFEIT, Outcome.EW_FORFEIT, Outcome.DOUBLE_FORFEIT)


class ReplayedTable:
    """One table (of teams of four: one room of a match): both sides' words, the ruling, the postponement."""

    def __init__(self) -> None:
        self._words: dict[str, tuple[int, TableResult]] = {}
        self._ruling: TableResult | None = None
        self._version = 0
        self.postponed = False

    def say(self, details: Mapping[str, Any]) -> None:
        """A side's word; an older one than the newest changes nothing."""
        side, version = str(details["side"]), int(details["version"])
        if side not in ("ns", "ew"):
            raise ValueError(side)
        result = _result(details["values"])
        if version > self._words.get(side, (0,))[0]:
            self._words[side] = version, result

    def rule(self, details: Mapping[str, Any]) -> None:
        """A ruling, or a side that gave up; it ends a postponement unless it says that nothing was played."""
        result = _result(details["values"])
        if self._newer(details):
            self._ruling = result
            if result.outcome is not Outcome.UNPLAYED:
                self.postponed = False

    def lift(self, details: Mapping[str, Any]) -> None:
        """The ruling taken back."""
        if self._newer(details):
            self._ruling = None

    def postpone(self, details: Mapping[str, Any]) -> None:
        """Put off, or no longer."""
        if self._newer(details):
            self.postponed = bool(details["postponed"])

    def _newer(self, details: Mapping[str, Any]) -> bool:
        version = int(details["version"])
        if version <= self._version:
            return False
        self._version = version
        return True

    def effective(self, double_submission: bool) -> TableResult | None:
        """The result that counts, None while there is none."""
        ns, ew = (self._words.get(side, (0, None))[1] for side in ("ns", "ew"))
        return table_state(ns, ew, ruling=self._ruling, double_submission=double_submission).effective

    def restore(self, record: Mapping[str, Any]) -> None:
        """The result of a document's table stands like a ruling."""
        self.postponed = bool(record.get("postponed", False))
        if record.get("outcome", "played") != Outcome.UNPLAYED:
            self._ruling = _result(_values(record))


def _result(values: Mapping[str, Any]) -> TableResult:
    outcome = Outcome(values.get("outcome", "played"))
    levels = [values.get(name) for name in ("ns_level", "ew_level")]
    for level in levels:
        if level is not None:
            level_name(int(level))
    winner = values.get("winner")
    return TableResult(
        outcome,
        levels[0],
        levels[1],
        None if winner is None else Side(winner),
        tuple(_boards(values.get("boards", ""))),
    )


def _boards(text: str) -> Iterable[Board]:
    for part in text.split():
        found = _BOARDS.fullmatch(part)
        if found is None:
            raise ValueError(part)
        yield Board(int(found[1]), int(found[2]))


class ReplayedRound:
    """One drawn round. ``double_submission``: the setting it was settled under, None while it is in play."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.published = False
        self.double_submission: bool | None = None
        self._drawn: dict[int, dict[str, Any]] = {}
        self._tables: dict[int, dict[str | None, ReplayedTable]] = {}
        self._restored: dict[int, list[dict[str, Any]]] = {}
        self._resting: dict[str, list[int]] = {"byes": [], "sit_outs": []}

    @classmethod
    def drawn(cls, number: int, details: Mapping[str, Any]) -> ReplayedRound:
        """A draft from the line that drew or rearranged it."""
        made = cls(number)
        for table, ns, ew, *more in details["tables"]:
            row: dict[str, Any] = {"table": int(table), "ns": _side(ns), "ew": _side(ew)}
            board_set, third_place = more or (None, False)
            if board_set is not None:
                row["set"] = board_set
            if third_place:
                row["third_place"] = True
            made._drawn[int(table)] = row
        for name in made._resting:
            made._resting[name] = [int(entry) for entry in details.get(name, ())]
        return made

    def restore(self, drawn: Mapping[str, Any]) -> None:
        """A round (or a part of its tables) of the document that the event was restored from."""
        self.published = True
        for name in self._resting:
            self._resting[name] = [int(entry) for entry in drawn.get(name, ())]
        for record in drawn["tables"]:
            number = int(record["table"])
            kept = ("table", "ns", "ew", "set", "third_place")
            self._drawn[number] = {name: record[name] for name in kept if name in record}
            self._restored.setdefault(number, []).append(dict(record))

    def table(self, address: int, details: Mapping[str, Any]) -> ReplayedTable:
        """The table (or room) that a line speaks of. Raises KeyError for one that was not drawn."""
        match = int(details.get("match", address))
        room = details.get("room")
        if match not in self._drawn:
            raise KeyError(match)
        rooms = self._tables.setdefault(match, {})
        if room not in rooms:
            rooms[room] = self._as_restored(match, room)
        return rooms[room]

    def _as_restored(self, match: int, room: str | None) -> ReplayedTable:
        table = ReplayedTable()
        for record in self._restored.get(match, ()):
            if record.get("room") in (None, room):
                table.restore(record)
        return table

    def document(self, double_submission: bool) -> dict[str, Any]:
        """The round as it stands in a document, by the event's setting unless it was settled under another."""
        double = double_submission if self.double_submission is None else self.double_submission
        records: list[dict[str, Any]] = []
        for match in sorted(self._drawn):
            records += self._records(match, double)
        return {"no": self.number, "tables": records, **self._resting}

    def _records(self, match: int, double: bool) -> list[dict[str, Any]]:
        rooms = self._tables.get(match)
        if rooms is None:
            return self._restored.get(match) or [{**self._drawn[match], "outcome": "unplayed"}]
        drawn = self._drawn[match]
        if None in rooms:
            return [_record(drawn, rooms[None].effective(double), rooms[None].postponed)]
        return self._match(match, rooms, double)

    def _match(self, match: int, rooms: dict[str | None, ReplayedTable], double: bool) -> list[dict[str, Any]]:
        """A match of teams of four: two records once both rooms were played, one without room before that, or where a
        room's ruling says that the match was not played."""
        for room in ("open", "closed"):
            if room not in rooms:
                rooms[room] = self._as_restored(match, room)
        drawn = self._drawn[match]
        results = {room: rooms[room].effective(double) for room in ("open", "closed")}
        forfeits = {result.outcome for result in results.values() if result is not None} & set(_FORFEITS)
        if forfeits:
            outcome = forfeits.pop() if len(forfeits) == 1 else Outcome.DOUBLE_FORFEIT
            return [_record(drawn, TableResult(outcome), False)]
        waiting = [room for room, result in results.items() if result is None or result.outcome is not Outcome.PLAYED]
        if waiting:
            return [_record(drawn, None, all(rooms[room].postponed for room in waiting))]
        return [{**_record(drawn, result, False), "room": room} for room, result in results.items()]


def _side(side: Any) -> int | list[int]:
    numbers = [int(number) for number in (side if isinstance(side, list) else [side])]
    return numbers[0] if len(numbers) == 1 else numbers


def _record(drawn: Mapping[str, Any], result: TableResult | None, postponed: bool) -> dict[str, Any]:
    outcome = Outcome.UNPLAYED if result is None else result.outcome
    record: dict[str, Any] = {**drawn, "outcome": outcome.value}
    if outcome is Outcome.UNPLAYED and postponed:
        record["postponed"] = True
    if result is None or outcome is not Outcome.PLAYED:
        return record
    for name, level in (("ns_level", result.ns_level), ("ew_level", result.ew_level)):
        if level is not None:
            text, lap = level_name(level)
            record[name] = text if lap == 1 else {"lap": lap, "level": text}
    if result.winner is not None:
        record["winner"] = result.winner.value
    if result.boards or result.ns_level is None:
        record["boards"] = [{"board": board.number, "result": board.result} for board in result.boards]
    return record


def _values(record: Mapping[str, Any]) -> dict[str, Any]:
    """A document's table in the words of the log."""
    values: dict[str, Any] = {"outcome": record.get("outcome", "played")}
    for name in ("ns_level", "ew_level"):
        if name in record:
            values[name] = _index(record[name])
    if "winner" in record:
        values["winner"] = record["winner"]
    if "boards" in record:
        values["boards"] = " ".join(f"{board['board']}{board['result']:+d}" for board in record["boards"])
    return values


def _index(level: Any) -> int:
    return level_index(level["level"], int(level["lap"])) if isinstance(level, dict) else LEVELS.index(level)
