"""Table ``events``: 关联赛事, events that share one QR. Each event of a set holds the whole set.

========  ======  ===========================================================================
pk        sk      item
========  ======  ===========================================================================
<event>   LINKED  :class:`LinkedSet`: the events of its set, itself among them
========  ======  ===========================================================================
"""

from __future__ import annotations

from pynamodb.attributes import JSONAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name

LINKED = "LINKED"


class LinkedSet(Record):
    """The ids of all events of the set; ``token`` is new with every change of it."""

    class Meta(Place):
        table_name = table_name("events")

    events = JSONAttribute()
    token = UnicodeAttribute()
