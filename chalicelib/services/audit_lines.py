"""The audit log as JSON lines, oldest first: ``./guanjun replay`` rebuilds the ranking from it."""

from __future__ import annotations

import gzip

import msgspec

from chalicelib.services.finding import known_event
from chalicelib.services.large_events import refuse_large
from chalicelib.services.world import World
from chalicelib.store import audit

LONGEST_TEXT = 3_000_000
"""A reply of a function holds 6 MB, and what is longer than this is packed (a log shrinks to a tenth)."""


class LogLine(msgspec.Struct, frozen=True):
    """One act. ``actor`` and whatever ``details`` say of persons are opaque ids; ``at`` in milliseconds."""

    at: int
    actor: str
    action: str
    subject: str | None
    reason: str | None
    details: object


def download_at_once(world: World, event_id: str) -> tuple[bytes, str, bool]:
    """:func:`download` within one request. Raises event_not_found; file_large where a job has to make the file."""
    refuse_large(world, event_id)
    return download(event_id)


def download(event_id: str) -> tuple[bytes, str, bool]:
    """The whole log, the name of the file to save it under, and whether it is packed (gzip).

    Raises event_not_found.
    """
    _, settings = known_event(event_id)
    encode = msgspec.json.Encoder().encode
    lines = [
        encode(LogLine(int(entry.at), entry.actor, entry.action, entry.subject, entry.reason, entry.details))
        for entry in audit.entries(event_id)
    ]
    text = b"\n".join([*lines, b""])
    if len(text) <= LONGEST_TEXT:
        return text, f"{settings.name}-log.jsonl", False
    return gzip.compress(text, 6, mtime=0), f"{settings.name}-log.jsonl.gz", True
