"""Drawing a round as a job: a national field takes longer to draw, write and show than one request may."""

from __future__ import annotations

from typing import Final

import msgspec

from chalicelib.services import rounds
from chalicelib.services.event_frames import Frame
from chalicelib.services.finding import IN_PLAY, known_event, open_event
from chalicelib.services.jobs import holding, steps
from chalicelib.services.jobs.holding import HoldCursor
from chalicelib.services.jobs.queueing import new_job, queue
from chalicelib.services.jobs.steps import Work, done_with, shortened
from chalicelib.services.once import Once
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import large, under_way
from chalicelib.services.views.jobs import DrawingJob, StepProblem
from chalicelib.services.world import World
from chalicelib.store.events import RoundHeader, find_round
from chalicelib.store.jobs import FINAL, Job, find_job
from chalicelib.store.transaction import TooLarge

AT_ONCE = 400
"""Up to so many entries a round is drawn within the request itself."""
STAGES: Final = 3
"""What a drawing reports: begun, paired, written."""
KIND: Final = "drawing"


def start(world: World, event_id: str, accept_proposal: bool, actor: str, call_once: Once) -> DrawingJob:
    """Draw the next round, at once or, for more than 400 entries, as a job.

    Raises what ``rounds.draw`` raises when it is drawn at once; a job tells its refusal in ``problem``.
    """
    frame = Frame.read(world, event_id, with_rounds=False)
    if frame.header.phase == "ended":
        raise Problem("event_ended")
    number = int(frame.header.last_round) + 1
    if frame.entries <= AT_ONCE and _large_in_play(world, event_id, number - 1) is None:
        done = DrawingJob("", "done", True, STAGES, STAGES, number, None)
        rounds.draw(world, event_id, accept_proposal, actor, call_once, reply=msgspec.to_builtins(done))
        return done
    job_id = world.random.token(12)
    order = {"accept_proposal": accept_proposal, "round": number}
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
    """The whole drawing in one step, once the tables of a large round before it are held; a step that died is repeated,
    and its round drawn once. That it was asked for holds for that round alone: if it was drawn by somebody else, no
    later one is.

    Round and job are done in one transaction: whoever cancels comes before it, and nothing is drawn, or too late.
    """
    try:
        _carry_on(work)
    except (Problem, TooLarge) as refusal:
        # A step of its own may have held the tables.
        undo(work.world, work.job)
        raise shortened(refusal) from refusal


def undo(world: World, job: Job) -> None:
    """A cancelled or refused drawing: the players of the tables that it held go on."""
    holding.undo(world, job, dict(job.order)["round"] - 1)


def _carry_on(work: Work) -> None:
    world, job = work.world, work.job
    order = dict(job.order)
    cursor = msgspec.convert(job.cursor or {}, HoldCursor)

    def save(stage: int) -> None:
        work.progress(stage, STAGES, msgspec.to_builtins(cursor))

    save(1)
    held = None
    last = _large_in_play(world, job.event_id, order["round"] - 1)
    if last is not None:
        _, settings = open_event(world, job.event_id)
        under_way.refuse(last)
        held = holding.held(work, last, settings, cursor, lambda: save(1))
        if held is None:
            return
    rounds.draw(
        world,
        job.event_id,
        bool(order["accept_proposal"]),
        job.actor,
        Once(f"job:{job.pk}", "the-one-drawing", job.pk),
        expected=int(order["round"]),
        reply={"done": True},
        held=held,
        paired=lambda: save(2),
        within=done_with(work, STAGES),
    )


def _large_in_play(world: World, event_id: str, number: int) -> RoundHeader | None:
    """The round if it is large and has to be settled."""
    header = find_round(event_id, number) if number else None
    if header is None or header.phase not in IN_PLAY:
        return None
    _, settings = known_event(event_id)
    return header if large.is_large(world, settings, header) else None


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
        None if problem is None else StepProblem.of(problem),
    )
