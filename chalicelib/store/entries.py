"""Table ``entries``: who plays, spread over partitions so that a registration rush meets no hot key.

=========================  =======================  =========================================================
pk                         sk                       item
=========================  =======================  =========================================================
<event>#<shard>            ENTRY#<nnnnn>            :class:`EntryRecord` (shard = number mod 8)
<event>#PHONE#<index>      OWNER                    :class:`PhoneIndex`: HMAC of a phone, which plays once per event
<event>#NAME#<name>        <nnnnn>#<player>         :class:`NameIndex`: find yourself by name
<event>#<shard>            DEVICE#<nnnnn>#<id>      :class:`Device`: a phone that identified as this entry
<event>#<shard>            COUNTS                   :class:`EntryCounts`: entries and check-ins of this shard
=========================  =======================  =========================================================

An entry with an ``import_id`` is invisible until that import is in the event header's ``imports`` list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec
from pynamodb.attributes import BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store import bulk
from chalicelib.store.tables import Place, Record, table_name

SHARDS = 8


class _EntriesTable(Place):
    table_name = table_name("entries")


class EntryRecord(Record):
    """One entry. ``players``: [{"person": id, "name": .., "phone": ..}]; ``state``: in | waiting | single | withdrawn.

    ``single``: one player still without a partner. ``ticket`` is the place in the order of registering; organizers'
    own entries have none. ``registrants``: whose caps the entry counts on, two for a team. ``sealed_name`` and
    ``sealed_club``: of an encrypted event; ``purged``: its people's data are gone for good. ``substitutions``:
    :class:`Substitution`, oldest first; ``line_up``: :class:`TeamLineUp` that the team itself gave for a round.
    ``identified``: how often a phone has identified as one of its players. ``order``: its newest order (store/orders);
    ``pay_by``: until when that one holds the place, while it is unpaid.
    """

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
    ticket = NumberAttribute(null=True)
    registrants = JSONAttribute(null=True)
    paid_at = NumberAttribute(null=True)
    sealed_name = UnicodeAttribute(null=True)
    sealed_club = UnicodeAttribute(null=True)
    purged = BooleanAttribute(null=True)
    substitutions = JSONAttribute(null=True)
    line_up = JSONAttribute(null=True)
    identified = NumberAttribute(null=True)
    order = UnicodeAttribute(null=True)
    pay_by = NumberAttribute(null=True)


class EntryCounts(Record):
    """How many entries take part, wait and have checked in of a shard: eight of these make the event's figures."""

    class Meta(_EntriesTable):
        pass

    entries = NumberAttribute(default=0)
    checked_in = NumberAttribute(default=0)
    waiting = NumberAttribute(default=0)


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
    """A phone or browser that identified itself as a player; revocable. ``account_id``: who was signed in on it,
    where the event asks for that."""

    class Meta(_EntriesTable):
        pass

    number = NumberAttribute()
    player = NumberAttribute()
    created_at = NumberAttribute()
    revoked_at = NumberAttribute(null=True)
    description = UnicodeAttribute(default="")
    account_id = UnicodeAttribute(null=True)


def partition(event_id: str, number: int) -> str:
    """The partition of an entry and its devices."""
    return f"{event_id}#{number % SHARDS}"


def sort_key(number: int) -> str:
    """The sort key of an entry."""
    return f"ENTRY#{number:05d}"


COUNTS = "COUNTS"


def counts_of(event_id: str, number: int) -> EntryCounts:
    """Where the entry of that number is counted."""
    return EntryCounts(partition(event_id, number), COUNTS)


def phone_key(event_id: str, index: str) -> str:
    """Partition key of a phone's index item (sort key OWNER); ``index``: of ``services.phones.index_in``."""
    return f"{event_id}#PHONE#{index}"


def name_key(event_id: str, name: str) -> str:
    """Partition key of the index items of a name; ``name`` is in its comparable form."""
    return f"{event_id}#NAME#{name}"


def visible(import_id: str | None, imports: Collection[str]) -> bool:
    """Whether an item counts: one of no import, or of an import that was committed (``imports`` of the header)."""
    return import_id is None or import_id in imports


class StoredPlayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player within an entry: ``person`` is an opaque id. In an encrypted event name and phone are ``sealed``,
    and ``found_by`` is the phone's index."""

    person: str
    name: str
    phone: str = ""
    found_by: str = ""
    sealed: str = ""


