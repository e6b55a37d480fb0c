"""Entries, imports and check-in as the API answers them."""

from __future__ import annotations

import msgspec


class PlayerView(msgspec.Struct, frozen=True):
    """A player with the full phone: organizers' pages only."""

    name: str
    phone: str


class EntryView(msgspec.Struct, frozen=True):
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


class EntryList(msgspec.Struct, frozen=True):
    """All entries in order of their numbers."""

    entries: list[EntryView]


class EntryName(msgspec.Struct, frozen=True):
    """An entry where phones are nobody's business: desk and screens."""

    number: int
    name: str
    club: str
    players: list[str]
    phones_masked: list[str]
    state: str
    checked_in_at: int | None
    checked_in_by: str | None


class EntryNames(msgspec.Struct, frozen=True):
    """All entries without full phones."""

    entries: list[EntryName]


class RosterFault(msgspec.Struct, frozen=True):
    """What is wrong in an imported file, and where: the row as the spreadsheet counts (0: the whole file), the column's
    heading."""

    row: int
    column: str
    code: str
    message_zh: str
    message_en: str


class RosterColumn(msgspec.Struct, frozen=True):
    """A column of the file and what it was taken for (``field`` is empty when it is left out)."""

    index: int
    heading: str
    field: str


class RosterLine(msgspec.Struct, frozen=True):
    """An entry as it would be imported."""

    row: int
    name: str
    club: str
    players: list[PlayerView]


class FaultyCell(msgspec.Struct, frozen=True):
    """A cell of a faulty row: column from 1, and its text as it would be typed."""

    column: int
    text: str


class FaultyLine(msgspec.Struct, frozen=True):
    """A row with a fault, in the columns that are read, to be put right in the preview."""

    row: int
    cells: list[FaultyCell]


class ImportReport(msgspec.Struct, frozen=True):
    """Dry run of an import, or what was imported (``committed``); with faults nothing is ever saved.

    ``imported`` counts the new entries. The reply to a commit does not list them again: it is kept for retries, and
    thousands of them would not fit; the roster has them. ``entries`` and ``faults`` are the first of ``found`` and
    ``wrong``, ``rows`` the first of those with faults: a reply holds 6 MB.
    """

    committed: bool
    imported: int
    rows_seen: int
    columns: list[RosterColumn]
    entries: list[RosterLine]
    clubs: list[str]
    faults: list[RosterFault]
    rows: list[FaultyLine] = []
    found: int = 0
    wrong: int = 0
