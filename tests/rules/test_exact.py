"""Exact numbers, and the examples in the docstrings of the rules."""

import doctest
import pkgutil
from fractions import Fraction
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chalicelib.rules
from chalicelib.rules.exact import scaled, shown, text, value

MODULES = [module.name for module in pkgutil.walk_packages(chalicelib.rules.__path__, "chalicelib.rules.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    assert doctest.testmod(import_module(name)).failed == 0


@given(st.fractions(max_denominator=60))
def test_text_and_value_are_inverse(number):
    written = text(number.numerator * 7, number.denominator * 7)
    assert value(written) == number
    assert written == text(number.numerator, number.denominator)
    assert scaled(number, number.denominator * 2) == number.numerator * 2


def test_a_scale_that_cannot_hold_a_number_is_refused():
    with pytest.raises(ValueError, match="no multiple"):
        scaled(Fraction(1, 3), 2)


@pytest.mark.parametrize(
    ("exact", "expected"),
    [("16/3", "5.33"), ("1/8", "0.13"), ("-1/8", "-0.13"), ("1/200", "0.01"), ("-1/300", "0.00"), ("7", "7")],
)
def test_two_decimals_half_up(exact, expected):
    assert shown(exact) == expected


def test_other_numbers_of_places():
    assert shown("16/3", 0) == "5"
    assert shown("-5/2", 0) == "-3"
    assert shown("2/3", 3) == "0.667"
