"""A result as somebody entered it, checked against the event's kind and the boards of the table.

What it says is then one value of the rules, whether a player submits it, a referee rules it, or a phone saves it
while the round is played.
"""

from __future__ import annotations

from enum import Enum

from chalicelib.rules.kinds import Kind
from chalicelib.rules.levels import A_PASSED, INDEX, A, FailuresAtA, level_index
from chalicelib.rules.model import Board, Outcome, Side
from chalicelib.rules.table_state import TableResult, result_of_boards
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.views.scoring import Score

MOST_BOARDS = 100


class Speaker(Enum):
    """Who says it: a side submits, an official rules, a phone saves what is entered so far."""

    SIDE = "side"
    OFFICIAL = "official"
    RUNNING = "running"


def result_from(score: Score, table: StoredTable, settings: Settings, speaker: Speaker) -> TableResult:
    """The rules' value of a score that was entered for a table.

    Raises bad_value for a level that does not exist or is missing, levels_impossible when both sides passed A,
    lap_not_offered, levels_not_offered, boards_wrong, winner_missing in a knock-out on equal levels, winner_refused
    where the levels decide. An official may name a winner whatever the levels say; a running score may lack boards
    and a winner.
    """
    outcome = Outcome(score.outcome)
    if outcome is not Outcome.PLAYED:
        return TableResult(outcome)
    kind = kind_of(settings.kind)
    boards = tuple(sorted(Board(each.board, each.result) for each in score.boards))
    if not kind.scored_by_levels:
        return TableResult(outcome, boards=_boards_to_play(score, table, boards, speaker, kind))
    _check_numbering(boards, settings.boards_per_round or MOST_BOARDS)
    result = _levels(score, kind, settings, boards)
    if result.ns_level == result.ew_level == A_PASSED and not kind.laps:
        raise Problem(
            "levels_impossible", "ew_level", why_zh="双方不可能都过 A", why_en="the two sides cannot both have passed A"
        )
    _check_winner(result, settings, speaker)
    return result


def _boards_to_play(
    score: Score, table: StoredTable, boards: tuple[Board, ...], speaker: Speaker, kind: Kind
) -> tuple[Board, ...]:
    if score.ns_level is not None or score.ew_level is not None:
        raise Problem(
            "levels_not_offered",
            "ns_level" if score.ns_level is not None else "ew_level",
            kind_zh=kind.chinese,
            kind_en=kind.english,
        )
    if score.winner is not None:
        raise Problem("winner_refused", "winner")
    given = [board.number for board in boards]
    strange = len(set(given)) != len(given) or not set(given) <= set(table.boards)
    if strange or (speaker is not Speaker.RUNNING and len(given) != len(table.boards)):
        raise _boards_wrong(table.boards)
    return boards


def _boards_wrong(numbers: list[int]) -> Problem:
    return Problem("boards_wrong", "boards", boards=", ".join(map(str, numbers)))


def _check_numbering(boards: tuple[Board, ...], most: int) -> None:
    """The boards behind levels are numbered 1, 2, 3, ..., and not more than the round has."""
    if [board.number for board in boards] != list(range(1, len(boards) + 1)) or len(boards) > most:
        raise _boards_wrong(list(range(1, max(1, min(len(boards), most)) + 1)))


def _levels(score: Score, kind: Kind, settings: Settings, boards: tuple[Board, ...]) -> TableResult:
    winner = None if score.winner is None else Side(score.winner)
    if boards and score.ns_level is None and score.ew_level is None:
        found = result_of_boards(kind, boards, FailuresAtA(settings.failures_at_a))
        return found if winner is None else found._replace(winner=winner)
    ns = _level(score.ns_level, score.ns_lap, "ns", kind)
    ew = _level(score.ew_level, score.ew_lap, "ew", kind)
    return TableResult(Outcome.PLAYED, ns, ew, winner, boards)


def _level(name: str | None, lap: int, side: str, kind: Kind) -> int:
    if name is None or name not in INDEX:
        raise Problem("bad_value", f"{side}_level", why="2–10, J, Q, K, A, A+")
    if lap != 1 and not kind.laps:
        raise Problem("lap_not_offered", f"{side}_lap", kind_zh=kind.chinese, kind_en=kind.english)
    return level_index(name, lap)


def _check_winner(result: TableResult, settings: Settings, speaker: Speaker) -> None:
    equal = result.ns_level == result.ew_level
    if settings.knockout and equal and result.winner is None and speaker is not Speaker.RUNNING:
        raise Problem("winner_missing", "winner")
    if result.winner is None or speaker is Speaker.OFFICIAL or (settings.knockout and equal):
        return
    beaten = result.ew_level if result.winner is Side.NS else result.ns_level
    if FailuresAtA(settings.failures_at_a) is not FailuresAtA.LOSE or beaten != A:
        raise Problem("winner_refused", "winner")
