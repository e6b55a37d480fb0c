"""Rounds and drafts as the API answers them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chalicelib.services.views.events import ClockView


@dataclass(frozen=True)
class SeatedEntry:
    """An entry at a table: number, name and players' names, never a phone."""

    number: int
    name: str
    club: str
    players: list[str]


@dataclass(frozen=True)
class DrawnTable:
    """One table of a drawn round with the reason for it and the conflicts it has. ``why`` as in event-json."""

    table: int
    ns: SeatedEntry
    ew: SeatedEntry
    why: Any
    rematch_of: int | None
    same_club: bool


@dataclass(frozen=True)
class RoundView:
    """A round as organizers see it. ``report``: gaps, rematches, same_club, look_ahead of the drawing."""

    number: int
    phase: str
    version: int
    tables: list[DrawnTable]
    byes: list[SeatedEntry]
    report: Any
    clock: ClockView
    drawn_at: int
    published_at: int | None
    settled_at: int | None


@dataclass(frozen=True)
class Proposal:
    """What the drawing proposes when nothing legal exists (in the problem document's ``current``)."""

    tables: list[DrawnTable]
    byes: list[SeatedEntry]
