"""Phone numbers 手机号 out of cells: whatever a spreadsheet made of them becomes 11 digits or a fault."""

import re
import unicodedata
from datetime import date, time, timedelta

import msgspec

from chalicelib.gateways.spreadsheets import BrokenCell, CellValue

MOBILE_DIGITS = 11
NO_PHONE = frozenset({"", "-", "--", "/", "\\", "无", "没有", "暂无", "none", "n/a", "null", "nil"})
SCIENTIFIC = re.compile(r"([+-]?)(\d)(?:\.(\d*))?\s*[eE]\s*\+?(\d{1,2})")
TEXT_FORMULA = re.compile(r"=\"([^\"]*)\"")  # the way to keep digits as text in a .csv file
LABEL = re.compile(r"\A[^\d+:]{1,8}:\s*")
POINT_ZERO = re.compile(r"(?<=\d)\.0+\Z")
SEPARATORS = re.compile(r"[\s\-‐‑‒–—―−._()·•]")
WHOLE_MOBILE = re.compile(r"(?<!\d)1\d{10}(?!\d)")
INTERNATIONAL = re.compile(r"\+\d{8,15}")


class PhoneReading(msgspec.Struct, frozen=True):
    """`phone` is 11 digits, `+` and 8 to 15 digits, or "" for none; else `code` says what is wrong with it."""

    phone: str
    code: str = ""
    detail: str = ""


def read_phone(value: CellValue) -> PhoneReading:
    """The phone number in a cell: a number, a float, or text with spaces, dashes, +86, full-width digits.

    A number written as `1.38E+10` has lost its digits and is a fault; `1.3800130001E+10` still has them all.
    """
    if value is None:
        return PhoneReading("")
    if isinstance(value, BrokenCell):
        return PhoneReading("", "cell_error" if value.why == "error" else "formula_without_value", value.text)
    if isinstance(value, bool):
        return PhoneReading("", "phone_characters")
    if isinstance(value, date | time | timedelta):
        return PhoneReading("", "phone_date")
    if isinstance(value, float):
        if not value.is_integer():
            return PhoneReading("", "phone_characters")
        value = int(value)
    return _from_digits(str(value)) if isinstance(value, int) else _from_text(value)


def _from_text(value: str) -> PhoneReading:
    text = unicodedata.normalize("NFKC", value)
    if not text.isprintable():
        text = "".join(
            letter for letter in text if unicodedata.category(letter) not in {"Cf", "Cc"} or letter in "\t\n\r"
        )
    text = text.strip().removeprefix("'")
    if kept_as_text := TEXT_FORMULA.fullmatch(text):
        text = kept_as_text.group(1).strip()
    text = LABEL.sub("", text)
    if text.lower() in NO_PHONE:
        return PhoneReading("")
    if scientific := SCIENTIFIC.fullmatch(text):
        sign, first, decimals, exponent = scientific.groups()
        digits = first + (decimals or "")
        if sign != "-" and len(digits) == int(exponent) + 1:
            return _from_digits(digits)
        return PhoneReading("", "digits_lost", text)
    if len(WHOLE_MOBILE.findall(text)) > 1:
        return PhoneReading("", "phone_several")
    return _from_digits(SEPARATORS.sub("", POINT_ZERO.sub("", text)))


def _from_digits(text: str) -> PhoneReading:
    digits = text
    for prefix in ("+86", "0086", "86"):
        if digits.startswith(prefix) and (len(digits) == len(prefix) + MOBILE_DIGITS or prefix == "+86"):
            digits = digits.removeprefix(prefix)
            break
    if INTERNATIONAL.fullmatch(digits):
        return PhoneReading(digits)
    if not (digits.isascii() and digits.isdecimal()):
        return PhoneReading("", "phone_characters")
    if len(digits) != MOBILE_DIGITS:
        return PhoneReading("", "phone_length", str(len(digits)))
    if not digits.startswith("1"):
        return PhoneReading("", "phone_not_mobile")
    return PhoneReading(digits)
