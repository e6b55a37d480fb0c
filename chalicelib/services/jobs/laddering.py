"""Ladder posting as a job: an event is posted or taken back, then the tables it touched are made anew, in steps.

Every step can be repeated: what is done is seen from the data, the cursor only saves work.
"""

from __future__ import annotations

from typing import Any

from chalicelib.services.jobs.steps import Work
from chalicelib.services.ladders.posting import finish, settle, touched_of
from chalicelib.services.ladders.tables import refresh, shown
from chalicelib.store.ladders import ladder_of

SEASON = "LADDER#"


def carry_on(work: Work) -> None:
    """One step: as much as there is time for."""
    world, key = work.world, work.job.event_id
    if key.startswith(SEASON):
        if _made(work, ladder_of(key)):
            shown(world, *ladder_of(key), key)
            work.finish("done")
        return
    while True:
        note = settle(world, key)
        if note is None:
            break
        for season in touched_of(note):
            if not _made(work, season):
                return
        if finish(world, key, note):
            break
    work.finish("done")


def _made(work: Work, season: tuple[str, int]) -> bool:
    """Whether a season's table is up to date; False: another step goes on from the saved cursor."""
    job_id = work.job.pk.partition("#")[2]
    saved: dict[str, Any] = dict(work.job.cursor or {})
    name = f"{season[0]}#{season[1]}"
    left = refresh(work.world, *season, job_id, saved.get(name), work.has_time)
    if left is None:
        return True
    work.progress(int(work.job.done) + 1, 0, {name: left})
    work.again()
    return False
