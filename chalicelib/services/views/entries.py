"""Entries, imports and check-in as the API answers them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlayerView:
    """A player with the full phone: organizers' pages only."""

    name: str
    phone: str


@dataclass(frozen=True)
class EntryView:
    """One entry on the organizers' roster. ``state``: in | waiting | single (no partner yet) | withdrawn. ``paid_at``:
    when its fee was ticked; ``registered``: it came by the registration page."""

    number: int
    name: str
    club: str
    players: list[PlayerView]
    seed: int | None
    state: str
    joined_round: int
    left_after_round: int | None
    checked_in_at: int | None
    checked_in_by: str | None
    version: int
    paid_at: int | None = None
    registered: bool = False


@dataclass(frozen=True)
class EntryList:
    """All entries in order of their numbers."""

    entries: list[EntryView]


@dataclass(frozen=True)
class EntryName:
    """An entry where phones are nobody's business: desk and screens."""

    number: int
    name: str
    club: str
    players: list[str]
    phones_masked: list[str]
    state: str
    checked_in_at: int | None
    checked_in_by: str | None


@dataclass(frozen=True)
class EntryNames:
    """All entries without full phones."""

    entries: list[EntryName]


@dataclass(frozen=True)
class RosterFault:
    """What is wrong in an imported file, and where: the row as the spreadsheet counts (0: the whole file), the column's
    heading."""

    row: int
    column: str
    code: str
    message_zh: str
    message_en: str


@dataclass(frozen=True)
class RosterColumn:
    """A column of the file and what it was taken for (``field`` is empty when it is left out)."""

    index: int
    heading: str
    field: str


@dataclass(frozen=True)
class RosterLine:
    """An entry as it would be imported."""

    row: int
    name: str
    club: str
    players: list[PlayerView]


@dataclass(frozen=True)
class ImportReport:
    """Dry run of an import, or what was imported (``committed``); with faults nothing is ever saved.

    ``imported`` counts the new entries. The reply to a commit does not list them again: it is kept for retries, and
    thousands of them would not fit; the roster has them.
    """

    committed: bool
    imported: int
    rows_seen: int
    columns: list[RosterColumn]
    entries: list[RosterLine]
    clubs: list[str]
    faults: list[RosterFault]
