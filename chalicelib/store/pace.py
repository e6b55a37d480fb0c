"""Writing many items of one partition key no faster than DynamoDB likes: a thousand units a second are its limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

UNITS_A_SECOND = 300
LONGEST = 10.0
"""Seconds that pauses may add up to: somebody waits for the whole. Beyond 3,000 units the rate is higher for that."""


def paced(count: int, portion: int, units: float, sleep: Callable[[float], None]) -> Iterator[slice]:
    """Cut ``count`` items, ``units`` write units each, into portions, with pauses (seconds) between them."""
    portions = -(-count // portion)
    pause = min(portion * units / UNITS_A_SECOND, LONGEST / max(1, portions - 1))
    for place in range(portions):
        if place:
            sleep(pause)
        yield slice(place * portion, min(count, (place + 1) * portion))
