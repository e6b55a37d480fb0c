"""Virtual time: a clock that is set from outside, and what is to happen when."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

Act = Callable[[], None]
LONG_SLEEP = 5.0
"""Seconds. A shorter one is a pause between two attempts."""


class VirtualTime:
    """Milliseconds since 1970 UTC. Passes only when the agenda goes on or a request to the cloud is waited for."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> int:
        """As the program's clock: whole milliseconds."""
        return int(self.now)

    def seconds(self) -> float:
        """As the store's clock."""
        return self.now / 1000

    def wait(self, seconds: float) -> None:
        """As the program's sleep."""
        self.now += seconds * 1000


class Agenda:
    """Acts in the order of their times; acts of one moment in the order in which they were planned.

    Every act begins at its own time, whatever the one before took: functions run beside each other. So the clock may
    step back between two acts, by at most the time that one of them takes.
    """

    def __init__(self, time: VirtualTime) -> None:
        self._time = time
        self._acts: list[tuple[float, int, Act]] = []
        self._numbers = itertools.count()
        self.reached = time.now
        self.after_each: Act = lambda: None

    def at(self, when: float, act: Act) -> None:
        """Plan an act for ``when`` (milliseconds), or for now if that has passed."""
        heapq.heappush(self._acts, (max(when, self.reached), next(self._numbers), act))

    def run(self, until: float = float("inf"), after_each: Act = lambda: None) -> None:
        """Do what is planned up to ``until``, and after each act ``after_each``, which may plan more."""
        while self._acts and self._acts[0][0] <= until:
            when, _, act = heapq.heappop(self._acts)
            self.reached = self._time.now = when
            act()
            after_each()

    def sleep(self, seconds: float) -> None:
        """As the program's sleep. In a long one the others go on (``after_each`` follows them): who sleeps so long
        waits for something to happen."""
        if seconds < LONG_SLEEP:
            self._time.wait(seconds)
        else:
            self.until(self._time.now + 1000 * seconds, self.after_each)

    def until(self, when: float, after_each: Act = lambda: None) -> None:
        """Do what is planned up to ``when``, and what is written already calls for; then it is that time."""
        after_each()
        self.run(when, after_each)
        self.reached = self._time.now = max(self.reached, when)
