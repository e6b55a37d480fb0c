"""A national round from the draw to its settlement: drawn, published and settled by jobs, 10,000 entries and 5,000.

Everything runs through the services and the jobs worker on the local store. CPU time with all that the store itself
takes, which in the cloud is elsewhere: an upper bound, as no other process counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import msgspec

from chalicelib.rules.kinds import KINDS
from chalicelib.services import rounds
from chalicelib.services.jobs import advancing, drawing, large_rounds
from chalicelib.services.once import Once, once
from chalicelib.services.settings import Settings, defaults
from chalicelib.services.standings import refreshing
from chalicelib.services.world import World, use
from infra.bench import national
from infra.bench.row import BenchRow
from infra.local.engine import Engine

TABLES = 5000
SETTLED_TABLES = 2500
MOST_STEP_SECONDS = 30.0
"""A step of a job."""
MOST_REQUEST_SECONDS = 29.0
"""An answer of the API, however it is made."""
GROUPS = 26
ACTOR = "account:bench"
Found = TypeVar("Found")


@dataclass(frozen=True)
class Case:
    """A field to be drawn: what it is called, its settings, how many rounds lie behind it, and its groups."""

    name: str
    settings: Settings
    settled: int = 0
    groups: int = 0


def cases() -> list[Case]:
    """The largest field of each way to meet."""
    swiss = national.national_settings()
    knockout = msgspec.structs.replace(swiss, knockout=True, rounds=14)
    robin = msgspec.structs.replace(defaults("小组赛", KINDS["round_robin"], "2026"), rounds=8)
    league = msgspec.structs.replace(defaults("联赛", KINDS["league"], "2026"), rounds=8)
    return [
        Case(f"Swiss round {national.ROUNDS}", swiss, settled=national.ROUNDS - 1),
        Case("Swiss round 1 by lot", swiss),
        Case("knock-out round 1", knockout),
        Case(f"round robin in {GROUPS} groups, round 1", robin, groups=GROUPS),
        Case("league round 1", league),
    ]


def rows() -> list[BenchRow]:
    """The slowest step of each drawing; then publishing and settling what was drawn."""
    return [*map(_drawn, cases()), *_round(TABLES), *_round(SETTLED_TABLES)]


def _drawn(case: Case) -> BenchRow:
    with national.store(Engine) as (engine, world):
        national.write_event(
            world, case.settled, tables=TABLES, playing=False, settings=case.settings, groups=case.groups
        )
        if case.settled:
            # As after every settlement: the settled rounds are packed, and the standings made.
            refreshing.refresh(world, national.EVENT)
        engine.recorder.clear()
        row = _draw(world, case.name, TABLES)
        return replace(row, note=f"{row.note}, {_requests(engine)}")


def _draw(world: World, name: str, tables: int) -> BenchRow:
    """Draw the next round as the job does; the slowest of its steps, and how many there were."""
    job, asked = _timed(lambda: drawing.start(world, national.EVENT, False, ACTOR, _call(202)))
    steps: list[float] = []
    while not (now := drawing.read(world, national.EVENT, job.job_id)).over:
        steps.append(_timed(lambda: advancing.advance(world, job.job_id))[1])
    if now.phase != "done":
        raise RuntimeError(f"{name}: {now.phase} {now.problem}")
    return BenchRow(
        "drawing",
        f"{2 * tables:,} entries, {name}: slowest step of the job",
        max(steps),
        "CPU s",
        target=MOST_STEP_SECONDS,
        note=f"{len(steps)} steps, asked for in {asked:.2f} s",
    )


def _round(tables: int) -> list[BenchRow]:
    """Round 8 of a national event: looked at, published by a job, every table confirmed, settled by a job."""
    number = national.ROUNDS
    with national.store(Engine) as (engine, still):
        waited: list[float] = []
        # Time that passes only in pauses: steps end where they would in the cloud, and nobody waits here.
        world = replace(still, clock=lambda: national.NOW + round(1000 * sum(waited)), sleep=waited.append)
        use(world)
        national.write_event(world, number - 1, tables=tables, playing=False)
        refreshing.refresh(world, national.EVENT)
        _draw(world, "the round that is settled", tables)
        engine.recorder.clear()
        draft, seconds = _timed(lambda: rounds.read(world, national.EVENT, number))
        what = f"round {number} of {tables:,} tables"
        looked = BenchRow(
            "drawing",
            f"{what}: the draft looked at",
            seconds,
            "CPU s",
            target=MOST_REQUEST_SECONDS,
            note=_requests(engine),
        )
        published = _as_a_job(engine, world, waited, f"{what}: published", "publish", draft.version)
        national.confirm_all(world, number, tables)
        settled = _as_a_job(engine, world, waited, f"{what}: settled", "settle", draft.version + 1)
    return [looked, published, settled]


def _as_a_job(
    engine: Engine, world: World, waited: list[float], what: str, act: large_rounds.Act, version: int
) -> BenchRow:
    """A round published or settled by a job: its slowest step, with the pauses in it."""
    engine.recorder.clear()
    number, before = national.ROUNDS, sum(waited)
    job = large_rounds.start(world, national.EVENT, number, version, act, ACTOR, _call(202))
    steps: list[float] = []
    while not (now := large_rounds.read(national.EVENT, job.job_id)).over:
        paused = sum(waited)
        steps.append(_timed(lambda: advancing.advance(world, job.job_id))[1] + sum(waited) - paused)
    if now.phase != "done":
        raise RuntimeError(f"{what}: {now.phase} {now.problem}")
    pauses = sum(waited) - before
    return BenchRow(
        "drawing",
        f"{what}: slowest step of the job",
        max(steps),
        "s",
        target=MOST_STEP_SECONDS,
        note=f"{len(steps)} steps, {sum(steps) - pauses:.1f} CPU s and {pauses:.1f} s of pauses, {_requests(engine)}",
    )


def _requests(engine: Engine) -> str:
    return f"{sum(engine.recorder.requests().values()):,} requests to the store"


def _call(status: int = 200) -> Once:
    return once(ACTOR, f"bench-{time.monotonic_ns()}", "POST", "/", b"", status)


def _timed(work: Callable[[], Found]) -> tuple[Found, float]:
    begun = time.process_time()
    found = work()
    return found, time.process_time() - begun
