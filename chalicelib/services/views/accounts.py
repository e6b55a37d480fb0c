"""Accounts, sessions and codes as the API answers them."""

from __future__ import annotations

import msgspec


class CodeSent(msgspec.Struct, frozen=True):
    """A code is on its way; the same answer for known and unknown phones. Seconds."""

    expires_in: int
    resend_after: int


class AccountView(msgspec.Struct, frozen=True):
    """The signed-in person. ``vip_level`` is the one that counts now, ``trial_until`` the end of 临时VIP (ms) if there
    is one; events and entries are the level's limits, ``vip_options`` the settings it opens."""

    account_id: str
    phone_masked: str
    name: str
    platform_administrator: bool
    has_password: bool
    vip_level: int
    trial_until: int | None
    events_owned: int
    most_events: int
    most_entries_per_account: int
    vip_options: list[str]
    wechat_bound: bool = False


class SignedIn(msgspec.Struct, frozen=True):
    """An open session: the account and the token for the X-CSRF-Token header."""

    account: AccountView
    csrf: str


class SessionView(msgspec.Struct, frozen=True):
    """One signed-in browser of the account. Times in milliseconds."""

    session_id: str
    device: str
    created_at: int
    last_seen_at: int
    current: bool


class Sessions(msgspec.Struct, frozen=True):
    """All open sessions of the account."""

    sessions: list[SessionView]


class ManagedAccount(msgspec.Struct, frozen=True):
    """An account as the platform's administrators see it. ``vip_level`` is its own level, ``trial_level`` that of
    临时VIP until ``trial_until`` (milliseconds); ``counts`` the level that counts now."""

    account_id: str
    phone_masked: str
    name: str
    created_at: int
    platform_administrator: bool
    vip_level: int
    trial_level: int | None
    trial_until: int | None
    counts: int
    events_owned: int
    most_events: int


class VipLevel(msgspec.Struct, frozen=True):
    """One row of the table of VIP levels."""

    level: int
    zh: str
    en: str
    events: int
    entries_per_account: int
    options: list[str]


class VipLevels(msgspec.Struct, frozen=True):
    """All VIP levels, the lowest first."""

    levels: list[VipLevel]


class LinkSession(msgspec.Struct, frozen=True):
    """What a link or an identified device may do in an event, and its token for X-CSRF-Token."""

    event_id: str
    role: str
    csrf: str


class Done(msgspec.Struct, frozen=True):
    """Nothing more to say than that it was done."""

    done: bool = True
