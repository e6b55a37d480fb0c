"""Rounds with more tables than can be written or held within one request: jobs publish and settle them."""

from __future__ import annotations

from chalicelib.rules.kinds import Scoring
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.world import World
from chalicelib.store.events import RoundHeader


def is_large(world: World, settings: Settings, header: RoundHeader) -> bool:
    """Whether a job publishes and settles the round. A match of teams of four has two tables."""
    rooms = 2 if kind_of(settings.kind).scoring is Scoring.TEAM_BOARDS else 1
    return int(header.tables) * rooms > world.tables_at_once


def refuse(world: World, settings: Settings, header: RoundHeader) -> None:
    """Raise round_large where a job has to do it."""
    if is_large(world, settings, header):
        raise Problem("round_large")
