"""Restoring an event from its document: a new event with the same entries, rounds, results, and the same standings.

Everything is written under a new id before the event's header names it, so an interrupted restoration leaves nothing
that anybody sees. The results of a document are effective ones without the words behind them; they come back as
rulings, so that organizers can correct them like any other.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator

import msgspec
from pynamodb.expressions.update import Action

from chalicelib.rules.document import parse
from chalicelib.rules.kinds import Scoring
from chalicelib.rules.model import PAR, Entry, Event, Outcome, Room, Round, Table
from chalicelib.services import (
    adjustments,
    audit,
    audit_facts,
    clock,
    idle,
    links,
    phones,
    public_list,
    pulse,
    rank_changes,
    vip,
)
from chalicelib.services.documents import model_of
from chalicelib.services.names import comparable
from chalicelib.services.once import transaction
from chalicelib.services.permissions import Role
from chalicelib.services.results import MOST_BOARDS
from chalicelib.services.rounds import drafts
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.rounds.publishing import snapshot_name, write_snapshot
from chalicelib.services.rounds.viewing import read as read_round
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.settings.from_document import settings_from
from chalicelib.services.standings import refresh
from chalicelib.services.standings.content import content_of
from chalicelib.services.stored import records, tables
from chalicelib.services.world import World
from chalicelib.store.accounts import Account, Membership
from chalicelib.store.audit import AuditEntry
from chalicelib.store.audit import partition as audit_partition
from chalicelib.store.bulk import Item, put_items
from chalicelib.store.entries import (
    EntryRecord,
    NameIndex,
    PhoneIndex,
    StoredPlayer,
    counts_of,
    name_key,
    phone_key,
    sort_key,
)
from chalicelib.store.entries import partition as entry_partition
from chalicelib.store.events import Counter, EventHeader, Member, RoundHeader, round_key
from chalicelib.store.matches import TABLE as MATCHES
from chalicelib.store.matches import Match, Seat, seat_key, seat_partition, table_key
from chalicelib.store.matches import partition as round_partition
from chalicelib.store.standings import ACTIVE, Active, Pointer
from chalicelib.store.tables import Record
from chalicelib.store.transaction import patiently

EVENTS = EventHeader.Meta.table_name
ACTOR = "restoration"
REASON = "restored"
MOST_BYTES = 64 * 1024 * 1024


class NotRestorable(Exception):
    """The document is sound, but this version could not run the event with the same standings."""


def read_copy(content: bytes) -> bytes:
    """A document as text, from a file that may be compressed. Raises ``NotRestorable`` for one that is broken or too
    long."""
    if content[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as opened:
                content = opened.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise NotRestorable("the copy is broken") from error
    if len(content) > MOST_BYTES:
        raise NotRestorable(f"the document is longer than {MOST_BYTES} bytes")
    return content


def restore(
    world: World, account: Account, document: bytes, *, event_id: str | None = None, in_quota: bool = False
) -> str:
    """Make a new event of a document, owned by ``account``; returns its id, which may be given: then doing it again
    after an interruption makes the same event. ``in_quota``: the owner's VIP level must have room for it.

    Raises ``DocumentFaults`` for a document that is not sound, ``NotRestorable`` or a refusal of the settings for an
    event that this version could not run; nothing is written then.
    """
    event = parse(read_copy(document))
    settings = _settings(event)
    event_id = event_id or world.random.token(9)
    header = _header(world, event_id, account, settings, event)
    kept = {drawn.number: _said(event, settings, drawn) for drawn in event.drawn}
    made = [
        Round(drawn.number, records.records(kept[drawn.number]), drawn.byes, drawn.sit_outs) for drawn in event.drawn
    ]
    _demand_same_standings(event, model_of(settings, event.entries, made, event.adjustments))
    _write_entries(world, event_id, event.entries)
    _put(world, EVENTS, adjustments.stored_from(world, event_id, event.adjustments, ACTOR))
    for told in _told(world, event_id, event):
        # One by one: who may write in bulk may delete in bulk, and the log is only ever added to.
        patiently(told.save, world.sleep, world.random.fraction)
    rounds = [
        _write_round(world, event_id, settings, drawn, kept[drawn.number], drawn is event.drawn[-1])
        for drawn in event.drawn
    ]
    _make_visible(world, header, account, settings, rounds, in_quota)
    if rounds:
        _publish_pairings(world, event_id, int(rounds[-1].number))
        refresh(world, event_id)
    pulse.publish(world, event_id)
    return event_id


def _told(world: World, event_id: str, event: Event) -> Iterator[AuditEntry]:
    """What the log says of everything that the event brings along, without names."""
    now = world.now()
    for index, part in enumerate(audit_facts.of_restored(event)):
        yield AuditEntry(
            audit_partition(event_id),
            f"{now:013d}#{index:06d}",
            at=now,
            actor=ACTOR,
            action="event.restored_part",
            subject=f"event:{event_id}",
            details={"part": index, **part},
        )


def _settings(event: Event) -> Settings:
    """The settings under which the event goes on; a round has as many boards as it had."""
    if event.absent.board_points == PAR:
        raise NotRestorable("this version gives no average for a round that an entry was absent from")
    highest = max((table.number for drawn in event.drawn for table in drawn.tables), default=0)
    if _in_rooms(event) and highest > records.HIGHEST_MATCH:
        raise NotRestorable(f"matches of teams of four are numbered up to {records.HIGHEST_MATCH}")
    settings = settings_from(event)
    played = [len(table.boards) for drawn in event.drawn for table in drawn.tables if table.boards]
    if played and not kind_of(settings.kind).scored_by_levels:
        settings = msgspec.structs.replace(settings, boards_per_round=min(MOST_BOARDS, played[-1]))
    return settings


def _in_rooms(event: Event) -> bool:
    return kind_of(event.kind).scoring is Scoring.TEAM_BOARDS


def _header(world: World, event_id: str, account: Account, settings: Settings, event: Event) -> EventHeader:
    now = world.now()
    return EventHeader(
        event_id,
        "EVENT",
        event_id=event_id,
        owner=account.account_id,
        settings=msgspec.to_builtins(settings),
        last_round=max((drawn.number for drawn in event.drawn), default=0),
        created_at=now,
        last_act_at=now,
    )


def _said(event: Event, settings: Settings, drawn: Round) -> list[records.Said]:
    """What the store keeps of a round's tables."""
    by_levels = kind_of(settings.kind).scored_by_levels
    default = list(range(1, settings.boards_per_round + 1))
    sets = {table.board_set: _numbers(table) for each in event.drawn for table in each.tables if table.boards}
    others = next((_numbers(table) for table in drawn.tables if table.boards and table.board_set is None), default)

    def boards(table: Table) -> list[int]:
        if by_levels:
            return []
        return _numbers(table) or (others if table.board_set is None else sets.get(table.board_set) or default)

    found = records.drawn_round(drawn, rooms=_in_rooms(event), boards=boards, postponed=REASON)
    return sorted(found, key=lambda said: said[0].table)


