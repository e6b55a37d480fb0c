"""From pairs of positions to numbered tables with seats and reasons.

Source: rules of the game, section 7. Who has sat NS less often sits NS; equal: the smaller SHA-256 of
``seed:round:seat:entry-number``. Tables are numbered by the rank of their better side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final

from chalicelib.rules.model import CandidateOrder
from chalicelib.rules.pairing.contenders import Field
from chalicelib.rules.pairing.hashes import lot
from chalicelib.rules.pairing.live import Unpaired
from chalicelib.rules.pairing.result import DrawnTable, PassedOver, PassedOverBecause, Why

SHOWN_PASSED_OVER: Final = 8
Reasons = dict[tuple[int, int], tuple[tuple[PassedOver, ...], int]]
"""By pair: the first candidates passed over, and how many more there were."""


def ns_first(field: Field, one: int, other: int) -> tuple[int, int, str]:
    """The pair with NS first, and why: ``fewer_ns`` or ``lot``."""
    if field.times_ns[one] != field.times_ns[other]:
        ns, ew = sorted((one, other), key=lambda position: field.times_ns[position])
        return ns, ew, "fewer_ns"
    ns, ew = sorted((one, other), key=lambda position: _seat_lot(field, position))
    return ns, ew, "lot"


def _seat_lot(field: Field, position: int) -> str:
    return lot(field.seed, field.round_number, "seat", field.entries[position][0])


def drawn_tables(
    field: Field, pairs: Iterable[tuple[int, int]], design: str, reasons: Reasons | None = None
) -> tuple[DrawnTable, ...]:
    """The tables of these pairs of positions, in order of their better side."""
    tables = []
    for number, (better, worse) in enumerate(sorted(pairs), start=1):
        ns, ew, seat = ns_first(field, better, worse)
        passed, more = (reasons or {}).get((better, worse), ((), 0))
        why = Why(
            design=design,
            rematch=worse in field.met[better],
            same_club=field.same_club(better, worse),
            ranks=(ns + 1, ew + 1),
            group=field.scores[better],
            gap=abs(field.scores[better] - field.scores[worse]),
            passed_over=passed,
            more_passed_over=more,
            seat=seat,
        )
        tables.append(DrawnTable(number, field.entries[ns], field.entries[ew], why))
    return tuple(tables)


def gap_counts(tables: Iterable[DrawnTable]) -> dict[Fraction, int]:
    return dict(Counter(table.why.gap for table in tables if table.why.gap is not None))


def passed_over(
    field: Field,
    pairs: Sequence[tuple[int, int]],
    clubs: Sequence[int] | None,
    order: CandidateOrder,
    rest_can_be_paired: Callable[[Sequence[tuple[int, int]]], bool],
) -> Reasons:
    """For every pair, which better candidates were not taken and why.

    ``pairs`` are in the order in which they were made; ``clubs`` are the masks that kept club-mates apart, None
    where none were. ``rest_can_be_paired(fixed)`` says whether a pairing with these pairs exists: then it was
    looking ahead that passed the candidate over.
    """
    made: set[int] = {position for pair in pairs for position in pair}
    unpaired = Unpaired(field.groups, order)
    for position in range(len(field)):
        if position not in made:  # the bye
            unpaired.remove(position)
    reasons: Reasons = {}
    for count, (better, worse) in enumerate(pairs):
        shown: list[PassedOver] = []
        more = 0
        for candidate in unpaired.candidates(better):
            if candidate == worse:
                break
            if len(shown) == SHOWN_PASSED_OVER:
                more += 1
                continue
            if candidate in field.met[better]:
                because = PassedOverBecause.MET
            elif clubs is not None and clubs[better] & clubs[candidate]:
                because = PassedOverBecause.CLUB
            elif rest_can_be_paired([*pairs[:count], (better, candidate)]):
                because = PassedOverBecause.LOOK_AHEAD
            else:
                because = PassedOverBecause.REST_UNPAIRABLE
            shown.append(PassedOver(field.entries[candidate], because))
        if shown:
            reasons[better, worse] = tuple(shown), more
        unpaired.remove(better)
        unpaired.remove(worse)
    return reasons
