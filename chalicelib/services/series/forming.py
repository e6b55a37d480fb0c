"""Forming a stage: its entries are written into the target events where nobody sees them, then one transaction makes
all of them count in all targets, or nothing happened.

It is an import whose rows come from other events: numbers are reserved first (the numbers follow the seeds), rows stand
under an import's id, and the event's header takes that id in the deciding transaction, which demands that the source
events are still as they were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from pynamodb.expressions.condition import Condition

from chalicelib.services import audit, audit_facts, rank_changes
from chalicelib.services.entry_changes import Moved
from chalicelib.services.entry_numbers import last_number, take_numbers
from chalicelib.services.event_frames import Frame
from chalicelib.services.import_rows import Rows
from chalicelib.services.names import comparable
from chalicelib.services.once import transaction
from chalicelib.services.problems import Problem
from chalicelib.services.roster import Player, RosterEntry
from chalicelib.services.series import undoing
from chalicelib.services.series.changes import packed
from chalicelib.services.series.choosing import MOST_ENTRIES, Line, NextStage
from chalicelib.services.settings import Settings, clubs_fit
from chalicelib.services.views.series import StagePlan
from chalicelib.services.world import World
from chalicelib.store.entries import SHARDS, EntryCounts, StoredEntry, counts_of
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.jobs import FINAL, find_job
from chalicelib.store.registrations import TALLY, Tally
from chalicelib.store.series import FORMED, FormedRecord, find_formed
from chalicelib.store.standings import POINTER, Pointer
from chalicelib.store.transaction import Busy, Transaction

ATTEMPTS = 5
LONGEST_LIFE = 3 * 60 * 60 * 1000
"""Milliseconds after which no step of a job can come any more: the stream keeps none for longer than an hour."""


def reserve(world: World, job_id: str, found: NextStage, plan: StagePlan, actor: str) -> list[FormedRecord]:
    """Take the numbers of every target, all or none; a job that has them already gets the same ones again.

    Raises series_forming while another job is at one of the targets, too_many_entries.
    """
    for _ in range(ATTEMPTS):
        held = [find_formed(target.header.event_id) for target in found.targets]
        ours = [each for each in held if each is not None and each.job == job_id and each.state == "forming"]
        if len(ours) == len(found.targets):
            return ours
        made = []
        change = transaction(world)
        for place, (target, lines, before) in enumerate(zip(found.targets, found.lines, held, strict=True)):
            if before is not None and has_rows(before) and before.job != job_id:
                # It came while the rows of the one before were cleared away here.
                raise Problem("series_forming")
            event_id = target.header.event_id
            last = last_number(event_id)
            if last + len(lines) > MOST_ENTRIES:
                raise Problem("too_many_entries", limit=MOST_ENTRIES)
            take_numbers(change, event_id, last, len(lines), Moved)
            record = FormedRecord(
                event_id,
                FORMED,
                state="forming",
                job=job_id,
                import_id=f"{job_id}-{place}",
                first=last + 1,
                size=len(lines),
                plan=msgspec.to_builtins(plan),
                targets=[each.header.event_id for each in found.targets],
                seen=found.marks,
                lines=packed(lines),
                at=world.now(),
                actor=actor,
            )
            change.put(record, _as_before(before), lambda _: Moved())
            made.append(record)
        try:
            change.commit()
        except Moved:
            continue
        return made
    raise Busy


def has_rows(record: FormedRecord) -> bool:
    """Whether rows that nobody reads may stand under the record's import: of a stage that is being formed or undone,
    or that was when its job died."""
    return record.state != "formed" and record.import_id != undoing.CLEARED


def demand_idle(world: World, targets: Iterable[Frame]) -> None:
    """Raise series_forming while a job forms or undoes one of the targets."""
    for target in targets:
        record = find_formed(target.header.event_id)
        if record is not None and has_rows(record) and _lives(world, record):
            raise Problem("series_forming")


def clear_remains(world: World, job_id: str, targets: Iterable[Frame], has_time: Callable[[], bool]) -> bool:
    """Delete what a job that died has left in the targets, so that the numbers begin at 1 again and nobody's phone
    stays behind; False when the time is over first. Raises series_forming while such a job lives."""
    for target in targets:
        event_id = target.header.event_id
        record = find_formed(event_id)
        if record is None or not has_rows(record) or record.job == job_id:
            continue
        if record.clearing != job_id:
            if _lives(world, record):
                raise Problem("series_forming")
            _take_over(world, record, job_id)
        if not undoing.clear(world, event_id, record.import_id, has_time):
            return False
        undoing.give_numbers_back(world, event_id, record)
    return True


def _take_over(world: World, record: FormedRecord, job_id: str) -> None:
    """From now on this job clears, and no other: it would delete what this one writes under the same numbers."""
    change = transaction(world)
    same = (FormedRecord.import_id == record.import_id) & (FormedRecord.state == record.state)
    held = FormedRecord.clearing
    same = same & (held.does_not_exist() if record.clearing is None else held == record.clearing)
    change.update(
        FormedRecord(record.pk, FORMED),
        [FormedRecord.state.set("undone"), FormedRecord.clearing.set(job_id)],
        same,
        lambda _: Problem("series_forming"),
    )
    change.commit()


def _lives(world: World, record: FormedRecord) -> bool:
    job = find_job(record.clearing or record.job)
    return job is not None and job.phase not in FINAL and world.now() - int(job.created_at) < LONGEST_LIFE


def _as_before(before: FormedRecord | None) -> Condition:
    if before is None:
        condition: Condition = FormedRecord.pk.does_not_exist()
        return condition
    same: Condition = (FormedRecord.job == before.job) & (FormedRecord.state == before.state)
    return same


def rows_of(target: Frame, formed: FormedRecord, lines: Iterable[Line], entries: NextStage) -> Rows:
    """What is written into a target under the numbers reserved for it."""
    found = list(lines)
    return Rows(
        event_id=target.header.event_id,
        import_id=formed.import_id,
        first_number=int(formed.first),
        joined_round=1,
        entries=tuple(_copied(entries.entries[line.source, line.number]) for line in found),
        header=target.header,
        drawn=tuple((line.seed, line.group) for line in found),
    )


def _copied(entry: StoredEntry) -> RosterEntry:
    players = tuple(Player(player.name, player.phone) for player in entry.players)
    return RosterEntry(entry.name, entry.club, players, (entry.number,))


def flip(
    world: World,
    found: NextStage,
    formed: list[FormedRecord],
    rows: list[Rows],
    actor: str,
    within: Callable[[Transaction], None],
) -> None:
    """The one transaction that makes the stage. Raises series_changed when a source, or a target, is not as it was
    read any more."""
    change = transaction(world)
    within(change)
    for target, record, part in zip(found.targets, formed, rows, strict=True):
        _fill(change, world, target, record, part, found, actor)
    for source in found.sources:
        _demand_same(change, source)
    change.commit()


def _fill(
    change: Transaction, world: World, target: Frame, record: FormedRecord, rows: Rows, found: NextStage, actor: str
) -> None:
    header, settings = target.header, target.settings
    event_id = header.event_id
    clubs = _clubs(settings, [entry.club for entry in rows.entries])
    actions = [EventHeader.imports.set([*rows.imports, rows.import_id]), EventHeader.entries_version.add(1)]
    if clubs != settings.clubs:
        new = msgspec.structs.replace(settings, clubs=clubs)
        actions += [EventHeader.settings.set(msgspec.to_builtins(new)), EventHeader.version.add(1)]
    change.update(
        EventHeader(header.pk, header.sk),
        actions,
        (EventHeader.entries_version == header.entries_version)
        & (EventHeader.version == header.version)
        & (EventHeader.last_round == 0)
        & (EventHeader.phase == "open")
        & EventHeader.sealing.does_not_exist(),
        lambda _: Problem("series_changed"),
    )
    for shard in range(SHARDS):
        count = sum(number % SHARDS == shard for number in rows.numbers())
        if count:
            change.update(counts_of(event_id, shard), [EntryCounts.entries.add(count)])
    last = int(record.first) + int(record.size) - 1
    change.update(
        Tally(event_id, TALLY),
        [Tally.own.add(len(rows.entries))],
        # Who registers by himself changes nothing else of the event.
        Tally.value == last,
        lambda _: Problem("series_changed"),
    )
    change.update(
        FormedRecord(event_id, FORMED),
        [FormedRecord.state.set("formed"), FormedRecord.seen.set(found.marks), FormedRecord.at.set(world.now())],
        (FormedRecord.job == record.job) & (FormedRecord.state == "forming"),
        lambda _: Problem("series_forming"),
    )
    rank_changes.mark(change, event_id, "series", roster=True)
    numbered = [(number, entry.club) for number, entry in rows.numbered()]
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="series.form",
        subject=f"event:{event_id}",
        details={
            "from": [source.header.event_id for source in found.sources],
            "first": rows.first_number,
            "count": len(rows.entries),
            "event_clubs": clubs,
            **audit_facts.of_imported(numbered, 1, rows.drawn),
        },
    )


def _clubs(settings: Settings, found: Iterable[str]) -> list[str]:
    known = {comparable(club) for club in settings.clubs}
    new = [club for club in dict.fromkeys(found) if club and comparable(club) not in known]
    clubs = [*settings.clubs, *new]
    if not clubs_fit(clubs):
        raise Problem("too_large", "clubs", limit="200 KB")
    return clubs


def _demand_same(change: Transaction, source: Frame) -> None:
    header = source.header

    def changed(_: object) -> Problem:
        return Problem("series_changed")

    same = (
        (EventHeader.version == header.version)
        & (EventHeader.last_round == header.last_round)
        & (EventHeader.phase == header.phase)
        & EventHeader.deleted_at.does_not_exist()
    )
    for attribute, value in (
        (EventHeader.entries_version, header.entries_version),
        (EventHeader.corrections, header.corrections),
        (EventHeader.adjustments_version, header.adjustments_version),
    ):
        held = attribute == value
        same = same & (held if value else held | attribute.does_not_exist())
    change.check(EventHeader(header.pk, header.sk), same, changed)
    if source.rounds:
        last = source.rounds[-1]
        settled = (RoundHeader.phase == "settled") & (RoundHeader.version == last.version)
        change.check(RoundHeader(header.event_id, round_key(int(last.number))), settled, changed)
        change.check(Pointer(header.event_id, POINTER), Pointer.frozen_from.does_not_exist(), changed)
