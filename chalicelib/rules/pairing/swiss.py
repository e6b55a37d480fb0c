"""Swiss drawing (积分编排): the bye, the club rule, the method, looking ahead.

Source: rules of the game, section 7. Given the field in rank order this is determined to the last seat, except for
pairings of equal cost in ``min_total_gap``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chalicelib.rules.model import CandidateOrder, ClubRule, FirstRound, PairingMethod, PairingSettings
from chalicelib.rules.pairing.bye import bye_order, choose_bye
from chalicelib.rules.pairing.contenders import Field
from chalicelib.rules.pairing.look_ahead import LookAhead, Outlook
from chalicelib.rules.pairing.matching import FREE, Matching, rank_first
from chalicelib.rules.pairing.result import (
    LOWEST_RANK,
    Drawn,
    DrawnTable,
    LookAheadResult,
    Proposal,
    Report,
)
from chalicelib.rules.pairing.tables import drawn_tables, gap_counts, passed_over
from chalicelib.rules.pairing.total_gap import TotalGap, min_total_gap

LOOK_AHEAD_BELOW: Final = 24
_PROPOSED_BYES: Final = 32
"""How many candidates for the bye a proposal compares: enough, since a proposal is needed in small fields."""


@dataclass(frozen=True, slots=True)
class _Pairing:
    """A pairing in positions of the whole field, in the order in which the pairs were made.

    ``clubs``: the masks by which club-mates were kept apart, None where they were not.
    """

    pairs: list[tuple[int, int]]
    bye: int | None
    clubs: list[int] | None
    total_gap: TotalGap | None = None


def draw_swiss(field: Field, settings: PairingSettings, rounds: int) -> Drawn | Proposal:
    """Draw the round of a field of at least two; a proposal when nothing legal exists.

    ``rounds``: how many rounds the event is defined to have.
    """
    rule = club_rule_of(settings, field.round_number)
    order = candidate_order_of(settings, field.round_number)
    pairing = _first_in_order(field, settings.method, rule, order)
    if pairing is None:
        return _proposal(field, rule)
    looked = LookAheadResult.NOT_NEEDED
    if _looks_ahead(field, settings.method, rounds) and pairing.total_gap is None:
        kept = _keeping_later_rounds(field, pairing, rule, order, rounds - field.round_number)
        looked = LookAheadResult.FAILED if kept is None else LookAheadResult.KEPT
        pairing = kept or pairing
    return _drawn(field, pairing, order, looked)


def club_rule_of(settings: PairingSettings, round_number: int) -> ClubRule:
    """The club rule in force in a round."""
    limit = settings.club_until_round
    return ClubRule.IGNORE if limit is not None and round_number > limit else settings.club_rule


def candidate_order_of(settings: PairingSettings, round_number: int) -> CandidateOrder:
    """The candidate order in force: a seeded first round is drawn with ``slide``."""
    seeded = round_number == 1 and settings.first_round is FirstRound.SEEDED
    return CandidateOrder.SLIDE if seeded else settings.order


def _looks_ahead(field: Field, method: PairingMethod, rounds: int) -> bool:
    small = len(field) < LOOK_AHEAD_BELOW and 2 * rounds > len(field)
    return small and method is PairingMethod.RANK_FIRST


def _first_in_order(field: Field, method: PairingMethod, rule: ClubRule, order: CandidateOrder) -> _Pairing | None:
    """The pairing the method gives without looking ahead; None when nothing legal exists."""
    bye: int | None = None
    if len(field) % 2:
        strict = field.clubs if rule is ClubRule.NEVER else None
        bye = choose_bye(bye_order(field.byes), field.met, strict)
        if bye is None:
            return None
    part = _Part(field, bye)
    if method is PairingMethod.RANK_FIRST:
        clubs = None if rule is ClubRule.IGNORE else field.clubs
        pairs = part.rank_first(clubs, order)
        if pairs is not None:
            return _Pairing(pairs, bye, clubs)
        if rule is not ClubRule.AVOID:
            return None
    return part.min_total_gap(rule)


class _Part:
    """The field without the one who has the bye: positions closed up, so that the bye's place is not counted."""

    def __init__(self, field: Field, bye: int | None) -> None:
        self._field = field
        self._bye = bye
        self._present = [position for position in range(len(field)) if position != bye]
        if bye is None:
            self._met: Sequence[set[int]] = field.met
        else:
            self._met = [
                {other - (other > bye) for other in field.met[position] if other != bye} for position in self._present
            ]

    def _masks(self, clubs: Sequence[int] | None) -> list[int] | None:
        return None if clubs is None else [clubs[position] for position in self._present]

    def _positions(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(self._present[one], self._present[other]) for one, other in pairs]

    def rank_first(self, clubs: Sequence[int] | None, order: CandidateOrder) -> list[tuple[int, int]] | None:
        groups = [self._field.groups[position] for position in self._present]
        pairs = rank_first(self._met, self._masks(clubs), groups, order)
        return None if pairs is None else self._positions(pairs)

    def min_total_gap(self, rule: ClubRule, *, rematches: bool = False) -> _Pairing | None:
        clubs = None if rule is ClubRule.IGNORE else self._field.clubs
        scores = [self._field.scores[position] for position in self._present]
        found = min_total_gap(
            self._met, self._masks(clubs), scores, rematches=rematches, club_mates=rule is not ClubRule.NEVER
        )
        if found is None:
            return None
        return _Pairing(self._positions(found.pairs), self._bye, clubs, found)


