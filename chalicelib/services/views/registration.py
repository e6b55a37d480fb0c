"""The registration page as the API answers it. Times are milliseconds since 1970 UTC, money in fen."""

from __future__ import annotations

import msgspec

from chalicelib.services.settings import Prize


class RegisteredPlayer(msgspec.Struct, frozen=True):
    """A player of one's own registration; the phone masked, even for who typed it."""

    name: str
    phone_masked: str


class RegistrationView(msgspec.Struct, frozen=True):
    """A registration as who made it sees it.

    ``state``: in | waiting | single (no partner yet) | withdrawn. ``ahead``: teams that wait before this one, None
    where nobody counts them. ``club_counts``: whether the 团体 is on the event's list. ``invitation``: path that a
    partner opens, None once there is one. ``pay_by``: until when an unpaid order holds the place; ``ordered``: there is
    an order to look at.
    """

    number: int
    state: str
    name: str
    club: str
    club_counts: bool
    players: list[RegisteredPlayer]
    ahead: int | None
    paid_at: int | None
    invitation: str | None
    version: int
    pay_by: int | None = None
    ordered: bool = False


class RegistrationPage(msgspec.Struct, frozen=True):
    """Everything the registration page shows.

    ``closed_because``: ended | switch | deadline, None while it is open. ``closes_at``: the first moment after the
    deadline's minute. ``teams`` and ``waiting`` are None unless 报名提示人数 is on; ``full``: a new team would wait.
    ``partner``: a single may register (allow_single) or has to invite. ``fee``: entry fee and extra fee of a team,
    paid ``online`` or on site. ``now``: the server's clock.
    ``follow_first``: who opens the page inside WeChat follows the official account first (允许微信公众号报名).
    """

    event_id: str
    name: str
    kind_zh: str
    kind_en: str
    starts_at: int | None
    time_zone: str
    open: bool
    closed_because: str | None
    deadline: int | None
    closes_at: int | None
    prompt: str
    rules_text: str
    fee: int
    extra_fee: int
    players: int
    most_players: int
    allow_single: bool
    club_needed: bool
    clubs: list[str]
    most_entries: int
    capacity: int | None
    full: bool
    teams: int | None
    waiting: int | None
    mine: list[RegistrationView]
    consent: str = ""
    encrypted: bool = False
    prizes: list[Prize] = []
    online: bool = False
    now: int = 0
    follow_first: bool = False


class PartnerInvitation(msgspec.Struct, frozen=True):
    """What somebody who opens an invitation sees: who invites, and whether it can still be taken."""

    event_name: str
    inviter: str
    club: str
    open: bool


class MovedUp(msgspec.Struct, frozen=True):
    """How many teams of the waiting list moved in, and how many unused tickets were given back."""

    admitted: int
    unused: int
