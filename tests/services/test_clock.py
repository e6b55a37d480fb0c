"""The round's clock: which command makes sense when, and what every screen counts towards."""

from __future__ import annotations

import pytest

from chalicelib.services import clock
from tests.support.hall import Hall, Keys, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld

MINUTE = 60_000


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Two pairs with a published round of 40 minutes."""
    hall = open_hall(world, 2, minutes_per_round=40, stop_drawing_minutes=5)
    hall.draw()
    hall.publish(1)
    return hall


def test_a_round_counts_down_runs_and_ends_by_itself(hall: Hall) -> None:
    now = hall.world.now()
    view = hall.command("start", starts_in=30)
    assert (view.state, view.starts_at, view.ends_at) == ("countdown", now + 30_000, now + 30_000 + 40 * MINUTE)
    assert view.stop_drawing_minutes == 5
    for seconds, state in ((29, "countdown"), (1, "running"), (40 * 60 - 1, "running"), (1, "ended")):
        hall.world.time.advance(seconds=seconds)
        assert clock.view(hall.pointer(), 5, hall.world.now()).state == state


def test_a_pause_keeps_what_is_left(hall: Hall) -> None:
    hall.command("start")
    hall.world.time.advance(minutes=10)
    paused = hall.command("pause")
    assert (paused.state, paused.paused_left, paused.ends_at) == ("paused", 30 * MINUTE, None)
    hall.world.time.advance(minutes=7)
    running = hall.command("resume")
    assert (running.state, running.ends_at) == ("running", hall.world.now() + 30 * MINUTE)
    assert running.paused_left is None


def test_a_pause_before_the_start_keeps_the_whole_round(hall: Hall) -> None:
    hall.command("start", starts_in=60)
    assert hall.command("pause").paused_left == 40 * MINUTE
    resumed = hall.command("resume")
    assert (resumed.state, resumed.starts_at) == ("running", hall.world.now())


def test_minutes_are_added_and_taken(hall: Hall) -> None:
    end = hall.command("start").ends_at
    assert hall.command("extend", minutes=5).ends_at == end + 5 * MINUTE
    assert hall.command("extend", minutes=-10).ends_at == end - 5 * MINUTE
    # Never before now.
    ended = hall.command("extend", minutes=-120)
    assert (ended.state, ended.ends_at) == ("ended", hall.world.now())
    hall.world.time.advance(minutes=3)
    again = hall.command("extend", minutes=4)
    assert (again.state, again.ends_at) == ("running", hall.world.now() + 4 * MINUTE)
    hall.command("pause")
    assert hall.command("extend", minutes=2).paused_left == 6 * MINUTE


def test_ending_and_starting_over(hall: Hall) -> None:
    hall.command("start")
    assert hall.command("end").state == "ended"
    reset = hall.command("reset")
    assert (reset.state, reset.starts_at, reset.ends_at) == ("idle", None, None)
    assert hall.pointer().phase == "published"
    assert hall.command("start").state == "running"


@pytest.mark.parametrize(
    ("before", "senseless"),
    [
        ([], ["pause", "resume", "extend", "end", "reset"]),
        (["start"], ["start", "resume"]),
        (["start", "pause"], ["start", "pause"]),
        (["start", "end"], ["start", "pause", "resume", "end"]),
    ],
)
def test_commands_without_sense_are_refused(hall: Hall, before: list[str], senseless: list[str]) -> None:
    for action in before:
        hall.command(action)
    pointer = hall.pointer().attribute_values
    for action in senseless:
        assert refused(hall.command, action).code == "clock_state"
    assert hall.pointer().attribute_values == pointer


def test_the_slower_of_two_commands_sees_the_clock_as_it_is(hall: Hall) -> None:
    version = int(hall.pointer().clock_version)
    hall.command("start")
    stale = refused(
        clock.command, hall.world, hall.event_id, 1, "start", version, 0, 0, "referee", Keys("link").fresh()
    )
    assert stale.code == "stale_version"
    assert (stale.current["state"], stale.current["version"]) == ("running", version + 1)


def test_the_clock_belongs_to_the_round_in_play(hall: Hall) -> None:
    hall.command("start")
    hall.confirm(1, 1, "A", "3")
    hall.settle(1)
    assert refused(hall.command, "pause").code == "round_phase"
