"""Forming a stage, and its undo, die at every write and are repeated: all of it stands in the end, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chalicelib.services.jobs import advancing
from chalicelib.services.jobs import series as forming
from chalicelib.services.world import use
from chalicelib.store import bulk
from chalicelib.store.entries import SHARDS, EntryRecord
from chalicelib.store.jobs import find_job
from infra.local.engine import Engine
from infra.local.engine.hook import plugged_in
from tests.support.hall import Pump
from tests.support.interruptions import Killed, Stage
from tests.support.people import Hall, open_hall
from tests.support.series import another, arrange, enter, form, order, over, roster
from tests.support.world import TestWorld


def scenario(stage: Stage, act: str) -> tuple[list[Hall], str]:
    """Four pairs that registered are dealt to two events: the job waits. Or their undo does."""
    use(stage.world)
    first = open_hall(stage.world, name="报名")
    first.configure(registration_closed=True)
    enter(first, 4, 100, clubs=2)
    halls = [first, another(first, "上半区"), another(first, "下半区")]
    assert arrange(first, [first], halls[1:]).status == 200
    if act == "form":
        return halls, str(order(first, 1, cut="all").json["job_id"])
    assert form(first, stage.engine, 1, cut="all")["phase"] == "done"
    return halls, str(first.owner.post(first.path("/series/undoing"), {"stage": 1}).json["job_id"])


def carry_out(stage: Stage, job: str) -> None:
    while (found := find_job(job)) is not None and found.phase in ("queued", "running"):
        advancing.advance(stage.world, job)


def everything(halls: list[Hall]) -> Any:
    """What anybody can see of the events, and what stands in the store unseen."""
    rows = [
        item["sk"]["S"]
        for hall in halls
        for shard in range(SHARDS)
        for item in bulk.query_partition(EntryRecord.Meta.table_name, f"{hall.event_id}#{shard}", "ENTRY#")
    ]
    frames = [hall.owner.get(hall.path()).json for hall in halls]
    log = [sorted(line["action"] for line in hall.owner.get(hall.path("/audit")).json["lines"]) for hall in halls]
    return [roster(hall) for hall in halls], sorted(rows), [each["entries"] for each in frames], log


@pytest.mark.parametrize("act", ["form", "undo"])
def test_a_job_that_dies_at_any_write_makes_the_whole_stage_or_takes_it_back_wholly(
    stages: Callable[[], Stage], act: str
) -> None:
    stage = stages()
    with plugged_in(stage.engine):
        halls, job = scenario(stage, act)
        stage.executioner.kill_at(None)
        carry_out(stage, job)
        writes = stage.executioner.writes
        whole = everything(halls)
        assert [len(each) for each in whole[0]] == ([4, 2, 2] if act == "form" else [4, 0, 0])
        assert len(whole[1]) == (8 if act == "form" else 4)
        assert writes > 5
    for write, after in [*((each, False) for each in range(writes)), (writes - 1, True)]:
        stage = stages()
        with plugged_in(stage.engine):
            halls, job = scenario(stage, act)
            stage.executioner.kill_at(write, after=after)
            with pytest.raises(Killed):
                carry_out(stage, job)
            stage.executioner.kill_at(None)
            seen = [len(roster(hall)) for hall in halls[1:]]
            assert seen in ([0, 0], [2, 2]), (write, after)
            carry_out(stage, job)
            assert find_phase(job) == "done"
            assert everything(halls) == whole, (write, after)


def find_phase(job: str) -> str:
    found = find_job(job)
    assert found is not None
    return str(found.phase)


def test_a_result_that_changes_while_the_stage_is_formed_stops_it(stages: Callable[[], Stage]) -> None:
    """Somebody withdraws right before the deciding transaction: nothing comes in, and nothing stays behind."""
    stage = stages()
    with plugged_in(stage.engine):
        halls, job = scenario(stage, "form")
        stage.executioner.kill_at(None)
        carry_out(stage, job)
        writes = stage.executioner.writes
    for write in range(writes):
        stage = stages()
        with plugged_in(stage.engine):
            halls, job = scenario(stage, "form")
            first = halls[0]
            best = 1

            def withdraw(first: Hall = first, best: int = best) -> None:
                body = {"withdrawn": True, "reason": "有事"}
                assert first.owner.post(first.path(f"/entries/{best}/withdrawal"), body).status == 200

            stage.executioner.call_at(write, withdraw)
            carry_out(stage, job)
            seen = [len(roster(hall)) for hall in halls[1:]]
            found = find_job(job)
            assert found is not None
            if found.phase == "done":
                assert seen == [2, 2], write
                continue
            assert found.problem["code"] == "series_changed"
            assert seen == [0, 0], write
            assert len(everything(halls)[1]) == 4
            # Formed again from what is so now, from number 1 on.
            assert form(first, stage.engine, 1, cut="all")["phase"] == "done"
            assert [[each[0] for each in roster(hall)] for hall in halls[1:]] == [[1], [1, 2]]


def test_a_large_stage_is_written_in_slices_over_many_steps(
    world: TestWorld, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forming, "SLICE", 7)
    first = open_hall(world, name="报名")
    first.configure(registration_closed=True)
    enter(first, 30, 100)
    halls = [another(first, "甲区"), another(first, "乙区")]
    arrange(first, [first], halls)
    job = order(first, 1, cut="all").json["job_id"]
    # Every slice takes longer than a step may: each step writes one and leaves the rest.
    written = forming.write

    def slowly(*arguments: Any) -> None:
        written(*arguments)
        world.time.advance(seconds=30)

    monkeypatch.setattr(forming, "write", slowly)
    steps = 0
    pump = Pump(engine)
    while waiting := pump.waiting("jobs"):
        steps += len(waiting)
        for record in waiting:
            assert pump.hand("jobs", [record]) == []
    assert steps > 5
    assert over(first, engine, job)["phase"] == "done"
    assert [len(roster(hall)) for hall in halls] == [15, 15]
