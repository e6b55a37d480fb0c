"""Table ``events``: what waits for its time, one item per scheduled act, found by the sparse ``due`` index.

========  ==========  =======================================================
pk        sk          item
========  ==========  =======================================================
<event>   DUE#<act>   :class:`Due`: the act, and when it is due at the latest
========  ==========  =======================================================

The index may lag and the time may have moved on: whoever acts reads the event itself first.
"""

from __future__ import annotations

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex

from chalicelib.store.tables import Place, Record, table_name

IDLE = "idle"
"""The bucket of events that end when nothing happens in them."""
PURGE = "purge"
"""The bucket of events whose people's data go at a date."""
SEALING = "sealing"
"""The bucket of events that were encrypted a moment ago."""
ERASING = "erasing"
"""The bucket of deleted events, whose data go after thirty days."""
REWRITING = "rewriting"
"""The bucket of events in which a person was erased while names stand in public files."""
FOLDER = "folder"
"""The bucket of events that were deleted, or came back, a moment ago: a look at their public folder."""

ORDERS = "orders"
"""The bucket of orders that wait for money, or whose money goes back (``store/orders``)."""

LADDERS = "ladders"
"""The bucket of events (and seasons of ladders) whose ladders may not show yet how they count."""


class _EventsTable(Place):
    table_name = table_name("events")


class _DueIndex(GlobalSecondaryIndex["Due"]):
    class Meta:
        index_name = "due"
        projection = AllProjection()

    due_bucket = UnicodeAttribute(hash_key=True)
    due_at = NumberAttribute(range_key=True)


class Due(Record):
    """An event waits for the act ``due_bucket`` at ``due_at`` (milliseconds since 1970 UTC)."""

    class Meta(_EventsTable):
        pass

    due_bucket = UnicodeAttribute()
    due_at = NumberAttribute()
    due = _DueIndex()


def due(event_id: str, act: str) -> Due:
    """Where an event's waiting act stands."""
    return Due(event_id, f"DUE#{act}")
