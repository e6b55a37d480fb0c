"""The list of 团体 of an event out of a file: 团体名称, 简称, 领队, 领队手机."""

from collections import defaultdict

import msgspec

from chalicelib.gateways.spreadsheets import FileFault, Sheet
from chalicelib.services.roster.columns import ColumnGuess, find_layout
from chalicelib.services.roster.faults import Fault, fault, fault_of_file, other_rows
from chalicelib.services.roster.rows import RowReader
from chalicelib.services.roster.teams import Club
from chalicelib.services.roster.texts import comparable


class ClubsReport(msgspec.Struct, frozen=True):
    """The clubs without a fault, in the order of the file; with any of `faults` an import saves nothing."""

    clubs: tuple[Club, ...]
    faults: tuple[Fault, ...]
    columns: tuple[ColumnGuess, ...] = ()
    rows_seen: int = 0


def read_clubs(sheets: tuple[Sheet, ...] | FileFault) -> ClubsReport:
    """Read clubs out of the sheets of a file; names must be there and differ, all else may be blank."""
    if isinstance(sheets, FileFault):
        return ClubsReport((), (fault_of_file(sheets),))
    layouts = [layout for layout in map(find_layout, sheets) if layout is not None]
    if not layouts:
        return ClubsReport((), (fault("no_heading"),))
    layout = next((layout for layout in layouts if layout.index("club") is not None), layouts[0])
    club_index = layout.index("club")
    if club_index is None:
        return ClubsReport((), (fault("no_club_column", layout.heading_row),), layout.guesses())
    reader = RowReader(layout)
    rows = list(reader.rows())
    if not rows:
        return ClubsReport((), (fault("no_rows", layout.heading_row),), layout.guesses())
    same: dict[str, list[int]] = defaultdict(list)
    clubs: list[tuple[int, Club]] = []
    broken = {found.row for found in reader.faults}
    for row in rows:
        if row.club:
            same[comparable(row.club)].append(row.number)
        elif row.number not in broken:
            reader.report("club_missing", row.number, club_index)
        clubs.append((row.number, Club(row.club, row.club_short, row.leader, row.leader_phone)))
    for numbers in same.values():
        for number in numbers if len(numbers) > 1 else ():
            reader.report("club_duplicate", number, club_index, other_rows(numbers, number))
    faulty = {found.row for found in reader.faults}
    return ClubsReport(
        tuple(club for number, club in clubs if number not in faulty),
        tuple(sorted(reader.faults, key=lambda found: found.row or 0)),
        layout.guesses(),
        len(rows),
    )
