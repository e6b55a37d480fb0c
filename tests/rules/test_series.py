"""Who goes on and where to: by examples, and by what must hold for every ranking."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.rules.series import Standing, distribute, select

RANKS = st.lists(st.integers(1, 4), min_size=1, max_size=9)


def shared(ranks: list[int]) -> list[int]:
    """A ranking as standings give it: equal numbers stay equal, the next counts those before."""
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


@st.composite
def stages(draw: st.DrawFn) -> list[Standing]:
    rows = []
    for source in range(draw(st.integers(1, 3))):
        for group in draw(st.sampled_from([[None], ["A", "B"]])):
            start = len(rows)
            ranks = shared(draw(RANKS))
            rows += [
                Standing(source, start + place, rank, group, draw(st.booleans()))
                for place, rank in enumerate(ranks, start=1)
            ]
    return rows


@settings(deadline=None)
@given(stages(), st.integers(1, 6))
def test_a_cut_takes_the_best_who_are_able_and_leaves_ties_to_the_organizer(rows: list[Standing], count: int) -> None:
    found = select(rows, "best", count, "2026")
    going = {one.key for one in found.going}
    able = {row.key: row for row in rows if not row.out}
    assert going <= able.keys()
    by_block = Counter((able[key].source, able[key].group) for key in going)
    open_places = Counter({(tie.source, tie.group): tie.places_left for tie in found.undecided})
    for block in {(row.source, row.group) for row in rows}:
        there = [row for row in able.values() if (row.source, row.group) == block]
        assert by_block[block] + open_places[block] == min(count, len(there))
        # Nobody stays behind who is better than somebody who goes on.
        last = max((row.rank for row in there if row.key in going), default=0)
        left = [row for row in there if row.key not in going]
        assert all(row.rank >= last for row in left)
        assert not any(row.rank == last for row in left) or last == 0
    for tie in found.undecided:
        assert 0 < tie.places_left < len(tie.entries)
        assert len({able[tie.source, entry].rank for entry in tie.entries}) == 1
    assert all(row.out for row in found.passed_over)


@settings(deadline=None)
@given(stages(), st.integers(1, 6))
def test_chosen_ones_close_a_tie_exactly(rows: list[Standing], count: int) -> None:
    open_ones = select(rows, "best", count, "2026")
    chosen = [(tie.source, entry) for tie in open_ones.undecided for entry in tie.entries[: tie.places_left]]
    closed = select(rows, "best", count, "2026", chosen)
    assert closed.undecided == ()
    assert {one.key for one in closed.going} == {one.key for one in open_ones.going} | set(chosen)
    assert closed.ties == open_ones.ties
    # One too many, or too few, decides nothing.
    for wrong in (chosen[:-1], [(tie.source, entry) for tie in open_ones.undecided for entry in tie.entries]):
        if chosen:
            assert select(rows, "best", count, "2026", wrong).undecided


@settings(deadline=None)
@given(stages())
def test_everybody_who_is_able_goes_on_with_all(rows: list[Standing]) -> None:
    found = select(rows, "all", 1, "2026")
    assert {one.key for one in found.going} == {row.key for row in rows if not row.out}
    assert found.undecided == ()
    places = [one.place for one in found.going]
    assert places == sorted(places)
    assert not any(one.moved_up for one in found.going)


@settings(deadline=None)
@given(stages(), st.lists(st.integers(1, 3), min_size=1, max_size=3), st.sampled_from(["lot", "snake"]))
def test_dealing_is_even_and_everybody_has_one_seat(rows: list[Standing], groups: list[int], method: str) -> None:
    going = [one.key for one in select(rows, "all", 1, "2026").going]
    clubs = {key: f"团体{key[1] % 2}" for key in going}
    seats = distribute(going, groups, "lot" if method == "lot" else "snake", "2026", clubs)
    assert [seat.key for seat in seats] == going
    sizes = Counter(seat.target for seat in seats)
    assert max(sizes.values(), default=0) - min(sizes[target] for target in range(len(groups))) <= 1
    for target, count in enumerate(groups):
        there = [seat for seat in seats if seat.target == target]
        assert [seat.seed for seat in there] == list(range(1, len(there) + 1))
        by_group = Counter(seat.group for seat in there)
        if count == 1:
            assert set(by_group) <= {None}
        elif len(there) >= count:
            assert max(by_group.values()) - min(by_group.values()) <= 1
            assert len(by_group) == count
    assert seats == distribute(going, groups, "lot" if method == "lot" else "snake", "2026", clubs)


def test_winners_of_groups_come_before_all_seconds_and_whoever_withdrew_counts_for_nobody() -> None:
    rows = [
        Standing(0, number, rank, group)
        for group, first in (("A", 10), ("B", 20))
        for rank, number in enumerate(range(first, first + 3), start=1)
    ]
    assert [one.entry for one in select(rows, "best", 2, "1").going] == [10, 20, 11, 21]
    declined = select(rows, "best", 2, "1", declined=[(0, 10)])
    assert [(one.entry, one.place, one.moved_up) for one in declined.going] == [
        (11, 1, False),
        (20, 1, False),
        (12, 2, True),
        (21, 2, False),
    ]
    assert [row.entry for row in declined.passed_over] == [10]
