"""Every kind of job, and the next step of any of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chalicelib.services.jobs import drawing, importing, publishing, settling
from chalicelib.services.jobs.steps import Work, forget_key, step
from chalicelib.services.world import World
from chalicelib.store.jobs import Job, find_job


def _rehearse(work: Work) -> None:
    # Imported where it is used: no other function plays robots.
    from chalicelib.services.rehearsal import playing

    playing.carry_on(work)


def _restore(work: Work) -> None:
    from chalicelib.services.jobs import restoring

    restoring.carry_on(work)


def _export(work: Work) -> None:
    from chalicelib.services.jobs import exporting

    exporting.carry_on(work)


def _undo_export(world: World, job: Job) -> None:
    from chalicelib.services.jobs import exporting

    exporting.undo(world, job)


def _post_to_ladders(work: Work) -> None:
    from chalicelib.services.jobs import laddering

    laddering.carry_on(work)


def _form_stage(work: Work) -> None:
    from chalicelib.services.jobs import series

    series.carry_on(work)


def _undo_stage(work: Work) -> None:
    from chalicelib.services.jobs import series

    series.carry_on_undo(work)


KINDS: Final[dict[str, Callable[[Work], None]]] = {
    "import": importing.carry_on,
    drawing.KIND: drawing.carry_on,
    "publishing": publishing.carry_on,
    "settling": settling.carry_on,
    "document": _restore,
    "rehearsal": _rehearse,
    "export": _export,
    "ladders": _post_to_ladders,
    "series": _form_stage,
    "series_undo": _undo_stage,
}
"""Kind -> what carries out one step."""
UNDO: Final[dict[str, Callable[[World, Job], None]]] = {
    "import": importing.undo,
    drawing.KIND: drawing.undo,
    "publishing": publishing.undo,
    "settling": settling.undo,
    "export": _undo_export,
}
"""Kind -> what takes back the work of a cancelled job; kinds that leave nothing behind are not here."""


def advance(world: World, job_id: str) -> None:
    """One step of a job, as the stream asks for it."""
    job = find_job(job_id)
    if job is not None and job.phase == "cancelled":
        if job.cursor is not None and job.kind in UNDO:
            UNDO[job.kind](world, job)
        forget_key(world, job)
        return
    step(world, job_id, KINDS)
