"""Registrations: tickets, the waiting list, and what each registrant has entered. In tables ``events`` and ``entries``.

=========================  =======================  =========================================================
pk                         sk                       item
=========================  =======================  =========================================================
<event>                    COUNTER#entries          :class:`Tally`: numbers and tickets handed out (table events)
<event>#WAITING            <ttttttt>                :class:`Waiting`: the ticket of an entry that waits, or a void one
<event>#PASSED             <ttttttt>                :class:`Waiting`: a void ticket that has been passed over
<event>#REGISTRANT#<who>   COUNT                    :class:`Registrant`: halves of teams that count on the cap
<event>#REGISTRANT#<who>   ENTRY#<nnnnn>            :class:`OwnEntry`: an entry of this registrant
=========================  =======================  =========================================================
"""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import NumberAttribute

from chalicelib.store.entries import EntryRecord
from chalicelib.store.events import EventHeader
from chalicelib.store.tables import Place, Record

TALLY = "COUNTER#entries"
COUNT = "COUNT"


class _EntriesTable(Place):
    table_name = EntryRecord.Meta.table_name


class Tally(Record):
    """Entry numbers and tickets, handed out by one plain ADD outside transactions.

    ``value``: last entry number. ``tickets``: last ticket. ``freed``: places that became free again (or tickets that
    never held one). ``own``: entries that organizers brought in themselves. ``last_at``: when the last ticket went.
    """

    class Meta(Place):
        table_name = EventHeader.Meta.table_name

    value = NumberAttribute(default=0)
    tickets = NumberAttribute(default=0)
    freed = NumberAttribute(default=0)
    own = NumberAttribute(default=0)
    last_at = NumberAttribute(null=True)


class Waiting(Record):
    """A ticket beyond the capacity. ``number``: its entry; none if the ticket is void and is only passed over."""

    class Meta(_EntriesTable):
        pass

    number = NumberAttribute(null=True)


class Registrant(Record):
    """An account or a browser; ``halves``: two for each team it entered, one for each single."""

    class Meta(_EntriesTable):
        pass

    halves = NumberAttribute(default=0)


class OwnEntry(Record):
    """That an entry is this registrant's."""

    class Meta(_EntriesTable):
        pass

    number = NumberAttribute()


def tally_of(event_id: str) -> Tally:
    """The tally, strongly consistent; zeros before the first entry."""
    try:
        return Tally.get(event_id, TALLY, consistent_read=True)
    except Tally.DoesNotExist:
        return Tally(event_id, TALLY)


def waiting_key(event_id: str, ticket: int) -> tuple[str, str]:
    """Primary key of a ticket that waits."""
    return f"{event_id}#WAITING", f"{ticket:07d}"


def passed_key(event_id: str, ticket: int) -> tuple[str, str]:
    """Primary key of a ticket that was passed over because nobody used it (any more)."""
    return f"{event_id}#PASSED", f"{ticket:07d}"


def passed(event_id: str) -> Iterator[Waiting]:
    """All tickets that were passed over, strongly consistent."""
    return Waiting.query(f"{event_id}#PASSED", consistent_read=True)


def ticket_of(waiting: Waiting) -> int:
    """The ticket that an item of the waiting list stands for."""
    return int(waiting.sk)


def waiting(event_id: str, most: int | None = None) -> Iterator[Waiting]:
    """The waiting list in the order of tickets, strongly consistent."""
    return Waiting.query(f"{event_id}#WAITING", consistent_read=True, limit=most)


def registrant_key(event_id: str, who: str) -> str:
    """Partition key of a registrant's items."""
    return f"{event_id}#REGISTRANT#{who}"


def own_entry(event_id: str, who: str, number: int) -> OwnEntry:
    """The item that says that entry ``number`` is theirs."""
    return OwnEntry(registrant_key(event_id, who), f"ENTRY#{number:05d}", number=number)


def own_numbers(event_id: str, who: str) -> list[int]:
    """The numbers of the entries of a registrant, strongly consistent."""
    found = OwnEntry.query(registrant_key(event_id, who), OwnEntry.sk.startswith("ENTRY#"), consistent_read=True)
    return [int(item.number) for item in found]
