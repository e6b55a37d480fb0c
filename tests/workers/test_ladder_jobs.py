"""Ladder jobs die at every write, are repeated, overtake each other and stop half-way: nothing is doubled or lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from app import app
from chalicelib.services.jobs import advancing
from chalicelib.services.ladders import tables
from chalicelib.services.ladders.facts import Facts, Person
from chalicelib.services.ladders.posting import Posted, settle
from chalicelib.services.ladders.reading import member, table
from chalicelib.services.world import use
from chalicelib.store import ladders as store
from chalicelib.store.ladders import find_table, season_key, sort_keys
from infra.local.engine import Engine
from infra.local.engine.hook import plugged_in
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.support import ladders as people
from tests.support.hall import Hall, Pump
from tests.support.interruptions import Killed, Stage
from tests.support.ladder_jobs import (
    LADDER,
    carry_out,
    elo,
    end,
    everything,
    expected,
    last_job,
    leftovers,
    nameless,
    played,
    totals,
)
from tests.support.world import TestWorld


def scenario(stage: Stage, method: str, act: str) -> tuple[Hall, Hall, str]:
    """One event is posted; a second one ends, or the first is opened again: its job waits."""
    use(stage.world)
    ladder = LADDER if method == "additive" else elo(stage.world)
    first = played(stage.world, ladder, pairs=2)
    second = played(stage.world, ladder, pairs=2, first=102)
    end(first)
    carry_out(stage, Pump(stage.engine))
    stage.world.time.advance(seconds=60)
    if act == "end":
        end(second)
    else:
        end(second)
        carry_out(stage, Pump(stage.engine))
        stage.world.time.advance(seconds=60)
        end(first, ended=False)
    return first, second, ladder


@pytest.mark.parametrize("act", ["end", "undo"])
@pytest.mark.parametrize("method", ["additive", "elo"])
def test_a_job_that_dies_at_any_write_and_is_repeated_leaves_what_one_without_accident_leaves(
    stages: Callable[[], Stage], method: str, act: str
) -> None:
    stage = stages()
    with plugged_in(stage.engine):
        _, _, ladder = scenario(stage, method, act)
        stage.executioner.kill_at(None)
        job = last_job(stage)
        advancing.advance(stage.world, job)
        writes = stage.executioner.writes
        whole = everything(stage.world, ladder)
        assert len(whole) == (6 if act == "end" else 4)
        assert writes > 5
    # To die after a write is to die before the next one, but for the last.
    for write, after in [*((each, False) for each in range(writes)), (writes - 1, True)]:
        stage = stages()
        with plugged_in(stage.engine):
            _, _, ladder = scenario(stage, method, act)
            job = last_job(stage)
            stage.executioner.kill_at(write, after=after)
            with pytest.raises(Killed):
                advancing.advance(stage.world, job)
            stage.executioner.kill_at(None)
            # The stream brings the same record again, whatever the step had come to.
            advancing.advance(stage.world, job)
            assert nameless(everything(stage.world, ladder)) == nameless(whole), (write, after)
            assert totals(stage.world, ladder) == expected(stage.world, ladder)
            assert leftovers(ladder) == []


def _purge() -> None:
    invoke(app, "purge_personal_data", scheduled_event("purge_personal_data", datetime.now(UTC)))


def test_what_a_dead_job_left_is_taken_up_by_the_schedule(world: TestWorld, engine: Engine) -> None:
    hall = people.laddered(world, LADDER, pairs=2)
    people.play(hall)
    people.end(hall)
    Pump(engine).waiting("jobs")  # nobody ever sees the records
    world.time.advance(seconds=599)
    _purge()
    pump = Pump(engine)
    pump.waiting("jobs")
    assert people.points(LADDER) == {}
    world.time.advance(seconds=1)
    _purge()
    for record in pump.waiting("jobs"):
        assert pump.hand("jobs", [record]) == []
    assert len(people.points(LADDER)) == 4
    world.time.advance(seconds=700)
    _purge()
    assert pump.waiting("jobs") == []


def test_a_table_in_many_steps_is_the_same_as_in_one(world: TestWorld, engine: Engine) -> None:
    """Time is over after every event; between two steps another event ends."""
    ladder = elo(world)
    halls = [played(world, ladder, pairs=2, first=100 + 2 * each) for each in range(5)]
    for hall in halls[:4]:
        world.time.advance(seconds=1)
        end(hall)
        assert settle(world, hall.event_id) is not None
    cursor: Any = None
    steps = 0
    while (cursor := tables.refresh(world, ladder, 1, "job", cursor, lambda: False)) is not None:
        steps += 1
        if steps == 2:
            world.time.advance(seconds=1)
            end(halls[4])
            settle(world, halls[4].event_id)
        assert steps < 20
    assert steps >= 5
    assert totals(world, ladder) == expected(world, ladder)
    assert leftovers(ladder) == []
    Pump(engine).run()
    assert totals(world, ladder) == expected(world, ladder)


def test_ten_thousand_players_fit(world: TestWorld, engine: Engine) -> None:
    """A posting of 10,000 people: its lines in several items, its changes in sixteen, its table in twenty pages."""
    people_ = [
        Person(f"{number * (2654435761 << 64) % 2**96:024x}", f"选手{number:05d}", "市南") for number in range(10_000)
    ]
    field = [(rank, [2 * rank - 2, 2 * rank - 1]) for rank in range(1, 5_001)]
    rounds = [
        [([each, each + 1], [each + 2, each + 3], (each + number) % 27) for each in range(0, 10_000, 4)]
        for number in range(8)
    ]
    facts = Facts(people_, [field], rounds)
    parts = store.in_parts(facts)
    key = season_key(LADDER, 1)
    posted = Posted(1, 1, "00000001.x", len(parts), 0, 0, 0)
    keys = [f"LINES#event#{posted.generation}#{number:03d}" for number in range(len(parts))]
    store.put_bodies(key, zip(keys, parts, strict=True), world.sleep, world.random.fraction)
    store.Posting(key, "POSTING#event", at=1, generation=posted.generation, parts=len(parts)).save()
    store.Table(key, store.TABLE_KEY).update(actions=[store.Table.wanted.add(1)])
    assert tables.refresh(world, LADDER, 1, "job", None, lambda: True) is None
    found = find_table(LADDER, 1)
    assert (int(found.listed), int(found.pages)) == (10_000, 20)
    assert len(sort_keys(key, "CHANGES#")) == 16
    last = table(world, LADDER, None, "选手09999", None)
    assert [row.name for row in last.rows] == ["选手09999"]
    assert member(world, LADDER, last.rows[0].person, None).events[0].place == 5000
