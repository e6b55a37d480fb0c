"""Holding the tables of a large round, over as many steps as it takes (``rounds.holding`` says what a hold is)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from chalicelib.services.jobs.steps import Work
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import holding, settling
from chalicelib.services.rounds.holding import Hold
from chalicelib.services.settings import Settings
from chalicelib.services.stored import tables
from chalicelib.services.world import World
from chalicelib.store.events import RoundHeader, round_key
from chalicelib.store.jobs import Job

SAVED_EVERY = 250
"""Tables between two reports of progress: some two seconds."""
MOST_TIMES_ANEW = 3
"""So often tables are held again because a step came too late to settle under the hold."""


class HoldCursor(msgspec.Struct):
    """How far a job is with a round's tables: the end of its hold (0: it holds none), how many are held, of how many,
    and how often it began ``anew``."""

    until: int = 0
    held: int = 0
    tables: int = 0
    anew: int = 0


def held(
    work: Work, header: RoundHeader, settings: Settings, cursor: HoldCursor, save: Callable[[], None]
) -> Hold | None:
    """The hold once all the round's tables are held, None when the next step has to go on; ``save`` writes ``cursor``
    down. What follows a hold has a step of its own.

    Raises open_tables (nothing is held then), stale_version, and busy when it does not come to an end in time.
    """
    numbers = [table.table for table in tables.of_round(header.pk, int(header.number), header.generation)]
    hold = Hold(work.world, header, cursor.until, shared=True)
    if cursor.until and not hold.still_good():
        hold.release()
        if cursor.anew >= MOST_TIMES_ANEW:
            raise Problem("busy")
        cursor.until, cursor.anew = 0, cursor.anew + 1
    elif cursor.until and cursor.held >= len(numbers):
        return hold
    if not cursor.until:
        settling.finished_tables(header, settings)
        hold = holding.begin(work.world, header, shared=True)
        cursor.until, cursor.held, cursor.tables = hold.until, 0, len(numbers)
        save()
    with holding.released_when_refused(hold):
        for count in hold.take(numbers, cursor.held):
            cursor.held = count
            if not work.has_time():
                break
            if count % SAVED_EVERY == 0:
                save()
        save()
        work.again()
    return None


def undo(world: World, job: Job, number: int) -> None:
    """Let the players of a round go on whose tables a cancelled job held."""
    cursor = msgspec.convert(job.cursor or {}, HoldCursor)
    if cursor.until:
        holding.give_up(world, job.event_id, round_key(number), cursor.until)
