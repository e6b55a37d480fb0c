"""Rows 行: the cells of one data row read by their roles, with every fault named by its cell."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

import msgspec

from chalicelib.gateways.spreadsheets import CellValue, SheetRow
from chalicelib.services.roster.columns import Layout, column_letter, repeats_heading
from chalicelib.services.roster.faults import Fault, fault
from chalicelib.services.roster.headings import What
from chalicelib.services.roster.phones import read_phone
from chalicelib.services.roster.texts import comparable, read_text

TOTAL_LINE = re.compile(
    r"(合计|总计|小计|共计|总共|累计|总数|总人数|总队数|grandtotal|subtotal|total|sum)[:\d.,队人名对支个组]*",
    re.IGNORECASE,
)
COUNT = re.compile(r"[共计\d.,:队人名对支个组]*")
REMARK_LINE = re.compile(r"(备注|注|说明|填表说明|填写说明|注意|注意事项|remarks?|notes?)\d*[:.、]", re.IGNORECASE)
SkipReason = Literal["heading", "total", "remark", "title"]
SHARED: tuple[What, ...] = ("team", "team_number", "club", "leader", "leader_phone", "club_short")


class PlayerCells(msgspec.Struct, frozen=True):
    """One player's cells; `broken_name` when the name cell holds something that is reported already."""

    number: int
    name: str
    phone: str
    name_index: int
    phone_index: int | None
    broken_name: bool


class RosterRow(msgspec.Struct, frozen=True):
    """One data row; "" for what is missing or faulty."""

    number: int
    team: str
    team_number: str
    club: str
    club_short: str
    leader: str
    leader_phone: str
    players: tuple[PlayerCells, ...]


class RowReader:
    """Reads the data rows of a layout and collects faults."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.faults: list[Fault] = []
        self.skipped: list[tuple[int, SkipReason]] = []
        self._players = layout.players()
        self._merged = self._merged_down()

    def rows(self) -> Iterator[RosterRow]:
        """The rows that hold an entry: without repeated headings, total lines, remarks and blank rows."""
        rows = self.layout.data
        for position, row in enumerate(rows):
            following = rows[position + 1] if position + 1 < len(rows) else None
            if reason := self._passed_over(row, following):
                self.skipped.append((row.number, reason))
            elif self._filled(row):
                yield self._read(row)

    def report(self, code: str, row: int, index: int | None, detail: str = "") -> None:
        """Add a fault of the cell in a row and a column (counted from 0; None for no column)."""
        if index is None:
            self.faults.append(fault(code, row, "", str(row), detail))
        else:
            self.faults.append(fault(code, row, self.layout.heading(index), f"{column_letter(index)}{row}", detail))

    def team_index(self) -> int | None:
        """The column that says which team a row belongs to."""
        number = self.layout.index("team_number")
        return self.layout.index("team") if number is None else number

    def club_index(self) -> int | None:
        return self.layout.index("club")

    def _read(self, row: SheetRow) -> RosterRow:
        players = tuple(self._player(row, number) for number in self._players)
        shared = {what: self._shared(row, what) for what in SHARED if what != "leader_phone"}
        return RosterRow(
            row.number,
            shared["team"],
            shared["team_number"],
            shared["club"],
            shared["club_short"],
            shared["leader"],
            self._phone(row, self.layout.index("leader_phone")),
            players,
        )

    def _player(self, row: SheetRow, number: int) -> PlayerCells:
        name_index = self.layout.index("player_name", number)
        assert name_index is not None, "players() lists only players with a column of names"
        phone_index = self.layout.index("player_phone", number)
        before = len(self.faults)
        name = self._text(row, name_index)
        broken = len(self.faults) > before
        return PlayerCells(number, name, self._phone(row, phone_index), name_index, phone_index, broken)

    def _shared(self, row: SheetRow, what: What) -> str:
        return self._text(row, self.layout.index(what))

    def _text(self, row: SheetRow, index: int | None) -> str:
        reading = read_text(self._cell(row, index))
        if reading.code:
            self.report(reading.code, row.number, index, reading.detail)
        return reading.text

    def _phone(self, row: SheetRow, index: int | None) -> str:
        reading = read_phone(self._cell(row, index))
        if reading.code:
            self.report(reading.code, row.number, index, reading.detail)
        return reading.phone

    def _cell(self, row: SheetRow, index: int | None) -> CellValue:
        if index is None:
            return None
        value = row.cells[index] if index < len(row.cells) else None
        return self._merged.get((row.number, index)) if value is None else value

    def _merged_down(self) -> dict[tuple[int, int], CellValue]:
        """What shared columns (team, club, leader) take over from a block merged over several rows."""
        shared = {index for index, role in enumerate(self.layout.roles) if role is not None and role.what in SHARED}
        numbers = [row.number for row in self.layout.data]
        cells_of = {row.number: row.cells for row in self.layout.data}
        values: dict[tuple[int, int], CellValue] = {}
        reached: dict[int, int] = {}
        for block in sorted(self.layout.sheet.merged, key=lambda block: block.first_row):
            index = block.first_column - 1
            first = cells_of.get(block.first_row, ())
            if index not in shared or index >= len(first):
                continue
            # A block may reach down to the last row of the sheet; only rows with values matter. Blocks that lie over
            # each other come from no spreadsheet program: each row belongs to the first of them.
            above = max(block.first_row, reached.get(index, 0))
            reached[index] = max(above, block.last_row)
            for number in numbers[bisect_right(numbers, above) : bisect_right(numbers, block.last_row)]:
                values[number, index] = first[index]
        return values

    def _filled(self, row: SheetRow) -> bool:
        """Whether a mapped cell holds something; a row that has only its number is blank, as in printed forms."""
        return any(
            cell is not None and role is not None and role.what != "team_number"
            for cell, role in zip(row.cells, self.layout.roles, strict=False)
        )

    def _passed_over(self, row: SheetRow, following: SheetRow | None) -> SkipReason | None:
        if repeats_heading(row, self.layout):
            return "heading"
        filled = [str(cell) for cell in row.cells if cell is not None]
        first = comparable(filled[0])
        # A wandering "总计" in a name column is a total only if the row holds nothing but counts besides.
        if (
            TOTAL_LINE.fullmatch(first)
            and all(COUNT.fullmatch(comparable(text)) for text in filled[1:])
            and not self._phones(row)
        ):
            return "total"
        if len(filled) == 1:
            if REMARK_LINE.match(first):
                return "remark"
            if following is not None and repeats_heading(following, self.layout):
                return "title"
        return None

    def _phones(self, row: SheetRow) -> bool:
        indexes = [self.layout.index("player_phone", number) for number in self._players]
        return any(read_phone(self._cell(row, index)).phone for index in indexes)
