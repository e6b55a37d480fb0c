"""Copies of whole events, put aside before each settlement: ``guanjun restore`` makes an event of one again.

A copy is the event's document (``guanjun-event/1``) with names and phones, compressed, in the private bucket, where it
lives as long as the tables' own point-in-time recovery. It costs one file and what reading the open round costs.
"""

from __future__ import annotations

import gzip
import logging

import msgspec

from chalicelib.gateways.files import Conflict
from chalicelib.rules.document import to_document
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.world import World

logger = logging.getLogger("guanjun.backups")

FOLDER = "backups"
MEDIA_TYPE = "application/gzip"
CACHE = "no-store"
LEVEL = 6


def key_of(event_id: str, number: int, version: int) -> str:
    """Where the copy from before the settlement of a round, seen at ``version``, stands."""
    return f"{FOLDER}/{event_id}/{number:03d}-{version}.json.gz"


def keep(world: World, event_id: str, number: int, version: int) -> None:
    """Put the event aside as it is before round ``number`` is settled; a copy that is there already is left alone.

    Never raises: a hall must be able to go on when only the copy fails. It is logged and counted, and rings an alarm.
    """
    try:
        header, settings = known_event(event_id)
        document = to_document(event_of(world, header, settings, phones=True))
        # Without a time within, so that equal events give equal bytes.
        body = gzip.compress(msgspec.json.encode(document), LEVEL, mtime=0)
        world.files.put_if_match(key_of(event_id, number, version), body, None, MEDIA_TYPE, CACHE)
        world.metrics.add("BackupsKept")
    except Conflict:
        logger.info("the copy of event %s before round %d is there already", event_id, number)
    except Exception:
        logger.exception("event %s could not be copied before round %d", event_id, number)
        world.metrics.add("BackupsFailed")
