"""Who has the bye (轮空) in an odd field.

Source: rules of the game, section 7. The lowest-ranked without a bye whose leaving lets the rest be paired without
a rematch (under the club rule ``never`` also without club-mates); the bye does not move to spare club-mates. When
everybody has had one: the lowest-ranked among those with the fewest who can leave, then the next fewest.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from chalicelib.rules.model import CandidateOrder
from chalicelib.rules.pairing.live import ClubRuns, Unpaired
from chalicelib.rules.pairing.matching import Matching, first_come


def bye_order(byes: Sequence[int]) -> list[int]:
    """The positions that may have the bye, in the order in which they are tried (``byes[i]``: byes had)."""
    lowest_first = range(len(byes) - 1, -1, -1)
    without = [position for position in lowest_first if byes[position] == 0]
    return without or sorted(lowest_first, key=lambda position: byes[position])


def choose_bye(candidates: Sequence[int], met: Sequence[AbstractSet[int]], clubs: Sequence[int] | None) -> int | None:
    """The first candidate whose leaving lets the rest be paired; None when there is none.

    ``clubs``: bit masks where club-mates must not meet, else None. The bye is one more position, paired first.
    """
    bye = len(met)
    may_leave = set(candidates)
    barred = [others if position in may_leave else {*others, bye} for position, others in enumerate(met)]
    barred.append(set(range(bye)) - may_leave)
    masks = None if clubs is None else [*clubs, 0]
    matching = Matching(barred, masks)
    if not matching.complete(_likely(candidates[0], met, clubs, bye)):
        return None
    return next((one for one in candidates if matching.fix(bye, one)), None)


def _likely(
    leaving: int, met: Sequence[AbstractSet[int]], clubs: Sequence[int] | None, bye: int
) -> list[tuple[int, int]]:
    """The first candidate's bye with the rest paired greedily: nearly always right."""
    unpaired = Unpaired([0] * bye, CandidateOrder.ADJACENT)
    unpaired.remove(leaving)
    return [(leaving, bye), *first_come(met, ClubRuns(clubs) if clubs is not None else None, unpaired)]
