"""Writes of one partition key are spread in time."""

from __future__ import annotations

from itertools import pairwise

import pytest

from chalicelib.store.matches import SEAT_SHARDS, seat_at
from chalicelib.store.pace import UNITS_A_SECOND, paced


def written(
    count: int, portion: int, units: float, *, writing: float = 0, first: int = 0
) -> tuple[list[int], list[tuple[float, float]]]:
    """Which items come, and (time, units) of each portion if writing one takes ``writing`` seconds."""
    clock = [0.0]
    items: list[int] = []
    times: list[tuple[float, float]] = []

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    for each in paced(count, portion, units, sleep, lambda: round(1000 * clock[0]), first):
        items += range(count)[each]
        times.append((clock[0], units * len(range(count)[each])))
        clock[0] += writing
    return items, times


@pytest.mark.parametrize(("count", "units"), [(0, 1), (1, 1), (25, 1), (26, 2), (250, 1), (999, 2), (2500, 1)])
def test_every_item_comes_once_and_no_second_has_too_many_units(count: int, units: float) -> None:
    items, times = written(count, 25, units)
    assert items == list(range(count))
    for begin, _ in times:
        # A portion may stand at each end of a second.
        assert sum(each for at, each in times if begin <= at < begin + 1) <= UNITS_A_SECOND + 25 * units


def test_nobody_waits_for_a_small_event() -> None:
    assert written(25, 25, 2)[1] == [(0, 50)]


def test_a_large_round_takes_as_long_as_its_units_want_and_no_longer_for_what_writing_takes() -> None:
    _, times = written(2500, 25, 2)
    assert times[-1][0] == pytest.approx(99 * 50 / UNITS_A_SECOND)
    _, busy = written(2500, 25, 2, writing=0.1)
    assert busy[-1][0] == pytest.approx(times[-1][0], abs=0.1)
    # Where writing takes longer than the pause, there is none.
    _, slow = written(2500, 25, 2, writing=0.3)
    assert slow[-1][0] == pytest.approx(99 * 0.3)
    assert all(later > earlier for (earlier, _), (later, _) in pairwise(times))


def test_who_goes_on_begins_with_the_next_portion_at_once() -> None:
    items, times = written(100, 25, 1, first=2)
    assert items == list(range(50, 100))
    assert times[0] == (0, 25)
    assert written(100, 25, 1, first=4) == ([], [])


def test_the_seats_of_a_round_have_several_partitions_of_their_own() -> None:
    places = {seat_at("event", 3, number)[1] for number in range(1, 101)}
    assert len(places) == SEAT_SHARDS
    assert "event#003" not in places
