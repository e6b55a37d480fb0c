"""Rate limits: how often something happened within a window of time. Kept in table ``idempotency``, whose items expire.

pk ``LIMIT#<what>#<window>``, sk ``COUNT``.
"""

from __future__ import annotations

from pynamodb.attributes import NumberAttribute

from chalicelib.store.idempotency import Reply
from chalicelib.store.tables import Place, Record


class Count(Record):
    """How often it happened in this window; gone when the window is long over."""

    class Meta(Place):
        table_name = Reply.Meta.table_name

    value = NumberAttribute(default=0)
    expires_at = NumberAttribute(null=True)


def _key(what: str, window_seconds: int, now: int) -> tuple[str, int]:
    window = now // 1000 // window_seconds
    return f"LIMIT#{what}#{window}", (window + 1) * window_seconds


def add(what: str, window_seconds: int, now: int) -> int:
    """Count one more within the window of ``now`` (milliseconds); returns how many that makes."""
    pk, ends_at = _key(what, window_seconds, now)
    count = Count(pk, "COUNT")
    count.update(actions=[Count.value.add(1), Count.expires_at.set(ends_at + window_seconds)])
    return int(count.value)


def seconds_left(window_seconds: int, now: int) -> int:
    """Until the window of ``now`` (milliseconds) is over."""
    return window_seconds - now // 1000 % window_seconds


def so_far(what: str, window_seconds: int, now: int) -> int:
    """How often it happened within the window of ``now`` (milliseconds)."""
    pk, _ = _key(what, window_seconds, now)
    try:
        return int(Count.get(pk, "COUNT", consistent_read=True).value)
    except Count.DoesNotExist:
        return 0
