"""Workbooks for tests: made with openpyxl, or part by part where a file has to be wrong."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook

SHEET_PART = "xl/worksheets/sheet1.xml"
STRINGS_PART = "xl/sharedStrings.xml"
STYLES_PART = "xl/styles.xml"
NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def saved(workbook: Workbook) -> bytes:
    """The bytes of an openpyxl workbook."""
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def xlsx(rows: Sequence[Sequence[Any]], merged: Sequence[str] = ()) -> bytes:
    """A workbook with one sheet of these values."""
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    for block in merged:
        sheet.merge_cells(block)
    return saved(workbook)


STRINGS_TYPE = (
    b'<Override PartName="/xl/sharedStrings.xml" '
    b'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)


def with_parts(parts: Mapping[str, bytes]) -> bytes:
    """A small sound workbook in which these parts are replaced or added.

    openpyxl writes texts into the cells; a shared strings part (which Excel writes) is declared when given.
    """
    left = dict(parts)
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(xlsx([["姓名", "搭档"], ["甲", "乙"]]))) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            content = left.pop(name) if name in left else source.read(name)
            if name == "[Content_Types].xml" and STRINGS_PART in parts:
                content = content.replace(b"</Types>", STRINGS_TYPE + b"</Types>")
            target.writestr(name, content)
        for name, content in left.items():
            target.writestr(name, content)
    return out.getvalue()


def strings_part(*texts: str) -> bytes:
    """The XML of shared strings."""
    items = "".join(f"<si><t>{text}</t></si>" for text in texts)
    return f"<sst {NAMESPACE}>{items}</sst>".encode()


def sheet_part(rows: str, after: str = "", before: str = "") -> bytes:
    """The XML of a sheet with these row elements."""
    return f"<worksheet {NAMESPACE}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>".encode()


def with_sheet(rows: str, after: str = "", before: str = "") -> bytes:
    """A workbook whose sheet holds these row elements."""
    return with_parts({SHEET_PART: sheet_part(rows, after, before)})
