"""The bracket of a knock-out and the calendar of a round robin as the API and public pages show them."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.scoring import Score


class BracketTable(msgspec.Struct, frozen=True):
    """One place of a bracket. ``table`` 0: not drawn yet, or a bye (then ``ew`` is None and ``winner`` ns); a side is
    None while nobody is known to come there. ``winner`` (ns | ew): who goes on."""

    table: int
    third_place: bool
    ns: SeatedEntry | None
    ew: SeatedEntry | None
    winner: str | None
    result: Score | None


class BracketRound(msgspec.Struct, frozen=True):
    """A round from top to bottom: those who come out of places 2k and 2k + 1 meet at place k of the next round; a
    match for the third place stands last."""

    round: int
    name_zh: str
    name_en: str
    tables: list[BracketTable]


class Bracket(msgspec.Struct, frozen=True):
    """The whole bracket, future rounds too; no rounds for an event that is no knock-out."""

    rounds: list[BracketRound]


class CalendarTable(msgspec.Struct, frozen=True):
    """A meeting, and its result once it has one (None while it has none, and in kinds scored by boards until both
    rooms have been played). ``postponed``: it was put off."""

    table: int
    ns: SeatedEntry
    ew: SeatedEntry
    result: Score | None
    postponed: bool


class CalendarDay(msgspec.Struct, frozen=True):
    """One round of a round robin; ``at``: its match day (ms), ``drawn`` false: planned by the design."""

    round: int
    at: int | None
    drawn: bool
    tables: list[CalendarTable]
    byes: list[SeatedEntry]


class Calendar(msgspec.Struct, frozen=True):
    """All rounds of a round robin or league; no days for events that meet otherwise."""

    days: list[CalendarDay]
