"""Forming the next stage of a series, or taking it back, as a job: all or nothing, however large and however often a
step dies.

The preview's fingerprint is the order: a step that computes another outcome refuses instead of forming another stage.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from chalicelib.services.entry_changes import Moved
from chalicelib.services.import_rows import Rows, write
from chalicelib.services.jobs.queueing import new_job, queue
from chalicelib.services.jobs.steps import Work, done_with
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.problems import Problem
from chalicelib.services.series import choosing, forming, undoing
from chalicelib.services.series.known import demand_all, frames, known
from chalicelib.services.views.jobs import JobProblem
from chalicelib.services.views.series import SeriesJob, StagePlan, StagePreview
from chalicelib.services.world import World
from chalicelib.store.jobs import FINAL, Job, find_job
from chalicelib.store.series import find_formed
from chalicelib.store.transaction import TooLarge

KIND: Final = "series"
UNDO: Final = "series_undo"
SLICE: Final = 500
"""Entries between two reports of progress."""
ATTEMPTS: Final = 5


class _Stages(msgspec.Struct, frozen=True):
    """The events of a stage and of the one before it."""

    sources: list[str]
    targets: list[str]


def _stages(world: World, event_id: str, stage: int, account_id: str) -> _Stages:
    found = known(event_id)
    if not 0 < stage < len(found.stages):
        raise Problem("series_no_stage")
    alive = frames(world, [*found.stages[stage - 1].events, *found.stages[stage].events])
    sources = [each for each in found.stages[stage - 1].events if each in alive]
    targets = [each for each in found.stages[stage].events if each in alive]
    if not sources or not targets:
        raise Problem("series_no_stage")
    demand_all(world, account_id, [*sources, *targets])
    if stage > 1 and (unplayed := next((each for each in sources if not alive[each].rounds), None)):
        # Only where the series begins may people merely have registered.
        raise Problem("series_unfinished", name=alive[unplayed].settings.name)
    return _Stages(sources, targets)


def _outcome(world: World, sources: list[str], targets: list[str], plan: StagePlan) -> choosing.NextStage:
    alive = frames(world, [*sources, *targets])
    if len(alive) < len({*sources, *targets}):
        raise Problem("series_changed")
    into = [alive[each] for each in targets]
    choosing.demand_free(into)
    return choosing.outcome([alive[each] for each in sources], into, plan, world)


def preview(world: World, event_id: str, stage: int, plan: StagePlan, account_id: str) -> StagePreview:
    """What forming the stage (counted from 0; the first is formed of nothing) would do; nothing is written.

    Raises series_no_stage, series_foreign, and what ``choosing.outcome`` and ``choosing.demand_free`` raise.
    """
    found = _stages(world, event_id, stage, account_id)
    return choosing.preview(_outcome(world, found.sources, found.targets, plan))


def start(
    world: World,
    event_id: str,
    stage: int,
    plan: StagePlan,
    fingerprint: str,
    account_id: str,
    actor: str,
    once: Once,
) -> SeriesJob:
    """Queue the forming of exactly what the preview showed.

    Raises what :func:`preview` raises, series_changed when the outcome is another by now, series_undecided.
    """
    if (given := once.earlier_reply()) is not None:
        # A retry would find the stage formed, by itself.
        raise AlreadyDone(given)
    found = _stages(world, event_id, stage, account_id)
    coming = _outcome(world, found.sources, found.targets, plan)
    _demand_agreed(coming, fingerprint)
    forming.demand_idle(world, coming.targets)
    job_id = world.random.token(12)
    order = {
        "sources": found.sources,
        "targets": found.targets,
        "plan": msgspec.to_builtins(plan),
        "fingerprint": fingerprint,
    }
    total = sum(len(lines) for lines in coming.lines)
    job = new_job(world, job_id, kind=KIND, event_id=event_id, actor=actor, order=order, total=total)
    return queue(world, job, once, lambda queued: _view(job_id, queued))


def start_undo(world: World, event_id: str, stage: int, account_id: str, actor: str, once: Once) -> SeriesJob:
    """Queue the undo of a stage. Raises series_no_stage, series_foreign, series_not_formed, series_drawn,
    series_ended."""
    if (given := once.earlier_reply()) is not None:
        raise AlreadyDone(given)
    found = _stages(world, event_id, stage, account_id)
    records = [record for each in found.targets if (record := find_formed(each)) is not None]
    formed = next((record for record in records if record.state == "formed"), None)
    if formed is None:
        raise Problem("series_not_formed")
    together = frames(world, formed.targets)
    # Another may have left the series since, and be in other hands.
    demand_all(world, account_id, together)
    for frame in together.values():
        if frame.header.last_round:
            raise Problem("series_drawn", name=frame.settings.name)
        if frame.header.phase == "ended":
            raise Problem("series_ended", name=frame.settings.name)
    job_id = world.random.token(12)
    order = {"formed": formed.job, "targets": list(formed.targets)}
    job = new_job(world, job_id, kind=UNDO, event_id=event_id, actor=actor, order=order, total=int(formed.size))
    return queue(world, job, once, lambda queued: _view(job_id, queued))


def read(event_id: str, job_id: str) -> SeriesJob:
    """How far a job is. Raises not_found."""
    job = find_job(job_id)
    if job is None or job.event_id != event_id or job.kind not in (KIND, UNDO):
        raise Problem("not_found")
    return _view(job_id, job)


def carry_on(work: Work) -> None:
    """One step of forming: compute again, reserve numbers, write rows, make them count."""
    world, job = work.world, work.job
    order: dict[str, Any] = dict(job.order)
    plan = msgspec.convert(order["plan"], StagePlan)
    job_id = job.pk.partition("#")[2]
    try:
        coming = _outcome(world, order["sources"], order["targets"], plan)
        _demand_agreed(coming, order["fingerprint"])
        if not forming.clear_remains(world, job_id, coming.targets, work.has_time):
            work.again()
            return
        formed = forming.reserve(world, job_id, coming, plan, job.actor)
        rows = [
            forming.rows_of(target, record, lines, coming)
            for target, record, lines in zip(coming.targets, formed, coming.lines, strict=True)
        ]
        if not _written(work, rows):
            work.again()
            return
        total = sum(len(part.entries) for part in rows)
        forming.flip(world, coming, formed, rows, job.actor, done_with(work, total))
    except (Problem, TooLarge):
        _take_back(world, job_id, order["targets"])
        raise


def _demand_agreed(coming: choosing.NextStage, fingerprint: str) -> None:
    if coming.fingerprint != fingerprint:
        raise Problem("series_changed")
    if coming.selection.undecided:
        raise Problem("series_undecided")


def _written(work: Work, rows: list[Rows]) -> bool:
    """Write from the cursor on; False when the step's time is over first."""
    cursor: dict[str, int] = dict(work.job.cursor or {"target": 0, "next": 0})
    total = sum(len(part.entries) for part in rows)
    done = sum(len(part.entries) for part in rows[: cursor["target"]]) + cursor["next"]
    work.progress(done, total, cursor)
    for target in range(cursor["target"], len(rows)):
        part = rows[target]
        begin = cursor["next"] if target == cursor["target"] else 0
        while begin < len(part.entries):
            if not work.has_time():
                return False
            end = min(len(part.entries), begin + SLICE)
            write(
                work.world,
                msgspec.structs.replace(
                    part,
                    first_number=part.first_number + begin,
                    entries=part.entries[begin:end],
                    drawn=part.drawn[begin:end],
                ),
            )
            done, begin = done + end - begin, end
            cursor = {"target": target, "next": begin}
            work.progress(done, total, cursor)
    return True


