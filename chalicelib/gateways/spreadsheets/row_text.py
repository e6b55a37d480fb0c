"""The rows of a sheet as the XML that an .xlsx holds: one text per row, a cell per value.

Written here and not by openpyxl, which makes an object of every cell and takes ten times as long: a national event
has a million of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final
from xml.sax.saxutils import escape

from chalicelib.gateways.spreadsheets import limits
from chalicelib.gateways.spreadsheets.workbook import OutCell, OutSheet

# What XML 1.0 cannot hold; a name that carries one would make the whole file unreadable.
FORBIDDEN_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
TEXT, FORMULA_LIKE, WHOLE, TWO_DECIMALS = 1, 2, 3, 4
"""Styles of cells by their place in the file; whoever writes the file registers them in this order."""


def row_text(sheet: OutSheet) -> Iterator[str]:
    """The rows under the heading, and the empty ones below them that are kept as text.

    Raises `ValueError` for a row that has not as many cells as there are columns.
    """
    from openpyxl.utils import get_column_letter

    places = [(get_column_letter(number), column.kind) for number, column in enumerate(sheet.columns, start=1)]
    number = len(sheet.title) + 1
    for row in sheet.rows:
        number += 1
        if len(row) != len(places):
            raise ValueError(f"a row of {sheet.name!r} does not fit its columns")
        cells = []
        for (letter, kind), value in zip(places, row, strict=True):
            if value is None:
                continue
            if kind == "text" or isinstance(value, str):
                cells.append(_text_cell(f"{letter}{number}", str(value)))
            else:
                cells.append(_number_cell(f"{letter}{number}", value, money=kind == "money"))
        yield f'<row r="{number}">{"".join(cells)}</row>'
    for below in range(number + 1, number + 1 + sheet.text_rows_below):
        empty = "".join(f'<c r="{letter}{below}" s="{TEXT}"/>' for letter, _ in places)
        yield f'<row r="{below}">{empty}</row>'


def clean(text: str) -> str:
    """The text with what no XML can hold replaced, as long as a cell may be."""
    return text if text.isprintable() else FORBIDDEN_IN_XML.sub("\ufffd", text)


def _text_cell(place: str, text: str) -> str:
    if not text:
        return f'<c r="{place}" s="{TEXT}"/>'
    # `inlineStr` is text whatever it looks like; the style keeps an edited "=…" from becoming a formula.
    style = FORMULA_LIKE if text.startswith(FORMULA_STARTS) else TEXT
    text = clean(text)[: limits.MAX_CELL_CHARACTERS]
    kept = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t{kept}>{_escaped(text)}</t></is></c>'


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


def _number_cell(place: str, value: OutCell, *, money: bool) -> str:
    assert isinstance(value, int | Decimal | Fraction)
    # A decimal has no denominator at hand; the others are asked for it, which is quicker than comparing.
    whole = value == int(value) if isinstance(value, Decimal) else value.denominator == 1
    number: int | float = int(value) if whole else float(value)
    return f'<c r="{place}" s="{WHOLE if whole and not money else TWO_DECIMALS}"><v>{number!r}</v></c>'
