"""Cells 单元格 put right in the preview: the file is read as if it said what the organizer typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from chalicelib.gateways.spreadsheets import BrokenCell, CellValue, FileFault, Sheet, SheetRow

MOST_ROWS_SHOWN = 100


class Correction(msgspec.Struct, frozen=True):
    """What cell (``row``, ``column``), both counted from 1 as the spreadsheet does, is to say; "" empties it."""

    row: int
    column: int
    text: str


class CellText(msgspec.Struct, frozen=True):
    """A cell as it would be typed; ``column`` counts from 1."""

    column: int
    text: str


class FaultyRow(msgspec.Struct, frozen=True):
    """A row with a fault, as far as its columns are read, for putting it right."""

    row: int
    cells: tuple[CellText, ...]


def corrected(
    sheets: tuple[Sheet, ...] | FileFault, sheet: str, corrections: Sequence[Correction]
) -> tuple[Sheet, ...] | FileFault:
    """The sheets with the corrections made in the one called ``sheet`` ("": the first). Rows that the file does not
    have, and the file that cannot be read, stay as they are."""
    if isinstance(sheets, FileFault) or not corrections:
        return sheets
    by_row: dict[int, dict[int, str]] = defaultdict(dict)
    for each in corrections:
        by_row[each.row][each.column - 1] = each.text
    place = next((at for at, each in enumerate(sheets) if each.name == sheet), 0)
    rows = tuple(_row(row, by_row[row.number]) if row.number in by_row else row for row in sheets[place].rows)
    changed = msgspec.structs.replace(sheets[place], rows=rows)
    return (*sheets[:place], changed, *sheets[place + 1 :])


def _row(row: SheetRow, texts: Mapping[int, str]) -> SheetRow:
    cells: list[CellValue] = list(row.cells)
    cells += [None] * (max(texts) + 1 - len(cells))
    for index, text in texts.items():
        cells[index] = text.strip() or None
    return msgspec.structs.replace(row, cells=tuple(cells))


def faulty_rows(
    sheets: tuple[Sheet, ...] | FileFault, sheet: str, columns: Sequence[int], rows: Sequence[int]
) -> list[FaultyRow]:
    """The cells of the first faulty ``rows`` in ``columns`` (from 1)."""
    if isinstance(sheets, FileFault) or not sheets:
        return []
    wanted = set(sorted(set(rows) - {0})[:MOST_ROWS_SHOWN])
    found = next((each for each in sheets if each.name == sheet), sheets[0])
    return [
        FaultyRow(row.number, tuple(CellText(column, _text(row, column - 1)) for column in columns))
        for row in found.rows
        if row.number in wanted
    ]


def _text(row: SheetRow, index: int) -> str:
    value = row.cells[index] if index < len(row.cells) else None
    if value is None:
        return ""
    if isinstance(value, BrokenCell):
        return value.text
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)[:200]
