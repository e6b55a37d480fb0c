"""A rehearsal as the API answers it."""

from __future__ import annotations

import msgspec


class RehearsalView(msgspec.Struct, frozen=True):
    """``running``: robots are playing; ``round`` of ``rounds``: how many they have finished."""

    running: bool
    round: int
    rounds: int
