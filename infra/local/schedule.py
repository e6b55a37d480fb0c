"""Schedule expressions of EventBridge: ``rate(5 minutes)`` and ``cron(...)``, in UTC."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

_RATE = re.compile(r"rate\((\d+) (minute|hour|day)s?\)")
_CRON = re.compile(r"cron\(([^()]*)\)")
_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")


class Schedule(Protocol):
    """When a function runs."""

    def is_due(self, last: datetime | None, now: datetime) -> bool:
        """Whether to run now, after a last run (None: none since the start). Missed runs become one."""
        ...


@dataclass(frozen=True)
class Rate:
    """Every so often; first at the start, so that what fell due while the machine was off is done at once."""

    every: timedelta

    def is_due(self, last: datetime | None, now: datetime) -> bool:
        return last is None or now - last >= self.every


@dataclass(frozen=True)
class Cron:
    """At the minutes whose fields are all among the wanted ones (weekday 0 is Sunday)."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    years: frozenset[int]

    def is_due(self, last: datetime | None, now: datetime) -> bool:
        minute = now.replace(second=0, microsecond=0)
        return self._fits(minute) and (last is None or last < minute)

    def _fits(self, moment: datetime) -> bool:
        return (
            moment.minute in self.minutes
            and moment.hour in self.hours
            and moment.day in self.days
            and moment.month in self.months
            and moment.isoweekday() % 7 in self.weekdays
            and moment.year in self.years
        )


def parse_schedule(expression: str) -> Schedule:
    """Read an expression; raises ``ValueError`` for what is none, or for cron's L, W and #."""
    rate = _RATE.fullmatch(expression)
    if rate:
        return Rate(int(rate[1]) * _UNITS[rate[2]])
    cron = _CRON.fullmatch(expression)
    fields = cron[1].split() if cron else []
    if len(fields) != 6:
        raise ValueError(f"not a schedule: {expression!r}")
    minutes, hours, days, months, weekdays, years = fields
    return Cron(
        _field(minutes, 0, 59),
        _field(hours, 0, 23),
        _field(days, 1, 31),
        _field(months, 1, 12, _MONTHS),
        # AWS counts Sunday as 1.
        frozenset(day - 1 for day in _field(weekdays, 1, 7, _DAYS)),
        _field(years, 1970, 2199),
    )


def _field(text: str, low: int, high: int, names: tuple[str, ...] = ()) -> frozenset[int]:
    wanted: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        if first in ("*", "?"):
            start, end = low, high
        else:
            start = _number(first, low, names)
            end = _number(last, low, names) if last else (high if step else start)
        if not low <= start <= end <= high:
            raise ValueError(f"not a field of a schedule: {text!r}")
        wanted.update(range(start, end + 1, int(step or 1)))
    return frozenset(wanted)


def _number(text: str, low: int, names: tuple[str, ...]) -> int:
    return names.index(text.upper()) + low if text.upper() in names else int(text)


def utc_now() -> datetime:
    return datetime.now(UTC)
