"""Phone numbers as spreadsheets hold them."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.gateways.spreadsheets import BrokenCell, CellValue
from chalicelib.services.roster import PhoneReading, read_phone

SOUND: list[CellValue] = [
    13800130001,
    13800130001.0,
    "13800130001",
    " 13800130001 ",
    "138 0013 0001",
    "138-0013-0001",
    "138—0013—0001",
    "(138)00130001",
    "+86 138-0013-0001",
    "+8613800130001",
    "8613800130001",
    8613800130001,
    "0086 13800130001",
    "１３８００１３０００１",
    "＋８６１３８００１３０００１",
    "\u202a13800130001\xa0",
    "13800130001\u202c",
    "13800130001.0",
    "13800130001.00",
    "1.3800130001E+10",
    "1.3800130001e10",
    "'13800130001",
    '="13800130001"',
    "手机：13800130001",
    "Tel: 13800130001",
    "13800130001\n",
]


@pytest.mark.parametrize("value", SOUND)
def test_becomes_eleven_digits(value: CellValue) -> None:
    assert read_phone(value) == PhoneReading("13800130001")


@pytest.mark.parametrize("value", [None, "", "  ", "-", "无", "／", "N/A", "暂无"])
def test_none_is_none(value: CellValue) -> None:
    assert read_phone(value) == PhoneReading("")


@pytest.mark.parametrize(
    ("value", "phone"), [("+852 9123 4567", "+85291234567"), ("+1 (212) 555-0100", "+12125550100")]
)
def test_numbers_of_other_countries_keep_their_plus(value: str, phone: str) -> None:
    assert read_phone(value) == PhoneReading(phone)


@pytest.mark.parametrize(
    ("value", "code", "detail"),
    [
        ("1.38E+10", "digits_lost", "1.38E+10"),
        ("1.38001e10", "digits_lost", "1.38001e10"),
        ("1.380013000E+10", "digits_lost", "1.380013000E+10"),
        ("1E+10", "digits_lost", "1E+10"),
        ("１.３８Ｅ＋１０", "digits_lost", "1.38E+10"),
        ("1380013000", "phone_length", "10"),
        (1380013000, "phone_length", "10"),
        ("138001300011", "phone_length", "12"),
        ("+8613800", "phone_length", "5"),
        ("23800130001", "phone_not_mobile", ""),
        ("0532-8888888", "phone_not_mobile", ""),
        ("13800130001/13800130002", "phone_several", ""),
        ("13800130001、13800130002", "phone_several", ""),
        ("13800130001 13800130002", "phone_several", ""),
        ("1380013000a", "phone_characters", ""),
        ("甲", "phone_characters", ""),
        ("=1+1", "phone_characters", ""),
        ("+1", "phone_characters", ""),
        (-13800130001, "phone_characters", ""),
        (13800130001.5, "phone_characters", ""),
        (float("nan"), "phone_characters", ""),
        (float("inf"), "phone_characters", ""),
        (True, "phone_characters", ""),
        (date.fromisoformat("2026-05-01"), "phone_date", ""),
        (datetime.fromisoformat("2026-05-01"), "phone_date", ""),
        (timedelta(days=1), "phone_date", ""),
        (BrokenCell("#N/A", "error"), "cell_error", "#N/A"),
        (BrokenCell("", "formula"), "formula_without_value", ""),
    ],
)
def test_wrong_numbers_say_why(value: CellValue, code: str, detail: str) -> None:
    assert read_phone(value) == PhoneReading("", code, detail)


@given(st.text(max_size=40) | st.floats() | st.integers() | st.text(alphabet="0123456789+-. eE１", max_size=20))
def test_anything_is_a_sound_number_nothing_or_a_fault(value: CellValue) -> None:
    reading = read_phone(value)
    if reading.phone:
        assert not reading.code
        digits = reading.phone.removeprefix("+")
        assert digits.isascii()
        assert digits.isdecimal()
        assert 8 <= len(digits) <= 15 if reading.phone.startswith("+") else (len(digits), digits[0]) == (11, "1")
