"""Ladder points: nothing is lost or won out of nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.rules.ladders import (
    AdditiveScale,
    LadderRules,
    Method,
    Place,
    PlayedEvent,
    RatedTable,
    additive_points,
    elo_changes,
    event_changes,
    ladder,
)

ELO = LadderRules(Method.ELO)


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


def test_a_listed_member_without_games_stands_in_an_elo_with_the_starting_rating() -> None:
    """``ladder`` put them at 0, below everybody who ever lost."""
    rows = ladder({"甲": 1512.0, "乙": 1488.0}, members=["甲", "乙", "丙"], start=1500.0)
    assert [(row.member, row.points) for row in rows] == [("甲", 1512.0), ("丙", 1500.0), ("乙", 1488.0)]


def test_ten_thousand_entries_on_shared_places_are_worked_out_in_one_pass() -> None:
    """Counting each rank anew took a hundred million steps; the sum must still be that of the places."""
    ranks = shared_ranks([100] * 100)
    assert sum(additive_points(ranks)) == sum(additive_points(list(range(1, 10_001))))


levels = st.integers(0, 26)
people = st.sampled_from([f"选手{number:03d}" for number in range(8)])
rated = st.builds(
    lambda four, points: RatedTable(tuple(four[:2]), tuple(four[2:]), points),
    st.lists(people, min_size=4, max_size=4, unique=True),
    levels,
)


def one_event(rounds: list[RatedTable]) -> PlayedEvent:
    return PlayedEvent((), tuple((table,) for table in rounds))


@given(st.lists(rated, max_size=6), st.dictionaries(people, st.integers(80_000, 220_000)))
def test_an_elo_event_moves_points_and_makes_none(tables: list[RatedTable], before: dict[str, int]) -> None:
    changes = event_changes(one_event(tables), ELO, before)
    assert sum(changes.values()) == 0
    assert changes.keys() == {member for table in tables for member in (*table.ns, *table.ew)}
    assert all(abs(change) <= 2400 * len(tables) for change in changes.values())


@given(st.lists(rated, min_size=2, max_size=6), st.integers(1, 5))
def test_an_elo_event_is_its_rounds_one_after_the_other(tables: list[RatedTable], cut: int) -> None:
    whole = event_changes(one_event(tables), ELO, {})
    values: dict[str, int] = {}
    for part in (tables[:cut], tables[cut:]):
        for member, change in event_changes(one_event(part), ELO, values).items():
            values[member] = values.get(member, ELO.start) + change
    assert {member: value - ELO.start for member, value in values.items()} == whole


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.integers(1, 100), st.integers(1, 300))
def test_an_additive_event_takes_nothing_and_pays_by_place(sizes: list[int], paid: int, most: int) -> None:
    rules = LadderRules(scale=AdditiveScale(most=Fraction(most), paid_share=Fraction(paid, 100)))
    places = tuple(Place(rank, (f"{index}",)) for index, rank in enumerate(shared_ranks(sizes)))
    changes = event_changes(PlayedEvent((places,)), rules, {})
    earned = [changes[f"{index}"] for index in range(len(places))]
    assert earned == sorted(earned, reverse=True)
    assert 0 <= min(earned) <= max(earned) <= min(len(places), most) * 100


def test_each_ranking_of_an_event_is_a_field_of_its_own() -> None:
    fields = tuple(tuple(Place(rank, (f"{group}{rank}",)) for rank in (1, 2, 3, 4)) for group in "AB")
    assert event_changes(PlayedEvent(fields), LadderRules(), {})["B1"] == 400
