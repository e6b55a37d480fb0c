"""Duplicate boards as the API answers them."""

from __future__ import annotations

import msgspec


class PresetView(msgspec.Struct, frozen=True):
    """One board: the level played (``2`` to ``A``) and who leads first (N, E, S, W)."""

    round: int
    board: int
    level: str
    leader: str


class BoardPlan(msgspec.Struct, frozen=True):
    """Levels and leaders of all boards and the seed they come from; empty before 一键生成. ``sets``: how many sets of
    boards there are; a board's ``round`` is its set, which differs from the round only in a Mitchell."""

    seed: str
    boards: list[PresetView]
    sets: int


class HandsView(msgspec.Struct, frozen=True):
    """Four hands by seat (N, E, S, W), cards as ``S10``, ``HA``, ``B*`` (大王), ``L*`` (小王). ``recorded``: these
    were written down; else they are what the seed would deal."""

    round: int
    board: int
    recorded: bool
    hands: dict[str, list[str]]
