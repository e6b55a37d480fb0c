"""Telling the ladders that an event may count otherwise from now on: in the transaction that makes it so.

What is posted then is decided by whoever carries out the job, from the event as it is; so an end and an undo that
overtake each other, or a job that dies, leave what the last of these transactions made right.
"""

from __future__ import annotations

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.services.jobs.queueing import new_job
from chalicelib.services.world import World
from chalicelib.store.due import LADDERS as BUCKET
from chalicelib.store.due import due
from chalicelib.store.jobs import Job
from chalicelib.store.ladders import LADDERS, TABLE_KEY, Note, Table, season_key
from chalicelib.store.transaction import Refusal, Transaction

KIND = "ladders"
HEALED_AFTER = 600_000
"""Milliseconds after which the schedule takes up what a job that died has left."""


def follow(change: Transaction, world: World, event_id: str, actor: str, *, ends: bool = False) -> None:
    """Let the ladders look at the event after ``change``. ``ends``: by it ``actor`` ends the event."""
    actions: list[Action] = [Note.wanted.add(1)]
    if ends:
        actions.append(Note.actor.set(actor))
    change.update(Note(event_id, LADDERS), actions)
    queue(change, world, event_id, actor)


def outdate(change: Transaction, world: World, ladder_id: str, season: int, actor: str) -> None:
    """Let a season's table be made anew after ``change``."""
    key = season_key(ladder_id, season)
    change.update(Table(key, TABLE_KEY), [Table.wanted.add(1)])
    queue(change, world, key, actor)


def queue(
    change: Transaction,
    world: World,
    key: str,
    actor: str,
    condition: Condition | None = None,
    otherwise: Refusal | None = None,
) -> None:
    """A job for an event, or for the season whose partition key is ``key``; the schedule looks after it.

    ``condition``: on what waits for the schedule already.
    """
    job = new_job(world, world.random.token(12), kind=KIND, event_id=key, actor=actor, order={})
    change.put(job, Job.pk.does_not_exist())
    waiting = due(key, BUCKET)
    waiting.due_bucket, waiting.due_at = BUCKET, world.now() + HEALED_AFTER
    change.put(waiting, condition, otherwise)
