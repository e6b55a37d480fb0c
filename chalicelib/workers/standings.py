"""The ``standings`` function: whatever moves ranks wakes it through the matches table's stream."""

from __future__ import annotations

from typing import Any

from chalice.app import Blueprint, DynamoDBEvent

from chalicelib.services.standings import refresh
from chalicelib.services.world import World, current
from chalicelib.workers.batches import handle, stream_arn

blueprint = Blueprint(__name__)


@blueprint.on_dynamodb_record(stream_arn("matches"), batch_size=100, starting_position="TRIM_HORIZON", name="standings")
def standings(event: DynamoDBEvent) -> dict[str, Any]:
    """One run of the standings for each event of the batch."""
    world = current()
    return handle(event.to_dict().get("Records", ()), lambda event_id: run(world, event_id))


def run(world: World, event_id: str) -> None:
    """The standings of one event, counted and timed."""
    begun = world.now()
    refresh(world, event_id)
    world.metrics.add("StandingsRuns")
    world.metrics.add("StandingsMilliseconds", world.now() - begun)