class Substitution(msgspec.Struct, frozen=True, omit_defaults=True):
    """换人: ``gone`` left place ``player`` of the entry to the person ``came``, who plays from ``round`` on.

    ``gone`` is kept as it was stored, so that the substitution can be taken back; ``devices``: the phones that lost
    their right by it (at ``at``), which get it again then; ``named``: the entry bore the name of ``gone`` alone.
    """

    id: str
    round: int
    player: int
    gone: StoredPlayer
    came: str
    reason: str
    actor: str
    at: int
    devices: list[str] = []
    named: bool = False


class TeamLineUp(msgspec.Struct, frozen=True):
    """上场名单 that a team gave for ``round``: ``rooms`` are the places within the team of the pair in the open
    room and of that in the closed one; where a table is one, only its pair."""

    round: int
    rooms: list[list[int]]
    version: int


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry as stored, read from DynamoDB JSON without PynamoDB: rosters have thousands of them."""

    number: int
    name: str
    club: str
    players: list[StoredPlayer]
    seed: int | None
    group: str | None
    state: str
    joined_round: int
    left_after_round: int | None
    checked_in_at: int | None
    checked_in_by: str | None
    import_id: str | None
    version: int
    created_at: int | None = None
    ticket: int | None = None
    registrants: tuple[str, ...] = ()
    paid_at: int | None = None
    sealed_name: str | None = None
    sealed_club: str | None = None
    purged: bool = False
    substitutions: tuple[Substitution, ...] = ()
    line_up: TeamLineUp | None = None
    identified: int = 0
    order: str | None = None
    pay_by: int | None = None

    @classmethod
    def from_raw(cls, item: bulk.Item) -> StoredEntry:
        """The entry that an item (DynamoDB JSON) holds."""

        def text(name: str) -> str | None:
            value: str | None = item.get(name, {}).get("S")
            return value

        def number(name: str) -> int | None:
            value = item.get(name, {}).get("N")
            return None if value is None else int(value)

        return cls(
            number=int(item["number"]["N"]),
            name=text("name") or "",
            club=text("club") or "",
            players=_PLAYERS.decode(item["players"]["S"]),
            seed=number("seed"),
            group=text("group"),
            state=text("state") or "in",
            joined_round=number("joined_round") or 1,
            left_after_round=number("left_after_round"),
            checked_in_at=number("checked_in_at"),
            checked_in_by=text("checked_in_by"),
            import_id=text("import_id"),
            version=number("version") or 1,
            created_at=number("created_at"),
            ticket=number("ticket"),
            registrants=tuple(msgspec.json.decode(text("registrants") or "[]")),
            paid_at=number("paid_at"),
            sealed_name=text("sealed_name"),
            sealed_club=text("sealed_club"),
            purged=item.get("purged", {}).get("BOOL", False),
            substitutions=() if (kept := text("substitutions")) is None else _SUBSTITUTIONS.decode(kept),
            line_up=None if (given := text("line_up")) is None else _LINE_UP.decode(given),
            identified=number("identified") or 0,
            order=text("order"),
            pay_by=number("pay_by"),
        )


_PLAYERS = msgspec.json.Decoder(list[StoredPlayer])
_SUBSTITUTIONS = msgspec.json.Decoder(tuple[Substitution, ...])
_LINE_UP = msgspec.json.Decoder(TeamLineUp)


def all_entries(event_id: str, imports: Collection[str]) -> list[StoredEntry]:
    """All visible entries of an event by number, strongly consistent. ``imports``: those of the event's header."""
    found = [
        StoredEntry.from_raw(item)
        for shard in range(SHARDS)
        for item in bulk.query_partition(EntryRecord.Meta.table_name, f"{event_id}#{shard}", "ENTRY#")
    ]
    return sorted((entry for entry in found if visible(entry.import_id, imports)), key=lambda entry: entry.number)


def find_entry(event_id: str, number: int, imports: Collection[str]) -> StoredEntry | None:
    """One visible entry, strongly consistent, or None."""
    try:
        record = EntryRecord.get(partition(event_id, number), sort_key(number), consistent_read=True)
    except EntryRecord.DoesNotExist:
        return None
    entry = StoredEntry.from_raw(record.to_dynamodb_dict())
    return entry if visible(entry.import_id, imports) else None


def add_up(counts: Iterable[bulk.Item | None]) -> tuple[int, int]:
    """Entries and check-ins of an event from the items (DynamoDB JSON) of its shards' counts."""
    present = [item for item in counts if item is not None]
    entries = sum(int(item.get("entries", {}).get("N", 0)) for item in present)
    checked_in = sum(int(item.get("checked_in", {}).get("N", 0)) for item in present)
    return entries, checked_in
