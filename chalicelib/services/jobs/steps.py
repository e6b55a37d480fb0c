"""Carrying out one step of a job, whoever wakes it and however often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from pynamodb.exceptions import UpdateError
from pynamodb.expressions.update import Action

from chalicelib.services.once import AlreadyDone
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.bulk import Item
from chalicelib.store.guarded import Guard
from chalicelib.store.jobs import FINAL, STEP, Job, find_job, job_key
from chalicelib.store.transaction import TooLarge, Transaction, patiently

STEP_MILLISECONDS = 20_000
"""A step stops taking on more work after that, so that it ends well within its function's time."""

MOST_CURRENT: Final = 100_000
"""Bytes of a refusal's ``current`` that a job keeps; a larger one is no help to anybody who reads it."""


class Stopped(Exception):
    """Somebody cancelled the job, or another step of it goes on: this one has nothing more to say."""


@dataclass
class Work:
    """A job under way. Every write of its progress is conditional on the version that this step knows, and carries the
    step's name: when a reply was lost and the write is sent again, the step knows its own."""

    world: World
    job: Job
    until: int
    name: str

    def has_time(self) -> bool:
        """Whether this step may take on more."""
        return self.world.now() < self.until

    def progress(self, done: int, total: int, cursor: Any) -> None:
        """Save how far the job is. Raises :class:`Stopped`."""
        self._write(Job.done.set(done), Job.total.set(total), Job.cursor.set(cursor), Job.wakes.set(0))

    def again(self) -> None:
        """Let the next step go on from the saved cursor."""
        self._write(Job.wakes.set(1))

    def finish(self, phase: str, report: bytes | None = None, problem: Problem | None = None) -> None:
        """Say how it ended; ``report`` is compressed JSON, sealed in an encrypted event. A key that was lent to the
        job is forgotten."""
        actions: list[Action] = [Job.phase.set(phase), Job.wakes.set(0)]
        order: dict[str, Any] = dict(self.job.order)
        if order.pop("lent", None) is not None:
            actions.append(Job.order.set(order))
        if report is not None:
            actions.append(Job.report.set(report))
        if problem is not None:
            actions.append(Job.problem.set(problem.document()))
        self._write(*actions)

    def _write(self, *actions: Action, phases: tuple[str, ...] = ("running",)) -> None:
        version = int(self.job.version)
        try:
            patiently(
                lambda: self.job.update(
                    actions=[*actions, Job.version.set(version + 1), Job.step.set(self.name)],
                    condition=(Job.version == version) & Job.phase.is_in(*phases),
                ),
                self.world.sleep,
                self.world.random.fraction,
            )
        except UpdateError as error:
            if error.cause_response_code != "ConditionalCheckFailedException":
                raise
            if not self._wrote(version + 1):
                raise Stopped from error

    def _wrote(self, version: int) -> bool:
        """Whether the job stands as this very step wrote it: its first answer was lost on the way."""
        try:
            self.job.refresh(consistent_read=True)
        except Job.DoesNotExist:
            return False
        return int(self.job.version) == version and self.job.step == self.name

    def guard(self) -> Guard:
        """The condition that nobody cancelled the job and no other step of it goes on, for writes of anything else."""
        ours: dict[str, Item] = {"step": {"S": self.name}, "phase": {"S": "running"}}
        return Guard(Job.Meta.table_name, self.job.pk, self.job.sk, ours, Stopped)

    def begin(self) -> None:
        """Say that this step is at it. Raises :class:`Stopped` when the job is over or another step has begun."""
        self._write(Job.phase.set("running"), Job.wakes.set(0), phases=("queued", "running"))


def step(world: World, job_id: str, kinds: dict[str, Callable[[Work], None]]) -> None:
    """Carry out the next step of a job; ``kinds``: what to call by the job's kind.

    A job that is over, or that another step took meanwhile, is left alone. A refusal ends the job as failed.
    """
    job = find_job(job_id)
    if job is None or job.phase in FINAL:
        return
    work = Work(world, job, world.now() + STEP_MILLISECONDS, world.random.token(9))
    try:
        try:
            work.begin()
            kinds[job.kind](work)
        except Problem as problem:
            work.finish("failed", problem=problem)
        except TooLarge:
            # It would be so at every retry.
            work.finish("failed", problem=Problem("too_large", limit="400 KB"))
    except Stopped:
        return
    except AlreadyDone:
        # Another step of it was at the same, and came first.
        found = find_job(job_id)
        if found is None or found.phase not in FINAL:
            raise


def done_with(step: Work, total: int) -> Callable[[Transaction], None]:
    """What a deciding transaction adds, so that the job is done with it: whoever cancels comes before it, and nothing
    of it happens, or too late."""

    def add(work: Transaction) -> None:
        version = int(step.job.version)
        work.update(
            step.job,
            [
                Job.phase.set("done"),
                Job.done.set(total),
                Job.total.set(total),
                Job.wakes.set(0),
                Job.version.set(version + 1),
            ],
            condition=(Job.version == version) & (Job.phase == "running"),
            otherwise=lambda old: Stopped(),
        )

    return add


def shortened(problem: Problem | TooLarge) -> Problem | TooLarge:
    """The refusal without its ``current``, if that is too large to be kept."""
    if isinstance(problem, TooLarge):
        return problem
    if len(msgspec.json.encode(problem.current)) > MOST_CURRENT:
        problem.current = None
    return problem


def forget_key(world: World, job: Job) -> None:
    """Forget the key that was lent to a cancelled job, once its work was taken back with it."""
    order: dict[str, Any] = dict(job.order)
    if order.pop("lent", None) is None:
        return
    patiently(
        # Nothing more is to be done: the record of this change must not wake another step.
        lambda: job.update(actions=[Job.order.set(order), Job.wakes.set(0)], condition=Job.phase == "cancelled"),
        world.sleep,
        world.random.fraction,
    )


def cancel(world: World, job_id: str) -> Job | None:
    """Cancel a job that is not over; returns it as it is then, None if there is none."""
    job = find_job(job_id)
    if job is None or job.phase in FINAL:
        return job
    try:
        # The next step undoes what was written; it is woken for that.
        patiently(
            lambda: Job(job_key(job_id), STEP).update(
                # Nobody's step: the one under way must not take this write for its own.
                actions=[Job.phase.set("cancelled"), Job.wakes.set(1), Job.version.add(1), Job.step.remove()],
                condition=Job.phase.is_in("queued", "running"),
            ),
            world.sleep,
            world.random.fraction,
        )
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
    return find_job(job_id)
