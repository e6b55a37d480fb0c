"""A workbook to be written, described as plain values."""

from decimal import Decimal
from fractions import Fraction
from typing import Literal

import msgspec

ColumnKind = Literal["text", "whole", "decimal", "money"]
OutCell = str | int | Decimal | Fraction | None


class Column(msgspec.Struct, frozen=True):
    """One column: what stands above it, what its cells are, how wide it is (in characters; 0 = by content).

    `text` cells stay text whatever they look like (names, phone numbers); `whole` and `decimal` cells are
    numbers, shown with none or (fractions) two decimals, half up, but kept exact; `money` always shows two.
    """

    heading: str
    kind: ColumnKind = "text"
    width: int = 0


class OutSheet(msgspec.Struct, frozen=True):
    """One sheet: title lines above (may be empty), the heading row, the rows.

    `text_rows_below` formats that many empty rows under the last one as text, for templates: phone numbers
    typed there keep all their digits.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[OutCell, ...], ...]
    title: tuple[str, ...] = ()
    text_rows_below: int = 0


class Workbook(msgspec.Struct, frozen=True):
    """The sheets of a file, in order; at least one."""

    sheets: tuple[OutSheet, ...]
