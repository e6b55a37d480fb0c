"""Ladder jobs overtake each other and the acts that they are about: what was done last holds, and nothing less."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from app import app
from chalicelib.services import freezing
from chalicelib.services.finding import known_event
from chalicelib.services.jobs import advancing
from chalicelib.services.ladders.reading import table
from chalicelib.services.world import use
from chalicelib.store.ladders import postings
from infra.local.engine import Engine, Fault, Faults
from infra.local.engine.hook import plugged_in
from infra.local.functions import invoke
from tests.support.hall import ORGANIZER, OWNER, Pump
from tests.support.interruptions import Killed, Stage
from tests.support.ladder_jobs import (
    LADDER,
    carry_out,
    elo,
    end,
    expected,
    last_job,
    leftovers,
    played,
    totals,
)
from tests.support.world import TestWorld


@pytest.mark.parametrize("seed", range(6))
def test_ends_undos_repetitions_and_late_jobs_in_any_order_come_to_the_same(
    world: TestWorld, engine: Engine, seed: int
) -> None:
    """Jobs of several events of two ladders, carried out late, twice and in any order."""
    chance = Random(seed)
    second = elo(world)
    halls = [played(world, LADDER, pairs=2, first=100 + 2 * each) for each in range(3)]
    for hall in halls:
        hall.configure(ladders=[LADDER, second])
    pump, waiting = Pump(engine), []
    state = [False] * len(halls)
    for _ in range(14):
        world.time.advance(seconds=1)
        which = chance.randrange(len(halls))
        state[which] = not state[which]
        end(halls[which], ended=state[which])
        waiting += pump.waiting("jobs")
        for _ in range(chance.randrange(3)):
            if waiting:
                record = chance.choice(waiting)
                if chance.random() < 0.6:
                    waiting.remove(record)
                pump.hand("jobs", [record])
    while waiting:
        for record in waiting:
            pump.hand("jobs", [record])
        waiting = pump.waiting("jobs")
    for ladder in (LADDER, second):
        assert {posting.sk.removeprefix("POSTING#") for posting in postings(ladder, 1)} == {
            hall.event_id for hall, ended in zip(halls, state, strict=True) if ended
        }
        assert totals(world, ladder) == expected(world, ladder)
        assert leftovers(ladder) == []
        assert table(world, ladder, None, "", None).complete


@pytest.mark.parametrize("write", range(10))
def test_an_undo_that_overtakes_the_posting_wins(stages: Callable[[], Stage], write: int) -> None:
    """The event is opened again just before any write of the job that posts it."""
    stage = stages()
    with plugged_in(stage.engine):
        use(stage.world)
        hall = played(stage.world, LADDER, pairs=2)
        end(hall)
        job = last_job(stage)
        undone: list[bool] = []

        def undo() -> None:
            stage.world.time.advance(seconds=1)
            end(hall, ended=False)
            undone.append(True)

        stage.executioner.call_at(write, undo)
        advancing.advance(stage.world, job)
        stage.executioner.kill_at(None)
        if not undone:
            undo()
        carry_out(stage, Pump(stage.engine))
        assert totals(stage.world, LADDER) == {}
        assert postings(LADDER, 1) == []
        assert leftovers(LADDER) == []


@pytest.mark.parametrize("seed", range(4))
def test_jobs_side_by_side_over_a_store_that_misbehaves_come_to_the_same(
    world: TestWorld, engine: Engine, seed: int
) -> None:
    """Conflicts, lost replies and unprocessed items, four jobs at a time, each handed over twice."""
    ladder = elo(world)
    halls = [played(world, ladder, pairs=2, first=100 + 2 * each) for each in range(4)]
    pump = Pump(engine)
    for hall in halls:
        end(hall)
    end(halls[seed], ended=False)
    waiting = [record for record in pump.waiting("jobs") for _ in range(2)]
    faults = {Fault.TRANSACTION_CONFLICT: 0.1, Fault.WRITE_CONFLICT: 0.1, Fault.LOST_REPLY: 0.1, Fault.UNPROCESSED: 0.3}
    engine.faults = Faults(seed, faults)
    for _ in range(20):
        with ThreadPoolExecutor(4) as pool:
            failed = [record for record, again in zip(waiting, pool.map(hand_over, waiting), strict=True) if again]
        waiting = failed + pump.waiting("jobs")
        if not waiting:
            break
    assert sum(engine.faults.injected.values()) > 5
    engine.faults = None
    assert len(postings(ladder, 1)) == 3
    assert totals(world, ladder) == expected(world, ladder)
    assert leftovers(ladder) == []
    assert table(world, ladder, None, "", None).complete


def hand_over(record: dict[str, Any]) -> bool:
    """Hand a record to the jobs function; whether it must come again."""
    return bool(invoke(app, "jobs", {"Records": [record]})["batchItemFailures"])


@pytest.mark.parametrize("write", range(6))
def test_what_is_frozen_while_a_job_is_at_it_is_not_posted_even_for_a_moment(
    stages: Callable[[], Stage], write: int
) -> None:
    """The standings are frozen just before any write of the job, which dies right after that write."""
    stage = stages()
    with plugged_in(stage.engine):
        use(stage.world)
        hall = played(stage.world, LADDER, pairs=2)
        end(hall)
        job = last_job(stage)
        before: list[bool] = []

        def freeze_and_die_next() -> None:
            before.append(bool(postings(LADDER, 1)))
            version = int(known_event(hall.event_id)[0].version)
            freezing.freeze(stage.world, hall.event_id, version, 1, ORGANIZER, OWNER, hall.keys.fresh())
            stage.executioner.kill_at(0, after=True)

        stage.executioner.call_at(write, freeze_and_die_next)
        with suppress(Killed):
            advancing.advance(stage.world, job)
        stage.executioner.kill_at(None)
        assert before, "the job has fewer writes"
        # Before the freeze it may have been there already; it is not put there after it.
        assert bool(postings(LADDER, 1)) is before[0]
        carry_out(stage, Pump(stage.engine))
        assert postings(LADDER, 1) == []
        assert totals(stage.world, LADDER) == {}
