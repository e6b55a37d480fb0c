"""Spreadsheets 表格: reading .xlsx and .csv safely, writing .xlsx.

`read_sheets` takes the bytes of an uploaded file and gives its visible sheets or one `FileFault`;
`write_workbook` takes a described workbook and gives its bytes; `write_sheet` and `put_together` do the same in
steps. openpyxl is imported only inside the functions that use it, so that importing this package costs nothing at a
cold start.
"""

from chalicelib.gateways.spreadsheets.faults import FileFault
from chalicelib.gateways.spreadsheets.limits import MAX_FILE_BYTES, MAX_ROWS
from chalicelib.gateways.spreadsheets.reading import read_sheets
from chalicelib.gateways.spreadsheets.sheet import BrokenCell, CellValue, MergedCells, Sheet, SheetRow
from chalicelib.gateways.spreadsheets.workbook import Column, ColumnKind, OutCell, OutSheet, Workbook
from chalicelib.gateways.spreadsheets.writing import WrittenSheet, put_together, write_sheet, write_workbook

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_ROWS",
    "BrokenCell",
    "CellValue",
    "Column",
    "ColumnKind",
    "FileFault",
    "MergedCells",
    "OutCell",
    "OutSheet",
    "Sheet",
    "SheetRow",
    "Workbook",
    "WrittenSheet",
    "put_together",
    "read_sheets",
    "write_sheet",
    "write_workbook",
]
