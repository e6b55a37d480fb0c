"""Batches of stream records: which events they speak of, and which records to hand in again (partial failure)."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from typing import Any

from chalicelib.services.problems import Problem
from chalicelib.services.world import current

logger = logging.getLogger("guanjun.workers")


def stream_arn(table: str) -> str:
    """The stream of a table: STREAM_<TABLE>, else a placeholder that the deployment's template replaces."""
    placeholder = f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}/stream/2026-01-01T00:00:00.000"
    return os.environ.get(f"STREAM_{table.upper()}", placeholder)


def events_of(records: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Event id -> sequence numbers of its records, in order. A record that names no event is left out (and logged):
    nothing could be made of it however often it came again."""
    found: dict[str, list[str]] = {}
    for record in records:
        image = record.get("dynamodb", {})
        key = image.get("Keys", {}).get("pk", {}).get("S", "")
        event_id = key.partition("#")[0]
        if not event_id or "SequenceNumber" not in image:
            logger.error("a stream record names no event")
            continue
        found.setdefault(event_id, []).append(image["SequenceNumber"])
    return found


def handle(records: Iterable[dict[str, Any]], act: Callable[[str], None]) -> dict[str, Any]:
    """Call ``act`` once for each event of a batch; the answer names the records of those events where it failed.

    What is done for an event does not depend on the record that asked for it, so doing it once, again, or in another
    order makes no difference. An event that is gone needs nothing.
    """
    failed: list[str] = []
    for event_id, sequence_numbers in events_of(records).items():
        try:
            act(event_id)
        except Problem as problem:
            if problem.code != "event_not_found":
                logger.exception("event %s", event_id)
                failed += sequence_numbers
        except Exception:
            # One event's trouble must not hold up the others; Lambda brings its records again, then keeps them.
            logger.exception("event %s", event_id)
            failed += sequence_numbers
    if failed:
        current().metrics.add("RecordsAgain", len(failed))
    return {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}
