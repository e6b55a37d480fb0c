"""The engines by themselves: equal to brute force and to independent matchings."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import networkx
import pytest

from chalicelib.rules.model import CandidateOrder
from chalicelib.rules.pairing.bye import bye_order, choose_bye
from chalicelib.rules.pairing.factor import factor, has_factor
from chalicelib.rules.pairing.live import Unpaired
from chalicelib.rules.pairing.matching import FREE, Matching, rank_first
from chalicelib.rules.pairing.total_gap import EXACT_UP_TO, min_total_gap

Barred = list[set[int]]


def random_barred(random: Random, size: int, share: float) -> Barred:
    barred: Barred = [set() for _ in range(size)]
    for one in range(size):
        for other in range(one):
            if random.random() < share:
                barred[one].add(other)
                barred[other].add(one)
    return barred


def graph_of(barred: Barred, clubs: list[int] | None = None) -> networkx.Graph:
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(barred)))
    graph.add_edges_from(
        (one, other)
        for one in range(len(barred))
        for other in range(one)
        if other not in barred[one] and not (clubs and clubs[one] & clubs[other])
    )
    return graph


def candidates(left: list[int], groups: list[int], order: CandidateOrder) -> list[int]:
    group = [one for one in left if groups[one] == groups[left[0]]]
    begin = {"adjacent": 1, "slide": len(group) // 2, "fold": len(group) - 1}[order]
    inside = sorted(range(1, len(group)), key=lambda index: (abs(index - begin), index))
    return [group[index] for index in inside] + [one for one in left if groups[one] != groups[left[0]]]


def by_brute_force(
    barred: Barred, clubs: list[int] | None, groups: list[int], order: CandidateOrder
) -> list[tuple[int, int]] | None:
    def rest(left: list[int]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        for other in candidates(left, groups, order):
            if other in barred[left[0]] or (clubs and clubs[left[0]] & clubs[other]):
                continue
            more = rest([one for one in left if one not in (left[0], other)])
            if more is not None:
                return [(left[0], other), *more]
        return None

    return rest(list(range(len(barred))))


def test_rank_first_is_the_first_pairing_that_brute_force_finds() -> None:
    random = Random(1)
    impossible = 0
    for _ in range(4000):
        size = random.choice((2, 4, 6, 8, 10, 12))
        barred = random_barred(random, size, random.choice((0.2, 0.3, 0.5, 0.7, 0.85)))
        masks = (0, 1, 2, 4, 3, 6)[: random.choice((2, 3, 6))]
        clubs = [random.choice(masks) for _ in range(size)] if random.random() < 0.5 else None
        groups = sorted(random.randrange(random.choice((1, 2, 4))) for _ in range(size))
        order = random.choice(list(CandidateOrder))
        expected = by_brute_force(barred, clubs, groups, order)
        assert rank_first(barred, clubs, groups, order) == expected
        impossible += expected is None
    assert 1000 < impossible < 3000


@pytest.mark.parametrize("size", [40, 64, 101])
def test_a_pairing_is_as_large_as_an_independent_matching(size: int) -> None:
    random = Random(size)
    for share in (0.5, 0.9, 0.95, 0.97, 0.985):
        barred = random_barred(random, size, share)
        clubs = [random.choice((0, 1, 2, 4)) for _ in range(size)]
        matching = Matching(barred, clubs)
        left_over = matching.pair_free()
        expected = networkx.max_weight_matching(graph_of(barred, clubs), maxcardinality=True)
        assert size - len(left_over) == 2 * len(expected)
        assert sorted(left_over) == [one for one, mate in enumerate(matching.partner) if mate == FREE]


def test_every_choice_of_rank_first_is_the_first_that_an_independent_matching_allows() -> None:
    random = Random(5)
    for _ in range(25):
        size = random.choice((24, 30))
        barred = random_barred(random, size, random.choice((0.5, 0.8, 0.88)))
        pairs = rank_first(barred, None, [0] * size, CandidateOrder.ADJACENT)
        graph = graph_of(barred)
        if pairs is None:
            assert 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) < size
            continue
        for one, other in pairs:
            for better in sorted(node for node in graph if one < node < other):
                if better not in barred[one]:
                    rest = graph.copy()
                    rest.remove_nodes_from((one, better))
                    assert 2 * len(networkx.max_weight_matching(rest, maxcardinality=True)) < len(rest)
            graph.remove_nodes_from((one, other))


def test_the_bye_goes_to_the_first_who_can_leave() -> None:
    random = Random(2)
    for _ in range(400):
        size = random.choice((3, 5, 7, 9))
        barred = random_barred(random, size, random.choice((0.3, 0.5, 0.7)))
        clubs = [random.choice((0, 1, 2)) for _ in range(size)] if random.random() < 0.5 else None
        order = bye_order([random.choice((0, 1, 1, 2)) for _ in range(size)])
        graph = graph_of(barred, clubs)

        def can_leave(one: int, graph: networkx.Graph = graph) -> bool:
            rest = graph.copy()
            rest.remove_node(one)
            return 2 * len(networkx.max_weight_matching(rest, maxcardinality=True)) == len(rest)

        assert choose_bye(order, barred, clubs) == next((one for one in order if can_leave(one)), None)


def test_the_order_of_byes() -> None:
    assert bye_order([0, 1, 0, 2]) == [2, 0]
    assert bye_order([1, 2, 1, 2]) == [2, 0, 3, 1]


@pytest.mark.parametrize("order", list(CandidateOrder))
def test_candidates_by_distance_in_what_is_left_of_the_group(order: CandidateOrder) -> None:
    random = Random(str(order))
    for _ in range(200):
        size = random.randrange(2, 16)
        groups = sorted(random.randrange(3) for _ in range(size))
        unpaired, left = Unpaired(groups, order), list(range(size))
        while len(left) > 1:
            assert list(unpaired.candidates(left[0])) == candidates(left, groups, order)
            for gone in (left[0], random.choice(left[1:])):
                unpaired.remove(gone)
                left.remove(gone)


def random_scores(random: Random, size: int, denominator: int = 1) -> list[Fraction]:
    return sorted((Fraction(random.randrange(12), denominator) for _ in range(size)), reverse=True)


@pytest.mark.parametrize("denominator", [1, 2, 3])
def test_the_smallest_total_gap_equals_an_independent_matching(denominator: int) -> None:
    random = Random(denominator)
    for _ in range(40):
        size = random.choice((4, 8, 14, 20))
        barred = random_barred(random, size, random.choice((0.1, 0.4, 0.7)))
        clubs = [random.choice((0, 1, 1, 2)) for _ in range(size)]
        scores = random_scores(random, size, denominator)
        rematches, club_mates = random.random() < 0.5, random.random() < 0.7
        found = min_total_gap(barred, clubs, scores, rematches=rematches, club_mates=club_mates)
        graph = networkx.Graph()
        graph.add_nodes_from(range(size))
        for one in range(size):
            for other in range(one + 1, size):
                again, mates = other in barred[one], bool(clubs[one] & clubs[other])
                if (again and not rematches) or (mates and not club_mates):
                    continue
                gap = int((scores[one] - scores[other]) ** 2 * denominator**2)
                cost = ((again * 50 + mates) * 10**6 + gap) * 10**6 + (one - other) ** 2
                graph.add_edge(one, other, weight=-cost)
        best = networkx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(best) < size:
            assert found is None
            continue
        assert found is not None
        assert found.exact
        reached = (found.rematches * 50 + found.same_club) * 10**6 + int(found.squared_gaps * denominator**2)
        cost = sum(-graph.edges[pair]["weight"] for pair in best)
        assert reached * 10**6 + found.squared_distances == cost


def test_the_smallest_total_gap_says_when_it_is_not_proved() -> None:
    random = Random(3)
    size = EXACT_UP_TO + 44
    clubs = [random.choice((0, 1, 2, 4, 8)) for _ in range(size)]
    barred = random_barred(random, size, 0.02)
    scores = random_scores(random, size)
    found = min_total_gap(barred, clubs, scores)
    assert found is not None
    assert not found.exact
    assert found.rematches == found.same_club == 0
    assert sorted(one for pair in found.pairs for one in pair) == list(range(size))
    assert found == min_total_gap(barred, clubs, scores)
    assert found.squared_distances < 2 * size


def test_windows_keep_a_large_field_near_the_optimum() -> None:
    random = Random(4)
    size = 2400
    clubs = [1 << random.randrange(10) for _ in range(size)]
    scores = random_scores(random, size)
    found = min_total_gap([set() for _ in range(size)], clubs, scores)
    assert found is not None
    assert found.same_club == 0
    assert found.squared_gaps < 60
    assert max(other - one for one, other in found.pairs) < 20


def test_a_club_of_more_than_half_meets_itself_as_seldom_as_can_be() -> None:
    size = 300
    clubs = [1 if one % 5 < 3 else 0 for one in range(size)]
    found = min_total_gap([set() for _ in range(size)], clubs, [Fraction(0)] * size)
    assert found is not None
    assert found.same_club == (sum(clubs) - (size - sum(clubs))) // 2


def test_fractions_of_many_fields_are_compared_a_little_coarser_and_that_is_said() -> None:
    primes = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149)
    scores = sorted((Fraction(7, one) + Fraction(5, other) for one, other in pairwise(primes)), reverse=True)
    found = min_total_gap([set() for _ in scores[:8]], None, scores[:8])
    assert found is not None
    assert found.pairs == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert not found.exact


def test_a_factor_exists_exactly_when_some_choice_of_pairs_has_the_counts() -> None:
    random = Random(6)
    answers = []
    for _ in range(300):
        size = random.choice((4, 5, 6))
        edges = [(one, other) for one in range(size) for other in range(one) if random.random() < 0.6]
        spare = [random.randrange(3) for _ in range(size)]
        open_pairs = [0] * size
        for one, other in edges:
            open_pairs[one] |= 1 << other
            open_pairs[other] |= 1 << one
        expected = (
            any(
                all(
                    sum(one in edges[e] for e in range(len(edges)) if choice >> e & 1) == spare[one]
                    for one in range(size)
                )
                for choice in range(1 << len(edges))
            )
            if len(edges) <= 11
            else None
        )
        if expected is not None:
            assert has_factor(open_pairs, spare) is expected
            used = factor(open_pairs, spare, random.sample(range(size), size))
            assert (used is not None) is expected
            if used is not None:
                assert [mask.bit_count() for mask in used] == spare
                assert all(used[one] & ~open_pairs[one] == 0 for one in range(size))
                assert all(used[one] >> other & 1 == used[other] >> one & 1 for one, other in edges)
            answers.append(expected)
    assert 20 < sum(answers) < len(answers)
