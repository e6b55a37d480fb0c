"""The ``club_ranks`` function: follows the pointer, one step behind ``standings``.

It puts the public 团体 page and the pulse; the latter heals whatever died between changing the pointer and the file.
"""

from __future__ import annotations

from typing import Any

from chalice.app import Blueprint, DynamoDBEvent

from chalicelib.services import pulse
from chalicelib.services.standings import public_clubs
from chalicelib.services.world import World, current
from chalicelib.workers.batches import handle, stream_arn

blueprint = Blueprint(__name__)


@blueprint.on_dynamodb_record(
    stream_arn("standings"), batch_size=100, starting_position="TRIM_HORIZON", name="club_ranks"
)
def club_ranks(event: DynamoDBEvent) -> dict[str, Any]:
    """Once for each event whose pointer changed."""
    world = current()
    return handle(event.to_dict().get("Records", ()), lambda event_id: follow(world, event_id))


def follow(world: World, event_id: str) -> None:
    """Bring the public files of an event up to its pointer."""
    public_clubs(world, event_id)
    pulse.publish(world, event_id)
