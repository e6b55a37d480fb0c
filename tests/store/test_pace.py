"""Writes of one partition key are spread in time."""

from __future__ import annotations

from itertools import pairwise

import pytest

from chalicelib.store.matches import SEAT_SHARDS, seat_at
from chalicelib.store.pace import LONGEST, UNITS_A_SECOND, paced


def written(count: int, portion: int, units: float) -> tuple[list[int], list[tuple[float, float]]]:
    """Which items come, and (time, units) of each portion if writing itself takes no time."""
    pauses: list[float] = []
    items: list[int] = []
    times: list[tuple[float, float]] = []
    for each in paced(count, portion, units, pauses.append):
        items += range(count)[each]
        times.append((sum(pauses), units * len(range(count)[each])))
    return items, times


@pytest.mark.parametrize(("count", "units"), [(0, 1), (1, 1), (25, 1), (26, 2), (250, 1), (999, 2), (2500, 1)])
def test_every_item_comes_once_and_no_second_has_too_many_units(count: int, units: float) -> None:
    items, times = written(count, 25, units)
    assert items == list(range(count))
    for begin, _ in times:
        # A portion may stand at each end of a second.
        assert sum(each for at, each in times if begin <= at < begin + 1) <= UNITS_A_SECOND + 25 * units


def test_nobody_waits_for_a_small_event_and_nobody_longer_than_ten_seconds() -> None:
    assert written(25, 25, 2)[1] == [(0, 50)]
    _, times = written(2500, 25, 2)
    assert times[-1][0] == pytest.approx(LONGEST)
    assert all(later > earlier for (earlier, _), (later, _) in pairwise(times))


def test_the_seats_of_a_round_have_several_partitions_of_their_own() -> None:
    places = {seat_at("event", 3, number)[1] for number in range(1, 101)}
    assert len(places) == SEAT_SHARDS
    assert "event#003" not in places
