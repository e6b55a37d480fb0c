"""What the rounds drawn so far mean for the next one: who has met whom, had a bye, sat NS, been partners.

Every drawn table counts, whatever its outcome: a forfeited, unplayed or postponed table bars a rematch and counts
as a seat (rules of the game, sections 3 and 7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from chalicelib.rules.model import Room, Round


@dataclass(frozen=True, slots=True)
class History:
    """By entry number. ``opponents`` and ``partners`` list everybody met, once for each meeting; absent: nobody."""

    opponents: dict[int, list[int]]
    partners: dict[int, list[int]]
    byes: Counter[int]
    sit_outs: Counter[int]
    times_ns: Counter[int]

    def met(self, one: int, other: int) -> int:
        """How often the two have been opponents."""
        return self.opponents.get(one, []).count(other)

    def partnered(self, one: int, other: int) -> int:
        """How often the two have been partners."""
        return self.partners.get(one, []).count(other)


def history_of(rounds: Sequence[Round]) -> History:
    """The history of these rounds. The two rooms of a team match are one table: met once, sat once."""
    opponents: dict[int, list[int]] = {}
    partners: dict[int, list[int]] = {}
    tables = [table for drawn in rounds for table in drawn.tables if table.room is not Room.CLOSED]
    for table in tables:
        for side, others in ((table.ns, table.ew), (table.ew, table.ns)):
            for entry in side:
                opponents.setdefault(entry, []).extend(others)
                if len(side) > 1:
                    partners.setdefault(entry, []).extend(mate for mate in side if mate != entry)
    return History(
        opponents,
        partners,
        Counter(entry for drawn in rounds for entry in drawn.byes),
        Counter(entry for drawn in rounds for entry in drawn.sit_outs),
        Counter(entry for table in tables for entry in table.ns),
    )
