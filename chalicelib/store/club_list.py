"""Table ``events``: what is known of an event's 团体 besides their names (sk ``CLUBS``): 简称, 领队, 领队手机.

Apart from the event's header, which every request reads: a leader's phone is nobody's business there.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import msgspec
from pynamodb.attributes import BinaryAttribute

from chalicelib.store.tables import Place, Record, table_name

CLUBS = "CLUBS"


class _EventsTable(Place):
    table_name = table_name("events")


class StoredClub(msgspec.Struct, frozen=True, array_like=True):
    """One 团体 as the organizer's file described it; "" for what is not known."""

    name: str
    short: str = ""
    leader: str = ""
    leader_phone: str = ""


class ClubList(Record):
    """The 团体 of an event, JSON compressed with zlib. None of an encrypted event."""

    class Meta(_EventsTable):
        pass

    body = BinaryAttribute(legacy_encoding=False)


def club_list(event_id: str, clubs: Iterable[StoredClub] = ()) -> ClubList:
    """The item that holds ``clubs``."""
    return ClubList(event_id, CLUBS, body=zlib.compress(msgspec.json.encode(list(clubs))))


def stored_clubs(event_id: str) -> list[StoredClub]:
    """What is known of the event's 团体, strongly consistent; nothing where no file was imported."""
    try:
        item = ClubList.get(event_id, CLUBS, consistent_read=True)
    except ClubList.DoesNotExist:
        return []
    return msgspec.json.decode(zlib.decompress(item.body), type=list[StoredClub])
