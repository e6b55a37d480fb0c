"""Standings as organizers and referees read them."""

from __future__ import annotations

from typing import Literal

import msgspec

from chalicelib.services.views.events import Labelled

Counts = Literal["nothing", "part", "all"]
"""How much of the last round the ranking counts: ``nothing`` of it yet, ``part`` (a bye, the first results), or ``all``
but what was put off."""


class AddendView(msgspec.Struct, frozen=True):
    """One addend of a number: which round, how much, why."""

    round: int | None
    value: str
    why: str


class StandingRow(msgspec.Struct, frozen=True):
    """One row: ``values`` in the order of the criteria, shown with at most two decimals. ``provisional``: a score of
    the round in play counts that is not effective yet (仅提交后修改实时排名 off)."""

    rank: int
    tied: bool
    number: int
    name: str
    club: str
    players: list[str]
    values: list[str]
    group: str | None
    left: bool
    provisional: bool


class StandingsView(msgspec.Struct, frozen=True):
    """The newest standings. ``version`` rises; ``round`` is the last one published, of which they ``counts`` so much;
    ``provisional``: some scores are not effective yet; ``frozen_from``: the
    first round whose results the public does not see (None: it sees these very standings)."""

    version: int
    round: int
    counts: Counts
    criteria: list[Labelled]
    rows: list[StandingRow]
    computed_at: int
    provisional: bool
    frozen_from: int | None


class EntryAddends(msgspec.Struct, frozen=True):
    """One entry's numbers, ``values`` in the order of ``criteria``, and every addend of each by criterion code."""

    number: int
    name: str
    criteria: list[Labelled]
    values: list[str]
    addends: dict[str, list[AddendView]]


class NumberedName(msgspec.Struct, frozen=True):
    """An entry's number and name."""

    number: int
    name: str


class PublicAddends(msgspec.Struct, frozen=True):
    """One entry's numbers as everybody may see them: ``values`` in the order of ``criteria`` (``round`` is the last one
    published, of which they ``counts`` so much), the addends of each by criterion code, and the ``others`` they speak
    of. ``provisional``: a score of this entry counts that is not effective yet."""

    number: int
    name: str
    round: int
    counts: Counts
    criteria: list[Labelled]
    values: list[str]
    addends: dict[str, list[AddendView]]
    others: list[NumberedName]
    provisional: bool


class Comparison(msgspec.Struct, frozen=True):
    """Recompute and compare: the stored standings against the pure function on all results, now."""

    equal: bool
    version: int
    differences: list[str]
