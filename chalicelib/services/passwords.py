"""The optional password of an account: Argon2id, limited per phone, equal work whether or not there is an account.

A password is a second way in, never the only one: the one-time code goes on working.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress

from pynamodb.expressions.update import Action

from chalicelib.services import audit, phones
from chalicelib.services.accounts import account_view, commit_session, known_account, owner_at, phone_key
from chalicelib.services.once import transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.accounts import AccountView, SignedIn
from chalicelib.services.world import World
from chalicelib.store import limits
from chalicelib.store.accounts import Account, Session
from chalicelib.store.transaction import patiently

WINDOW_SECONDS = 900
MOST_TRIES = 10
"""Passwords tried for one phone within the window, right ones too."""
FEWEST_DIFFERENT = 5
"""Different characters a password needs."""
CLOSED_AT_ONCE = 80
"""Sessions that a new password closes in its own transaction; an account has a handful."""

_IN_ORDER = "01234567890123456789"
_MEMORY = 19 * 1024 * 1024
_PASSES = 2
"""OWASP's recommendation for Argon2id (2024): 19 MiB and 2 passes; about 60 ms of a function's CPU."""
_NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$JUlVgwzynMXlC1Epp25x1A$DWdQJ0ONxqzAhQdWJj+CiZ4ZrEaVXsGBlI0kPKmrREY"
"""What the passwords of phones without one are compared with, so that they take as long to refuse."""


def sign_in(world: World, phone: str, password: str, device: str) -> tuple[SignedIn, str]:
    """Open a session with phone and password; returns what the page shows and the session cookie's value.

    Raises bad_phone, too_many_tries, and bad_password for a wrong password, an account without one and no account.
    """
    number = phones.normalise(phone)
    pk = phone_key(world, number)
    now = world.now()
    tries = patiently(lambda: limits.add(f"PASSWORD#{pk}", WINDOW_SECONDS, now), world.sleep, world.random.fraction)
    if tries > MOST_TRIES:
        raise Problem("too_many_tries", "password", seconds=limits.seconds_left(WINDOW_SECONDS, now))
    account = owner_at(pk)
    if account is None:
        # A phone without an account costs as many requests as one with an account, or the time would tell.
        with suppress(Account.DoesNotExist):
            Account.get(pk, "PROFILE", consistent_read=True)
    kept = account.password_hash if account is not None else None
    right = _verify(kept or _NOBODY, password)
    if account is None or kept is None or not right:
        raise Problem("bad_password", "password")
    change = transaction(world)
    # Writes what is there: a session opens only while the password it was opened with still is the account's.
    change.update(
        Account(account.pk, account.sk),
        [Account.password_hash.set(kept)],
        Account.password_hash == kept,
        lambda _: Problem("bad_password", "password"),
    )
    return commit_session(change, world, pk, account, device)


def set_password(world: World, account_id: str, current: str, new: str | None, session_id: str) -> AccountView:
    """Set, change or (None) remove the account's password; its sessions but ``session_id`` are closed.

    Raises bad_password when the present one is not ``current``, too_many_tries, password_weak.
    """
    account = known_account(account_id)
    kept = account.password_hash
    if kept is not None:
        now = world.now()
        what = f"PASSWORD#{phone_key(world, account.phone)}"
        tries = patiently(lambda: limits.add(what, WINDOW_SECONDS, now), world.sleep, world.random.fraction)
        if tries > MOST_TRIES:
            raise Problem("too_many_tries", "current", seconds=limits.seconds_left(WINDOW_SECONDS, now))
        if not _verify(kept, current):
            raise Problem("bad_password", "current")
    if new is not None:
        _demand_strength(new, account.phone)
    account.password_hash = None if new is None else _hash(new)
    step = transaction(world)
    actions: list[Action] = [
        Account.password_hash.remove() if new is None else Account.password_hash.set(account.password_hash)
    ]
    unchanged = Account.password_hash.does_not_exist() if kept is None else Account.password_hash == kept
    step.update(Account(account.pk, account.sk), actions, unchanged, lambda _: Problem("stale_version"))
    others = Session.query(account.pk, Session.sk.startswith("SESSION#"), consistent_read=True)
    for other in [each for each in others if each.sk != f"SESSION#{session_id}"][:CLOSED_AT_ONCE]:
        step.delete(Session(other.pk, other.sk))
    audit.record(
        step,
        world,
        event_id=None,
        actor=f"account:{account_id}",
        action="account.password" if new is not None else "account.password_removed",
    )
    step.commit()
    return account_view(account, world.now())


def _demand_strength(password: str, phone: str) -> None:
    if len(set(password)) < FEWEST_DIFFERENT or phone in password or password in _IN_ORDER:
        raise Problem("password_weak", "password")


def _hash(password: str) -> str:
    from nacl.pwhash import argon2id

    return argon2id.str(_bytes(password), opslimit=_PASSES, memlimit=_MEMORY).decode()


def _verify(kept: str, password: str) -> bool:
    from nacl.exceptions import InvalidkeyError
    from nacl.pwhash import verify

    try:
        return verify(kept.encode(), _bytes(password))
    except InvalidkeyError:
        return False


def _bytes(password: str) -> bytes:
    """One length for every password, so that the time tells nothing of it."""
    return hashlib.sha256(password.encode()).digest()
