"""Table ``events``: the lines of the public event list, found by the sparse ``listed`` index.

========  =======  ==========================================================================
pk        sk       item
========  =======  ==========================================================================
<event>   LISTING  :class:`Listing`: one line of the public list; a private event has none
========  =======  ==========================================================================

A page of the list is one query of one partition of the index, whatever the number of events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.expressions.condition import Condition
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex

from chalicelib.store.tables import Place, Record, table_name

LISTING = "LISTING"


class _EventsTable(Place):
    table_name = table_name("events")


class _ListedIndex(GlobalSecondaryIndex["Listing"]):
    class Meta:
        index_name = "listed"
        projection = AllProjection()

    listed_in = UnicodeAttribute(hash_key=True)
    listed_at = NumberAttribute(range_key=True)


class Listing(Record):
    """An event in the public list. ``listed_in``: upcoming | running | finished; ``listed_at``: its place there, in
    milliseconds; ``wanted_by``: its name in the form in which names are compared."""

    class Meta(_EventsTable):
        pass

    listed_in = UnicodeAttribute()
    listed_at = NumberAttribute()
    name = UnicodeAttribute()
    wanted_by = UnicodeAttribute()
    kind = UnicodeAttribute()
    starts_at = NumberAttribute(null=True)
    time_zone = UnicodeAttribute()
    rounds = NumberAttribute()
    listed = _ListedIndex()


def lines(
    state: str, *, newest_first: bool, after: dict[str, Any] | None, most: int, condition: Condition | None
) -> Iterator[Listing]:
    """Lines of one part of the list from the key ``after`` on, reading at most ``most`` items for them."""
    return Listing.listed.query(
        state,
        filter_condition=condition,
        scan_index_forward=not newest_first,
        last_evaluated_key=after,
        limit=most,
        page_size=most,
    )
