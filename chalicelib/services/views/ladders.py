"""Ladders (天梯) as the API answers them. Points are whole hundredths; no view holds a phone."""

from __future__ import annotations

from typing import Literal

import msgspec

from chalicelib.services.views.entries import RosterFault


class LadderSeason(msgspec.Struct, frozen=True):
    """One season; times in milliseconds since 1970 UTC, ``closed_at`` None: it counts now. ``method``: additive | elo,
    with ``per_entry``, ``most`` and ``paid_percent`` of the one, ``factor`` of the other."""

    number: int
    name: str
    opened_at: int
    closed_at: int | None
    method: Literal["additive", "elo"]
    per_entry: int
    most: int
    paid_percent: int
    factor: int


class LadderView(msgspec.Struct, frozen=True):
    """One ladder; ``name_en`` may be empty. ``restricted``: only the ``members`` of a list are posted. ``seasons``:
    the latest first."""

    ladder_id: str
    name: str
    name_en: str
    archived: bool
    restricted: bool
    members: int
    seasons: list[LadderSeason]
    version: int


class LadderList(msgspec.Struct, frozen=True):
    """All ladders, those of the start first."""

    ladders: list[LadderView]


class LadderRow(msgspec.Struct, frozen=True):
    """Somebody on the ladder: ``person`` is an id that leads nowhere else; ``events`` counted."""

    rank: int
    person: str
    name: str
    club: str
    points: int
    events: int


class LadderTable(msgspec.Struct, frozen=True):
    """Rows of a season's table in its order. ``season`` None: there never was one; ``listed``: all rows; ``complete``:
    every event that was posted is in it; ``next``: where the following rows begin, None at the end."""

    ladder: LadderView
    season: int | None
    listed: int
    events: int
    complete: bool
    rows: list[LadderRow]
    next: str | None


class LadderEvent(msgspec.Struct, frozen=True):
    """What one event changed. Without ``event_id`` it is private or gone; ``place`` 0: not ranked there."""

    event_id: str | None
    name: str
    starts_at: int | None
    time_zone: str
    posted_at: int
    place: int
    entries: int
    change: int
    points: int


class LadderMember(msgspec.Struct, frozen=True):
    """Somebody's season: the row, and the latest events that counted, the newest first."""

    ladder: LadderView
    season: int
    row: LadderRow
    start: int
    events: list[LadderEvent]


class EventLadder(msgspec.Struct, frozen=True):
    """What an event has to do with a ladder. ``state``: off | waiting (until the event ends) | working | posted |
    refused, with ``reason``: archived | no_season | no_results | frozen | test | encrypted.

    Once posted: in which ``season`` and when (``posted_at``), how many of its ``players``, how many have no phone by
    which they could be known, how many ``tables`` an Elo rated.
    """

    ladder_id: str
    name: str
    name_en: str
    method: Literal["additive", "elo"] | None
    state: Literal["off", "waiting", "working", "posted", "refused"]
    reason: str | None = None
    season: int | None = None
    season_name: str = ""
    posted_at: int | None = None
    players: int = 0
    without_phone: int = 0
    tables: int = 0


class EventLadders(msgspec.Struct, frozen=True):
    """Every ladder an event may count for or does. ``ended_by``: system | organizer; None while it goes on."""

    ladders: list[EventLadder]
    ended_by: Literal["system", "organizer"] | None


class ListedMember(msgspec.Struct, frozen=True):
    """A line of a member list."""

    person: str
    name: str
    phone_masked: str


class LadderMembers(msgspec.Struct, frozen=True):
    """The member list of the season that counts, or of the latest."""

    ladder: LadderView
    members: list[ListedMember]


class LadderMemberReport(msgspec.Struct, frozen=True):
    """What a file would make of the member list, or has made of it (``committed``): with faults nothing is saved.
    ``faults`` are the first of ``wrong``; ``gone``: how many stand in the list and not in the file."""

    committed: bool
    version: int
    rows_seen: int
    members: list[ListedMember]
    gone: int
    faults: list[RosterFault]
    wrong: int
