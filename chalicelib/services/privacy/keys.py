"""An encrypted event's key pair: the public key lies open, the private one is wrapped by the organizer's digits.

The digits come in a request header, never in a body: of every body a hash is kept for retries, and from the hash of
twelve digits the digits could be found again. They are never stored and never logged.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Any

import msgspec

from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store import limits
from chalicelib.store.events import EventHeader
from chalicelib.store.transaction import patiently

if TYPE_CHECKING:
    from nacl.public import PrivateKey

_DIGITS = re.compile(r"[0-9]{12,40}")
FEWEST_DIFFERENT = 4
"""Different digits that generated ones practically always have and typed ones like 000000000000 do not."""
OPERATIONS, MEMORY_BYTES = 3, 64 * 1024 * 1024
"""Argon2id: a tenth of a second for each guess, and twelve digits are 10^12 guesses."""
MISS_WINDOW_SECONDS, MOST_MISSES = 60, 20
JOB_MILLISECONDS = 15 * 60_000


class WrappedKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The private key under the digits: salt, Argon2id's costs, and the secret box, in base64."""

    salt: str
    operations: int
    memory: int
    box: str


class EventKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the event's header keeps. ``generation`` rises with every new pair, ``digits`` with every new digits;
    ``pending``: entries from before encryption are still being sealed."""

    public: str
    private: WrappedKey
    generation: int
    digits: int
    since: int
    pending: bool = False


class OpenKey(msgspec.Struct, frozen=True):
    """The private key of one generation, for as long as one request (or one job) lives."""

    private: PrivateKey
    generation: int


def keys_of(header: EventHeader) -> EventKeys | None:
    """The event's keys; None: it is not encrypted."""
    return None if header.sealing is None else msgspec.convert(header.sealing, EventKeys)


def check_digits(digits: str) -> None:
    """Refuse digits that are too few or too plain. Raises digits_weak."""
    if not _DIGITS.fullmatch(digits) or len(set(digits)) < FEWEST_DIFFERENT:
        raise Problem("digits_weak")


def make(digits: str, now: int, generation: int = 1, *, pending: bool) -> EventKeys:
    """A new key pair under ``digits``. Raises digits_weak."""
    from nacl.public import PrivateKey

    check_digits(digits)
    private = PrivateKey.generate()
    public = _text(bytes(private.public_key))
    return EventKeys(public, _wrap(bytes(private), digits), generation, 1, now, pending)


def rewrap(keys: EventKeys, opened: OpenKey, digits: str) -> EventKeys:
    """The same pair under new ``digits``. Raises digits_weak."""
    check_digits(digits)
    private = _wrap(bytes(opened.private), digits)
    return msgspec.structs.replace(keys, private=private, digits=keys.digits + 1)


def unlock(world: World, header: EventHeader, digits: str) -> OpenKey:
    """The private key, for who knows the digits. Raises not_encrypted, digits_needed, digits_wrong, too_many_tries."""
    keys = keys_of(header)
    if keys is None:
        raise Problem("not_encrypted")
    if not digits:
        raise Problem("digits_needed")
    now, counted = world.now(), f"DIGITS#{header.event_id}"
    if limits.so_far(counted, MISS_WINDOW_SECONDS, now) >= MOST_MISSES:
        raise Problem("too_many_tries", seconds=limits.seconds_left(MISS_WINDOW_SECONDS, now))
    opened = _unwrap(keys, digits)
    if opened is None:
        patiently(lambda: limits.add(counted, MISS_WINDOW_SECONDS, now), world.sleep, world.random.fraction)
        raise Problem("digits_wrong")
    return opened


def unlocked(world: World, header: EventHeader, digits: str) -> OpenKey | None:
    """The private key if the event is encrypted and ``digits`` were given; None: show what is in the clear.

    Raises digits_wrong, too_many_tries.
    """
    return unlock(world, header, digits) if header.sealing is not None and digits else None


def demanded(world: World, header: EventHeader, digits: str) -> OpenKey | None:
    """The private key of an encrypted event, None of another. Raises digits_needed, digits_wrong, too_many_tries."""
    return unlock(world, header, digits) if header.sealing is not None else None


def sealed_for_job(world: World, event_id: str, job_id: str, opened: OpenKey) -> str:
    """The private key for a job of this deployment, good for 15 minutes and for this job only."""
    from nacl.secret import SecretBox

    until = world.now() + JOB_MILLISECONDS
    plain = msgspec.json.encode([until, opened.generation, _text(bytes(opened.private))])
    return _text(SecretBox(_job_secret(world, event_id, job_id)).encrypt(plain))


def opened_for_job(world: World, event_id: str, job_id: str, sealed: str) -> OpenKey:
    """What :func:`sealed_for_job` sealed. Raises key_expired after 15 minutes, or for another job."""
    from nacl.exceptions import CryptoError
    from nacl.public import PrivateKey
    from nacl.secret import SecretBox

    try:
        plain = SecretBox(_job_secret(world, event_id, job_id)).decrypt(_bytes(sealed))
    except CryptoError as error:
        raise Problem("key_expired") from error
    until, generation, private = msgspec.json.decode(plain, type=tuple[int, int, str])
    if world.now() >= until:
        raise Problem("key_expired")
    return OpenKey(PrivateKey(_bytes(private)), generation)


def _job_secret(world: World, event_id: str, job_id: str) -> bytes:
    return hmac.new(world.secret, f"job key\n{event_id}\n{job_id}".encode(), hashlib.sha256).digest()


def _wrap(private: bytes, digits: str) -> WrappedKey:
    from nacl.pwhash import argon2id
    from nacl.secret import SecretBox
    from nacl.utils import random

    salt = random(argon2id.SALTBYTES)
    box = SecretBox(_derived(digits, salt, OPERATIONS, MEMORY_BYTES)).encrypt(private)
    return WrappedKey(_text(salt), OPERATIONS, MEMORY_BYTES, _text(box))


def _unwrap(keys: EventKeys, digits: str) -> OpenKey | None:
    from nacl.exceptions import CryptoError
    from nacl.public import PrivateKey
    from nacl.secret import SecretBox

    if not _DIGITS.fullmatch(digits):
        return None
    wrapped = keys.private
    derived = _derived(digits, _bytes(wrapped.salt), wrapped.operations, wrapped.memory)
    try:
        return OpenKey(PrivateKey(SecretBox(derived).decrypt(_bytes(wrapped.box))), keys.generation)
    except CryptoError:
        return None


def _derived(digits: str, salt: bytes, operations: int, memory: int) -> bytes:
    from nacl.pwhash import argon2id
    from nacl.secret import SecretBox

    derived: bytes = argon2id.kdf(SecretBox.KEY_SIZE, digits.encode(), salt, opslimit=operations, memlimit=memory)
    return derived


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text)


def public_view(header: EventHeader) -> dict[str, Any]:
    """What organizers may know of the keys: that there are some, and whether sealing is still under way."""
    keys = keys_of(header)
    if keys is None:
        return {"on": False, "since": None, "pending": False, "generation": 0}
    return {"on": True, "since": keys.since, "pending": keys.pending, "generation": keys.generation}