def _numbers(table: Table) -> list[int]:
    return sorted(board.number for board in table.boards)


def _demand_same_standings(wanted: Event, made: Event) -> None:
    if content_of(wanted).encoded() != content_of(made).encoded():
        raise NotRestorable("the document holds something that this version cannot store; its standings would differ")


def _put(world: World, table: str, records: Iterable[Record]) -> None:
    items: Iterator[Item] = (record.to_dynamodb_dict() for record in records)
    put_items(table, items, world.sleep, world.random.fraction)


def _write_entries(world: World, event_id: str, entries: Iterable[Entry]) -> None:
    records: list[Record] = []
    counts: dict[str, int] = {}
    last = 0
    for entry in entries:
        players = [StoredPlayer(world.random.token(9), player.name, player.phone) for player in entry.players]
        last = max(last, entry.number)
        records.append(_entry(world, event_id, entry, players))
        records += _indexes(world, event_id, entry.number, players)
        if entry.left_after_round is None:
            pk = entry_partition(event_id, entry.number)
            counts[pk] = counts.get(pk, 0) + 1
    for number in range(1, last + 1):
        item = counts_of(event_id, number)
        if item.pk in counts:
            item.entries, item.checked_in = counts.pop(item.pk), 0
            records.append(item)
    _put(world, EntryRecord.Meta.table_name, records)
    _put(world, Counter.Meta.table_name, [Counter(event_id, "COUNTER#entries", value=last)])


def _entry(world: World, event_id: str, entry: Entry, players: list[StoredPlayer]) -> EntryRecord:
    return EntryRecord(
        entry_partition(event_id, entry.number),
        sort_key(entry.number),
        event_id=event_id,
        number=entry.number,
        name=entry.name,
        club=entry.club or "",
        players=msgspec.to_builtins(players),
        seed=entry.seed,
        group=entry.group,
        state="in" if entry.left_after_round is None else "withdrawn",
        joined_round=entry.joined_round,
        left_after_round=entry.left_after_round,
        created_at=world.now(),
    )


def _indexes(world: World, event_id: str, number: int, players: list[StoredPlayer]) -> Iterator[Record]:
    for index, player in enumerate(players):
        if player.phone:
            key = phone_key(event_id, phones.index_in(world, event_id, player.phone))
            yield PhoneIndex(key, "OWNER", number=number, player=index)
        if name := comparable(player.name):
            yield NameIndex(name_key(event_id, name), f"{number:05d}#{index}", number=number, player=index)


