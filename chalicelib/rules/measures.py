"""Turns the drawn rounds of an event into its scoresheet (section 3): who got what in which round, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from chalicelib.rules.board_scores import PairScorer, RotationScorer, TeamScorer
from chalicelib.rules.kinds import Scoring, kind_of
from chalicelib.rules.level_scores import LevelScorer
from chalicelib.rules.model import Adjustment, Entry, Event, Outcome, Room, Round, Table
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
    entries = sorted(event.entries, key=lambda entry: entry.number)
    index_of = {entry.number: index for index, entry in enumerate(entries)}
    scorer = scorer_of(event, rounds)
    third_place = _third_place(rounds) if event.knockout else frozenset()
    lost: set[int] = set()
    columns: list[_RoundColumn] = []
    for drawn in rounds:
        column = _RoundColumn(drawn, scorer, index_of)
        column.score_without_table(drawn.byes, Happening.BYE)
        column.score_without_table(drawn.sit_outs, Happening.SIT_OUT)
        absent = [
            entry.number
            for entry in column.without_place(entries)
            if entry.number not in lost and (entry.left_after_round is None or drawn.number <= entry.left_after_round)
        ]
        column.score_without_table(absent, Happening.ABSENT)
        columns.append(column)
        if event.knockout:
            losers = {entry.number for entry in column.losers(entries)}
            lost.update(number for number in losers if (drawn.number, number) not in third_place)
    counted = tuple(drawn.number for drawn in rounds)
    nothing: list[tuple[()]] = [()] * len(entries)
    scores = zip(*(column.scores for column in columns), strict=True) if columns else nothing
    opponents = zip(*(column.opponents for column in columns), strict=True) if columns else nothing
    return Scoresheet(
        event,
        kind_of(event),
        tuple(index_of),
        [Lines(counted, own, met) for own, met in zip(scores, opponents, strict=True)],
        scorer.scales,
        _adjustments(event.adjustments, counted),
        third_place,
    )


class _RoundColumn:
    """One round of the sheet: for every entry (in their order) its score, or None, and whom it met."""

    def __init__(self, drawn: Round, scorer: Scorer, index_of: Mapping[int, int]) -> None:
        self.number = drawn.number
        self.scorer = scorer
        self.index_of = index_of
        self.scores: list[Score | None] = [None] * len(index_of)
        self.opponents: list[tuple[int, ...]] = [()] * len(index_of)
        self.waiting: set[int] = set()
        """Who has a seat at a table that has not been played."""
        self._score_tables(drawn)

    def _score_tables(self, drawn: Round) -> None:
        # The innermost loop of every ranking: local names, and both sides written out.
        index_of, scores, opponents, scorer = self.index_of, self.scores, self.opponents, self.scorer
        for table in drawn.tables:
            if table.room is Room.CLOSED:
                continue
            ns, ew, outcome = table.ns, table.ew, table.outcome
            if outcome is Outcome.PLAYED:
                ns_score, ew_score = scorer.played(drawn, table)
            elif outcome is Outcome.UNPLAYED:
                self.waiting.update(ns, ew)
                continue
            else:
                ns_happening, ew_happening = FORFEITS[outcome]
                ns_score = scorer.unplayed(ns_happening, drawn.number)
                ew_score = scorer.unplayed(ew_happening, drawn.number)
            for entry in ns:
                index = index_of[entry]
                scores[index] = ns_score
                opponents[index] = ew
            for entry in ew:
                index = index_of[entry]
                scores[index] = ew_score
                opponents[index] = ns

    def score_without_table(self, entries: Iterable[int], happening: Happening) -> None:
        """Score entries (by number) that met nobody."""
        for entry in entries:
            self.scores[self.index_of[entry]] = self.scorer.unplayed(happening, self.number)

    def without_place(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        """Who has neither a score nor a seat in this round."""
        if None in self.scores:
            for entry, score in zip(entries, self.scores, strict=True):
                if score is None and entry.number not in self.waiting:
                    yield entry

    def losers(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        """Who lost a table of this round, by its result or by a forfeit."""
        for entry, score in zip(entries, self.scores, strict=True):
            if score is not None and score.happening in LOST:
                yield entry


def _third_place(rounds: Sequence[Round]) -> frozenset[tuple[int, int]]:
    """Round and entry of everybody who sat at a third-place match."""
    return frozenset(
        (drawn.number, number)
        for drawn in rounds
        for table in drawn.tables
        if table.third_place
        for number in (*table.ns, *table.ew)
    )


def _adjustments(adjustments: Iterable[Adjustment], counted: Sequence[int]) -> dict[int, list[Adjustment]]:
    by_entry: dict[int, list[Adjustment]] = {}
    for adjustment in adjustments:
        if adjustment.round in counted:
            by_entry.setdefault(adjustment.entry, []).append(adjustment)
    return by_entry
