"""Reading .xlsx workbooks: values of the visible sheets through openpyxl's read-only mode."""

import re
import warnings
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from chalicelib.gateways.spreadsheets import limits
from chalicelib.gateways.spreadsheets.faults import Unreadable
from chalicelib.gateways.spreadsheets.package import PartContents, check_package
from chalicelib.gateways.spreadsheets.sheet import BrokenCell, CellValue, Sheet, SheetRow

if TYPE_CHECKING:
    from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell

SCIENTIFIC_FORMAT = re.compile(r"0(?:\.(0*))?E[+-]0+", re.IGNORECASE)
SHORTEST_TELEPHONE_NUMBER = 10_000_000


def read_excel(data: bytes) -> tuple[Sheet, ...]:
    """The visible sheets of a workbook, in tab order.

    Formulas give the result stored with them. Raises `Unreadable`.
    """
    from openpyxl import load_workbook

    package = check_package(data)
    sheets: list[Sheet] = []
    rows_left = limits.MAX_ROWS
    # openpyxl warns on paper about styles and extensions that it drops; nobody here would read it.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            workbook = load_workbook(package.archive, read_only=True, data_only=True, keep_links=False)
            for worksheet in workbook.worksheets:
                if worksheet.sheet_state != "visible":
                    continue
                contents = package.sheets[worksheet.title]
                # Not the size that the sheet declares: in files of several programs that is wrong.
                cells = worksheet.iter_rows(max_row=limits.LAST_ROW_NUMBER, max_col=contents.last_column)
                rows = _rows(cells, contents, rows_left)
                rows_left -= len(rows)
                sheets.append(Sheet(worksheet.title, rows, tuple(contents.merged)))
        except Unreadable:
            raise
        except Exception as error:
            # openpyxl answers a malformed part with whatever its internals meet: KeyError, TypeError,
            # IndexError and more. All of them mean the same to the person who chose the file.
            raise Unreadable("broken_workbook") from error
    return tuple(sheets)


def _rows(source: Iterable[tuple[Any, ...]], contents: PartContents, most: int) -> tuple[SheetRow, ...]:
    rows: list[SheetRow] = []
    for number, cells in enumerate(source, start=1):
        values = [_value(cell) for cell in cells]
        for column in contents.formulas_without_value.get(number, ()):
            values[column - 1] = BrokenCell("", "formula")
        while values and values[-1] is None:
            values.pop()
        if not values:
            continue
        if len(rows) == most:
            raise Unreadable("too_many_rows")
        rows.append(SheetRow(number, tuple(values), number in contents.hidden_rows))
    return tuple(rows)


def _value(cell: "ReadOnlyCell | EmptyCell") -> CellValue:
    value: Any = cell.value
    if value is None or value == "":
        return None
    if isinstance(value, str):
        if cell.data_type == "e":
            return BrokenCell(value, "error")
        return _text(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, int) and abs(value) >= SHORTEST_TELEPHONE_NUMBER:
        return _as_shown_if_scientific(value, cell.number_format or "")
    result: CellValue = value
    return result


def _text(value: str) -> str | None:
    if "_x" in value:
        from openpyxl.utils.escape import unescape

        value = unescape(value)
    return value[: limits.MAX_CELL_CHARACTERS] if value.strip() else None


def _as_shown_if_scientific(value: int, number_format: str) -> str | int:
    """A number that was typed or imported as `1.38E+10` comes back as that text.

    Such a cell holds 13800000000 and looks like a sound number; only its format tells that the digits
    behind were never there. A number with more digits than its format shows is whole and stays one.
    """
    found = SCIENTIFIC_FORMAT.search(number_format)
    if found is None:
        return value
    shown = f"{Decimal(value):.{len(found.group(1) or '')}E}"
    return shown if Decimal(shown) == value else value
