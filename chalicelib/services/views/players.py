"""What a player's phone is told."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.calls import CallView
from chalicelib.services.views.events import ClockView
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.scoring import ScoringRules, TableView
from chalicelib.services.views.substitutes import MyLineUp


class Candidate(msgspec.Struct, frozen=True):
    """Somebody whom a search found: enough to choose, never a full phone. ``event_id``: of the event or of one that is
    linked with it, whose name then stands in ``event_name``."""

    number: int
    player: int
    name: str
    team: str
    club: str
    partners: list[str]
    phone_masked: str
    event_id: str
    event_name: str


class Candidates(msgspec.Struct, frozen=True):
    """Everybody whom a search found."""

    candidates: list[Candidate]


class MyRank(msgspec.Struct, frozen=True):
    """The player's place in the newest public standings."""

    rank: int
    tied: bool
    values: list[str]
    provisional: bool


class Me(msgspec.Struct, frozen=True):
    """The phone page in one answer. ``my_side``: ns | ew | None; ``may_score`` false comes with ``why_not`` (a code of
    the problem catalogue); ``bye`` true: no table this round, ``sit_out``: the movement leaves it out. ``tables``: the
    table, or both rooms of a match of teams of four (``table`` is the open one). ``csrf`` goes into X-CSRF-Token;
    ``rank`` is None while 一码通显示分数 is off, too. ``calls``: the open ones of my table, mine of other rounds.
    ``line_up``: what my team may say of who plays next, None where there is nothing to say.
    ``changes``: of the pulse, as far as this answer knows everything."""

    event_id: str
    event_name: str
    phase: str
    round: int
    rounds: int
    round_phase: str
    entry: SeatedEntry
    player: int
    state: str
    checked_in_at: int | None
    table: TableView | None
    tables: list[TableView]
    my_side: str | None
    bye: bool
    sit_out: bool
    scoring: ScoringRules
    clock: ClockView
    double_submission: bool
    score_any_time: bool
    may_score: bool
    why_not: str | None
    rank: MyRank | None
    calls: list[CallView]
    line_up: MyLineUp | None
    changes: int
    server_time: int
    csrf: str


class CheckedIn(msgspec.Struct, frozen=True):
    """签到 of the phone's own entry: its number and when it was checked in, now or before."""

    number: int
    checked_in_at: int


class DeviceView(msgspec.Struct, frozen=True):
    """A phone or browser that identified itself as a player of an entry (``player``: its place within the entry).

    ``signed_in``: an account stands behind it; ``revoked_at``: it counts no more."""

    device_id: str
    player: int
    description: str
    created_at: int
    revoked_at: int | None
    signed_in: bool


class Devices(msgspec.Struct, frozen=True):
    """The devices of one entry, newest first."""

    devices: list[DeviceView]


class PassedOverView(msgspec.Struct, frozen=True):
    """Somebody who came before the chosen opponent: its entry numbers and why not (met | club | rest_unpairable |
    look_ahead)."""

    entry: list[int]
    because: str


class TableReason(msgspec.Struct, frozen=True):
    """Why a table is what it is, as in event-json (``why``), or a bye (``design`` lowest_rank, no_partner, by_hand
    or proposal). ``withheld``: ranks decided, but are not public, so that ``ranks``, ``group``, ``gap`` and who was
    passed over are missing."""

    design: str
    seat: str | None
    ranks: list[int] | None
    group: str | None
    gap: str | None
    passed_over: list[PassedOverView]
    more_passed_over: int
    withheld: bool


class MyRound(msgspec.Struct, frozen=True):
    """One published round of mine. ``bye`` true: no table; ``sit_out``: the movement left me out; none of it and no
    table: not seated (late, left). ``tables``: the table, or both rooms of a match of teams of four. ``why``: the
    reason of the table or the bye, None where there is nothing to say."""

    round: int
    phase: str
    bye: bool
    sit_out: bool
    my_side: str | None
    table: TableView | None
    tables: list[TableView]
    why: TableReason | None


class MyRounds(msgspec.Struct, frozen=True):
    """My rounds so far, oldest first."""

    rounds: list[MyRound]
