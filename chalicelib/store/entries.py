"""Table ``entries``: who plays, spread over partitions so that a registration rush meets no hot key.

=========================  =======================  =========================================================
pk                         sk                       item
=========================  =======================  =========================================================
<event>#<shard>            ENTRY#<nnnnn>            :class:`EntryRecord` (shard = number mod 8)
<event>#PHONE#<digits>     OWNER                    :class:`PhoneIndex`: a phone plays once per event
<event>#NAME#<name>        <nnnnn>#<player>         :class:`NameIndex`: find yourself by name
<event>#<shard>            DEVICE#<nnnnn>#<id>      :class:`Device`: a phone that identified as this entry
=========================  =======================  =========================================================

An entry with an ``import_id`` is invisible until that import is in the event header's ``imports`` list.
"""

from __future__ import annotations

from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name

SHARDS = 8


class _EntriesTable(Place):
    table_name = table_name("entries")


class EntryRecord(Record):
    """One entry. ``players``: [{"person": id, "name": .., "phone": ..}]; ``state``: in | waiting | withdrawn."""

    class Meta(_EntriesTable):
        pass

    event_id = UnicodeAttribute()
    number = NumberAttribute()
    name = UnicodeAttribute(default="")
    club = UnicodeAttribute(default="")
    players = JSONAttribute()
    seed = NumberAttribute(null=True)
    group = UnicodeAttribute(null=True)
    state = UnicodeAttribute(default="in")
    joined_round = NumberAttribute(default=1)
    left_after_round = NumberAttribute(null=True)
    checked_in_at = NumberAttribute(null=True)
    checked_in_by = UnicodeAttribute(null=True)
    import_id = UnicodeAttribute(null=True)
    version = NumberAttribute(default=1)
    created_at = NumberAttribute()


class PhoneIndex(Record):
    """Which entry a phone belongs to in an event."""

    class Meta(_EntriesTable):
        pass

    number = NumberAttribute()
    player = NumberAttribute()
    import_id = UnicodeAttribute(null=True)


class NameIndex(Record):
    """An entry in which somebody of this name plays."""

    class Meta(_EntriesTable):
        pass

    number = NumberAttribute()
    player = NumberAttribute()
    import_id = UnicodeAttribute(null=True)


class Device(Record):
    """A phone or browser that identified itself as a player; revocable."""

    class Meta(_EntriesTable):
        pass

    number = NumberAttribute()
    player = NumberAttribute()
    created_at = NumberAttribute()
    revoked_at = NumberAttribute(null=True)
    description = UnicodeAttribute(default="")


def partition(event_id: str, number: int) -> str:
    """The partition of an entry and its devices."""
    return f"{event_id}#{number % SHARDS}"


def sort_key(number: int) -> str:
    """The sort key of an entry."""
    return f"ENTRY#{number:05d}"
