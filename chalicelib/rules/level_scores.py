"""Scores of a table by the final levels of its sides (section 3; the manual, part 3).

d = index(own level) - index(opponent's level). 级差分 is clamp(13 + d, 0, 26) and the opponent gets the rest of 26;
升级数 is the index reached; 净级差 is d. An explicit winner decides 场分 and 胜轮次; one who has the lower level (the
other side lost by failures at A) gets 级差分 14:12, and equal levels stay 13:13.
"""

from __future__ import annotations

from typing import Final

from chalicelib.rules.exact import HALVES, scaled
from chalicelib.rules.kinds import MEASURES, Scoring
from chalicelib.rules.model import Event, MatchPoints, Round, Side, Table
from chalicelib.rules.scoresheet import Happening, Score
from chalicelib.rules.unearned import unearned

EVEN: Final = 13
ALL: Final = 26
OVERRULED: Final = 14


def level_points(difference: int) -> int:
    """级差分 of a side that is ``difference`` levels ahead (negative: behind).

    >>> level_points(4), level_points(-1), level_points(13), level_points(-20)
    (17, 12, 26, 0)
    """
    return max(0, min(ALL, EVEN + difference))


def level_points_of(ns_level: int, ew_level: int, winner: Side | None) -> int:
    """级差分 of NS at a table that was played; EW has the rest of 26.

    >>> level_points_of(12, 8, None), level_points_of(12, 8, Side.EW)
    (17, 12)
    """
    difference = ns_level - ew_level
    if winner is not None and difference * (1 if winner is Side.NS else -1) < 0:
        return OVERRULED if winner is Side.NS else ALL - OVERRULED
    return level_points(difference)


def level_scores(ns_level: int, ew_level: int, winner: Side | None, points: MatchPoints) -> tuple[Score, Score]:
    """The scores of NS and EW; measures in the order of ``kinds.MEASURES``, in halves."""
    difference = ns_level - ew_level
    ns_wins = difference if winner is None else (1 if winner is Side.NS else -1)
    ns_points = level_points_of(ns_level, ew_level, winner)
    return (
        _score(ns_wins, ns_points, ns_level, difference, points),
        _score(-ns_wins, ALL - ns_points, ew_level, -difference, points),
    )


def _score(wins: int, own_level_points: int, level: int, difference: int, points: MatchPoints) -> Score:
    happening, earned = result_of(wins, points)
    return Score(
        happening,
        (
            earned,
            HALVES * (wins > 0),
            HALVES * own_level_points,
            HALVES * level,
            HALVES * difference,
        ),
    )


def result_of(difference: int, points: MatchPoints) -> tuple[Happening, int]:
    """Win, draw or loss by the sign of a difference, and its 场分 in halves."""
    if difference > 0:
        return Happening.WIN, scaled(points.win, HALVES)
    if difference < 0:
        return Happening.LOSS, scaled(points.loss, HALVES)
    return Happening.DRAW, scaled(points.draw, HALVES)


class LevelScorer:
    """Scores the tables of a level-scored event; equal results share one score."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.scales = dict.fromkeys(MEASURES[Scoring.LEVELS], HALVES)
        self._played: dict[tuple[int | None, int | None, Side | None], tuple[Score, Score]] = {}
        self._unplayed: dict[Happening, Score] = {}

    def played(self, drawn: Round, table: Table) -> tuple[Score, Score]:
        """The scores of NS and EW at a played table; ValueError when it has no levels."""
        key = (table.ns_level, table.ew_level, table.winner)
        known = self._played.get(key)
        if known is None:
            if table.ns_level is None or table.ew_level is None:
                raise ValueError(f"table {table.number} of round {drawn.number} has no levels")
            known = level_scores(table.ns_level, table.ew_level, table.winner, self.event.points)
            self._played[key] = known
        return known

    def unplayed(self, happening: Happening, round_number: int) -> Score:
        """The score of a round that was not played (the same in every round)."""
        known = self._unplayed.get(happening)
        if known is None:
            given, won = unearned(self.event, happening)
            known = Score(
                happening,
                (
                    scaled(given.match_points, HALVES),
                    HALVES * won,
                    scaled(given.level_points, HALVES),
                    scaled(given.upgrades, HALVES),
                    0,
                ),
            )
            self._unplayed[happening] = known
        return known
