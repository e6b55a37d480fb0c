"""Writing .xlsx: text stays text, numbers stay numbers, the heading stays in view."""

import io
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from chalicelib.gateways.spreadsheets import limits
from chalicelib.gateways.spreadsheets.workbook import Column, OutCell, OutSheet, Workbook

if TYPE_CHECKING:
    from openpyxl import Workbook as ExcelWorkbook
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

FORBIDDEN_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
LONGEST_SHEET_NAME = 31
# What XML 1.0 cannot hold; a name that carries one would make the whole file unreadable.
FORBIDDEN_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
NARROWEST, WIDEST = 6, 48
ROWS_MEASURED = 200
TEXT_FORMAT, WHOLE_FORMAT, TWO_DECIMALS = "@", "0", "0.00"


def write_workbook(workbook: Workbook) -> bytes:
    """The .xlsx file of a described workbook.

    Every `text` cell is written as a text cell, also one that begins like a formula, and is marked so that
    editing it in a spreadsheet program does not turn it into one. Values in number columns that are text
    (for instance "-") are written as text. Raises `ValueError` without sheets.
    """
    from openpyxl import Workbook as ExcelWorkbook

    if not workbook.sheets:
        raise ValueError("a workbook needs at least one sheet")
    book = ExcelWorkbook(write_only=True)
    names: set[str] = set()
    for sheet in workbook.sheets:
        if any(len(row) != len(sheet.columns) for row in sheet.rows):
            raise ValueError(f"a row of {sheet.name!r} does not fit its columns")
        _write_sheet(book, sheet, _sheet_name(sheet.name, names))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _sheet_name(wanted: str, taken: set[str]) -> str:
    """A name that Excel accepts and that no other sheet of the file has (upper and lower case alike)."""
    plain = FORBIDDEN_IN_SHEET_NAMES.sub(" ", FORBIDDEN_IN_XML.sub("", wanted)).strip(" '") or "Sheet"
    name, number = plain[:LONGEST_SHEET_NAME], 1
    while name.casefold() in taken:
        number += 1
        ending = f" {number}"
        name = plain[: LONGEST_SHEET_NAME - len(ending)] + ending
    taken.add(name.casefold())
    return name


def _write_sheet(book: "ExcelWorkbook", sheet: OutSheet, name: str) -> None:
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter

    page = book.create_sheet(name)
    page.freeze_panes = f"A{len(sheet.title) + 2}"  # must be set before the first row in write-only mode
    for number, column in enumerate(sheet.columns, start=1):
        page.column_dimensions[get_column_letter(number)].width = _width(sheet, number - 1, column)
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
    for row in sheet.rows:
        page.append(list(_cells(page, sheet.columns, row)))
    if sheet.text_rows_below:
        empty = [_text_cell(page, "") for _ in sheet.columns]
        for _ in range(sheet.text_rows_below):
            page.append(empty)


def _cells(page: "WriteOnlyWorksheet", columns: tuple[Column, ...], row: tuple[OutCell, ...]) -> Iterator[Any]:
    for column, value in zip(columns, row, strict=True):
        if value is None:
            yield None
        elif column.kind == "text" or isinstance(value, str):
            yield _text_cell(page, str(value))
        else:
            yield _number_cell(page, column, value)


def _text_cell(page: "WriteOnlyWorksheet", text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    clean = FORBIDDEN_IN_XML.sub("\ufffd", text)[: limits.MAX_CELL_CHARACTERS]
    cell = WriteOnlyCell(page, value=clean)
    cell.data_type = "s"  # openpyxl takes "=..." for a formula and "#N/A" for an error
    cell.number_format = TEXT_FORMAT
    if clean.startswith(FORMULA_STARTS):
        cell.quotePrefix = True
    return cell


def _number_cell(page: "WriteOnlyWorksheet", column: Column, value: int | Decimal | Fraction) -> Any:
    from openpyxl.cell import WriteOnlyCell

    whole = value == int(value)
    number: int | float = int(value) if whole else float(value)
    cell = WriteOnlyCell(page, value=number)
    cell.number_format = WHOLE_FORMAT if whole and column.kind != "money" else TWO_DECIMALS
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