def _write_round(
    world: World, event_id: str, settings: Settings, drawn: Round, kept: list[records.Said], is_last: bool
) -> RoundHeader:
    """The round's tables and its header; nobody looks for them before the event is there."""
    now = world.now()
    drafted = [
        DraftTable(table.match, tuple(table.ns), tuple(table.ew), None, table.board_set, table.third_place)
        for table, _ in kept
        if table.room != Room.CLOSED
    ]
    generation, chunks = drafts.write(world, event_id, drawn.number, drafted)
    _put(world, MATCHES, _matches(world, event_id, generation, drawn, kept))
    waits = any(table.outcome is Outcome.UNPLAYED and not table.postponed for table in drawn.tables)
    in_play = is_last and waits
    header = RoundHeader(
        event_id,
        round_key(drawn.number),
        number=drawn.number,
        phase="published" if in_play else "settled",
        generation=generation,
        chunks=chunks,
        tables=len(drafted),
        byes=list(drawn.byes),
        sit_outs=list(drawn.sit_outs),
        double_submission=None if in_play else settings.double_submission,
        drawn_at=now,
        published_at=now,
        settled_at=None if in_play else now,
    )
    _put(world, RoundHeader.Meta.table_name, [header])
    return header


def _matches(world: World, event_id: str, generation: str, drawn: Round, kept: list[records.Said]) -> Iterator[Record]:
    pk = round_partition(event_id, drawn.number)
    for table, result in kept:
        said = {"reason": REASON, "actor": ACTOR, "at": world.now()}
        yield Match(
            pk,
            table_key(table.table),
            event_id=event_id,
            generation=generation,
            round=drawn.number,
            table=table.table,
            ns=table.ns,
            ew=table.ew,
            boards=tables.board_text(table.boards) or None,
            board_set=table.board_set,
            room=table.room,
            third_place=table.third_place or None,
            ruling=None if result is None else {**tables.values_of(result), **said},
            postponed=table.postponed,
            wakes=0,
        )
        if table.room == Room.CLOSED:
            continue
        for side, numbers in (("ns", table.ns), ("ew", table.ew)):
            for number in numbers:
                yield Seat(
                    seat_partition(event_id, drawn.number, number),
                    seat_key(number),
                    generation=generation,
                    table=table.table,
                    side=side,
                    at_table=[*table.ns, *table.ew],
                )
    for number in (*drawn.byes, *drawn.sit_outs):
        seat = seat_partition(event_id, drawn.number, number)
        yield Seat(seat, seat_key(number), generation=generation, table=0)


def _make_visible(
    world: World,
    header: EventHeader,
    account: Account,
    settings: Settings,
    rounds: list[RoundHeader],
    in_quota: bool,
) -> None:
    event_id, now = header.event_id, world.now()
    work = transaction(world)
    work.put(header, EventHeader.pk.does_not_exist())
    if in_quota and not settings.test:
        vip.take_event(work, account, now)
    work.put(
        Member(
            event_id,
            f"MEMBER#{account.account_id}",
            member_id=world.random.token(9),
            role=Role.OWNER.value,
            phone_masked=phones.mask(account.phone),
            added_at=now,
        )
    )
    work.put(
        Membership(
            f"ACCOUNT#{account.account_id}",
            f"EVENT#{event_id}",
            event_id=event_id,
            role=Role.OWNER.value,
            event_name=settings.name,
            kind=settings.kind,
            created_at=now,
        )
    )
    for link in links.fresh(event_id):
        work.put(link)
    actions: list[Action] = [Pointer.name.set(settings.name), Pointer.rounds.set(settings.rounds)]
    if rounds:
        actions += [
            Pointer.round.set(int(rounds[-1].number)),
            Pointer.phase.set(rounds[-1].phase),
            Pointer.clock.set(clock.IDLE),
            Pointer.clock_version.add(1),
        ]
        work.put(Active(ACTIVE, event_id, since=now))
    idle.wait(work, header, settings)
    public_list.follow(work, header, settings, public_list.RUNNING if rounds else public_list.UPCOMING)
    pulse.change(work, event_id, *actions)
    rank_changes.mark(work, event_id, "event.restore", roster=True)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=ACTOR,
        action="event.restore",
        subject=f"event:{event_id}",
        details={"rounds": len(rounds), **audit_facts.of_settings(settings)},
    )
    work.commit()


def _publish_pairings(world: World, event_id: str, number: int) -> None:
    snapshot = snapshot_name(world, number)
    write_snapshot(world, event_id, snapshot, read_round(world, event_id, number))
    work = transaction(world)
    work.update(RoundHeader(event_id, round_key(number)), [RoundHeader.pairings.set(snapshot)])
    pulse.change(work, event_id, Pointer.pairings.set(snapshot))
    work.commit()
