"""What robot players do at a table: every result, dispute and moment follows from the seed, the round and the table.

Moments are shares of the time that the robots take for a round: 0 when the clock starts, 1 when all is said.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import msgspec

from chalicelib.rules.levels import Climb, FailuresAtA, after_board, level_name, open_ended_levels_after
from chalicelib.services.views.scoring import BoardResult, Score, ScoringRules

RESULTS: Final = (3, 2, 1, -1, -2, -3)
RUNNING_MOMENTS: Final = (0.2, 0.4, 0.6)
DISPUTES: Final = 0.06
"""Share of tables at which the other side says something else, and a referee has to decide."""
FORFEITS: Final = 0.02
"""Share of tables at which a side does not come."""
MOST_BOARDS: Final = 10


class Plan(msgspec.Struct, frozen=True):
    """What happens at one table, and when. ``objection``: what EW says instead of ``score``; ``ruled_at``: when the
    referee settles it. A forfeit is settled by the referee at once."""

    score: Score
    running: tuple[tuple[float, Score], ...]
    said_at: dict[str, float]
    objection: Score | None
    ruled_at: float


def plan_for(seed: str, number: int, table: int, to_play: Sequence[int], rules: ScoringRules) -> Plan:
    """What the robots at a table do in round ``number``; ``to_play``: its boards, where they are given."""
    dice = random.Random(f"{seed}:{number}:{table}")
    said_at = {side: 0.65 + 0.2 * dice.random() for side in ("ns", "ew")}
    ruled_at = 0.9 + 0.08 * dice.random()
    if dice.random() < FORFEITS:
        return Plan(Score(dice.choice(("ns_forfeit", "ew_forfeit"))), (), {}, None, 0.3)
    boards = _boards(dice, to_play, rules)
    scores = [_score(boards[: count + 1], rules, dice) for count in range(len(boards))]
    running = tuple(
        (moment, scores[round((len(scores) - 1) * moment / said_at["ns"])]) for moment in RUNNING_MOMENTS[: len(scores)]
    )
    objection = None
    if dice.random() < DISPUTES:
        # One side got the last board wrong, as people do.
        turned = [*boards[:-1], BoardResult(boards[-1].board, -boards[-1].result)]
        objection = _score(turned, rules, dice)
        if objection == scores[-1]:
            objection = None
    return Plan(scores[-1], running, said_at, objection, ruled_at)


def _boards(dice: random.Random, to_play: Sequence[int], rules: ScoringRules) -> list[BoardResult]:
    """The boards of the table: those that it has to play, or as many as two sides get through."""
    if rules.by == "boards":
        return [BoardResult(board, dice.choice(RESULTS)) for board in to_play]
    # One side is the stronger one tonight; otherwise nearly every table would end level.
    luck = [3, 3, 2, 1, -1, -2, -3] if dice.random() < 0.5 else [3, 2, 1, -1, -2, -3, -3]
    results = [dice.choice(luck) for _ in range(rules.boards or dice.randint(5, MOST_BOARDS))]
    if not rules.laps:
        over = [climb.over for climb in _climbs(results, FailuresAtA(rules.failures_at_a))]
        results = results[: over.index(True) + 1] if True in over else results
    return [BoardResult(number, result) for number, result in enumerate(results, 1)]


def _climbs(results: Sequence[int], failures: FailuresAtA) -> list[Climb]:
    return list(accumulate(results, lambda climb, result: after_board(climb, result, failures), initial=Climb()))[1:]


def _score(boards: Sequence[BoardResult], rules: ScoringRules, dice: random.Random) -> Score:
    """What a side would enter after these boards."""
    if rules.by == "boards":
        return Score("played", boards=list(boards))
    results = [board.result for board in boards]
    if rules.laps:
        ns, ew = (level_name(index) for index in open_ended_levels_after(results))
        return Score("played", ns[0], ew[0], ns[1], ew[1], winner=_winner(ns == ew, rules, dice))
    climb = _climbs(results, FailuresAtA(rules.failures_at_a))[-1]
    winner = _winner(climb.ns_level == climb.ew_level, rules, dice)
    if climb.lost is not None:
        winner = "ew" if climb.lost else "ns"
    return Score("played", level_name(climb.ns_level)[0], level_name(climb.ew_level)[0], winner=winner)


def _winner(equal: bool, rules: ScoringRules, dice: random.Random) -> str | None:
    """A knock-out table on equal levels plays one more board."""
    return dice.choice(("ns", "ew")) if equal and rules.needs_winner else None
