"""The dry run of a roster import: everything an import would take, and everything that stops it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Literal

import msgspec

from chalicelib.gateways.spreadsheets import FileFault, Sheet
from chalicelib.services.roster.columns import ColumnGuess, ColumnMapping, Layout, find_layout, mapped_layout
from chalicelib.services.roster.faults import Fault, fault, fault_of_file, other_rows
from chalicelib.services.roster.needs import Needs
from chalicelib.services.roster.rows import RosterRow, RowReader, SkipReason
from chalicelib.services.roster.teams import Club, RosterEntry, shared_teams, whole_rows
from chalicelib.services.roster.texts import comparable

NoteCode = SkipReason | Literal["hidden_row", "other_sheet"]


class Note(msgspec.Struct, frozen=True):
    """Something the organizer should know that is no fault.

    `row` was passed over (`heading`, `total`, `remark`, `title`) or is hidden in the file but was read
    (`hidden_row`); `other_sheet`: the sheet called `detail` was not read.
    """

    code: NoteCode
    row: int | None = None
    detail: str = ""


class RosterReport(msgspec.Struct, frozen=True):
    """What an import would take.

    `entries` are those without a fault, in the order of the file, and `clubs` theirs, by name; an import
    saves all or nothing, so with any of `faults` it saves nothing. `rows_seen` counts the rows read as data.
    """

    entries: tuple[RosterEntry, ...]
    clubs: tuple[Club, ...]
    faults: tuple[Fault, ...]
    columns: tuple[ColumnGuess, ...] = ()
    rows_seen: int = 0
    sheet: str = ""
    heading_row: int = 0
    notes: tuple[Note, ...] = ()


def read_roster(
    sheets: tuple[Sheet, ...] | FileFault, needs: Needs, mapping: ColumnMapping | None = None
) -> RosterReport:
    """Read a roster out of the sheets of a file.

    The first sheet whose heading names players is read; `mapping` overrules what is guessed. Never raises
    for anything a file or a mapping may hold.
    """
    if isinstance(sheets, FileFault):
        return RosterReport((), (), (fault_of_file(sheets),))
    layout = _layout(sheets, mapping)
    if isinstance(layout, Fault):
        return RosterReport((), (), (layout,))
    others = tuple(Note("other_sheet", detail=sheet.name) for sheet in sheets if sheet is not layout.sheet)
    if not layout.players():
        return _refused(layout, others, fault("no_player_column", layout.heading_row or None))
    shared = len(layout.players()) == 1 < needs.fewest and _names_teams(layout)
    if len(layout.players()) == 1 < needs.fewest and not shared:
        if not needs.persons_too:
            found = fault("no_partner_column", layout.heading_row or None, detail=str(needs.fewest))
            return _refused(layout, others, found)
        needs = Needs(1, 1, club=needs.club)
    reader = RowReader(layout)
    rows = list(reader.rows())
    if not rows:
        return _refused(layout, others, fault("no_rows", layout.heading_row or None))
    entries = shared_teams(reader, rows, needs) if shared else whole_rows(reader, rows, needs)
    if needs.club:
        _require_clubs(reader, entries)
    _report_duplicate_phones(reader, rows)
    return _report(reader, rows, entries, others)


def _layout(sheets: tuple[Sheet, ...], mapping: ColumnMapping | None) -> Layout | Fault:
    if mapping is not None:
        chosen = [sheet for sheet in sheets if mapping.sheet in {"", sheet.name}]
        if not chosen:
            return fault("bad_mapping", detail=mapping.sheet)
        try:
            return mapped_layout(chosen[0], mapping)
        except ValueError as error:
            return fault("bad_mapping", detail=str(error))
    layouts = [layout for layout in map(find_layout, sheets) if layout is not None]
    if not layouts:
        return fault("no_heading")
    return next((layout for layout in layouts if layout.players()), layouts[0])


def _names_teams(layout: Layout) -> bool:
    return layout.index("team") is not None or layout.index("team_number") is not None


def _refused(layout: Layout, notes: tuple[Note, ...], found: Fault) -> RosterReport:
    return RosterReport((), (), (found,), layout.guesses(), 0, layout.sheet.name, layout.heading_row, notes)


def _require_clubs(reader: RowReader, entries: Iterable[RosterEntry]) -> None:
    for entry in entries:
        if not entry.club:
            reader.report("club_missing", entry.rows[0], reader.club_index())


def _report_duplicate_phones(reader: RowReader, rows: Iterable[RosterRow]) -> None:
    """One phone is one person; both places are named, because nobody here knows which is the right one."""
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        for player in row.players:
            if player.phone and player.phone_index is not None:
                places[player.phone].append((row.number, player.phone_index))
    for same in places.values():
        cells_in = Counter(number for number, _ in same)
        rows_in_order = sorted(cells_in)
        for number, index in same if len(same) > 1 else ():
            # A row is its own other one where the phone stands in it twice.
            others = other_rows(rows_in_order, 0 if cells_in[number] > 1 else number)
            reader.report("phone_duplicate", number, index, others)


def _report(
    reader: RowReader, rows: list[RosterRow], entries: list[RosterEntry], notes: tuple[Note, ...]
) -> RosterReport:
    layout = reader.layout
    faulty = {found.row for found in reader.faults}
    spelling: dict[str, str] = {}
    sound: list[RosterEntry] = []
    for entry in entries:
        if faulty.isdisjoint(entry.rows):
            club = spelling.setdefault(comparable(entry.club), entry.club)
            sound.append(RosterEntry(entry.name, club, entry.players, entry.rows))
    hidden = {row.number for row in layout.data if row.hidden}
    read = [row.number for row in rows]
    passed = tuple(Note(reason, number) for number, reason in reader.skipped)
    return RosterReport(
        tuple(sound),
        _clubs(rows, sorted({entry.club for entry in sound if entry.club})),
        tuple(sorted(reader.faults, key=lambda found: found.row or 0)),
        layout.guesses(),
        len(rows),
        layout.sheet.name,
        layout.heading_row,
        notes + passed + tuple(Note("hidden_row", number) for number in read if number in hidden),
    )


def _clubs(rows: list[RosterRow], names: list[str]) -> tuple[Club, ...]:
    """The clubs of the entries; short name, leader and phone from the first row that has one."""
    known: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        if row.club:
            of_club = known[comparable(row.club)]
            for key, value in (("short", row.club_short), ("leader", row.leader), ("leader_phone", row.leader_phone)):
                if value:
                    of_club.setdefault(key, value)
    return tuple(Club(name, **known[comparable(name)]) for name in names)
