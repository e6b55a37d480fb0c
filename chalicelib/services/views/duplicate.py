"""Duplicate boards as the API answers them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PresetView:
    """One board: the level played (``2`` to ``A``) and who leads first (N, E, S, W)."""

    round: int
    board: int
    level: str
    leader: str


@dataclass(frozen=True)
class BoardPlan:
    """Levels and leaders of all boards and the seed they come from; empty before 一键生成."""

    seed: str
    boards: list[PresetView]


@dataclass(frozen=True)
class HandsView:
    """Four hands by seat (N, E, S, W), cards as ``S10``, ``HA``, ``B*`` (大王), ``L*`` (小王). ``recorded``: these
    were written down; else they are what the seed would deal."""

    round: int
    board: int
    recorded: bool
    hands: dict[str, list[str]]
