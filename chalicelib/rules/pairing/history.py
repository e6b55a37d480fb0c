"""What the rounds drawn so far mean for the next one: who has met whom, had a bye, sat NS, been partners.

Every drawn table counts, whatever its outcome: a forfeited, unplayed or postponed table bars a rematch and counts
as a seat (rules of the game, sections 3 and 7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from chalicelib.rules.model import Round


@dataclass(frozen=True, slots=True)
class History:
    """By entry number. ``opponents`` and ``partners`` count how often; absent keys mean never."""

    opponents: dict[int, Counter[int]]
    partners: dict[int, Counter[int]]
    byes: Counter[int]
    sit_outs: Counter[int]
    times_ns: Counter[int]


def history_of(rounds: Sequence[Round]) -> History:
    history = History({}, {}, Counter(), Counter(), Counter())
    for drawn in rounds:
        history.byes.update(drawn.byes)
        history.sit_outs.update(drawn.sit_outs)
        seen: set[int] = set()
        for table in drawn.tables:
            # The two rooms of a team match are one table: it is met once and sat once.
            if table.number in seen:
                continue
            seen.add(table.number)
            history.times_ns.update(table.ns)
            for side, others in ((table.ns, table.ew), (table.ew, table.ns)):
                for entry in side:
                    history.opponents.setdefault(entry, Counter()).update(others)
                    if len(side) > 1:
                        mates = (mate for mate in side if mate != entry)
                        history.partners.setdefault(entry, Counter()).update(mates)
    return history
