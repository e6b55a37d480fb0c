"""Phones as typed, and as shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.services import phones
from chalicelib.services.problems import Problem
from chalicelib.services.roster import read_phone


@pytest.mark.parametrize(
    "typed",
    [
        "13800138000",
        " 138 0013 8000 ",
        "138-0013-8000",
        "+8613800138000",
        "+86 138 0013 8000",
        "0086 13800138000",
        "8613800138000",
        "１３８００１３８０００",
        "(138) 0013.8000",
    ],
)
def test_spellings_of_one_phone(typed: str) -> None:
    assert phones.normalise(typed) == "13800138000"


def test_a_phone_abroad_keeps_its_country() -> None:
    assert phones.normalise("+852 6123 4567") == "+85261234567"


@pytest.mark.parametrize(
    "typed", ["", "甲", "1380013800", "138001380000", "23800138000", "1.38e10", "+86", "+861", "+8612345678"]
)
def test_what_is_no_phone(typed: str) -> None:
    assert phones.recognise(typed) is None
    with pytest.raises(Problem) as refusal:
        phones.normalise(typed, "players[0].phone")
    assert (refusal.value.code, refusal.value.field) == ("bad_phone", "players[0].phone")


@given(st.text("0123456789 -+", max_size=20))
def test_typed_phones_and_cells_are_read_alike(text: str) -> None:
    typed = phones.recognise(text)
    if typed is not None:
        assert read_phone(text).phone == typed


@given(st.from_regex(r"1[0-9]{10}|\+[1-9][0-9]{7,14}", fullmatch=True))
def test_a_mask_never_shows_the_whole_phone(phone: str) -> None:
    masked = phones.mask(phone)
    assert phone not in masked
    assert "****" in masked
    assert phones.mask("") == ""


def test_the_mask_of_a_mainland_phone() -> None:
    assert phones.mask("13800138000") == "138****8000"


@pytest.mark.parametrize("text", ["\u202d13800138000\u202c", "\ufeff138 0013 8000", "\u200e+86\u200b13800138000"])
def test_what_phones_put_around_a_copied_number_is_no_part_of_it(text: str) -> None:
    assert phones.normalise(text) == "13800138000"
