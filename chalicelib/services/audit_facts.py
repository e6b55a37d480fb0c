"""What the log has to hold so that ``./guanjun replay`` rebuilds the ranking from it (``rules/replay``).

Entries are numbers without names; their 团体 stands as a hash, which only the names of the event's own list (logged
with the settings) turn into words again: what somebody typed as a 团体 is in no log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from chalicelib.rules.document import to_document
from chalicelib.rules.model import Entry, Event
from chalicelib.rules.replay import club_mark
from chalicelib.services.documents import model_of
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.settings import Settings
from chalicelib.services.stored.roster import RosterRow
from chalicelib.services.stored.tables import StoredTable
from chalicelib.store.adjustments import restored_id
from chalicelib.store.entries import StoredEntry

TABLES_A_LINE = 1000
ENTRIES_A_LINE = 4000


def of_settings(settings: Settings) -> dict[str, Any]:
    """The settings by which results count."""
    document = to_document(model_of(settings, (), ()))
    return {
        "document": {"event": document["event"], "clubs": document["clubs"]},
        "double_submission": settings.double_submission,
    }


def of_entries(entries: Iterable[StoredEntry]) -> dict[str, Any]:
    """Entries as they are from now on: number, state, 团体 (its place in ``clubs``), seed, group, joined, left."""
    clubs: dict[str, int] = {}
    rows: list[list[Any]] = []
    for entry in entries:
        club = None if not entry.club else clubs.setdefault(club_mark(entry.club), len(clubs))
        rows.append(
            [entry.number, entry.state, club, entry.seed, entry.group, entry.joined_round, entry.left_after_round]
        )
    return {"entries": rows, "clubs": list(clubs)}


def of_roster(rows: Iterable[RosterRow]) -> dict[str, Any]:
    """The same for entries that take part, read with the roster."""
    clubs: dict[str, int] = {}
    found: list[list[Any]] = []
    for row in rows:
        club = None if not row.club else clubs.setdefault(club_mark(row.club), len(clubs))
        found.append([row.number, "in", club, row.seed, row.group, row.joined_round, row.left_after_round])
    return {"entries": found, "clubs": list(clubs)}


def of_imported(
    numbered: Iterable[tuple[int, str]], joined: int, drawn: Sequence[tuple[int | None, str | None]] = ()
) -> dict[str, Any]:
    """New entries of a file, given as number and 团体 (as it is stored); ``drawn``: seed and group of each, if any."""
    clubs: dict[str, int] = {}
    rows: list[list[Any]] = []
    for place, (number, club) in enumerate(numbered):
        mark = clubs.setdefault(club_mark(club), len(clubs)) if club else None
        seed, group = drawn[place] if drawn else (None, None)
        rows.append([number, "in", mark, seed, group, joined, None])
    return {"entries": rows, "clubs": list(clubs)}


def of_tables(tables: Sequence[DraftTable]) -> list[list[Any]]:
    """Drawn tables: number and sides; board set and whether it is the third-place match where that says anything."""
    rows: list[list[Any]] = []
    for table in tables:
        row: list[Any] = [table.table, table.ns, table.ew]
        if table.board_set is not None or table.third_place:
            row += [table.board_set, table.third_place]
        rows.append(row)
    return rows


def of_table(table: StoredTable) -> dict[str, Any]:
    """Which match and room a table of teams of four is; nothing elsewhere, where its number says it all."""
    return {} if table.room is None else {"match": table.match, "room": table.room}


def of_restored(event: Event) -> Iterable[dict[str, Any]]:
    """A restored event's entries, rounds and adjustments, in parts that fit a line each; no name in them."""
    for first in range(0, len(event.entries), ENTRIES_A_LINE):
        rows = [_restored(entry) for entry in event.entries[first : first + ENTRIES_A_LINE]]
        marks = {mark: place for place, mark in enumerate(dict.fromkeys(row[2] for row in rows if row[2]))}
        yield {
            "entries": [[*row[:2], None if row[2] is None else marks[row[2]], *row[3:]] for row in rows],
            "clubs": list(marks),
        }
    document = to_document(event)
    for drawn in document["rounds"]:
        tables = drawn["tables"]
        for first in range(0, max(1, len(tables)), TABLES_A_LINE):
            yield {"round": {**drawn, "tables": tables[first : first + TABLES_A_LINE]}}
    for first in range(0, len(event.adjustments), TABLES_A_LINE):
        part = document["adjustments"][first : first + TABLES_A_LINE]
        yield {"adjustments": part, "ids": [restored_id(first + place) for place in range(len(part))]}


def _restored(entry: Entry) -> list[Any]:
    state = "in" if entry.left_after_round is None else "withdrawn"
    club = club_mark(entry.club) if entry.club else None
    return [entry.number, state, club, entry.seed, entry.group, entry.joined_round, entry.left_after_round]
