"""Who is to be paired, in the ranking for pairing (编排排名).

Source: rules of the game, section 7. The standings' order, full ties by ascending SHA-256 of
``seed:round:entry-number``; in the first round that hash order alone (``random``), the entry numbers
(``entry_order``) or the seed numbers and then the hash order (``seeded``). A couple ranks where its better person
ranks, and its hashes use the smaller entry number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chalicelib.rules.model import Event, FirstRound
from chalicelib.rules.pairing.hashes import lot
from chalicelib.rules.pairing.history import History
from chalicelib.rules.standings import Placing, ranking_for_pairing


@dataclass(frozen=True, slots=True)
class Field:
    """The contenders in rank order; every list has one item for each of them.

    ``entries``: their entry numbers (one, or two persons ascending); ``scores``: value of the first criterion;
    ``groups``: number of the score group; ``met``: positions met; ``clubs``: bit mask of the clubs that more than
    one contender belongs to; ``byes``: byes had; ``times_ns``: how often they sat NS.
    """

    round_number: int
    seed: str
    entries: list[tuple[int, ...]]
    scores: list[Fraction]
    groups: list[int]
    met: list[set[int]]
    clubs: list[int]
    byes: list[int]
    times_ns: list[int]

    def __len__(self) -> int:
        return len(self.entries)

    def same_club(self, one: int, other: int) -> bool:
        return bool(self.clubs[one] & self.clubs[other])


def field_of(event: Event, sides: Iterable[tuple[int, ...]], history: History, round_number: int) -> Field:
    """The field of the sides that take part in that round."""
    placings = {placing.entry: placing for placing in ranking_for_pairing(event)}
    best = {side: min((placings[entry] for entry in side), key=lambda placing: placing.tie) for side in sides}
    order = _ranking(event, best, round_number)
    scores = [best[side].first for side in order]
    position = {entry: index for index, side in enumerate(order) for entry in side}
    return Field(
        round_number,
        event.pairing.seed,
        order,
        scores,
        _groups(scores),
        [_met(side, index, position, history) for index, side in enumerate(order)],
        _club_masks(event, order),
        [max(history.byes[entry] for entry in side) for side in order],
        [sum(history.times_ns[entry] for entry in side) for side in order],
    )


def _ranking(event: Event, best: dict[tuple[int, ...], Placing], round_number: int) -> list[tuple[int, ...]]:
    if round_number == 1:
        return first_round_order(event, best)
    seed = event.pairing.seed
    return sorted(best, key=lambda side: (best[side].tie, lot(seed, round_number, side[0])))


def first_round_order(event: Event, sides: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The ranking of the first round, as the event sets it; designs without a ranking begin with it too."""
    match event.pairing.first_round:
        case FirstRound.RANDOM:
            return sorted(sides, key=lambda side: lot(event.pairing.seed, 1, side[0]))
        case FirstRound.ENTRY_ORDER:
            return sorted(sides, key=lambda side: side[0])
        case FirstRound.SEEDED:
            return seeded_order(event, sides)


def seeded_order(event: Event, sides: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Seed numbers ascending, then those without in the hash order of the first round."""
    seeds = {entry.number: entry.seed for entry in event.entries if entry.seed is not None}
    unseeded = max(seeds.values(), default=0) + 1
    return sorted(
        sides,
        key=lambda side: (min(seeds.get(entry, unseeded) for entry in side), lot(event.pairing.seed, 1, side[0])),
    )


def _groups(scores: Sequence[Fraction]) -> list[int]:
    groups: list[int] = []
    for index, score in enumerate(scores):
        same = index > 0 and scores[index - 1] == score
        groups.append(groups[-1] if same else index)
    return groups


def _met(side: tuple[int, ...], index: int, position: dict[int, int], history: History) -> set[int]:
    met = {
        position[opponent] for entry in side for opponent in history.opponents.get(entry, ()) if opponent in position
    }
    met.discard(index)
    return met


def _club_masks(event: Event, order: Sequence[tuple[int, ...]]) -> list[int]:
    club_of = {entry.number: entry.club for entry in event.entries}
    clubs = [{club for entry in side if (club := club_of[entry])} for side in order]
    members = Counter(club for of_side in clubs for club in of_side)
    bit = {club: 1 << number for number, club in enumerate(club for club, count in members.items() if count > 1)}
    return [sum(bit[club] for club in of_side if club in bit) for of_side in clubs]
