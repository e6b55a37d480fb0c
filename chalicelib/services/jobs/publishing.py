"""Publishing a large round as a job: what an earlier drawing left goes, the tables are written, the header flips."""

from __future__ import annotations

from typing import Final

import msgspec

from chalicelib.services.jobs import large_rounds
from chalicelib.services.jobs.steps import Work, done_with, shortened
from chalicelib.services.once import Once
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import publishing
from chalicelib.services.rounds.publishing import Draft
from chalicelib.services.world import World
from chalicelib.store.jobs import Job

SAVED_EVERY: Final = 250
"""Tables between two reports of progress: some second."""
MOST_TIMES_ANEW: Final = 5
"""So often tables are written again because a team said meanwhile who of it plays."""


class _Cursor(msgspec.Struct):
    """How far a job is: the name of the public pages, whether what an earlier drawing left is gone, how many tables are
    written, with the entries at which version, and how often it began ``anew``."""

    snapshot: str = ""
    cleared: bool = False
    written: int = 0
    entries: int = 0
    anew: int = 0


def carry_on(work: Work) -> None:
    """One step: as much as there is time for. Nobody sees anything of it before the last."""
    try:
        _carry_on(work)
    except Problem as problem:
        large_rounds.let_go(work.world, work.job)
        raise shortened(problem) from problem


def undo(world: World, job: Job) -> None:
    """A cancelled job: what it wrote is read by nobody, and written over by the next."""
    large_rounds.let_go(world, job)


def _carry_on(work: Work) -> None:
    world, job = work.world, work.job
    cursor = msgspec.convert(job.cursor or {}, _Cursor)
    draft = _draft(world, job)
    if not cursor.snapshot:
        # Saved before anything is written: a step that is repeated writes the same pages.
        cursor = _Cursor(publishing.snapshot_name(world, int(draft.header.number)), entries=_version(draft))
    items = draft.items(world)
    total = len(items)

    def save() -> None:
        work.progress(cursor.written, total, msgspec.to_builtins(cursor))

    save()
    if not cursor.cleared:
        for _ in items.clear():
            if not work.has_time():
                work.again()
                return
        cursor.cleared = True
    for written in items.write(cursor.written):
        cursor.written = written
        if not work.has_time():
            save()
            work.again()
            return
        if written % SAVED_EVERY == 0:
            save()
    # Looked at again: writing took its time.
    draft = _draft(world, job)
    if _version(draft) != cursor.entries:
        if cursor.anew >= MOST_TIMES_ANEW:
            raise Problem("busy")
        cursor.written, cursor.entries, cursor.anew = 0, _version(draft), cursor.anew + 1
        save()
        work.again()
        return
    save()
    publishing.show(
        world,
        draft,
        cursor.snapshot,
        job.actor,
        Once(f"job:{job.pk}", "the-one-publication", job.pk),
        reply={"done": True},
        within=done_with(work, total),
    )


def _draft(world: World, job: Job) -> Draft:
    order = dict(job.order)
    return publishing.read_draft(world, job.event_id, order["round"], order["version"])


def _version(draft: Draft) -> int:
    """Of the entries, where it matters who of a team plays."""
    return int(draft.event.entries_version) if draft.teams else 0
