"""What reading a spreadsheet gives: sheets of rows of plain Python values."""

from datetime import date, datetime, time, timedelta
from typing import Literal

import msgspec


class BrokenCell(msgspec.Struct, frozen=True):
    """A cell whose value nobody can know.

    `text` is what the spreadsheet shows (`#N/A`) or the cell's formula is `why`: `error` for an error
    value, `formula` for a formula that was saved without its last result.
    """

    text: str
    why: Literal["error", "formula"]


CellValue = str | int | float | bool | datetime | date | time | timedelta | BrokenCell | None


class SheetRow(msgspec.Struct, frozen=True):
    """One row that has at least one value; `number` counts from 1 as the spreadsheet program does."""

    number: int
    cells: tuple[CellValue, ...]
    hidden: bool = False


class MergedCells(msgspec.Struct, frozen=True):
    """A merged block, bounds from 1 and inclusive; only its first cell carries the value."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int


class Sheet(msgspec.Struct, frozen=True):
    """One visible sheet without its blank rows; a .csv file is one sheet with an empty name."""

    name: str
    rows: tuple[SheetRow, ...]
    merged: tuple[MergedCells, ...] = ()
