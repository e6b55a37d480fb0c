"""Events whose files are too large to be made within one request: a job makes them (``jobs.exporting``)."""

from __future__ import annotations

from typing import Final

from chalicelib.rules.kinds import KINDS
from chalicelib.services.finding import known_event
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import COUNTS, SHARDS, EntryCounts, add_up

AT_ONCE_ROWS: Final = 20_000
"""Up to so many rows the whole workbook is made at once. 50,000 of them take 3 seconds of one whole processor, of which
the API has a little more than half, and 2.5 MB of an answer's 4.5."""


def is_large(settings: Settings, entries: int, rounds: int) -> bool:
    """Whether the files of an event with so many ``entries`` and drawn ``rounds`` are made by a job."""
    rows = entries * (rounds + 2)  # the roster, the check-in list or the ranking, and half a table a round, twice
    if not KINDS[settings.kind].scored_by_levels:
        rows += entries * rounds * settings.boards_per_round // 2
    return rows > AT_ONCE_ROWS


def refuse_large(world: World, event_id: str) -> None:
    """Raises file_large where a job has to make the files, event_not_found."""
    header, settings = known_event(event_id)
    keys = [(EntryCounts.Meta.table_name, f"{event_id}#{shard}", COUNTS) for shard in range(SHARDS)]
    entries, _ = add_up(bulk.get_items(keys, world.sleep, world.random.fraction))
    if is_large(settings, entries, int(header.last_round)):
        raise Problem("file_large")
