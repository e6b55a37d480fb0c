"""Table ``events``: adjustments 罚分, one item each (sk ``ADJUST#<id>``), in the order in which they were made.

The event's header counts the changes (``adjustments_version``), so that a drawing notices one that was made meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name


class StoredAdjustment(Record):
    """One adjustment in force; ``amount`` is an exact text ("-2", "0.5")."""

    class Meta(Place):
        table_name = table_name("events")

    adjustment_id = UnicodeAttribute()
    entry = NumberAttribute()
    round = NumberAttribute()
    criterion = UnicodeAttribute()
    amount = UnicodeAttribute()
    reason = UnicodeAttribute()
    actor = UnicodeAttribute()
    at = NumberAttribute()


def adjustment_key(adjustment_id: str) -> str:
    """Sort key of an adjustment."""
    return f"ADJUST#{adjustment_id}"


def restored_id(place: int) -> str:
    """The id of the adjustment at ``place`` (from 0) in the document that an event was restored from: the same each
    time it is written, before all that are given later."""
    return f"{place:013d}-restored"


def adjustments(event_id: str) -> Iterator[StoredAdjustment]:
    """All adjustments of an event, oldest first; strongly consistent."""
    return StoredAdjustment.query(event_id, StoredAdjustment.sk.startswith("ADJUST#"), consistent_read=True)


def find_adjustment(event_id: str, adjustment_id: str) -> StoredAdjustment | None:
    """One adjustment, or None if it is not (or no longer) there."""
    try:
        return StoredAdjustment.get(event_id, adjustment_key(adjustment_id), consistent_read=True)
    except StoredAdjustment.DoesNotExist:
        return None
