"""The ``standings`` function: what moves ranks, or shows at a table, wakes it through the matches table's stream."""

from __future__ import annotations

from typing import Any

from chalice.app import Blueprint, DynamoDBEvent

from chalicelib.services import table_changes
from chalicelib.services.standings import refresh
from chalicelib.services.table_changes import Seen
from chalicelib.services.world import World, current
from chalicelib.workers.batches import handle, stream_arn

blueprint = Blueprint(__name__)


@blueprint.on_dynamodb_record(stream_arn("matches"), batch_size=100, starting_position="TRIM_HORIZON", name="standings")
def standings(event: DynamoDBEvent) -> dict[str, Any]:
    """For each event of the batch: which tables have changed, then one run of the standings if a rank may move."""
    world, records = current(), list(event.to_dict().get("Records", ()))
    seen = table_changes.seen_in(records)
    return handle(records, lambda event_id: run(world, event_id, seen[event_id]))


def run(world: World, event_id: str, seen: Seen) -> None:
    """Tell of the changes first, for officials wait for them, not for the ranking; then the standings, counted and
    timed."""
    table_changes.tell(world, event_id, seen)
    if not seen.ranks:
        return
    begun = world.now()
    refresh(world, event_id)
    world.metrics.add("StandingsRuns")
    world.metrics.add("StandingsMilliseconds", world.now() - begun)
