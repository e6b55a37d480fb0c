"""Levels (级) and how boards raise them (section 1 of the rules).

A level is an index: ``2`` is 0, ``A`` is 12, ``A+`` (过A) is 13. In 超分赛 a lap follows the lap: lap 2 level ``2`` is
14, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

LEVELS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "A+")
INDEX: Final = {name: index for index, name in enumerate(LEVELS)}
LAP: Final = len(LEVELS)
A: Final = INDEX["A"]
A_PASSED: Final = INDEX["A+"]
FAILURES_THAT_COUNT: Final = 3


class FailuresAtA(StrEnum):
    """What three failed attempts at one's own A bring [ours]: nothing, back to level 2, or the table is lost."""

    NONE = "none"
    BACK_TO_2 = "back_to_2"
    LOSE = "lose"


def level_index(name: str, lap: int = 1) -> int:
    """The index of a level in a lap; KeyError when there is no such level."""
    return (lap - 1) * LAP + INDEX[name]


def level_name(index: int) -> tuple[str, int]:
    """The name of a level and its lap (1 in all kinds but 超分赛)."""
    lap, level = divmod(index, LAP)
    return LEVELS[level], lap + 1


class Climb(NamedTuple):
    """Where the two sides of a table stand after some boards.

    ``declarer`` says whose level was played last (True: NS), None before the first board; attempts count boards in
    which a side played its own A without passing it; ``lost`` names the side that lost by failures at A (True: NS).
    """

    ns_level: int = 0
    ew_level: int = 0
    ns_attempts: int = 0
    ew_attempts: int = 0
    ns_to_play: bool | None = None
    lost: bool | None = None

    @property
    def over(self) -> bool:
        """True when a side has passed A or has lost by its failures: nothing more counts at this table."""
        return self.lost is not None or self.ns_level == A_PASSED or self.ew_level == A_PASSED


def after_board(before: Climb, result: int, failures_at_a: FailuresAtA = FailuresAtA.BACK_TO_2) -> Climb:
    """Play one board: ``result`` from NS's view, one of +3 +2 +1 -1 -2 -3.

    The side of the first out rises by the result and its level is the next one played. A rise past A stops at A; at A
    only +2 or +3 on a board in which its own A is played passes. A side that plays its A and does not pass has failed
    once more; the third failure brings what ``failures_at_a`` says. ValueError for another result.
    """
    if abs(result) not in (1, 2, 3):
        raise ValueError(f"a board ends with +-1, +-2 or +-3, not {result}")
    if before.over:
        return before
    levels = [before.ns_level, before.ew_level]
    attempts = [before.ns_attempts, before.ew_attempts]
    winner = 0 if result > 0 else 1
    playing = None if before.ns_to_play is None else (0 if before.ns_to_play else 1)
    at_own_a = playing is not None and levels[playing] == A
    lost: bool | None = None
    if at_own_a and playing == winner and abs(result) > 1:
        levels[winner] = A_PASSED
    else:
        levels[winner] = min(A, levels[winner] + abs(result))
        if at_own_a and playing is not None:
            attempts[playing] += 1
            if attempts[playing] == FAILURES_THAT_COUNT and failures_at_a is not FailuresAtA.NONE:
                attempts[playing] = 0
                if failures_at_a is FailuresAtA.LOSE:
                    lost = playing == 0
                else:
                    levels[playing] = 0
    return Climb(levels[0], levels[1], attempts[0], attempts[1], winner == 0, lost)


def levels_after(results: Iterable[int], failures_at_a: FailuresAtA = FailuresAtA.BACK_TO_2) -> Climb:
    """Where two sides that began at level 2 stand after these boards (results from NS's view)."""
    climb = Climb()
    for result in results:
        climb = after_board(climb, result, failures_at_a)
    return climb


def open_ended_levels_after(results: Iterable[int]) -> tuple[int, int]:
    """The indices of both sides in 超分赛: after ``A+`` a side begins a new lap at ``2``, so the index goes on.

    A board that passes A brings ``A+`` of that lap; the side's next rise enters the next lap, counted from its ``2``.
    """
    ns, ew, ns_to_play = 0, 0, None
    for result in results:
        levels = [ns, ew]
        winner = 0 if result > 0 else 1
        levels[winner] = _rise(levels[winner], abs(result), plays_own=ns_to_play is (winner == 0))
        ns, ew = levels
        ns_to_play = winner == 0
    return ns, ew


def _rise(index: int, by: int, *, plays_own: bool) -> int:
    lap, level = divmod(index, LAP)
    if level == A_PASSED:
        return (lap + 1) * LAP + by
    if level == A and plays_own and by > 1:
        return lap * LAP + A_PASSED
    return lap * LAP + min(A, level + by)
