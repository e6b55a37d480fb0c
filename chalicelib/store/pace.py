"""Writing many items of one partition key no faster than DynamoDB likes: a thousand units a second are its limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator

UNITS_A_SECOND = 300


def paced(
    count: int,
    portion: int,
    units: float,
    sleep: Callable[[float], None],
    now: Callable[[], int],
    first: int = 0,
) -> Iterator[slice]:
    """Cut ``count`` items, ``units`` write units each, into portions, from portion ``first`` (0 is all of them) on.

    Each begins as long after the one before as its units want; what writing took (``now`` in milliseconds) counts.
    """
    between = portion * units / UNITS_A_SECOND
    began = now()
    for place in range(first, -(-count // portion)):
        if place > first:
            rest = between - (now() - began) / 1000
            if rest > 0:
                sleep(rest)
            began = now()
        yield slice(place * portion, min(count, (place + 1) * portion))
