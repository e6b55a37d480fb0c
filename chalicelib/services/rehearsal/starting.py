"""Starting, watching and stopping a rehearsal: a test event of one's own and the job that plays it."""

from __future__ import annotations

import msgspec

from chalicelib.services import events
from chalicelib.services.jobs.queueing import new_job
from chalicelib.services.jobs.steps import cancel
from chalicelib.services.once import Once
from chalicelib.services.problems import Problem
from chalicelib.services.views.events import EventView
from chalicelib.services.views.rehearsal import RehearsalView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader
from chalicelib.store.jobs import FINAL, Job, find_job
from chalicelib.store.transaction import Transaction

KIND = "rehearsal"


class Rehearsal(msgspec.Struct, frozen=True):
    """What is rehearsed: ``entries`` robots' entries, ``seconds`` that they take for a round."""

    name: str
    kind: str
    entries: int
    rounds: int
    seconds: int


def start(world: World, account_id: str, wanted: Rehearsal, call_once: Once) -> EventView:
    """A test event of the account in which robots enter and play. Raises what ``events.create`` raises."""

    def begin(change: Transaction, header: EventHeader) -> None:
        change.put(
            new_job(
                world,
                _job_of(header.event_id),
                kind=KIND,
                event_id=header.event_id,
                actor=f"account:{account_id}",
                order={"entries": wanted.entries, "seconds": wanted.seconds},
                total=wanted.rounds,
            ),
            Job.pk.does_not_exist(),
        )

    draft = events.Draft(
        name=wanted.name,
        kind=wanted.kind,
        starts_at=world.now(),
        rounds=wanted.rounds,
        minutes_per_round=max(1, -(-wanted.seconds // 60)),
        test=True,
    )
    return events.create(world, account_id, draft, call_once, also=begin)


def status(event_id: str) -> RehearsalView:
    """How the rehearsal goes. Raises not_found in an event that is none."""
    job = _job(event_id)
    return RehearsalView(running=job.phase not in FINAL, round=int(job.done), rounds=int(job.total))


def stop(world: World, event_id: str) -> RehearsalView:
    """Let the robots stop; what they played stays. Doing so again changes nothing. Raises not_found."""
    _job(event_id)
    cancel(world, _job_of(event_id))
    return status(event_id)


def _job_of(event_id: str) -> str:
    """An event has one rehearsal, so the job's id follows from the event's."""
    return f"{KIND}-{event_id}"


def _job(event_id: str) -> Job:
    job = find_job(_job_of(event_id))
    if job is None:
        raise Problem("not_found")
    return job
