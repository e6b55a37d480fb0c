"""Accounts, sessions and codes as the API answers them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CodeSent:
    """A code is on its way; the same answer for known and unknown phones. Seconds."""

    expires_in: int
    resend_after: int


@dataclass(frozen=True)
class AccountView:
    """The signed-in person."""

    account_id: str
    phone_masked: str
    name: str
    platform_administrator: bool


@dataclass(frozen=True)
class SignedIn:
    """An open session: the account and the token for the X-CSRF-Token header."""

    account: AccountView
    csrf: str


@dataclass(frozen=True)
class SessionView:
    """One signed-in browser of the account. Times in milliseconds."""

    session_id: str
    device: str
    created_at: int
    last_seen_at: int
    current: bool


@dataclass(frozen=True)
class Sessions:
    """All open sessions of the account."""

    sessions: list[SessionView]


@dataclass(frozen=True)
class LinkSession:
    """What a link or an identified device may do in an event, and its token for X-CSRF-Token."""

    event_id: str
    role: str
    csrf: str


@dataclass(frozen=True)
class Done:
    """Nothing more to say than that it was done."""

    done: bool = True
