"""Table ``events``: calls of players for a referee.

==========  ===================================  ============================================================
pk          sk                                   item
==========  ===================================  ============================================================
<event>     CALL#<round nnn>#<table nnnnn>#<s>   :class:`OpenCall`: at most one of each side (ns | ew) of a table
<event>     ANSWERED#<call>                      :class:`AnsweredCall`: closed by a referee, or withdrawn
==========  ===================================  ============================================================
"""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from chalicelib.store.bulk import query_partition
from chalicelib.store.tables import Place, Record, table_name


class _EventsTable(Place):
    table_name = table_name("events")


class OpenCall(Record):
    """A call that waits, or that a referee has taken. ``kind``: call | correction; ``table``: the table's address,
    ``match`` the number people read, ``entry``: who called; ``taken_name``: what
    the referee who took it is called, where they said."""

    class Meta(_EventsTable):
        pass

    call_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    message = UnicodeAttribute(default="")
    round = NumberAttribute()
    table = NumberAttribute()
    match = NumberAttribute()
    room = UnicodeAttribute(null=True)
    side = UnicodeAttribute()
    entry = NumberAttribute()
    actor = UnicodeAttribute()
    at = NumberAttribute()
    taken_at = NumberAttribute(null=True)
    taken_by = UnicodeAttribute(null=True)
    taken_name = UnicodeAttribute(null=True)


class AnsweredCall(OpenCall):
    """A call that is over. ``how``: closed | withdrawn."""

    class Meta(_EventsTable):
        pass

    how = UnicodeAttribute()
    ended_at = NumberAttribute()
    ended_by = UnicodeAttribute()


def open_key(number: int, table: int, side: str) -> str:
    """Sort key of a side's open call; keys ascend by round and table."""
    return f"CALL#{number:03d}#{table:05d}#{side}"


def answered_key(call_id: str) -> str:
    """Sort key of a call that is over."""
    return f"ANSWERED#{call_id}"


def open_calls(event_id: str) -> Iterator[OpenCall]:
    """All open calls of an event; strongly consistent."""
    return OpenCall.query(event_id, OpenCall.sk.startswith("CALL#"), consistent_read=True)


def find_open_call(event_id: str, number: int, table: int, side: str) -> OpenCall | None:
    """The open call of one side of a table, or None."""
    try:
        return OpenCall.get(event_id, open_key(number, table, side), consistent_read=True)
    except OpenCall.DoesNotExist:
        return None


def find_answered_call(event_id: str, call_id: str) -> AnsweredCall | None:
    """The call of this id if it is over, or None."""
    try:
        return AnsweredCall.get(event_id, answered_key(call_id), consistent_read=True)
    except AnsweredCall.DoesNotExist:
        return None


def keys_of_all(event_id: str) -> list[tuple[str, str]]:
    """Keys of every call of an event, open or over."""
    found = (
        item for prefix in ("CALL#", "ANSWERED#") for item in query_partition(_EventsTable.table_name, event_id, prefix)
    )
    return [(item["pk"]["S"], item["sk"]["S"]) for item in found]
