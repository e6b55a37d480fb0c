"""Short ways to write events in tests: documents with only what a test is about."""

from __future__ import annotations

import json
from typing import Any

from chalicelib.rules.document import parse
from chalicelib.rules.faults import DocumentFaults
from chalicelib.rules.model import Event
from chalicelib.rules.standings import Row, standings

Document = dict[str, Any]


def document(kind: str = "pairs", entries: int = 4, rounds: list[Any] | None = None, **settings: Any) -> Document:
    """A document with entries 1, 2, ...; ``rounds`` are lists of tables (or whole round objects)."""
    drawn = []
    for number, given in enumerate(rounds or [], 1):
        whole = given if isinstance(given, dict) else {"tables": given}
        drawn.append({"no": number, **whole})
    return {
        "format": "guanjun-event/1",
        "event": {"name": "周三夜赛", "kind": kind, "rounds": max(len(drawn), 1), **settings},
        "clubs": [],
        "entries": [{"no": number, "name": f"队{number:03d}"} for number in range(1, entries + 1)],
        "rounds": drawn,
        "adjustments": [],
    }


def played(table: int, ns: Any, ew: Any, ns_level: Any, ew_level: Any, **more: Any) -> Document:
    return {"table": table, "ns": ns, "ew": ew, "ns_level": ns_level, "ew_level": ew_level, **more}


def unplayed(table: int, ns: Any, ew: Any, outcome: str, **more: Any) -> Document:
    return {"table": table, "ns": ns, "ew": ew, "outcome": outcome, **more}


def boards(table: int, ns: Any, ew: Any, *results: int, **more: Any) -> Document:
    written = [{"board": number, "result": result} for number, result in enumerate(results, 1)]
    return {"table": table, "ns": ns, "ew": ew, "boards": written, **more}


def event(of: Document) -> Event:
    return parse(json.dumps(of))


def rows(of: Document, through_round: int | None = None) -> dict[int, Row]:
    """The ranking of a document by entry number."""
    return {row.entry: row for row in standings(event(of), through_round=through_round).rows}


def values(of: Document, criterion: str) -> dict[int, Any]:
    """One criterion by entry number."""
    return {entry: row.values[criterion] for entry, row in rows(of).items()}


def ranks(of: Document) -> list[tuple[int, int, bool]]:
    """Entry, rank and whether tied, in the order of the rows."""
    return [(row.entry, row.rank, row.tied) for row in standings(event(of)).rows]


def faults(of: Any) -> set[tuple[str, str]]:
    """Pointer and code of every fault of a document (text, bytes or a value to be written as JSON)."""
    try:
        parse(of if isinstance(of, str | bytes) else json.dumps(of))
    except DocumentFaults as found:
        return {(fault.pointer, str(fault.code)) for fault in found.faults}
    return set()
