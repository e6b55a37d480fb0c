"""The calendar of a league (联赛): which rounds are played on which match day (比赛日).

Source: rules of the game, section 4: a round robin over dated match days; postponed tables stay open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from chalicelib.rules.pairing.berger import cycle_length


@dataclass(frozen=True, slots=True)
class MatchDay:
    day: date
    rounds: tuple[int, ...]


def rounds_needed(contenders: int, cycles: int) -> int:
    """Rounds of that many full cycles."""
    return cycles * cycle_length(contenders)


def calendar(
    rounds: int,
    first_day: date,
    *,
    rounds_per_day: int = 1,
    days_between: int = 7,
    not_on: Sequence[date] = (),
) -> list[MatchDay]:
    """Match days for rounds 1..``rounds``; days in ``not_on`` are left out and everything later moves on.

    >>> [str(match_day.day) for match_day in calendar(3, date(2026, 9, 24), not_on=[date(2026, 10, 1)])]
    ['2026-09-24', '2026-10-08', '2026-10-15']
    """
    if rounds_per_day < 1 or days_between < 1:
        raise ValueError("a match day holds at least one round, and the next is at least a day later")
    days: list[MatchDay] = []
    day = first_day
    for number in range(ceil(rounds / rounds_per_day)):
        while day in not_on:
            day += timedelta(days=days_between)
        first = number * rounds_per_day + 1
        days.append(MatchDay(day, tuple(range(first, min(first + rounds_per_day, rounds + 1)))))
        day += timedelta(days=days_between)
    return days