def _keeping_later_rounds(
    field: Field, first: _Pairing, rule: ClubRule, order: CandidateOrder, later: int
) -> _Pairing | None:
    """The first pairing in the method's order after which the later rounds can still be played.

    For each bye first pairings without club-mates, then (where they are only to be avoided) with.
    """
    size = len(field)
    open_pairs = tuple(
        sum(1 << other for other in range(size) if other != position and other not in field.met[position])
        for position in range(size)
    )
    apart = [
        mask & ~sum(1 << other for other in range(size) if field.same_club(position, other))
        for position, mask in enumerate(open_pairs)
    ]
    byes: Sequence[int | None] = bye_order(field.byes) if size % 2 else [None]
    search = LookAhead()
    for bye in byes:
        byeless = None
        if bye is not None:
            byeless = sum(1 << one for one in range(size) if one != bye and field.byes[one] == 0)
        outlook = Outlook(open_pairs, byeless, later)
        present = [position for position in range(size) if position != bye]
        for clubs in _club_steps(field, rule):
            eligible = open_pairs if clubs is None else apart
            pairs = search.first_pairing(outlook, present, eligible, field.groups, order)
            if pairs is not None:
                return _Pairing(pairs, bye, clubs)
    return None


def _club_steps(field: Field, rule: ClubRule) -> list[list[int] | None]:
    match rule:
        case ClubRule.AVOID:
            return [field.clubs, None]
        case ClubRule.NEVER:
            return [field.clubs]
        case ClubRule.IGNORE:
            return [None]


def _drawn(field: Field, pairing: _Pairing, order: CandidateOrder, looked: LookAheadResult) -> Drawn:
    if pairing.total_gap is not None:
        tables = drawn_tables(field, pairing.pairs, PairingMethod.MIN_TOTAL_GAP.value)
    else:
        kept = looked is LookAheadResult.KEPT

        def rest_can_be_paired(fixed: Sequence[tuple[int, int]]) -> bool:
            return kept and _can_be_completed(field, pairing, fixed)

        reasons = passed_over(field, pairing.pairs, pairing.clubs, order, rest_can_be_paired)
        tables = drawn_tables(field, pairing.pairs, PairingMethod.RANK_FIRST.value, reasons)
    inexact = pairing.total_gap if pairing.total_gap is not None and not pairing.total_gap.exact else None
    byes = () if pairing.bye is None else field.entries[pairing.bye]
    return Drawn(
        field.round_number,
        tables,
        byes=byes,
        report=Report(
            rematches=sum(table.why.rematch for table in tables),
            same_club=sum(table.why.same_club for table in tables),
            gaps=gap_counts(tables),
            look_ahead=looked,
            squared_gaps=inexact.squared_gaps if inexact else None,
            squared_distances=inexact.squared_distances if inexact else None,
        ),
        bye_reasons=dict.fromkeys(byes, LOWEST_RANK),
    )


def _can_be_completed(field: Field, pairing: _Pairing, fixed: Sequence[tuple[int, int]]) -> bool:
    taken = {position for pair in fixed for position in pair} | {pairing.bye}
    rest = [position for position in range(len(field)) if position not in taken]
    index = {position: number for number, position in enumerate(rest)}
    met = [{index[other] for other in field.met[position] if other in index} for position in rest]
    clubs = None if pairing.clubs is None else [pairing.clubs[position] for position in rest]
    return Matching(met, clubs).complete()


def _proposal(field: Field, rule: ClubRule) -> Proposal:
    """The least bad round: as few rematches as possible, club-mates apart under ``never`` while that can be."""
    bye: int | None = None
    if len(field) % 2:
        bye = min(bye_order(field.byes)[:_PROPOSED_BYES], key=lambda one: _left_over(field, one))
    part = _Part(field, bye)
    pairing = part.min_total_gap(rule, rematches=True) or part.min_total_gap(ClubRule.AVOID, rematches=True)
    if pairing is None:
        raise ValueError("an even number of contenders can always be paired when rematches are allowed")
    tables: tuple[DrawnTable, ...] = drawn_tables(field, pairing.pairs, PairingMethod.MIN_TOTAL_GAP.value)
    return Proposal(tables, () if bye is None else field.entries[bye])


def _left_over(field: Field, bye: int) -> int:
    """How many cannot be paired without a rematch when this one has the bye."""
    rest = [position for position in range(len(field)) if position != bye]
    index = {position: number for number, position in enumerate(rest)}
    matching = Matching([{index[other] for other in field.met[position] if other in index} for position in rest])
    matching.pair_free()
    return matching.partner.count(FREE)
