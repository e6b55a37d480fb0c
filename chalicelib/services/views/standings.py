"""Standings as organizers and referees read them."""

from __future__ import annotations

from dataclasses import dataclass

from chalicelib.services.views.events import Labelled


@dataclass(frozen=True)
class AddendView:
    """One addend of a number: which round, how much, why."""

    round: int | None
    value: str
    why: str


@dataclass(frozen=True)
class StandingRow:
    """One row: ``values`` in the order of the criteria, shown with at most two decimals."""

    rank: int
    tied: bool
    number: int
    name: str
    club: str
    players: list[str]
    values: list[str]
    group: str | None
    left: bool


@dataclass(frozen=True)
class StandingsView:
    """The newest standings. ``version`` rises; ``provisional`` when running scores are counted."""

    version: int
    round: int
    criteria: list[Labelled]
    rows: list[StandingRow]
    computed_at: int
    provisional: bool


@dataclass(frozen=True)
class EntryAddends:
    """Every addend of one entry's numbers, by criterion code."""

    number: int
    name: str
    addends: dict[str, list[AddendView]]


@dataclass(frozen=True)
class Comparison:
    """Recompute and compare: the stored standings against the pure function on all results, now."""

    equal: bool
    version: int
    differences: list[str]
