"""Copies at the edge of an event's public files: forgotten when what they say must not be read any more."""

from __future__ import annotations

import logging

from chalicelib.services.world import World

logger = logging.getLogger("guanjun.edge")


def forget(world: World, event_id: str) -> None:
    """Let the edge forget everything public of the event: after an erasure, an encryption, a purge, when it is deleted,
    becomes private or its standings are frozen.

    Never raises: the files themselves are right already, and a copy lives a day at most. A failure is logged and rings
    an alarm.
    """
    try:
        world.edge.forget([f"/pub/{event_id}/*"], world.random.token(18))
    except Exception:
        logger.exception("the edge was not told to forget event %s", event_id)
