"""The ranking of an event (section 6 of the rules). Under construction: the contract with ``pairing``."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Placing(NamedTuple):
    """One entry in the standings' order, for pairing.

    ``tie`` grows with the rank and is equal exactly for fully tied entries (0, 1, 1, 2, ...), so that
    ``sorted(placings, key=lambda p: (p.tie, hash_of(p.entry)))`` is the ranking for pairing;
    ``first`` is the exact value of the event's first criterion (score group, gap).
    """

    entry: int
    tie: int
    first: Fraction
