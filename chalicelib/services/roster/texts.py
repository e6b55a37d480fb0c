"""Names out of cells: trimmed and made comparable, never interpreted."""

import re
import unicodedata
from datetime import date, time, timedelta

import msgspec

from chalicelib.gateways.spreadsheets import BrokenCell, CellValue

LONGEST_TEXT = 200
NOTHING = frozenset({"-", "--", "/", "\\", "无", "没有", "暂无", "none", "n/a", "null"})
WHITE_SPACE = re.compile(r"\s+")
JOINERS = "\u200c\u200d"  # they build emoji and some scripts, so they may stand inside a name


class TextReading(msgspec.Struct, frozen=True):
    """`text` is clean ("" for none); else `code` says what is wrong with the cell."""

    text: str
    code: str = ""
    detail: str = ""


def read_text(value: CellValue) -> TextReading:
    """A name in a cell: composed (NFC), without outer and doubled spaces, invisible marks and line breaks.

    Letters are kept as they were written: full-width ones too, and text that looks like a formula.
    """
    if value is None:
        return TextReading("")
    if isinstance(value, BrokenCell):
        return TextReading("", "cell_error" if value.why == "error" else "formula_without_value", value.text)
    if isinstance(value, date | time | timedelta):
        return TextReading("", "date_instead_of_text")
    if isinstance(value, bool):
        value = str(value).upper()
    if isinstance(value, float):
        value = int(value) if value.is_integer() else value
    text = unicodedata.normalize("NFC", str(value))
    if not text.isprintable():
        text = "".join(letter for letter in text if letter in JOINERS or unicodedata.category(letter) != "Cf")
        text = WHITE_SPACE.sub(" ", text)  # line breaks and tabs are white space, not control characters
        if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in text):
            return TextReading("", "control_characters")
    text = WHITE_SPACE.sub(" ", text).strip(" " + JOINERS)
    if len(text) > LONGEST_TEXT:
        return TextReading("", "too_long", str(LONGEST_TEXT))
    return TextReading("" if text.lower() in NOTHING else text)


def comparable(text: str) -> str:
    """Equal for two spellings of one name that differ only in width, case and spaces: 市南（一） and 市南(一)."""
    return WHITE_SPACE.sub("", unicodedata.normalize("NFKC", text)).casefold()
