"""Drawing a round as a job: a national field takes longer to draw, write and show than one request may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from chalicelib.services import rounds
from chalicelib.services.event_frames import Frame
from chalicelib.services.jobs import steps
from chalicelib.services.jobs.queueing import new_job, queue
from chalicelib.services.jobs.steps import FINAL, Stopped, Work
from chalicelib.services.once import Once
from chalicelib.services.problems import Problem
from chalicelib.services.views.jobs import DrawingJob, DrawingProblem
from chalicelib.services.world import World
from chalicelib.store.jobs import Job, find_job
from chalicelib.store.transaction import Transaction

AT_ONCE = 400
"""Up to so many entries a round is drawn within the request itself."""
STAGES: Final = 3
"""What a drawing reports: begun, paired, written."""
KIND: Final = "drawing"
MOST_CURRENT: Final = 100_000
"""Bytes of a refusal's proposal that a job keeps; a larger one is no help to anybody who reads it."""


def start(world: World, event_id: str, accept_proposal: bool, actor: str, call_once: Once) -> DrawingJob:
    """Draw the next round, at once or, for more than 400 entries, as a job.

    Raises what ``rounds.draw`` raises when it is drawn at once; a job tells its refusal in ``problem``.
    """
    frame = Frame.read(world, event_id, with_rounds=False)
    if frame.header.phase == "ended":
        raise Problem("event_ended")
    if frame.entries <= AT_ONCE:
        number = int(frame.header.last_round) + 1
        done = DrawingJob("", "done", True, STAGES, STAGES, number, None)
        rounds.draw(world, event_id, accept_proposal, actor, call_once, reply=msgspec.to_builtins(done))
        return done
    job_id = world.random.token(12)
    order = {"accept_proposal": accept_proposal, "round": int(frame.header.last_round) + 1}
    job = new_job(world, job_id, kind=KIND, event_id=event_id, actor=actor, order=order, total=STAGES)
    return queue(world, job, call_once, lambda queued: _view(job_id, queued))


def read(world: World, event_id: str, job_id: str) -> DrawingJob:
    """How far a drawing is. Raises not_found."""
    job = find_job(job_id)
    if job is None or job.event_id != event_id or job.kind != KIND:
        raise Problem("not_found")
    return _view(job_id, job)


def cancel(world: World, event_id: str, job_id: str) -> DrawingJob:
    """Cancel a drawing that is under way: no round comes of it. One that is over stays as it is. Raises not_found."""
    if not read(world, event_id, job_id).over:
        steps.cancel(world, job_id)
    return read(world, event_id, job_id)


def carry_on(work: Work) -> None:
    """The whole drawing in one step; a step that died is repeated, and its round drawn once. That it was asked for
    holds for that round alone: if it was drawn by somebody else, no later one is.

    Round and job are done in one transaction: whoever cancels comes before it, and nothing is drawn, or too late.
    """
    world, job = work.world, work.job
    work.progress(1, STAGES, None)
    try:
        rounds.draw(
            world,
            job.event_id,
            bool(dict(job.order)["accept_proposal"]),
            job.actor,
            Once(f"job:{job.pk}", "the-one-drawing", job.pk),
            expected=int(dict(job.order)["round"]),
            reply={"done": True},
            paired=_paired(work),
            within=_done_with(work),
        )
    except Problem as problem:
        if len(msgspec.json.encode(problem.current)) > MOST_CURRENT:
            problem.current = None
        raise


def _paired(work: Work) -> Callable[[], None]:
    return lambda: work.progress(2, STAGES, None)


def _done_with(step: Work) -> Callable[[Transaction], None]:
    def add(work: Transaction) -> None:
        version = int(step.job.version)
        work.update(
            step.job,
            [Job.phase.set("done"), Job.done.set(STAGES), Job.wakes.set(0), Job.version.set(version + 1)],
            condition=(Job.version == version) & (Job.phase == "running"),
            otherwise=lambda old: Stopped(),
        )

    return add


def _view(job_id: str, job: Job) -> DrawingJob:
    order = dict(job.order)
    problem = job.problem
    return DrawingJob(
        job_id,
        job.phase,
        job.phase in FINAL,
        int(job.done),
        STAGES,
        order["round"] if job.phase == "done" else None,
        None
        if problem is None
        else DrawingProblem(problem["code"], problem["detail_zh"], problem["detail_en"], problem.get("current")),
    )
