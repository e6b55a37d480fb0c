"""Officials and phones walked through a round: they look at the pulse and ask only when something has changed.

Which moments these are is known from the round as it was played; how the pages go about it stands in ``habits.yaml``.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from infra.simulate.settings import Phones, Staff

SECOND = 1000.0
MOST_WALKED = 500
"""So many phones are walked through a round; the others do likewise."""


@dataclass(frozen=True)
class Watched:
    """What one official's page asks for: looks at the pulse, the tables that changed, all tables."""

    looks: int
    changes: int
    whole: int


@dataclass(frozen=True)
class Carried:
    """What phones ask for on average, by opening or by round: their table, and the file of changed tables."""

    me: float
    files: float


@dataclass(frozen=True)
class Moments:
    """When what happened (ms, in order): the pulse moved, tables were told to have changed, sides spoke."""

    pulses: Sequence[float]
    told: Sequence[float]
    spoken: Sequence[float] = ()

    def any_told(self, after: float, until: float) -> bool:
        """Whether a table changed in that time."""
        return bisect_right(self.told, until) > bisect_right(self.told, after)

    def words(self, after: float, until: float) -> int:
        """How many words were said in that time."""
        return bisect_right(self.spoken, until) - bisect_right(self.spoken, after)

    def last_news(self, until: float, otherwise: float) -> float:
        """When the pulse moved last."""
        place = bisect_right(self.pulses, until)
        return max(otherwise, self.pulses[place - 1]) if place else otherwise


def official(staff: Staff, moments: Moments, begin: float, published: float, end: float, tables: int) -> Watched:
    """A page that stays in front from ``begin`` to ``end``, with a round in play since it was ``published``."""
    looks = changes = whole = 0
    full = SECOND * max(staff.full_look, staff.full_look_of_a_table * tables)
    now, asked, read = begin, begin, begin
    while now < end:
        looks += 1
        if now - read > full:
            whole += 1
            asked = read = now
        elif moments.any_told(asked, now):
            changes += 1
            asked = now
        now = _next(staff, moments, begin, published, now, staff.watch_often, staff.watch_seldom)
    return Watched(looks, changes, whole)


def projection(staff: Staff, moments: Moments, begin: float, published: float, end: float) -> int:
    """How often a projection looks at the pulse."""
    looks, now = 0, begin
    while now < end:
        looks += 1
        now = _next(staff, moments, begin, published, now, staff.screen, staff.screen_seldom)
    return looks


def _next(
    staff: Staff, moments: Moments, begin: float, published: float, now: float, often: float, seldom: float
) -> float:
    """When somebody who looks at ``now`` looks again: soon while a round is in play or the pulse moves, else later."""
    if now >= published:
        return now + SECOND * often
    quiet = (now - moments.last_news(now, begin)) / SECOND / staff.watch_quiet_share
    return now + SECOND * min(seldom, max(often, quiet))


def log_looks(staff: Staff, moments: Moments, begin: float, end: float) -> int:
    """How often the newest acts are read: soon after something was told, else now and then."""
    looks, now = 0, begin
    while now < end:
        looks += 1
        upcoming = bisect_right(moments.told, now)
        told = moments.told[upcoming] if upcoming < len(moments.told) else end
        now = min(now + SECOND * staff.log, max(told, now + SECOND * staff.log_told))
    return looks


def openings(
    phones: Phones,
    chance: random.Random,
    moments: Moments,
    moved: tuple[float, ...],
    words: Sequence[tuple[float, float]],
) -> Carried:
    """Phones that come out of a pocket: per opening. ``moved``: when round, clock or phase did, first and last of the
    round; ``words``: when each table's two sides spoke."""
    me, files, opened = 0.0, 0.0, 0
    for _ in range(min(MOST_WALKED, 2 * len(words))):
        mine = (*moved, *chance.choice(words))
        read = looked = moved[0] - 1
        times = sorted(chance.uniform(moved[0], moved[-1]) for _ in range(round(phones.openings_per_round)))
        for now in times:
            opened += 1
            file, asks = _asks(phones, moments, moved, mine, read, looked, now)
            files, me, looked = files + file, me + asks, now
            read = now if asks else read
            # Whoever touches it a while later looks once more.
            file, asks = _asks(phones, moments, moved, mine, read, looked, now + SECOND * phones.touched_after)
            files, me = files + file * phones.touched, me + asks * phones.touched
    return Carried(me / opened, files / opened)


def in_front(
    phones: Phones,
    chance: random.Random,
    moments: Moments,
    moved: tuple[float, ...],
    words: Sequence[tuple[float, float]],
) -> Carried:
    """Phones that stay in front for a whole round: per round."""
    me = files = 0
    walked = min(MOST_WALKED, 2 * len(words))
    for _ in range(walked):
        mine = (*moved, *chance.choice(words))
        me += len(moved)
        read = looked = moved[0]
        now = moved[0] + chance.uniform(0, SECOND * phones.pulse)
        while now < moved[-1]:
            last = max((moment for moment in moved if moment <= now), default=read)
            read = max(read, last)
            file, asks = _asks(phones, moments, moved, mine, read, max(looked, read), now)
            files, me, looked = files + file, me + asks, now
            read = now if asks else read
            now += SECOND * max(phones.pulse, phones.after_changes)
    return Carried(me / walked, files / walked)


def _asks(
    phones: Phones,
    moments: Moments,
    moved: tuple[float, ...],
    mine: tuple[float, ...],
    read: float,
    looked: float,
    now: float,
) -> tuple[int, int]:
    """Whether a phone that read its table at ``read`` and the changes at ``looked`` asks for the file (what the pulse
    has no room for), and for its table."""
    if any(read < moment <= now for moment in moved):
        return 0, 1
    since = max(read, looked)
    told = moments.any_told(since, now)
    file = told and moments.words(since, now) > phones.recent
    return int(file), int(told and any(read < moment <= now for moment in mine))
