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
from chalicelib.store.transaction import TooLarge

SAVED_EVERY: Final = 250
"""Tables between two reports of progress: some second."""
MOST_TIMES_ANEW: Final = 5
"""So often tables are written again because a team said meanwhile who of it plays, or other boards are played."""


class _Cursor(msgspec.Struct):
    """How far a job is: the name of the public pages, whether what an earlier drawing left is gone, how many tables are
    written, made of what (``of``), and how often it began ``anew``."""

    snapshot: str = ""
    cleared: bool = False
    written: int = 0
    of: str = ""
    anew: int = 0


def carry_on(work: Work) -> None:
    """One step: as much as there is time for. Nobody sees anything of it before the last."""
    try:
        _carry_on(work)
    except (Problem, TooLarge) as refusal:
        large_rounds.let_go(work.world, work.job)
        raise shortened(refusal) from refusal


def undo(world: World, job: Job) -> None:
    """A cancelled job: what it wrote is read by nobody, and written over by the next."""
    large_rounds.let_go(world, job)


def _carry_on(work: Work) -> None:
    world, job = work.world, work.job
    cursor = msgspec.convert(job.cursor or {}, _Cursor)
    draft = _draft(world, job)
    if not cursor.snapshot:
        # Saved before anything is written: a step that is repeated writes the same pages.
        cursor = _Cursor(publishing.snapshot_name(world, int(draft.header.number)), of=_made_of(draft))
    elif cursor.of != _made_of(draft):
        cursor = _anew(cursor, draft)
    items = draft.items(world, work.guard())
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
    if _made_of(draft) != cursor.of:
        cursor = _anew(cursor, draft)
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


def _anew(cursor: _Cursor, draft: Draft) -> _Cursor:
    """Where to begin again because the tables are made of something else by now. Raises busy when that does not end."""
    if cursor.anew >= MOST_TIMES_ANEW:
        raise Problem("busy")
    return _Cursor(cursor.snapshot, cursor.cleared, 0, _made_of(draft), cursor.anew + 1)


def _made_of(draft: Draft) -> str:
    """What the tables of a draft are made of besides its own: the version of the entries, where it matters who of a
    team plays, and how many boards are played."""
    entries = int(draft.event.entries_version) if draft.teams else 0
    return f"{entries}/{draft.settings.boards_per_round}"
