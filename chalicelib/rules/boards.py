"""What one board is worth: the duplicate scales and the points of 团团转 (sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from chalicelib.rules.exact import HALVES, scaled
from chalicelib.rules.model import Board

DUPLICATE_POINTS: Final[Mapping[int, Mapping[int, int]]] = {
    6: {3: 6, 2: 5, 1: 4, -1: 2, -2: 1, -3: 0},
    5: {3: 5, 2: 4, 1: 3, -1: 2, -2: 1, -3: 0},
}
"""Points of a side by its own result: 6分制 and 5分制. The two sides of a board share 6 or 5."""


def duplicate_points(boards: Iterable[Board], scale: int) -> tuple[int, int]:
    """The points of NS and EW on these boards (whole numbers)."""
    table = DUPLICATE_POINTS[scale]
    ns = ew = 0
    for _, result in boards:
        ns += table[result]
        ew += table[-result]
    return ns, ew


def rotation_points(boards: Iterable[Board], table: tuple[Fraction, Fraction, Fraction]) -> tuple[int, int]:
    """团团转积分 of NS and EW in halves: every board gives its winners what the table says for +3, +2, +1."""
    by_rise = {3: scaled(table[0], HALVES), 2: scaled(table[1], HALVES), 1: scaled(table[2], HALVES)}
    ns = ew = 0
    for _, result in boards:
        if result > 0:
            ns += by_rise[result]
        else:
            ew += by_rise[-result]
    return ns, ew
