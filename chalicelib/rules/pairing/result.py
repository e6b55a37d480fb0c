"""What drawing a round gives: the tables with their reasons, or a refusal with a proposal; and both as JSON.

The JSON is the output of ``pair`` in the description of the event document.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from chalicelib.rules import exact

LOWEST_RANK: Final = "lowest_rank"
NO_PARTNER: Final = "no_partner"
"""Why somebody has a bye that no movement lays down; see ``Drawn.bye_reasons``."""


class LookAheadResult(StrEnum):
    NOT_NEEDED = "not_needed"
    KEPT = "kept"
    FAILED = "failed"


class RefusalCode(StrEnum):
    """In the order in which they are looked for."""

    ALL_ROUNDS_DRAWN = "all_rounds_drawn"
    OPEN_TABLES = "open_tables"
    TOO_FEW_ENTRIES = "too_few_entries"
    NO_LEGAL_PAIRING = "no_legal_pairing"


class PassedOverBecause(StrEnum):
    """Why a better candidate was not taken."""

    MET = "met"
    CLUB = "club"
    REST_UNPAIRABLE = "rest_unpairable"
    LOOK_AHEAD = "look_ahead"


@dataclass(frozen=True, slots=True)
class PassedOver:
    entries: tuple[int, ...]
    because: PassedOverBecause


@dataclass(frozen=True, slots=True)
class Why:
    """Why a table is what it is.

    ``design``: how it was found (``rank_first``, ``min_total_gap``, or the movement); ``ranks``: places of the two
    sides in the ranking for pairing, from 1, NS first; ``group``: first criterion of the better side; ``gap``: how
    much less the other has. ``passed_over`` holds the first candidates before the chosen one,
    ``more_passed_over`` counts the rest. ``seat``: ``fewer_ns``, ``lot`` or ``design``.
    """

    design: str
    rematch: bool = False
    same_club: bool = False
    ranks: tuple[int, int] | None = None
    group: Fraction | None = None
    gap: Fraction | None = None
    passed_over: tuple[PassedOver, ...] = ()
    more_passed_over: int = 0
    seat: str = "design"


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """One table: sides as tuples of entry numbers, ascending."""

    number: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    why: Why
    board_set: int | None = None
    third_place: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What had to be relaxed. ``gaps``: how many tables have which difference in the first criterion.

    ``squared_gaps`` and ``squared_distances`` are given where the smallest total gap was not solved exactly.
    """

    rematches: int = 0
    same_club: int = 0
    gaps: dict[Fraction, int] = field(default_factory=dict)
    look_ahead: LookAheadResult = LookAheadResult.NOT_NEEDED
    squared_gaps: Fraction | None = None
    squared_distances: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn round. ``byes`` and ``sit_outs`` are entry numbers, ascending. ``bye_reasons``: by entry number, for whom
    it is no place of the movement."""

    round: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    sit_outs: tuple[int, ...] = ()
    report: Report = field(default_factory=Report)
    bye_reasons: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What could be played instead; the tables' reasons mark the rematches."""

    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """No round was drawn. ``tables``: the open tables' numbers, where they are the reason."""

    code: RefusalCode
    message: str
    tables: tuple[int, ...] = ()
    proposal: Proposal | None = None


def to_json(result: Drawn | Refusal) -> dict[str, Any]:
    """The document's form of a result."""
    if isinstance(result, Refusal):
        return _refusal(result)
    document: dict[str, Any] = {
        "round": result.round,
        "tables": [_table(table) for table in result.tables],
        "byes": list(result.byes),
    }
    if result.sit_outs:
        document["sit_outs"] = list(result.sit_outs)
    document["report"] = _report(result.report)
    return document


def number_text(value: Fraction) -> str:
    return exact.text(value.numerator, value.denominator)


def side_json(entries: tuple[int, ...]) -> int | list[int]:
    """A pair or a team as its number, two persons as a list."""
    return entries[0] if len(entries) == 1 else list(entries)


def _refusal(refusal: Refusal) -> dict[str, Any]:
    error: dict[str, Any] = {"code": refusal.code.value, "message": refusal.message}
    if refusal.tables:
        error["tables"] = list(refusal.tables)
    document: dict[str, Any] = {"error": error}
    if refusal.proposal is not None:
        document["proposal"] = {
            "tables": [_proposed(table) for table in refusal.proposal.tables],
            "byes": list(refusal.proposal.byes),
        }
    return document


def _proposed(table: DrawnTable) -> dict[str, Any]:
    document: dict[str, Any] = {
        "table": table.number,
        "ns": side_json(table.ns),
        "ew": side_json(table.ew),
        "rematch": table.why.rematch,
    }
    if table.why.same_club:
        document["same_club"] = True
    return document


def _table(table: DrawnTable) -> dict[str, Any]:
    document: dict[str, Any] = {"table": table.number, "ns": side_json(table.ns), "ew": side_json(table.ew)}
    if table.board_set is not None:
        document["set"] = table.board_set
    if table.third_place:
        document["third_place"] = True
    document["why"] = _why(table.why)
    return document


def _why(why: Why) -> dict[str, Any]:
    document: dict[str, Any] = {"design": why.design, "seat": why.seat}
    if why.ranks is not None:
        document["ranks"] = list(why.ranks)
    if why.group is not None and why.gap is not None:
        document["group"] = number_text(why.group)
        document["gap"] = number_text(why.gap)
    document["rematch"] = why.rematch
    document["same_club"] = why.same_club
    document["passed_over"] = [
        {"entry": side_json(passed.entries), "because": passed.because.value} for passed in why.passed_over
    ]
    if why.more_passed_over:
        document["more_passed_over"] = why.more_passed_over
    return document


def _report(report: Report) -> dict[str, Any]:
    document: dict[str, Any] = {
        "rematches": report.rematches,
        "same_club": report.same_club,
        "gaps": {number_text(gap): count for gap, count in sorted(report.gaps.items())},
        "look_ahead": report.look_ahead.value,
    }
    if report.squared_gaps is not None:
        document["squared_gaps"] = number_text(report.squared_gaps)
    if report.squared_distances is not None:
        document["squared_distances"] = report.squared_distances
    return document
