"""Queueing a job: its record is written with the stored reply, so a repeated request queues nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from chalicelib.services.once import Once, transaction
from chalicelib.services.world import World
from chalicelib.store.jobs import LIFE_SECONDS, STEP, Job, job_key
from chalicelib.store.transaction import Transaction

Reply = TypeVar("Reply")


def new_job(
    world: World, job_id: str, *, kind: str, event_id: str, actor: str, order: dict[str, Any], total: int = 0
) -> Job:
    """A job that waits for its first step, which writes nothing yet; it is gone a day later."""
    return Job(
        job_key(job_id),
        STEP,
        event_id=event_id,
        kind=kind,
        actor=actor,
        order=order,
        total=total,
        created_at=world.now(),
        expires_at=world.now() // 1000 + LIFE_SECONDS,
    )


def queue(
    world: World,
    job: Job,
    call_once: Once,
    view: Callable[[Job], Reply],
    within: Callable[[Transaction], None] = lambda work: None,
) -> Reply:
    """Queue the job; returns, and keeps for a repeated request, what ``view`` says of it. ``within`` adds what is to
    happen with it or not at all."""
    reply = view(job)
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(reply), world)
    work.put(job, Job.pk.does_not_exist())
    within(work)
    work.commit()
    return reply
