"""Writing .xlsx: text stays text, numbers stay numbers, the heading stays in view.

openpyxl makes the file with everything but its rows; those are put in as :mod:`row_text` writes them. A sheet can be
written apart from its workbook and kept: a large one is made in steps, and put together in the last.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from chalicelib.gateways.spreadsheets.row_text import (
    FORMULA_LIKE,
    FORMULA_STARTS,
    TEXT,
    TWO_DECIMALS,
    WHOLE,
    clean,
    row_text,
)
from chalicelib.gateways.spreadsheets.workbook import Column, OutSheet, Workbook

if TYPE_CHECKING:
    from openpyxl import Workbook as ExcelWorkbook

FORBIDDEN_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
LONGEST_SHEET_NAME = 31
NARROWEST, WIDEST = 6, 48
ROWS_MEASURED = 200
TEXT_FORMAT, WHOLE_FORMAT, TWO_DECIMALS_FORMAT = "@", "0", "0.00"
KEPT_LEVEL, FILE_LEVEL = 1, 6
"""How hard kept rows and the file are packed: the first are packed once more at the end."""
_END_OF_ROWS: Final = b"</sheetData>"


class WrittenSheet(msgspec.Struct, frozen=True):
    """A sheet whose rows are written as XML, packed by zlib; all else as in `OutSheet`, the widths measured."""

    name: str
    columns: tuple[Column, ...]
    title: tuple[str, ...]
    rows: bytes


def write_workbook(workbook: Workbook) -> bytes:
    """The .xlsx file of a described workbook.

    Every `text` cell is written as a text cell, also one that begins like a formula, and is marked so that
    editing it in a spreadsheet program does not turn it into one. Values in number columns that are text
    (for instance "-") are written as text. Raises `ValueError` without sheets.
    """
    return put_together([write_sheet(sheet) for sheet in workbook.sheets])


def write_sheet(sheet: OutSheet) -> WrittenSheet:
    """One sheet, to be put into a file by :func:`put_together`. Raises `ValueError` for a row that does not fit."""
    packing = zlib.compressobj(KEPT_LEVEL)
    packed = [packing.compress(row.encode()) for row in row_text(sheet)]
    rows = b"".join((*packed, packing.flush()))
    columns = tuple(Column(each.heading, each.kind, _width(sheet, i, each)) for i, each in enumerate(sheet.columns))
    return WrittenSheet(sheet.name, columns, sheet.title, rows)


def put_together(sheets: Sequence[WrittenSheet]) -> bytes:
    """The .xlsx file with these sheets, in order. Raises `ValueError` without sheets."""
    if not sheets:
        raise ValueError("a workbook needs at least one sheet")
    out = io.BytesIO()
    with (
        zipfile.ZipFile(_without_rows(sheets)) as frames,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=FILE_LEVEL) as file,
    ):
        rows = {f"xl/worksheets/sheet{number}.xml": sheet.rows for number, sheet in enumerate(sheets, start=1)}
        for info in frames.infolist():
            content = frames.read(info)
            if packed := rows.pop(info.filename, b""):
                before, end, after = content.rpartition(_END_OF_ROWS)
                if not end:
                    raise RuntimeError(f"{info.filename} has no place for rows")
                content = b"".join((before, zlib.decompress(packed), end, after))
            file.writestr(info.filename, content)
        if rows:
            raise RuntimeError(f"no place for the rows of {sorted(rows)}")
    return out.getvalue()


def _without_rows(sheets: Sequence[WrittenSheet]) -> io.BytesIO:
    """The file with all sheets, each with its title and heading only."""
    from openpyxl import Workbook as ExcelWorkbook

    book = ExcelWorkbook(write_only=True)
    names: set[str] = set()
    for number, sheet in enumerate(sheets):
        page = book.create_sheet(_sheet_name(sheet.name, names))
        if number == 0:
            _register_styles(page)
        _write_frame(page, sheet)
    return _saved(book)


def _saved(book: ExcelWorkbook) -> io.BytesIO:
    out = io.BytesIO()
    book.save(out)
    return out


def _register_styles(page: Any) -> None:
    """The styles by whose places the rows name them."""
    for place, number_format, quoted in (
        (TEXT, TEXT_FORMAT, False),
        (FORMULA_LIKE, TEXT_FORMAT, True),
        (WHOLE, WHOLE_FORMAT, False),
        (TWO_DECIMALS, TWO_DECIMALS_FORMAT, False),
    ):
        cell = _text_cell(page, "=" if quoted else "")
        cell.number_format = number_format
        if cell.style_id != place:
            raise RuntimeError(f"style {number_format} is number {cell.style_id}, not {place}")


def _sheet_name(wanted: str, taken: set[str]) -> str:
    """A name that Excel accepts and that no other sheet of the file has (upper and lower case alike)."""
    plain = FORBIDDEN_IN_SHEET_NAMES.sub(" ", clean(wanted).replace("\ufffd", "")).strip(" '") or "Sheet"
    name, number = plain[:LONGEST_SHEET_NAME], 1
    while name.casefold() in taken:
        number += 1
        ending = f" {number}"
        name = plain[: LONGEST_SHEET_NAME - len(ending)] + ending
    taken.add(name.casefold())
    return name


def _write_frame(page: Any, sheet: WrittenSheet) -> None:
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter

    page.freeze_panes = f"A{len(sheet.title) + 2}"  # must be set before the first row in write-only mode
    for number, column in enumerate(sheet.columns, start=1):
        page.column_dimensions[get_column_letter(number)].width = column.width
    page.print_title_rows = f"{len(sheet.title) + 1}:{len(sheet.title) + 1}"
    page.page_setup.fitToWidth = 1
    page.page_setup.fitToHeight = 0
    page.sheet_properties.pageSetUpPr.fitToPage = True

    heading_font, title_font = Font(bold=True), Font(bold=True, size=14)
    heading_fill = PatternFill("solid", fgColor="FFE7F1EE")
    for line in sheet.title:
        cell = _text_cell(page, line)
        cell.font = title_font
        page.append([cell])
    heading = [_text_cell(page, column.heading) for column in sheet.columns]
    for cell in heading:
        cell.font, cell.fill = heading_font, heading_fill
    page.append(heading)


def _text_cell(page: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(page, value=clean(text))
    cell.data_type = "s"  # openpyxl takes "=..." for a formula and "#N/A" for an error
    cell.number_format = TEXT_FORMAT
    if text.startswith(FORMULA_STARTS):
        cell.quotePrefix = True
    return cell


def _width(sheet: OutSheet, index: int, column: Column) -> int:
    if column.width:
        return column.width
    shown = [_shown_width(column.heading)]
    shown += [_shown_width(str(row[index])) for row in sheet.rows[:ROWS_MEASURED] if isinstance(row[index], str | int)]
    return min(max(*shown, NARROWEST - 2) + 2, WIDEST)


def _shown_width(text: str) -> int:
    """Width in columns of a Latin letter; Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
