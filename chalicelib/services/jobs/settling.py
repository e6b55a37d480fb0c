"""Settling a large round as a job: its tables are held, looked at again, and the header flips."""

from __future__ import annotations

import msgspec

from chalicelib.services.jobs import holding, large_rounds
from chalicelib.services.jobs.holding import HoldCursor
from chalicelib.services.jobs.steps import Work, done_with, shortened
from chalicelib.services.once import Once
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import settling
from chalicelib.services.world import World
from chalicelib.store.jobs import Job
from chalicelib.store.transaction import TooLarge


def carry_on(work: Work) -> None:
    """One step: hold as many tables as there is time for, or settle. Nobody sees anything of it before the last."""
    try:
        _carry_on(work)
    except (Problem, TooLarge) as refusal:
        # A step of its own may have held the tables.
        undo(work.world, work.job)
        raise shortened(refusal) from refusal


def undo(world: World, job: Job) -> None:
    """A cancelled or refused job: the players of the tables that it held go on."""
    holding.undo(world, job, dict(job.order)["round"])
    large_rounds.let_go(world, job)


def _carry_on(work: Work) -> None:
    world, job = work.world, work.job
    order = dict(job.order)
    cursor = msgspec.convert(job.cursor or {}, HoldCursor)
    event, settings, header = settling.to_be_settled(world, job.event_id, order["round"], order["version"])

    def save() -> None:
        work.progress(cursor.held, cursor.tables, msgspec.to_builtins(cursor))

    held = holding.held(work, header, settings, cursor, save)
    if held is None:
        return
    settling.look_again(held, settings)
    settling.settle_held(
        held,
        event,
        settings,
        job.actor,
        Once(f"job:{job.pk}", "the-one-settlement", job.pk),
        reply={"done": True},
        within=done_with(work, cursor.tables),
    )
