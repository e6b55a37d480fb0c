"""A world for tests: everything a use case takes from outside, real but in the test's hand."""

from __future__ import annotations

import base64
import random
import re
import threading
from dataclasses import dataclass, field

from chalicelib.services.world import World

SECRET = b"a secret of the tests, thirty-two bytes or more"
START = 1_790_000_000_000
"""When the tests' clock begins: milliseconds since 1970 UTC, in September 2026."""


class FakeClock:
    """Milliseconds since 1970 UTC that pass only when a test says so."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> int:
        """Let time pass; returns the new now."""
        self.now += round(1000 * (seconds + 60 * minutes + 3600 * hours + 86_400 * days))
        return self.now


class SeededRandomness:
    """Repeatable "random" values; safe in threads."""

    def __init__(self, seed: int = 2026) -> None:
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def token(self, length: int = 16) -> str:
        """URL-safe text holding ``length`` bytes."""
        with self._lock:
            return base64.urlsafe_b64encode(self._random.randbytes(length)).rstrip(b"=").decode()

    def digits(self, length: int) -> str:
        """``length`` decimal digits."""
        with self._lock:
            return str(self._random.randrange(10**length)).zfill(length)

    def fraction(self) -> float:
        """A number in [0, 1)."""
        with self._lock:
            return self._random.random()


@dataclass
class Outbox:
    """An SMS gateway that keeps what it was given, as (phone, text)."""

    sent: list[tuple[str, str]] = field(default_factory=list)

    def send(self, phone: str, text: str) -> None:
        """Keep one message."""
        self.sent.append((phone, text))

    def last_code(self, phone: str) -> str:
        """The code in the newest message to ``phone``."""
        text = next(text for to, text in reversed(self.sent) if to == phone)
        found = re.search(r"\d{6}", text)
        assert found is not None
        return found.group()


@dataclass(frozen=True)
class TestWorld(World):
    """A world whose clock and outbox the test can reach with their own types."""

    __test__ = False
    time: FakeClock = field(default_factory=FakeClock)
    outbox: Outbox = field(default_factory=Outbox)
