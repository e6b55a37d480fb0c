"""Ladder points: nothing is lost or won out of nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.rules.ladders import AdditiveScale, RatedTable, additive_points, elo_changes, ladder


def shared_ranks(sizes: list[int]) -> list[int]:
    ranks: list[int] = []
    for size in sizes:
        ranks += [len(ranks) + 1] * size
    return ranks


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12))
def test_ties_share_exactly_what_their_places_would_have_got(sizes: list[int]) -> None:
    ranks = shared_ranks(sizes)
    shared, apart = additive_points(ranks), additive_points(list(range(1, len(ranks) + 1)))
    assert sum(shared) == sum(apart)
    assert shared == sorted(shared, reverse=True)
    assert min(shared) >= 0


def test_the_winner_of_a_larger_field_gets_more_up_to_a_limit() -> None:
    assert additive_points(list(range(1, 9)))[0] == 8
    assert additive_points(list(range(1, 65)))[0] == 64
    assert additive_points(list(range(1, 500)))[0] == 200
    assert additive_points(list(range(1, 9)), AdditiveScale(paid_share=Fraction(1)))[-1] == 1


@given(st.lists(st.tuples(st.integers(0, 26), st.floats(1000, 2000), st.floats(1000, 2000)), min_size=1, max_size=20))
def test_what_one_side_wins_the_other_loses(tables: list[tuple[int, float, float]]) -> None:
    rated, ratings = [], {}
    for number, (points, ns, ew) in enumerate(tables):
        names = [f"{number}{seat}" for seat in "NSEW"]
        ratings.update(dict.fromkeys(names[:2], ns) | dict.fromkeys(names[2:], ew))
        rated.append(RatedTable((names[0], names[1]), (names[2], names[3]), points))
    changes = elo_changes(rated, ratings)
    assert abs(sum(changes.values())) < 1e-6
    assert all(abs(change) <= 24 for change in changes.values())
    assert elo_changes(list(reversed(rated)), ratings) == changes


def test_equal_sides_that_draw_stay_where_they_are() -> None:
    table = RatedTable(("甲", "乙"), ("丙", "丁"), 13)
    assert set(elo_changes([table], {}).values()) == {0.0}
    won = elo_changes([RatedTable(("甲", "乙"), ("丙", "丁"), 26)], {})
    assert won == {"甲": 12.0, "乙": 12.0, "丙": -12.0, "丁": -12.0}


def test_an_underdog_wins_more() -> None:
    table = RatedTable(("弱",), ("强",), 26)
    assert elo_changes([table], {"弱": 1300.0, "强": 1700.0})["弱"] > 20


def test_impossible_tables_are_refused() -> None:
    with pytest.raises(ValueError):
        elo_changes([RatedTable(("甲",), ("乙",), 27)], {})
    with pytest.raises(ValueError):
        elo_changes([RatedTable((), ("乙",), 13)], {})


def test_a_ladder_lists_its_members_and_shares_ranks() -> None:
    rows = ladder({"甲": 3.0, "乙": 5.0, "丙": 3.0, "客": 9.0}, members=["甲", "乙", "丙", "丁"])
    assert [(row.rank, row.member) for row in rows] == [(1, "乙"), (2, "丙"), (2, "甲"), (4, "丁")]
    assert len(ladder({"甲": 1.0, "客": 2.0})) == 2
