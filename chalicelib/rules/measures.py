"""Turns the drawn rounds of an event into its scoresheet (section 3): who got what in which round, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from chalicelib.rules.board_scores import PairScorer, RotationScorer, TeamScorer
from chalicelib.rules.kinds import Scoring, kind_of
from chalicelib.rules.level_scores import LevelScorer
from chalicelib.rules.model import Adjustment, Event, Outcome, Room, Round, Table
from chalicelib.rules.scoresheet import LOST, Happening, Lines, Score, Scoresheet


class Scorer(Protocol):
    """Scores one event; ``scales`` are those of the numbers in its scores."""

    scales: dict[str, int]

    def played(self, drawn: Round, table: Table) -> tuple[Score, Score]:
        """The scores of the two sides (``ns``, ``ew``) of a played table."""

    def unplayed(self, happening: Happening, round_number: int) -> Score:
        """The score of an entry that did not play in that round."""


def scorer_of(event: Event, rounds: Sequence[Round]) -> Scorer:
    """The scorer of the event's kind for the rounds that count."""
    match kind_of(event).scoring:
        case Scoring.LEVELS:
            return LevelScorer(event)
        case Scoring.ROTATION_BOARDS:
            return RotationScorer(event, rounds)
        case Scoring.TEAM_BOARDS:
            return TeamScorer(event, rounds)
        case Scoring.PAIR_BOARDS:
            return PairScorer(event, rounds)


FORFEITS: Mapping[Outcome, tuple[Happening, Happening]] = {
    Outcome.NS_FORFEIT: (Happening.FORFEIT, Happening.WALKOVER),
    Outcome.EW_FORFEIT: (Happening.WALKOVER, Happening.FORFEIT),
    Outcome.DOUBLE_FORFEIT: (Happening.FORFEIT, Happening.FORFEIT),
}


def scoresheet(event: Event, through_round: int | None = None) -> Scoresheet:
    """The sheet of an event over its counted rounds, or those of them up to ``through_round``.

    The event is expected to be sound (``check.faults`` finds nothing).
    """
    rounds = [drawn for drawn in event.counted() if through_round is None or drawn.number <= through_round]
    numbers = tuple(sorted(entry.number for entry in event.entries))
    lines = {number: Lines([], [], []) for number in numbers}
    scorer = scorer_of(event, rounds)
    third_place = _third_place(rounds) if event.knockout else frozenset()
    lost: set[int] = set()
    for drawn in rounds:
        seated = _score_tables(drawn, scorer, lines)
        _score_without_table(drawn.byes, drawn, Happening.BYE, scorer, lines)
        _score_without_table(drawn.sit_outs, drawn, Happening.SIT_OUT, scorer, lines)
        seated.update(drawn.byes, drawn.sit_outs)
        if len(seated) < len(numbers):
            absent = [
                entry.number
                for entry in event.entries
                if entry.number not in seated
                and entry.number not in lost
                and (entry.left_after_round is None or drawn.number <= entry.left_after_round)
            ]
            _score_without_table(absent, drawn, Happening.ABSENT, scorer, lines)
        if event.knockout:
            lost.update(_losers(drawn, seated, lines, third_place))
    counted = {drawn.number for drawn in rounds}
    return Scoresheet(
        event,
        kind_of(event),
        numbers,
        [lines[number] for number in numbers],
        scorer.scales,
        _adjustments(event.adjustments, counted),
        third_place,
    )


def _score_tables(drawn: Round, scorer: Scorer, lines: dict[int, Lines]) -> set[int]:
    """Score the tables of a round; returns everybody who has a seat, at an unplayed table too."""
    seated: set[int] = set()
    number = drawn.number
    for table in drawn.tables:
        if table.room is Room.CLOSED:
            continue
        ns, ew, outcome = table.ns, table.ew, table.outcome
        seated.update(ns, ew)
        if outcome is Outcome.PLAYED:
            ns_score, ew_score = scorer.played(drawn, table)
        elif outcome is Outcome.UNPLAYED:
            continue
        else:
            ns_happening, ew_happening = FORFEITS[outcome]
            ns_score = scorer.unplayed(ns_happening, number)
            ew_score = scorer.unplayed(ew_happening, number)
        # Written out for both sides, without ``Lines.add``: this is the innermost loop of every ranking.
        for entry in ns:
            rounds, scores, opponents = lines[entry]
            rounds.append(number)
            scores.append(ns_score)
            opponents.append(ew)
        for entry in ew:
            rounds, scores, opponents = lines[entry]
            rounds.append(number)
            scores.append(ew_score)
            opponents.append(ns)
    return seated


def _score_without_table(
    entries: Iterable[int],
    drawn: Round,
    happening: Happening,
    scorer: Scorer,
    lines: dict[int, Lines],
) -> None:
    for entry in entries:
        lines[entry].add(drawn.number, scorer.unplayed(happening, drawn.number), ())


def _third_place(rounds: Sequence[Round]) -> frozenset[tuple[int, int]]:
    """Round and entry of everybody who sat at a third-place match."""
    return frozenset(
        (drawn.number, number)
        for drawn in rounds
        for table in drawn.tables
        if table.third_place
        for number in (*table.ns, *table.ew)
    )


def _losers(
    drawn: Round, seated: Iterable[int], lines: Mapping[int, Lines], third_place: frozenset[tuple[int, int]]
) -> Iterable[int]:
    """Who lost a table of this round of a knock-out (the third-place match is no such table)."""
    for entry in seated:
        own = lines[entry]
        scored = own.rounds[-1:] == [drawn.number]
        if scored and own.scores[-1].happening in LOST and (drawn.number, entry) not in third_place:
            yield entry


def _adjustments(adjustments: Iterable[Adjustment], counted: set[int]) -> dict[int, list[Adjustment]]:
    by_entry: dict[int, list[Adjustment]] = {}
    for adjustment in adjustments:
        if adjustment.round in counted:
            by_entry.setdefault(adjustment.entry, []).append(adjustment)
    return by_entry
