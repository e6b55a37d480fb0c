"""Table ``idempotency``: what was answered to a state-changing request, kept for 48 hours.

pk ``<caller>#<key>``, sk ``REPLY``. Written in the same transaction as the change it stands for, so a retry finds
either both or neither.
"""

from __future__ import annotations

from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name

LIFE_SECONDS = 48 * 3600


class Reply(Record):
    """The stored reply of one request: hash of its body, HTTP status and JSON text."""

    class Meta(Place):
        table_name = table_name("idempotency")

    body_hash = UnicodeAttribute()
    status = NumberAttribute()
    reply = UnicodeAttribute()
    expires_at = NumberAttribute()


def key_of(caller: str, key: str) -> tuple[str, str]:
    """Primary key of the reply to ``caller``'s request ``key``."""
    return f"{caller}#{key}", "REPLY"


def find_reply(caller: str, key: str) -> Reply | None:
    """The reply already given, read with strong consistency; ``None`` if the request never took effect."""
    try:
        return Reply.get(*key_of(caller, key), consistent_read=True)
    except Reply.DoesNotExist:
        return None


def from_raw(item: dict[str, Any] | None) -> Reply | None:
    """The reply in a failed transaction's ALL_OLD item (DynamoDB JSON)."""
    return None if item is None else Reply.from_raw_data(item)