def _take_back(world: World, job_id: str, targets: list[str]) -> None:
    """Nothing stays of a forming that was refused; phones it has claimed without a row count as free."""
    for event_id in targets:
        record = find_formed(event_id)
        if record is None or record.job != job_id or record.state != "forming":
            continue
        undoing.clear(world, event_id, record.import_id, lambda: True)
        undoing.give_numbers_back(world, event_id, record)


def carry_on_undo(work: Work) -> None:
    """One step of the undo: hide all entries at once, then delete them."""
    world, order = work.world, dict(work.job.order)
    formed_by: str = order["formed"]
    for _ in range(ATTEMPTS):
        alive = frames(world, order["targets"])
        records = {each: record for each in alive if (record := find_formed(each)) and record.job == formed_by}
        standing = [each for each, record in records.items() if record.state == "formed"]
        try:
            if standing:
                held = [records[each] for each in standing]
                job_id = work.job.pk.partition("#")[2]
                undoing.hide(world, [alive[each] for each in standing], held, job_id, work.job.actor)
            break
        except Moved:
            continue
    else:
        raise Problem("busy")
    for event_id, record in records.items():
        if record.import_id == undoing.CLEARED:
            continue
        if not undoing.clear(world, event_id, record.import_id, work.has_time):
            work.again()
            return
        undoing.give_numbers_back(world, event_id, record)
    total = sum(int(record.size) for record in records.values())
    work.progress(total, total, None)
    work.finish("done")


def _view(job_id: str, job: Job) -> SeriesJob:
    problem = job.problem
    return SeriesJob(
        job_id,
        job.phase,
        job.phase in FINAL,
        int(job.done),
        int(job.total),
        None if problem is None else JobProblem(problem["code"], problem["detail_zh"], problem["detail_en"]),
    )
