"""Columns 列: finding the heading row under title lines and giving each column its role."""

from collections.abc import Mapping
from functools import cached_property
from itertools import zip_longest

import msgspec

from chalicelib.gateways.spreadsheets import CellValue, Sheet, SheetRow
from chalicelib.services.roster.headings import Meaning, Role, What, meaning
from chalicelib.services.roster.texts import comparable, read_text

HEADING_SEARCH_ROWS = 30
MOST_PLAYERS = 8


class ColumnMapping(msgspec.Struct, frozen=True):
    """Columns chosen by hand: the heading's row (0 = the file has none) and the role code of each column, from 1.

    Columns that are left out are not read. `sheet` is the name on the tab, "" for the first.
    """

    heading_row: int
    columns: Mapping[int, str]
    sheet: str = ""


class ColumnGuess(msgspec.Struct, frozen=True):
    """One column of the file: number from 1, letter, heading as it stands there, role code or ""."""

    column: int
    letter: str
    heading: str
    role: str


class Layout(msgspec.Struct, frozen=True, dict=True):
    """Where the data of a sheet is: its rows, and the column (index from 0) of each role."""

    sheet: Sheet
    heading_row: int  # the last one, when two rows make the heading; 0 for none
    headings: tuple[str, ...]
    roles: tuple[Role | None, ...]
    data: tuple[SheetRow, ...]

    @cached_property
    def _places(self) -> dict[Role, int]:
        return {role: index for index, role in enumerate(self.roles) if role is not None}

    def index(self, what: What, player: int = 0) -> int | None:
        """The column of a role, counted from 0; None when the file has none."""
        return self._places.get(Role(what, player))

    def players(self) -> tuple[int, ...]:
        """The numbers of the players that have a column of names, ascending."""
        return tuple(sorted(role.player for role in self.roles if role is not None and role.what == "player_name"))

    def heading(self, index: int) -> str:
        """What stands above a column; its letter where nothing does."""
        named = self.headings[index] if index < len(self.headings) else ""
        return named or column_letter(index)

    def guesses(self) -> tuple[ColumnGuess, ...]:
        return tuple(
            ColumnGuess(index + 1, column_letter(index), heading, role.code if role else "")
            for index, (heading, role) in enumerate(zip(self.headings, self.roles, strict=True))
        )


def column_letter(index: int) -> str:
    """`A` for column 0, `AA` for column 26."""
    letters = ""
    number = index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def assign(headings: tuple[str, ...]) -> tuple[Role | None, ...]:
    """The roles of the columns of one heading row.

    Players without a number get the free numbers from left to right, the captain first. Phones without a
    number belong to the leader when they stand right of his name, else to the players that have none, in
    order. A role is given once, to the first column that claims it.
    """
    said = [meaning(heading) for heading in headings]
    roles: list[Role | None] = [None] * len(headings)

    def give(column: int, role: Role) -> None:
        if role not in roles:
            roles[column] = role

    for column, one in enumerate(said):
        if one is not None and (one.number or not one.what.startswith("player_")):
            give(column, Role(one.what, one.number))
    for column in _open(said, "player_name"):
        if (number := _free_number(roles, "player_name")) is not None:
            roles[column] = Role("player_name", number)
    for column in _open(said, "player_phone"):
        if column and roles[column - 1] == Role("leader") and Role("leader_phone") not in roles:
            roles[column] = Role("leader_phone")
        elif (number := _free_number(roles, "player_phone")) is not None:
            roles[column] = Role("player_phone", number)
    return tuple(roles)


def _open(said: list[Meaning | None], what: What) -> list[int]:
    """Columns whose player is not numbered yet, the captain's before the others."""
    columns = [
        (not one.captain, column) for column, one in enumerate(said) if one and one.what == what and not one.number
    ]
    return [column for _, column in sorted(columns)]


def _free_number(roles: list[Role | None], what: What) -> int | None:
    return next((number for number in range(1, MOST_PLAYERS + 1) if Role(what, number) not in roles), None)


def find_layout(sheet: Sheet) -> Layout | None:
    """The layout with the most recognised columns among the first rows; None when nothing is recognised.

    Two rows may make the heading together (队员1 over 姓名 and 手机); they do when that says more.
    """
    best: Layout | None = None
    best_score = (False, 0)
    for position, row in enumerate(sheet.rows[:HEADING_SEARCH_ROWS]):
        candidates = [(position, _texts(row))]
        if position + 1 < len(sheet.rows):
            candidates.append((position + 1, _joined(_texts(row), _texts(sheet.rows[position + 1]))))
        for last, headings in candidates:
            roles = assign(headings)
            score = _score(roles)
            if score > best_score:
                best = Layout(sheet, sheet.rows[last].number, headings, roles, sheet.rows[last + 1 :])
                best_score = score
    return best


def mapped_layout(sheet: Sheet, mapping: ColumnMapping) -> Layout:
    """The layout that somebody chose. Raises `ValueError` with the reason when it cannot be."""
    width = max(len(row.cells) for row in sheet.rows)
    roles: list[Role | None] = [None] * width
    for column, code in mapping.columns.items():
        if not 1 <= column <= width:
            raise ValueError(f"column {column}")
        role = Role.of_code(code)
        if role in roles:
            raise ValueError(code)
        roles[column - 1] = role
    headings: tuple[str, ...] = ("",) * width
    for row in sheet.rows:
        if row.number == mapping.heading_row:
            headings = (_texts(row) + headings)[:width]
    data = tuple(row for row in sheet.rows if row.number > mapping.heading_row)
    return Layout(sheet, mapping.heading_row, headings, tuple(roles), data)


def repeats_heading(row: SheetRow, layout: Layout) -> bool:
    """Whether a row is the heading again, as on every page of a printed list."""
    # Cell by cell: nearly every row of ten thousand differs in its first one.
    pairs = zip_longest(row.cells, layout.headings, fillvalue="")
    return all(comparable(_heading_text(cell)) == comparable(heading) for cell, heading in pairs)


def _score(roles: tuple[Role | None, ...]) -> tuple[bool, int]:
    """Rows that name players come first: a line "单位 | 市南 | 领队 | 甲" above the heading is none."""
    known = [role.what for role in roles if role is not None]
    return "player_name" in known, len(known)


def _texts(row: SheetRow) -> tuple[str, ...]:
    return tuple(_heading_text(cell) for cell in row.cells)


def _heading_text(cell: CellValue) -> str:
    return read_text(cell).text if isinstance(cell, str) else ""


def _joined(upper: tuple[str, ...], lower: tuple[str, ...]) -> tuple[str, ...]:
    """Two heading rows as one: a blank upper cell over a filled lower one continues the cell to its left."""
    width = max(len(upper), len(lower))
    upper += ("",) * (width - len(upper))
    lower += ("",) * (width - len(lower))
    joined: list[str] = []
    above = ""
    for top, bottom in zip(upper, lower, strict=True):
        above = top or above
        joined.append((above if bottom else top) + bottom)
    return tuple(joined)
