"""Rounds that are large where more than two tables are many, in a hall of six pairs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chalicelib.services import events, rounds, scoring
from chalicelib.services.jobs import advancing, large_rounds
from chalicelib.services.jobs import holding as job_holding
from chalicelib.services.jobs import publishing as job_publishing
from chalicelib.services.jobs.large_rounds import Act
from chalicelib.services.once import Once
from chalicelib.services.rounds import holding, round_items
from chalicelib.services.views.jobs import RoundJob
from chalicelib.services.world import use
from infra.local.engine.hook import plugged_in
from tests.support.hall import ORGANIZER, OWNER, Hall, open_hall
from tests.support.interruptions import Stage

PAIRS = 6


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is a portion, and each is told of."""
    monkeypatch.setattr(round_items, "PORTION", 1)
    monkeypatch.setattr(holding, "PORTION", 1)
    monkeypatch.setattr(job_holding, "SAVED_EVERY", 1)
    monkeypatch.setattr(job_publishing, "SAVED_EVERY", 1)


def draft(hall: Hall) -> None:
    hall.draw()


def played(hall: Hall) -> None:
    """Round 1 is ready to be settled."""
    hall.draw()
    publish_at_once(hall, 1)
    hall.command("start")
    for table in scoring.grid(hall.world, hall.event_id, 1).tables:
        hall.confirm(1, table.table, "A", "9")


def publish_at_once(hall: Hall, number: int) -> None:
    """As if the round were small."""
    few = dataclasses.replace(hall.world, tables_at_once=200)
    version = rounds.read(few, hall.event_id, number).version
    rounds.publish(few, hall.event_id, number, version, ORGANIZER, hall.keys.fresh())


BEFORE: dict[Act, Callable[[Hall], None]] = {"publish": draft, "settle": played}


def start(hall: Hall, act: Act, key: Once | None = None) -> RoundJob:
    version = rounds.read(hall.world, hall.event_id, 1).version
    once = key or hall.keys.fresh(status=202)
    return large_rounds.start(hall.world, hall.event_id, 1, version, act, ORGANIZER, once)


def cancel(hall: Hall, job: RoundJob) -> RoundJob:
    return large_rounds.cancel(hall.world, hall.event_id, job.job_id)


def read(hall: Hall, job: RoundJob) -> RoundJob:
    return large_rounds.read(hall.event_id, job.job_id)


def phase(hall: Hall, number: int = 1) -> str:
    return rounds.read(hall.world, hall.event_id, number).phase


def locked(hall: Hall) -> list[int]:
    return [view.table for view in scoring.grid(hall.world, hall.event_id, 1).tables if view.locked]


def named(hall: Hall) -> str | None:
    """The job that everybody's console is told of."""
    return events.read(hall.world, hall.event_id, OWNER).rounds[0].job


def steps(hall: Hall, job: RoundJob) -> int:
    """Steps until the job is over."""
    taken = 0
    while not read(hall, job).over:
        advancing.advance(hall.world, job.job_id)
        taken += 1
        assert taken < 30
    return taken


@contextmanager
def staged(directory: Path, before: Callable[[Hall], None]) -> Iterator[tuple[Stage, Hall]]:
    """The same in a process that can be killed."""
    directory.mkdir()
    stage = Stage(directory)
    stage.world = dataclasses.replace(stage.world, tables_at_once=2)
    with plugged_in(stage.engine):
        use(stage.world)
        hall = open_hall(stage.world, PAIRS)
        before(hall)
        yield stage, hall
    use(None)
    stage.engine.close()
