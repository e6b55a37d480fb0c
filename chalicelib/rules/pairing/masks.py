"""Sets of positions as bit masks: bit i is position i."""

from __future__ import annotations

from collections.abc import Iterator


def positions_of(mask: int) -> Iterator[int]:
    """The positions in a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def strike(open_pairs: list[int], one: int, other: int) -> None:
    """Close an open pair, or open it again. ``open_pairs[i]`` is the mask of those i may still meet."""
    open_pairs[one] ^= 1 << other
    open_pairs[other] ^= 1 << one
