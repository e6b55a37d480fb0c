"""Rounds and drafts as the API answers them."""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.services.views.events import ClockView


class SeatedEntry(msgspec.Struct, frozen=True):
    """Who sits on one side of a table: number, name and players' names, never a phone.

    Where two persons with numbers of their own make a side (单人赛, 团团转 by persons) ``numbers`` holds both,
    ``number`` the first, and ``name`` and ``players`` name both; everywhere else ``numbers`` is ``[number]``.
    """

    number: int
    name: str
    club: str
    players: list[str]
    numbers: list[int]


class DrawnTable(msgspec.Struct, frozen=True):
    """One table of a drawn round with the reason for it and the conflicts it has. ``why`` as in event-json.

    ``board_set`` names the boards that are played there (None: those of the round); a match of teams of four stands
    here once for both rooms.
    """

    table: int
    ns: SeatedEntry
    ew: SeatedEntry
    why: Any
    rematch_of: int | None
    same_club: bool
    board_set: str | None = None
    third_place: bool = False


class RoundView(msgspec.Struct, frozen=True):
    """A round as organizers see it. ``bye_reasons``: why each of ``byes`` has it (lowest_rank, no_partner, by_hand,
    proposal), "" where the movement lays it down or nothing is known. ``report``: gaps, rematches, same_club,
    look_ahead of the drawing.

    ``results_changed``: a draft that was drawn before a result was corrected from which it follows; ``outdated_by``:
    the tables of the round before a knock-out's that were corrected so that others go on. ``rooms``: every match is
    played in two rooms at once; in the closed one its teams sit the other way round.
    """

    number: int
    phase: str
    version: int
    tables: list[DrawnTable]
    byes: list[SeatedEntry]
    bye_reasons: list[str]
    sit_outs: list[SeatedEntry]
    report: Any
    clock: ClockView
    drawn_at: int
    published_at: int | None
    settled_at: int | None
    results_changed: bool
    outdated_by: list[int]
    rooms: bool


class Proposal(msgspec.Struct, frozen=True):
    """What the drawing proposes when nothing legal exists (in the problem document's ``current``)."""

    tables: list[DrawnTable]
    byes: list[SeatedEntry]
