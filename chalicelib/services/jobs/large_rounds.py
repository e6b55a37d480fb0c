"""Publishing and settling a round: at once, or as a job where the round has many tables.

A job is named in the round's header from the transaction that queues it to the one that carries it out, so there is one
at a time: whoever asks for the same meanwhile joins it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from chalicelib.services import rounds
from chalicelib.services.finding import IN_PLAY, drawn_round, open_event
from chalicelib.services.jobs import steps
from chalicelib.services.jobs.queueing import new_job, queue
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import holding, large, under_way
from chalicelib.services.views.jobs import RoundJob, StepProblem
from chalicelib.services.world import World
from chalicelib.store.events import RoundHeader, round_key
from chalicelib.store.jobs import FINAL, Job, find_job
from chalicelib.store.transaction import Transaction

Act = Literal["publish", "settle"]
KINDS: Final[dict[str, Act]] = {"publishing": "publish", "settling": "settle"}
"""Kind of a job -> what it does to a round."""
_AT_ONCE: Final[dict[Act, Callable[..., Any]]] = {"publish": rounds.publish, "settle": rounds.settle}
_PHASES: Final[dict[Act, tuple[str, ...]]] = {"publish": ("draft",), "settle": IN_PLAY}
_ATTEMPTS = 3


class _Moved(Exception):
    """The round's header is another than it was a moment ago."""


def start(world: World, event_id: str, number: int, version: int, act: Act, actor: str, call_once: Once) -> RoundJob:
    """Publish or settle a round that was seen at ``version``, or queue the job that does it, or join that job.

    Raises round_phase, stale_version, round_under_way when a job does something else with it, and, where it is done at
    once, what ``rounds.publish`` and ``rounds.settle`` raise; a job tells its refusal in ``problem``.
    """
    for _ in range(_ATTEMPTS):
        _, settings = open_event(world, event_id)
        header = drawn_round(event_id, number)
        if not large.is_large(world, settings, header):
            done = RoundJob("", act, "done", True, 1, 1, number, None)
            _AT_ONCE[act](world, event_id, number, version, actor, call_once, reply=msgspec.to_builtins(done))
            return done
        found = under_way.job_of(header)
        if found is not None:
            return _joined(world, found, act, call_once)
        if header.phase not in _PHASES[act]:
            raise Problem("round_phase", phase=header.phase)
        if header.version != version:
            raise Problem("stale_version")
        try:
            return _queued(world, header, version, act, actor, call_once)
        except _Moved:
            continue
    raise Problem("busy")


def _queued(world: World, header: RoundHeader, version: int, act: Act, actor: str, call_once: Once) -> RoundJob:
    job_id, event_id, number = world.random.token(12), header.pk, int(header.number)
    kind = next(kind for kind, done in KINDS.items() if done == act)
    order = {"round": number, "version": version}
    job = new_job(world, job_id, kind=kind, event_id=event_id, actor=actor, order=order, total=int(header.tables))
    # Whatever becomes of it, the round's header has to forget it.
    job.cursor = {}
    alone = RoundHeader.job.does_not_exist() if header.job is None else RoundHeader.job == header.job

    def within(work: Transaction) -> None:
        work.update(
            RoundHeader(event_id, round_key(number)),
            [RoundHeader.job.set(job_id)],
            condition=(RoundHeader.version == version) & (RoundHeader.phase == header.phase) & alone,
            otherwise=lambda old: _Moved(),
        )

    return queue(world, job, call_once, _view, within)


def _joined(world: World, job: Job, act: Act, call_once: Once) -> RoundJob:
    if KINDS.get(job.kind) != act:
        raise Problem("round_under_way")
    reply = _view(job)
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(reply), world)
    work.commit()
    return reply


def read(event_id: str, job_id: str) -> RoundJob:
    """How far it is, then how it ended. Raises not_found."""
    return _view(_of_event(event_id, job_id))


def cancel(world: World, event_id: str, job_id: str) -> RoundJob:
    """Cancel it: the round is as it was. One that is over stays as it is. Raises not_found."""
    _of_event(event_id, job_id)
    steps.cancel(world, job_id)
    return read(event_id, job_id)


def let_go(world: World, job: Job) -> None:
    """The job is over without having done anything: the round's header forgets it."""
    header = RoundHeader(job.event_id, round_key(dict(job.order)["round"]))
    holding.write(world, header, [RoundHeader.job.remove()], RoundHeader.job == job.pk.partition("#")[2])


def _of_event(event_id: str, job_id: str) -> Job:
    job = find_job(job_id)
    if job is None or job.event_id != event_id or job.kind not in KINDS:
        raise Problem("not_found")
    return job


def _view(job: Job) -> RoundJob:
    problem = job.problem
    return RoundJob(
        job_id=job.pk.partition("#")[2],
        act=KINDS[job.kind],
        phase=job.phase,
        over=job.phase in FINAL,
        done=int(job.done),
        total=int(job.total),
        round=dict(job.order)["round"],
        problem=None if problem is None else StepProblem.of(problem),
    )
