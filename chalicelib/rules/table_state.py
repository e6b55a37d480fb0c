"""Where one table's result stands: what its two sides and the referee have said (section 2 of the rules).

``open -> one_sided -> confirmed``, or ``disputed`` when the two sides' values differ; ``ruled`` when a referee settled
it. Who of a side spoke makes no difference: a side has one word, its newest.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from chalicelib.rules.kinds import Kind
from chalicelib.rules.levels import FailuresAtA, levels_after, open_ended_levels_after
from chalicelib.rules.model import Board, Outcome, Side


class State(StrEnum):
    OPEN = "open"
    ONE_SIDED = "one_sided"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    RULED = "ruled"


class TableResult(NamedTuple):
    """What a side or a referee says happened: an outcome, final levels or boards, and a winner where those do not
    decide."""

    outcome: Outcome = Outcome.PLAYED
    ns_level: int | None = None
    ew_level: int | None = None
    winner: Side | None = None
    boards: tuple[Board, ...] = ()

    def agrees_with(self, other: TableResult) -> bool:
        """True when both say the same for every number of the ranking.

        Where final levels are given the boards behind them are only a record; a table that was not played has nothing
        but its outcome; the order in which boards are listed says nothing.
        """
        return self._said() == other._said()

    def _said(self) -> tuple[object, ...]:
        if self.outcome is not Outcome.PLAYED:
            return (self.outcome,)
        behind = () if self.ns_level is not None else tuple(sorted(self.boards))
        return self.outcome, self.ns_level, self.ew_level, self.winner, behind


class TableState(NamedTuple):
    """``effective`` counts in the ranking and in pairing; ``provisional`` is what the live ranking may show meanwhile
    when 仅提交后修改实时排名 is off. ``locked``: the round is settled."""

    state: State
    effective: TableResult | None
    provisional: TableResult | None
    locked: bool

    @property
    def takes_words(self) -> bool:
        """True while the sides may still submit: neither ruled nor locked."""
        return not self.locked and self.state is not State.RULED


def table_state(
    ns: TableResult | None = None,
    ew: TableResult | None = None,
    *,
    ruling: TableResult | None = None,
    running: TableResult | None = None,
    double_submission: bool = True,
    locked: bool = False,
) -> TableState:
    """Derive a table's state from the newest word of each side, a ruling, and the running score.

    ``double_submission`` is 需要双提交: when it is off one side's word is effective at once, and the other side objects
    by saying something else. A running score is no submission and changes no state.
    """
    words = [word for word in (ns, ew) if word is not None]
    effective: TableResult | None = None
    if ruling is not None:
        state, effective = State.RULED, ruling
    elif not words:
        state = State.OPEN
    elif len(words) == 1:
        state = State.ONE_SIDED if double_submission else State.CONFIRMED
        effective = None if double_submission else words[0]
    elif words[0].agrees_with(words[1]):
        state, effective = State.CONFIRMED, words[0]
    else:
        state = State.DISPUTED
    provisional = effective or (words[0] if len(words) == 1 else None) or running
    return TableState(state, effective, provisional, locked)


def result_of_boards(
    kind: Kind, boards: Sequence[Board], failures_at_a: FailuresAtA = FailuresAtA.BACK_TO_2
) -> TableResult:
    """The result that boards give in the order in which they are numbered: levels where the kind is scored by them.

    A side that loses by its failures at A leaves the other as the explicit winner, whatever the levels say.
    """
    played = tuple(sorted(boards))
    if not kind.scored_by_levels:
        return TableResult(boards=played)
    results = [board.result for board in played]
    if kind.laps:
        ns_level, ew_level = open_ended_levels_after(results)
        return TableResult(ns_level=ns_level, ew_level=ew_level, boards=played)
    climb = levels_after(results, failures_at_a)
    winner = None if climb.lost is None else (Side.EW if climb.lost else Side.NS)
    return TableResult(ns_level=climb.ns_level, ew_level=climb.ew_level, winner=winner, boards=played)


def winner_by_extra_board(result: int) -> Side:
    """Who wins a knock-out table on equal levels: one extra board at level 2, and the side with 头游 (section 1)."""
    return Side.NS if result > 0 else Side.EW
