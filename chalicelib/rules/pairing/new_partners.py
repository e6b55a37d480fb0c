"""A new partner in every round (每轮换搭档): persons, four at a table.

Source: rules of the game, section 7: no partner twice while that can be avoided, then opponents as seldom as
possible, then score. Where the event runs a full cycle of a whist design and nobody is missing, that design is
played: everybody's partner once, everybody's opponent twice. Elsewhere two matchings make the round: persons into
couples (fewest partners again), couples into tables (fewest opponents again, then nearest in rank); of several
ways to make couples of equal merit the one with the fewest repeated opponents is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from chalicelib.rules.pairing.hashes import lot
from chalicelib.rules.pairing.history import History
from chalicelib.rules.pairing.whist import Foursome, whist_rounds

_WAYS: Final = 16
_EVERYBODY_UP_TO: Final = 128
_NEAREST: Final = 24
_MET_AGAIN: Final = 1 << 40
_PARTNER_AGAIN: Final = 1 << 40


def resting_first(persons: Sequence[int], rested: Callable[[int], int]) -> list[int]:
    """Who cannot be seated because four make a table: the lowest-ranked of those who have rested least.

    ``persons`` in rank order; ``rested`` counts a person's byes or sit-outs.
    """
    count = len(persons) % 4
    order = sorted(range(len(persons)), key=lambda place: (rested(persons[place]), -place))
    return sorted(persons[place] for place in order[:count])


def designed_round(slots: Sequence[int], rounds: int, index: int) -> list[Foursome] | None:
    """Round ``index`` (from 0) of the whist design for these persons, if the event runs the full cycle of one."""
    design = whist_rounds(len(slots))
    if design is None or rounds < len(design) or index >= len(design):
        return None
    return [((slots[a], slots[b]), (slots[c], slots[d])) for (a, b), (c, d) in design[index]]


def matched_round(persons: Sequence[int], history: History, seed: str, round_number: int) -> list[Foursome]:
    """Tables for persons in rank order, a multiple of four of them."""
    best: tuple[tuple[int, int], list[Foursome]] | None = None
    for way in range(_WAYS if len(persons) <= _EVERYBODY_UP_TO else 1):
        couples = _couples(persons, history, partial(_tie, seed, round_number, way))
        tables, cost = _tables(couples, persons, history)
        partners_again = sum(history.partnered(one, other) for one, other in couples)
        merit = partners_again, cost
        if best is None or merit < best[0]:
            best = merit, tables
    return best[1] if best is not None else []


def _tie(seed: str, round_number: int, way: int, one: int, other: int) -> int:
    return int(lot(seed, round_number, "partners", way, min(one, other), max(one, other))[:6], 16)


def _couples(persons: Sequence[int], history: History, tie: Callable[[int, int], int]) -> list[tuple[int, int]]:
    def cost(one: int, other: int) -> int:
        again = history.partnered(persons[one], persons[other])
        return again**2 * _PARTNER_AGAIN + tie(persons[one], persons[other])

    return [(persons[one], persons[other]) for one, other in _cheapest(len(persons), cost)]


def _tables(couples: Sequence[tuple[int, int]], persons: Sequence[int], history: History) -> tuple[list[Foursome], int]:
    """Tables of couples in order of their best person, and what they cost."""
    place = {person: number for number, person in enumerate(persons)}
    line = sorted(couples, key=lambda couple: min(place[person] for person in couple))

    def cost(one: int, other: int) -> int:
        again = sum(int(3 ** history.met(person, opponent)) - 1 for person in line[one] for opponent in line[other])
        distance = sum(place[person] for person in line[one]) - sum(place[person] for person in line[other])
        return again * _MET_AGAIN + distance**2

    pairs = _cheapest(len(line), cost)
    return [(line[one], line[other]) for one, other in pairs], sum(cost(one, other) for one, other in pairs)


def _cheapest(size: int, cost: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """The cheapest pairing of 0..size-1, in order; in large fields among the nearest in rank only."""
    # Imported here because only this needs it: the rules themselves are standard library.
    import rustworkx

    reach = size if size <= _EVERYBODY_UP_TO else _NEAREST
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(range(size)))
    graph.add_edges_from([(one, other, -cost(one, other)) for one, other in _near(size, reach)])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matched)


def _near(size: int, reach: int) -> Iterable[tuple[int, int]]:
    return ((one, other) for one in range(size) for other in range(one + 1, min(size, one + 1 + reach)))
