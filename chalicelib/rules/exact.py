"""Exact numbers: integers over one common scale inside, ``12`` / ``0.5`` / ``16/3`` outside (section 5: exact only).

A *scaled* value is an integer numerator over a scale (a positive integer) that all values of its column share, so that
columns are added and compared as plain integers. Points and amounts are multiples of 0.5: their scale is ``HALVES``.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Final

HALVES: Final = 2


def scaled(value: Fraction, scale: int) -> int:
    """The numerator of ``value`` over ``scale``; ValueError when the scale cannot hold it exactly."""
    numerator, remainder = divmod(value.numerator * scale, value.denominator)
    if remainder:
        raise ValueError(f"{value} is no multiple of 1/{scale}")
    return numerator


def text(numerator: int, scale: int = 1) -> str:
    """The exact text of numerator/scale: ``12``, ``-0.5``, else ``p/q`` in lowest terms.

    >>> text(24, 2), text(-1, 2), text(32, 6), text(3, 2)
    ('12', '-0.5', '16/3', '1.5')
    """
    common = gcd(numerator, scale)
    above, below = numerator // common, scale // common
    if below == 1:
        return str(above)
    if below == HALVES:
        return f"{'-' if above < 0 else ''}{abs(above) // 2}.5"
    return f"{above}/{below}"


class Texts(dict[int, str]):
    """The exact texts of numbers over one scale, each written once: a large event repeats few numbers very often."""

    def __init__(self, scale: int) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, key: int) -> str:
        written = self[key] = text(key, self.scale)
        return written


def value(exact: str) -> Fraction:
    """The number that ``text`` wrote.

    >>> value("16/3") + value("0.5")
    Fraction(35, 6)
    """
    return Fraction(exact)


def shown(exact: str, places: int = 2) -> str:
    """What a page shows of an exact text: a decimal rounded half up (away from zero on a tie), integers as they are.

    >>> shown("16/3"), shown("12"), shown("-1/8"), shown("0.5")
    ('5.33', '12', '-0.13', '0.50')
    """
    number = value(exact)
    if number.denominator == 1:
        return str(number.numerator)
    shift = 10**places
    units = (2 * abs(number.numerator) * shift + number.denominator) // (2 * number.denominator)
    sign = "-" if number < 0 and units else ""
    whole, part = divmod(units, shift)
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
