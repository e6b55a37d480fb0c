"""Tables of a round with everything that was said of them, and what the rules make of it.

A national round is 2,500 tables in some 8,000 items, read on every run of the standings function: hence the plain
decoding instead of PynamoDB models (which cost some 40 microseconds an item).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chalicelib.rules.levels import level_name
from chalicelib.rules.model import Board, Outcome, Room, Side
from chalicelib.rules.table_state import TableResult, TableState, table_state
from chalicelib.services.views.scoring import BoardResult, Score
from chalicelib.store.bulk import Item
from chalicelib.store.matches import CLOSED_ROOMS, items_of_round

SIDES = ("ns", "ew")


@dataclass(slots=True)
class StoredWord:
    """What one side said. ``values`` as in the store; ``said`` are its earlier words, oldest first."""

    values: dict[str, Any]
    version: int
    at: int
    actor: str
    late: bool
    said: list[dict[str, Any]]


@dataclass(slots=True)
class StoredRunning:
    """The score as entered so far."""

    values: dict[str, Any]
    side: str
    actor: str
    at: int


@dataclass(slots=True)
class StoredTable:
    """A match item with its words and running score."""

    round: int
    table: int
    generation: str
    ns: list[int]
    ew: list[int]
    ruling: dict[str, Any] | None
    rulings: list[dict[str, Any]]
    postponed: str | None
    extra_minutes: int
    held_until: int
    version: int
    words: dict[str, StoredWord] = field(default_factory=dict)
    running: StoredRunning | None = None
    boards: list[int] = field(default_factory=list)
    board_set: str | int | None = None
    room: str | None = None
    third_place: bool = False
    line_up: dict[str, list[int]] | None = None

    @property
    def match(self) -> int:
        """The number that people read: both rooms of a match of teams of four have the same."""
        return self.table - CLOSED_ROOMS if self.room == Room.CLOSED else self.table

    def side_of(self, number: int) -> str | None:
        """The side on which an entry sits here: ns | ew, or None."""
        return "ns" if number in self.ns else "ew" if number in self.ew else None


def _json(item: Item, name: str) -> Any:
    held = item.get(name)
    return None if held is None or "S" not in held else msgspec.json.decode(held["S"])


def _number(item: Item, name: str, default: int = 0) -> int:
    held = item.get(name)
    return default if held is None or "N" not in held else int(held["N"])


def read_table(item: Item) -> StoredTable:
    """A match item (DynamoDB JSON)."""
    return StoredTable(
        round=_number(item, "round"),
        table=_number(item, "table"),
        generation=item["generation"]["S"],
        ns=_json(item, "ns"),
        ew=_json(item, "ew"),
        ruling=_json(item, "ruling"),
        rulings=_json(item, "rulings") or [],
        postponed=item["postponed"].get("S") if "postponed" in item else None,
        extra_minutes=_number(item, "extra_minutes"),
        held_until=_number(item, "held_until"),
        version=_number(item, "version", 1),
        boards=board_numbers(item["boards"]["S"]) if "boards" in item else [],
        board_set=_json(item, "board_set"),
        room=item["room"].get("S") if "room" in item else None,
        third_place=bool(item.get("third_place", {}).get("BOOL", False)),
        line_up=_json(item, "line_up"),
    )


def read_word(item: Item) -> StoredWord:
    """A word item (DynamoDB JSON)."""
    return StoredWord(
        values=_json(item, "values"),
        version=_number(item, "version"),
        at=_number(item, "at"),
        actor=item["actor"]["S"],
        late=bool(item.get("late", {}).get("BOOL", False)),
        said=_json(item, "said") or [],
    )


def read_running(item: Item) -> StoredRunning:
    """A running score (DynamoDB JSON)."""
    return StoredRunning(_json(item, "values"), item["side"]["S"], item["actor"]["S"], _number(item, "at"))


def with_words(match: Item, ns: Item | None, ew: Item | None, running: Item | None = None) -> StoredTable:
    """One table from its single items."""
    table = read_table(match)
    for side, word in (("ns", ns), ("ew", ew)):
        if word is not None:
            table.words[side] = read_word(word)
    if running is not None:
        table.running = read_running(running)
    return table


def group(items: Iterable[Item]) -> Iterator[StoredTable]:
    """Tables from a round's items in key order; words without their match (never written so) are left out."""
    current: StoredTable | None = None
    prefix = ""
    for item in items:
        key = item["sk"]["S"]
        if "#" not in key[2:]:
            if current is not None:
                yield current
            current, prefix = read_table(item), f"{key}#"
        elif current is not None and key.startswith(prefix):
            rest = key[len(prefix) :]
            if rest == "RUNNING":
                current.running = read_running(item)
            else:
                current.words[rest.removeprefix("WORD#")] = read_word(item)
    if current is not None:
        yield current


def of_round(event_id: str, number: int, generation: str) -> list[StoredTable]:
    """All tables of a published round in order, read with strong consistency."""
    return [table for table in group(items_of_round(event_id, number)) if table.generation == generation]


def board_numbers(text: str) -> list[int]:
    """The board numbers of a table from their stored form: "1-8" or "1-4,9"."""
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def board_text(numbers: Iterable[int]) -> str:
    """The opposite of :func:`board_numbers`."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def _boards_of(text: str) -> tuple[Board, ...]:
    """Boards with their results as stored: "1+3 2-1" (a match item must stay small)."""
    return tuple(Board(int(part[:-2]), int(part[-2:])) for part in text.split())


def result_of(values: dict[str, Any]) -> TableResult:
    """The stored values of a word, a ruling or a running score as the rules compare them."""
    winner = values.get("winner")
    return TableResult(
        Outcome(values.get("outcome", "played")),
        values.get("ns_level"),
        values.get("ew_level"),
        None if winner is None else Side(winner),
        _boards_of(values.get("boards", "")),
    )


def values_of(result: TableResult) -> dict[str, Any]:
    """The opposite of :func:`result_of`: only what is there."""
    values: dict[str, Any] = {"outcome": result.outcome.value}
    if result.ns_level is not None:
        values |= {"ns_level": result.ns_level, "ew_level": result.ew_level}
    if result.winner is not None:
        values["winner"] = result.winner.value
    if result.boards:
        values["boards"] = " ".join(f"{board.number}{board.result:+d}" for board in result.boards)
    return values


def score_of(result: TableResult) -> Score:
    """A result with the names of its levels, as pages show it."""
    ns, ew = ((None, 1) if level is None else level_name(level) for level in (result.ns_level, result.ew_level))
    return Score(
        outcome=result.outcome.value,
        ns_level=ns[0],
        ew_level=ew[0],
        ns_lap=ns[1],
        ew_lap=ew[1],
        winner=None if result.winner is None else result.winner.value,
        boards=[BoardResult(board.number, board.result) for board in result.boards],
    )


def state_of(table: StoredTable, double_submission: bool) -> TableState:
    """The table's state, its effective result (None while it has none) and what a live ranking may show."""
    ns, ew = (table.words.get(side) for side in SIDES)
    return table_state(
        None if ns is None else result_of(ns.values),
        None if ew is None else result_of(ew.values),
        ruling=None if table.ruling is None else result_of(table.ruling),
        running=None if table.running is None else result_of(table.running.values),
        double_submission=double_submission,
    )
