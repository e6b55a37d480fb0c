"""Rounds with many tables are published and settled whole or not at all, whatever happens on the way."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chalicelib.services import players, rounds, scoring, standings
from chalicelib.services.jobs import advancing, drawing
from chalicelib.services.jobs.large_rounds import Act
from chalicelib.services.views.jobs import RoundJob
from chalicelib.store.audit import entries as audit_entries
from tests.support.hall import ORGANIZER, Hall, Pump
from tests.support.interruptions import Killed
from tests.support.large_rounds import (
    BEFORE,
    cancel,
    cut_small,
    draft,
    locked,
    named,
    phase,
    played,
    read,
    staged,
    start,
    steps,
)


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


def test_a_word_that_comes_while_tables_are_held_lets_all_go_on(tmp_path: Path) -> None:
    ends = set()
    for write in range(12):
        with staged(tmp_path / f"{write}", played) as (stage, hall):
            queued = start(hall, "settle")

            def disagree(hall: Hall = hall) -> None:
                with suppress(Exception):
                    hall.submit(1, 3, "ns", "A", "5")

            stage.executioner.call_at(write, disagree)
            steps(hall, queued)
            done = read(hall, queued)
            state = hall.table(1, 3).state
            # It came before the table was held, or it was refused.
            assert (done.phase, phase(hall), state) in (
                ("failed", "playing", "disputed"),
                ("done", "settled", "confirmed"),
            ), write
            if done.problem is not None:
                assert (done.problem.current, locked(hall)) == ({"tables": [3]}, []), write
            ends.add(done.phase)
    assert ends == {"failed", "done"}


@pytest.mark.parametrize("act", ["publish", "settle"])
def test_a_job_that_is_killed_at_any_write_goes_on(tmp_path: Path, act: Act) -> None:
    """Its record comes again, as the stream's does when the function died."""

    def perform(write: int | None, after: bool) -> tuple[dict[str, Any], int]:
        with staged(tmp_path / f"{write}-{after}", BEFORE[act]) as (stage, hall):
            queued = start(hall, act)
            stage.executioner.kill_at(write, after=after)
            with suppress(Killed):
                steps(hall, queued)
            writes = stage.executioner.writes
            stage.executioner.kill_at(None)
            steps(hall, queued)
            # The record of a step that was carried out comes once more.
            advancing.advance(hall.world, queued.job_id)
            return state(hall, Pump(stage.engine), queued), writes

    expected, writes = perform(None, False)
    assert (expected["job"]["phase"], expected["equal"]) == ("done", True)
    assert writes > 8
    for write in range(writes):
        for after in (False, True):
            assert perform(write, after)[0] == expected, (write, after)


def state(hall: Hall, pump: Pump, job: RoundJob) -> dict[str, Any]:
    """Everything that anybody can see of it in the end, without what is random."""
    pump.run()
    pump.run()
    stored = hall.world.files.get(f"pub/{hall.event_id}/pulse.json")
    assert stored is not None
    pulse = msgspec.json.decode(stored.body)
    seen = {**msgspec.to_builtins(read(hall, job)), "job_id": ""}
    return {
        "job": seen,
        "round": msgspec.to_builtins(rounds.read(hall.world, hall.event_id, 1)),
        "grid": msgspec.to_builtins(scoring.current_grid(hall.world, hall.event_id)),
        "pulse": {name: value for name, value in pulse.items() if name in ("round", "phase", "clock", "name")},
        "equal": standings.compare(hall.world, hall.event_id).equal,
        "rows": msgspec.to_builtins(standings.read(hall.world, hall.event_id).rows),
        "log": sorted((one.actor, one.action, one.subject) for one in audit_entries(hall.event_id)),
        "copies": len(hall.world.files.list_prefix(f"backups/{hall.event_id}/")),
        "pages": len(hall.world.files.list_prefix(f"pub/{hall.event_id}/pairings/")),
        "named": named(hall),
    }


def test_nobody_sees_half_a_round_that_is_being_published(tmp_path: Path) -> None:
    """Before each write of the job somebody looks: there is nothing, or all of it."""
    write, seen = 0, []
    while write == 0 or seen[-1] is not None:
        with staged(tmp_path / f"{write}", draft) as (stage, hall):
            queued, looks = start(hall, "publish"), []

            def look(hall: Hall = hall, looks: list[tuple[int, int]] = looks) -> None:
                at_tables = players.me(hall.world, hall.event_id, hall.device(1), "").table
                looks.append((len(scoring.current_grid(hall.world, hall.event_id).tables), int(at_tables is not None)))

            stage.executioner.call_at(write, look)
            steps(hall, queued)
            seen.append(looks[0] if looks else None)
        write += 1
    assert write > 8
    assert set(seen) - {None} <= {(0, 0), (3, 1)}
    # Everything is written before anybody sees any of it.
    assert seen.index((3, 1)) >= 6


@pytest.mark.parametrize("act", ["publish", "settle"])
def test_cancelled_at_any_moment_the_round_is_as_it_was_or_done(tmp_path: Path, act: Act) -> None:
    ends = []
    write = 0
    while not ends or ends[-1] != "never came":
        with staged(tmp_path / f"{write}", BEFORE[act]) as (stage, hall):
            before = phase(hall)
            queued = start(hall, act)
            stage.executioner.call_at(write, partial(cancel, hall, queued))
            steps(hall, queued)
            came = stage.executioner.writes > write
            stage.executioner.kill_at(None)
            # The cancellation's own record.
            advancing.advance(hall.world, queued.job_id)
            found = read(hall, queued).phase
            if found == "cancelled":
                assert (phase(hall), named(hall)) == (before, None)
                assert before == "draft" or locked(hall) == []
                # It may be done all the same, and is done once.
                again = start(hall, act)
                steps(hall, again)
                assert read(hall, again).phase == "done"
            assert [one.action for one in audit_entries(hall.event_id)].count(f"round.{act}") == 1
            ends.append(found if came else "never came")
        write += 1
    assert {"cancelled", "done"} <= set(ends)
    assert ends.index("done") > max(at for at, end in enumerate(ends) if end == "cancelled")


def test_drawing_holds_a_large_round_in_steps_of_its_own(tmp_path: Path) -> None:
    """Killed at any write it draws one round and settles the one before once."""

    def perform(write: int | None, after: bool) -> tuple[Any, ...]:
        with staged(tmp_path / f"{write}-{after}", played) as (stage, hall):
            queued = drawing.start(hall.world, hall.event_id, False, ORGANIZER, hall.keys.fresh(status=202))
            assert queued.phase == "queued"
            stage.executioner.kill_at(write, after=after)
            taken = 0
            while not drawing.read(hall.world, hall.event_id, queued.job_id).over:
                try:
                    advancing.advance(hall.world, queued.job_id)
                except Killed:
                    stage.executioner.kill_at(None)
                taken += 1
                assert taken < 30
            writes = stage.executioner.writes
            done = drawing.read(hall.world, hall.event_id, queued.job_id)
            acts = sorted(one.action for one in audit_entries(hall.event_id) if one.action.startswith("round."))
            return done.phase, done.round, phase(hall), acts, writes

    *expected, writes = perform(None, False)
    assert expected == ["done", 2, "settled", ["round.draw", "round.draw", "round.publish", "round.settle"]]
    for write in range(writes):
        for after in (False, True):
            assert list(perform(write, after)[:4]) == expected, (write, after)
