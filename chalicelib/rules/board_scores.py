"""Scores of tables that play boards: 团团转, teams of four, and duplicate pairs with their fields (sections 3 to 5)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from chalicelib.rules.boards import duplicate_points, rotation_points
from chalicelib.rules.deviations import Field, points_by_sign
from chalicelib.rules.exact import HALVES, scaled
from chalicelib.rules.kinds import MEASURES, Scoring
from chalicelib.rules.level_scores import result_of
from chalicelib.rules.model import PAR, BoardPoints, Event, MedianField, Outcome, Room, Round, Table
from chalicelib.rules.scoresheet import Happening, Score
from chalicelib.rules.unearned import unearned


def _played(drawn: Round) -> list[Table]:
    return [table for table in drawn.tables if table.outcome is Outcome.PLAYED]


class _Par:
    """Board points of rounds not played: a number, or ``par`` of the round."""

    def __init__(self, by_round: dict[int, Fraction]) -> None:
        self.by_round = by_round

    def points(self, stated: BoardPoints, round_number: int) -> Fraction:
        return self.by_round[round_number] if isinstance(stated, str) and stated == PAR else Fraction(stated)


class RotationScorer:
    """团团转: every board alone gives points to its winners; a round's 场分 is decided by the sum of its boards.

    ``par`` is the mean of the sides really played in that round.
    """

    def __init__(self, event: Event, rounds: Sequence[Round]) -> None:
        self.event = event
        par: dict[int, Fraction] = {}
        for drawn in rounds:
            sums = [sum(rotation_points(table.boards, event.rotation_points)) for table in _played(drawn)]
            par[drawn.number] = Fraction(sum(sums), HALVES * 2 * len(sums)) if sums else Fraction(0)
        self._par = _Par(par)
        self._scale = lcm(HALVES, *(mean.denominator for mean in par.values()))
        self.scales = dict.fromkeys(MEASURES[Scoring.ROTATION_BOARDS], HALVES) | {"rotation_points": self._scale}

    def played(self, drawn: Round, table: Table) -> tuple[Score, Score]:
        """The scores of NS and EW at a played table."""
        ns, ew = rotation_points(table.boards, self.event.rotation_points)
        return self._score(ns, ew), self._score(ew, ns)

    def _score(self, own: int, other: int) -> Score:
        happening, earned = result_of(own - other, self.event.points)
        return Score(happening, (earned, HALVES * (own > other), own * self._scale // HALVES))

    def unplayed(self, happening: Happening, round_number: int) -> Score:
        """The score of a round that was not played."""
        given, won = unearned(self.event, happening)
        points = scaled(self._par.points(given.board_points, round_number), self._scale)
        return Score(happening, (scaled(given.match_points, HALVES), HALVES * won, points))


class TeamScorer:
    """Teams of four: a team's points are those of its NS pair in one room and its EW pair in the other.

    ``ns`` of a record is the home team in both rooms; in the closed room it sits EW, and results are always the view
    of the pair that sits NS there. ``par`` is half of what the round's boards hold in the two rooms.
    """

    def __init__(self, event: Event, rounds: Sequence[Round]) -> None:
        self.event = event
        self._points: dict[tuple[int, int], tuple[int, int]] = {}
        par: dict[int, Fraction] = {}
        for drawn in rounds:
            longest = 0
            for table in _played(drawn):
                home, away = duplicate_points(table.boards, event.duplicate_scale)
                if table.room is Room.CLOSED:
                    home, away = away, home
                known = self._points.get((drawn.number, table.number), (0, 0))
                self._points[drawn.number, table.number] = (known[0] + home, known[1] + away)
                longest = max(longest, len(table.boards))
            par[drawn.number] = Fraction(longest * event.duplicate_scale)
        self._par = _Par(par)
        self.scales = dict.fromkeys(MEASURES[Scoring.TEAM_BOARDS], HALVES)

    def played(self, drawn: Round, table: Table) -> tuple[Score, Score]:
        """The scores of the home team and its opponents over both rooms."""
        home, away = self._points[drawn.number, table.number]
        return self._score(home, away), self._score(away, home)

    def _score(self, own: int, other: int) -> Score:
        happening, earned = result_of(own - other, self.event.points)
        return Score(happening, (earned, HALVES * (own > other), HALVES * own))

    def unplayed(self, happening: Happening, round_number: int) -> Score:
        """The score of a round that was not played."""
        given, won = unearned(self.event, happening)
        points = scaled(self._par.points(given.board_points, round_number), HALVES)
        return Score(happening, (scaled(given.match_points, HALVES), HALVES * won, points))


class _SetFields:
    """The fields of one board set: NS results, EW results, and those the medians are taken from."""

    def __init__(self, ns: Sequence[int], ew: Sequence[int], median_field: MedianField) -> None:
        self.ns, self.ew = Field(ns), Field(ew)
        both = Field([*ns, *ew]) if median_field is MedianField.ALL else None
        self.ns_median, self.ew_median = both or self.ns, both or self.ew


class PairScorer:
    """Duplicate pairs (米切尔, 瑞士偏差分): board points and the six deviation measures.

    A field is all really played results on one set of boards in one direction. A set is named by ``set``, the same in
    every round; without a name the tables of a round share one. ``par`` is half of what the round's boards hold.
    """

    def __init__(self, event: Event, rounds: Sequence[Round]) -> None:
        self.event = event
        results: dict[object, tuple[list[int], list[int]]] = {}
        par: dict[int, Fraction] = {}
        for drawn in rounds:
            longest = 0
            for table in _played(drawn):
                ns, ew = duplicate_points(table.boards, event.duplicate_scale)
                field = results.setdefault(_set_of(drawn, table), ([], []))
                field[0].append(ns)
                field[1].append(ew)
                longest = max(longest, len(table.boards))
            par[drawn.number] = Fraction(longest * event.duplicate_scale, 2)
        self._fields = {name: _SetFields(ns, ew, event.median_field) for name, (ns, ew) in results.items()}
        self._par = _Par(par)
        self._datum_scale = lcm(*(fields.ns.size for fields in self._fields.values()))
        self.scales = dict.fromkeys(MEASURES[Scoring.PAIR_BOARDS], HALVES) | {"datum_deviation": self._datum_scale}
        self._scores: dict[tuple[object, int, int], tuple[Score, Score]] = {}

    def played(self, drawn: Round, table: Table) -> tuple[Score, Score]:
        """The scores of NS and EW at a played table."""
        name = _set_of(drawn, table)
        ns, ew = duplicate_points(table.boards, self.event.duplicate_scale)
        known = self._scores.get((name, ns, ew))
        if known is None:
            fields = self._fields[name]
            known = (
                self._score(ns, ew, fields.ns, fields.ns_median),
                self._score(ew, ns, fields.ew, fields.ew_median),
            )
            self._scores[name, ns, ew] = known
        return known

    def _score(self, own: int, other: int, field: Field, median_field: Field) -> Score:
        happening, earned = result_of(own - other, self.event.points)
        deviation = field.deviation(own)
        from_median = median_field.median_deviation(own)
        return Score(
            happening,
            (
                earned,
                HALVES * (own > other),
                HALVES * own,
                deviation * (self._datum_scale // field.size),
                HALVES * points_by_sign(deviation),
                from_median,
                HALVES * points_by_sign(from_median),
                median_field.band_points(own),
            ),
        )

    def unplayed(self, happening: Happening, round_number: int) -> Score:
        """The score of a round that was not played: no deviation, and its 场分 for what deviations would decide."""
        given, won = unearned(self.event, happening)
        earned = scaled(given.match_points, HALVES)
        decided = 0 if happening is Happening.ABSENT else earned
        points = scaled(self._par.points(given.board_points, round_number), HALVES)
        return Score(happening, (earned, HALVES * won, points, 0, decided, 0, decided, decided))


def _set_of(drawn: Round, table: Table) -> object:
    return ("round", drawn.number) if table.board_set is None else table.board_set
