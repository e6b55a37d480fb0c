"""Table ``audit``: every change with actor, time and reason. Names no person but by opaque ids.

pk ``EVENT#<event>`` (or ``PLATFORM``), sk ``<milliseconds, 13 digits>#<random>``: the order of time.
"""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from chalicelib.store.long_text import LongJSON
from chalicelib.store.tables import Place, Record, table_name

PLATFORM = "PLATFORM"


class AuditEntry(Record):
    """One act: who (``account:<id>``, ``referee``, ``device:<id>``, ``system``), what, on what, why."""

    class Meta(Place):
        table_name = table_name("audit")

    at = NumberAttribute()
    actor = UnicodeAttribute()
    action = UnicodeAttribute()
    subject = UnicodeAttribute(null=True)
    reason = UnicodeAttribute(null=True)
    details = LongJSON(null=True)


def partition(event_id: str | None) -> str:
    """Where an event's (or, for None, the platform's) audit entries stand."""
    return PLATFORM if event_id is None else f"EVENT#{event_id}"


def entries(event_id: str | None, *, newest_first: bool = False, limit: int | None = None) -> Iterator[AuditEntry]:
    """The audit entries of an event in order of time."""
    return AuditEntry.query(partition(event_id), scan_index_forward=not newest_first, limit=limit, consistent_read=True)
