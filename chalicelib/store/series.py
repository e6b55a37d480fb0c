"""Table ``events``: 赛事阶段, events that are played as stages of one series. Each event of it holds the whole series.

========  ======  ===================================================================================
pk        sk      item
========  ======  ===================================================================================
<event>   SERIES  :class:`SeriesRecord`: name and stages of its series, itself among them
<event>   FORMED  :class:`FormedRecord`: how its entries were drawn from the stage before
========  ======  ===================================================================================
"""

from __future__ import annotations

from pynamodb.attributes import BinaryAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name

SERIES = "SERIES"
FORMED = "FORMED"


class _EventsTable(Place):
    table_name = table_name("events")


class SeriesRecord(Record):
    """``stages``: [{"name": .., "events": [ids]}] in order; ``token`` is new with every change of it."""

    class Meta(_EventsTable):
        pass

    name = UnicodeAttribute()
    stages = JSONAttribute()
    token = UnicodeAttribute()


class FormedRecord(Record):
    """``state``: forming | formed | undone. Its entries are ``size`` numbers from ``first`` on, under
    ``import_id``.

    ``job``: what forms it; ``plan``: what the organizer decided; ``targets``: the events formed together with it,
    itself among them; ``seen``: the source events as they were (event -> marks); ``lines``: packed, from which source
    entry each number comes (numbers only: no person stands here). ``clearing``: the job that deletes its rows; what is
    undone has rows, which nobody reads, until ``import_id`` says that they are gone.
    """

    class Meta(_EventsTable):
        pass

    state = UnicodeAttribute()
    job = UnicodeAttribute()
    import_id = UnicodeAttribute()
    first = NumberAttribute()
    size = NumberAttribute()
    plan = JSONAttribute()
    targets = JSONAttribute()
    seen = JSONAttribute()
    lines = BinaryAttribute(legacy_encoding=False)
    at = NumberAttribute()
    actor = UnicodeAttribute()
    clearing = UnicodeAttribute(null=True)


def find_series(event_id: str) -> SeriesRecord | None:
    """The series of an event, strongly consistent, or None."""
    try:
        return SeriesRecord.get(event_id, SERIES, consistent_read=True)
    except SeriesRecord.DoesNotExist:
        return None


def find_formed(event_id: str) -> FormedRecord | None:
    """How an event was formed, strongly consistent, or None."""
    try:
        return FormedRecord.get(event_id, FORMED, consistent_read=True)
    except FormedRecord.DoesNotExist:
        return None
