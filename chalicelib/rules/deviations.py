"""The deviation measures of duplicate pairs: a result against the field of all who played the same boards (section 5).

Everything is integer arithmetic on the sums and order statistics of the field, so no rank is decided by rounding.
"""

from __future__ import annotations

from collections.abc import Sequence


class Field:
    """The results really played on one set of boards by sides of one direction, own result included."""

    def __init__(self, results: Sequence[int]) -> None:
        self.sorted = sorted(results)
        self.size = len(self.sorted)
        self.sum = sum(self.sorted)

    def deviation(self, x: int) -> int:
        """x - mean, times the size of the field."""
        return self.size * x - self.sum

    def median_deviation(self, x: int) -> int:
        """x - median in halves; the median of an even count is the mean of the middle two."""
        return 2 * x - self.sorted[(self.size - 1) // 2] - self.sorted[self.size // 2]

    def quartile(self, quarters: int) -> int:
        """Four times the quartile: linear interpolation at ``quarters`` * (n - 1) / 4 of the sorted field.

        >>> Field([1, 4, 6, 9]).quartile(1), Field([1, 4, 6, 9]).quartile(3)
        (13, 27)
        """
        place, rest = divmod(quarters * (self.size - 1), 4)
        below = self.sorted[place]
        return 4 * below if not rest else (4 - rest) * below + rest * self.sorted[place + 1]

    def band_points(self, x: int) -> int:
        """中位5段场分 in halves: below Q1 0, below the median 1, the median 2, up to Q3 3, above Q3 4."""
        side = self.median_deviation(x)
        if side == 0:
            return 2
        if side < 0:
            return 0 if 4 * x < self.quartile(1) else 1
        return 4 if 4 * x > self.quartile(3) else 3


def points_by_sign(deviation: int) -> int:
    """科学场分 and 中位数场分: 2, 1 or 0 as the deviation is above, at or below zero."""
    return 2 if deviation > 0 else 1 if deviation == 0 else 0
