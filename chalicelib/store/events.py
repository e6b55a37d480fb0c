"""Table ``events``: an event's settings, people, links, rounds and drafts.

==========  ==============================  ==================================================================
pk          sk                              item
==========  ==============================  ==================================================================
<event>     EVENT                           :class:`EventHeader`: settings, versions, phase; sparse ``due`` index
<event>     MEMBER#<account>                :class:`Member`: owner or administrator
<event>     INVITED#<phone index>           :class:`Member`: administrator who has not signed in yet
<event>     LINK#<role>                     :class:`Link`: generation, last used
<event>     ROUND#<nnn>                     :class:`RoundHeader`: phase, version, draft generation, counts
<event>     HANDS#<nnn>#<bbb>               :class:`HandRecord`: 复式派牌 of one board
<event>     ADJUST#<id>                     an adjustment (store/adjustments.py)
<event>     CALL#..., ANSWERED#<id>         calls for a referee (store/calls.py)
<event>     DRAFT#<nnn>#<generation>#<ccc>  :class:`DraftChunk`: up to 500 tables of a drawn round, packed
==========  ==============================  ==================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pynamodb.attributes import BinaryAttribute, BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex

from chalicelib.store.long_text import LongJSON
from chalicelib.store.tables import Place, Record, table_name, whole

DUE_REGISTRATION = "registration"
"""The bucket of events whose registration waits for its deadline."""


class _EventsTable(Place):
    table_name = table_name("events")


class DueIndex(GlobalSecondaryIndex["EventHeader"]):
    """Events that wait for a scheduled act, by the time it is due; an event without one is not in it."""

    class Meta:
        index_name = "due"
        projection = AllProjection()

    due_bucket = UnicodeAttribute(hash_key=True)
    due_at = NumberAttribute(range_key=True)


class EventHeader(Record):
    """One event. ``settings`` is the validated settings document (services/settings); ``version`` guards it.

    ``last_round``: highest drawn round (0 = none). ``phase``: open | ended. ``entries_version`` rises with every change
    of an entry, so that an import notices it; ``imports`` are the ids of finished ones. ``deleted_at``: deleted, which
    can be undone for 30 days (services/deletion); ``phase_before`` is what that brings back. ``sealing``: the keys of
    an encrypted event (services/privacy/keys); ``purged_at``: when its people's data went. ``adjustments_version``
    rises with every adjustment given or removed, ``corrections`` with every result of a settled round that is changed.
    ``decided``: the organizer's order of tied winners.
    """

    class Meta(_EventsTable):
        pass

    event_id = UnicodeAttribute()
    owner = UnicodeAttribute()
    settings = LongJSON()
    version = NumberAttribute(default=1)
    phase = UnicodeAttribute(default="open")
    last_round = NumberAttribute(default=0)
    created_at = NumberAttribute()
    last_act_at = NumberAttribute()
    registration_closed_at = NumberAttribute(null=True)
    deleted_at = NumberAttribute(null=True)
    phase_before = UnicodeAttribute(null=True)
    adjustments_version = NumberAttribute(default=0)
    corrections = NumberAttribute(default=0)
    decided = JSONAttribute(null=True)
    sealing = JSONAttribute(null=True)
    purged_at = NumberAttribute(null=True)
    entries_version = NumberAttribute(default=0)
    imports = JSONAttribute(null=True)
    due_bucket = UnicodeAttribute(null=True)
    due_at = NumberAttribute(null=True)
    due = DueIndex()


class Counter(Record):
    """A number handed out by plain ADD outside transactions (sk COUNTER#<name>): entry numbers, tickets."""

    class Meta(_EventsTable):
        pass

    value = NumberAttribute(default=0)


class Member(Record):
    """Owner or administrator of an event; ``member_id`` tells nothing of the account, or whether there is one."""

    class Meta(_EventsTable):
        pass

    member_id = UnicodeAttribute()
    role = UnicodeAttribute()
    phone_masked = UnicodeAttribute(default="")
    added_at = NumberAttribute()


class Link(Record):
    """A link token's generation; raising it renews the link and revokes the old one."""

    class Meta(_EventsTable):
        pass

    generation = NumberAttribute(default=1)
    revoked = NumberAttribute(default=0)
    last_used_at = NumberAttribute(null=True)


class RoundHeader(Record):
    """A drawn round: draft -> published -> playing -> settled. ``version`` guards drafts and phases.

    ``bye_reasons``: why each of ``byes`` has it, "" where a movement laid it down; None for rounds of old.
    ``pairings``: the public snapshot of its pairings. ``double_submission``: the setting at settlement, by which its
    results go on counting even if the setting changes. ``corrections``: the event's when the round was drawn;
    ``outdated_by``: in a knock-out the tables of the round before that were corrected so that others go on.

    ``hold``: the newest settlement under way that holds its tables, by the end of that hold (ms; each is later than the
    one before); ``released``: the newest hold that was given up. ``job``: what publishes or settles it, if a job does.
    """

    class Meta(_EventsTable):
        pass

    number = NumberAttribute()
    phase = UnicodeAttribute()
    version = NumberAttribute(default=1)
    generation = UnicodeAttribute()
    chunks = NumberAttribute(default=1)
    tables = NumberAttribute(default=0)
    byes = JSONAttribute(null=True)
    bye_reasons = JSONAttribute(null=True)
    sit_outs = JSONAttribute(null=True)
    report = JSONAttribute(null=True)
    pairings = UnicodeAttribute(null=True)
    double_submission = BooleanAttribute(null=True)
    corrections = NumberAttribute(default=0)
    outdated_by = JSONAttribute(null=True)
    hold = NumberAttribute(default=0)
    released = NumberAttribute(default=0)
    job = UnicodeAttribute(null=True)
    drawn_at = NumberAttribute()
    published_at = NumberAttribute(null=True)
    settled_at = NumberAttribute(null=True)


class HandRecord(Record):
    """复式派牌: the four hands of a board (sk HANDS#<round>#<board>), seat -> cards."""

    class Meta(_EventsTable):
        pass

    hands = JSONAttribute()
    recorded_at = NumberAttribute()


class DraftChunk(Record):
    """Up to 500 tables of a draft, JSON compressed with zlib."""

    class Meta(_EventsTable):
        pass

    body = BinaryAttribute(legacy_encoding=False)


def find_event(event_id: str, *, deleted: bool = False) -> EventHeader | None:
    """The event, read with strong consistency, or None; one that was deleted only if ``deleted`` asks for it."""
    try:
        header = EventHeader.get(event_id, "EVENT", consistent_read=True)
    except EventHeader.DoesNotExist:
        return None
    return header if deleted or whole(header.deleted_at) is None else None


def round_key(number: int) -> str:
    """Sort key of a round's header."""
    return f"ROUND#{number:03d}"


def hands_key(number: int, board: int) -> str:
    """Sort key of the record of a board's hands."""
    return f"HANDS#{number:03d}#{board:03d}"


def find_round(event_id: str, number: int) -> RoundHeader | None:
    """The header of one round, or None."""
    try:
        return RoundHeader.get(event_id, round_key(number), consistent_read=True)
    except RoundHeader.DoesNotExist:
        return None


def rounds(event_id: str) -> Iterator[RoundHeader]:
    """All drawn rounds in order."""
    return RoundHeader.query(event_id, RoundHeader.sk.startswith("ROUND#"), consistent_read=True)


def members(event_id: str) -> Iterator[Member]:
    """Owner and administrators."""
    return Member.query(event_id, Member.sk.startswith("MEMBER#"), consistent_read=True)


def invited(event_id: str) -> Iterator[Member]:
    """Administrators who were named by phone and have not signed in yet."""
    return Member.query(event_id, Member.sk.startswith("INVITED#"), consistent_read=True)


def settings_of(header: EventHeader) -> dict[str, Any]:
    """The settings document as plain values."""
    return dict(header.settings)
