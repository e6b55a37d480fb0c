"""Importing a roster file: a dry run with a report by row, then everything or nothing.

The rows are written first, marked with the import's id and seen by nobody; one transaction then adds that id to the
event's header. It demands that no entry changed since the file was checked against them; otherwise all is checked
again. An import that dies on the way leaves rows that count as not there.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from chalicelib.gateways.spreadsheets import MAX_FILE_BYTES, FileFault, Sheet, read_sheets
from chalicelib.services import audit, audit_facts, rank_changes
from chalicelib.services.entries import MOST_ENTRIES
from chalicelib.services.entry_changes import joins_round
from chalicelib.services.entry_indexes import found_by
from chalicelib.services.entry_numbers import last_number, take_numbers
from chalicelib.services.finding import known_event, open_event
from chalicelib.services.import_rows import Rows, discard, write
from chalicelib.services.names import comparable
from chalicelib.services.once import AlreadyDone, Once, transaction
from chalicelib.services.phones import index_in
from chalicelib.services.privacy.keys import demanded
from chalicelib.services.privacy.sealing import club_ids
from chalicelib.services.problems import Problem
from chalicelib.services.roster import (
    ColumnMapping,
    Correction,
    RosterReport,
    corrected,
    faulty_rows,
    needs_of,
    read_roster,
)
from chalicelib.services.settings import Settings, clubs_fit
from chalicelib.services.views.entries import (
    FaultyCell,
    FaultyLine,
    ImportReport,
    PlayerView,
    RosterColumn,
    RosterFault,
    RosterLine,
)
from chalicelib.services.world import World
from chalicelib.store.entries import SHARDS, EntryCounts, StoredEntry, all_entries, counts_of
from chalicelib.store.events import EventHeader
from chalicelib.store.registrations import TALLY, Tally
from chalicelib.store.transaction import Busy

ATTEMPTS = 3
COUNTER_ATTEMPTS = 20
MOST_IMPORTS = 90
"""Files one event takes; an index item's condition can name no more than a hundred."""
LONGEST_CLUB = 60
MOST_CLUBS = 2000
_TOO_LONG = ("团体名称超过 {most} 个字。", "The name of the club is longer than {most} characters.")
_TOO_MANY = (
    "团体过多，最多 {most} 个，名称合计不超过 200 KB。",
    "There are too many clubs; at most {most}, with names of 200 KB together.",
)
MOST_LINES = 20
MOST_FAULTS = 500
"""Of a report's entries and faults, that many are told; the others are counted."""
_TAKEN = ("手机号 {phone} 已在第 {number} 号队伍报名。", "Phone {phone} is already entered with entry {number}.")

Sheets = tuple[Sheet, ...] | FileFault
"""What reading a file gives."""


class Moved(Exception):
    """An entry changed since the file was checked."""


class Checked(msgspec.Struct, frozen=True):
    """A file as it was read, and what that means for the event as it is."""

    header: EventHeader
    settings: Settings
    read: RosterReport
    sheets: Sheets
    report: ImportReport


def run(
    world: World,
    event_id: str,
    filename: str,
    content: str,
    commit: bool,
    columns: dict[str, str] | None,
    actor: str,
    call_once: Once,
    digits: str = "",
    corrections: Sequence[Correction] = (),
) -> ImportReport:
    """Check a roster file (base64) and, with ``commit``, import all of it.

    ``columns`` (number of a column from 1 -> role) overrules the guess; ``corrections`` are cells that were put right
    in the preview. Raises event_ended, bad_value for content that is no base64, too_large, digits_needed and
    digits_wrong for an encrypted event; on commit also roster_faults with the report, too_many_entries.
    """
    if commit and (given := call_once.earlier_reply()) is not None:
        # A retry would find its own entries in the way.
        raise AlreadyDone(given)
    demanded(world, known_event(event_id)[0], digits)
    read = _read(decoded(content), columns, event_id, corrections)
    for _ in range(ATTEMPTS):
        checked = _look(world, event_id, read)
        told = shortened(checked.report)
        if not commit:
            return told
        if checked.report.faults:
            raise Problem("roster_faults", current=msgspec.to_builtins(told), count=told.wrong)
        try:
            return _commit(world, checked, actor, call_once)
        except Moved:
            continue
    raise Busy


def shortened(report: ImportReport) -> ImportReport:
    """The report as it is told: of many entries and faults the first, with the number of all."""
    return msgspec.structs.replace(
        report,
        entries=report.entries[:MOST_LINES],
        faults=report.faults[:MOST_FAULTS],
        found=len(report.entries),
        wrong=len(report.faults),
    )


def check(
    world: World,
    event_id: str,
    data: bytes,
    columns: dict[str, str] | None,
    corrections: Sequence[Correction] = (),
) -> Checked:
    """A roster file, read and checked against the entries there are. Raises event_ended, too_large."""
    return _look(world, event_id, _read(data, columns, event_id, corrections))


def _look(world: World, event_id: str, file: tuple[RosterReport, Sheets]) -> Checked:
    header, settings = open_event(world, event_id)
    present = all_entries(event_id, header.imports or ())
    read, sheets = file
    report = _checked(world, header, read, present, settings)
    columns = [guess.column for guess in read.columns if guess.role]
    rows = faulty_rows(sheets, read.sheet, columns, [found.row for found in report.faults])
    shown = [FaultyLine(line.row, [FaultyCell(cell.column, cell.text) for cell in line.cells]) for line in rows]
    return Checked(header, settings, read, sheets, msgspec.structs.replace(report, rows=shown))


def decoded(content: str) -> bytes:
    """A file as the API takes it, in base64. Raises bad_value."""
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem("bad_value", "content", why="base64") from error


def _read(
    data: bytes, columns: dict[str, str] | None, event_id: str, corrections: Sequence[Correction]
) -> tuple[RosterReport, Sheets]:
    """The file as the roster reader understands it, and its sheets with the corrections made."""
    if len(data) > MAX_FILE_BYTES:
        raise Problem("too_large", "content", limit=f"{MAX_FILE_BYTES // 1024 // 1024} MB")
    _, settings = known_event(event_id)
    sheets = read_sheets(data)
    needs = needs_of(settings.kind)
    guessed = read_roster(sheets, needs)
    if columns is None and not corrections:
        return guessed, sheets
    if columns is None:
        chosen = {guess.column: guess.role for guess in guessed.columns if guess.role}
    else:
        chosen = {int(column): role for column, role in columns.items() if role}
    # What was guessed from the file as it came holds for the corrected one too: a correction moves no heading.
    sheets = corrected(sheets, guessed.sheet, corrections)
    return read_roster(sheets, needs, ColumnMapping(guessed.heading_row, chosen, guessed.sheet)), sheets


def _checked(
    world: World, header: EventHeader, read: RosterReport, present: list[StoredEntry], settings: Settings
) -> ImportReport:
    """The report on a file, checked against the entries and clubs that are there already."""
    faults = [
        RosterFault(found.row or 0, found.column, found.code, found.message_zh, found.message_en)
        for found in read.faults
    ]
    event_id = header.event_id
    owners = {found_by(world, event_id, player): entry.number for entry in present for player in entry.players}
    for entry in read.entries:
        for player in entry.players:
            owner = owners.get(index_in(world, event_id, player.phone)) if player.phone else None
            if owner is not None:
                words = {"phone": player.phone, "number": owner}
                faults.append(_fault(entry.rows[0], "phone_taken", _TAKEN, words))
        if len(entry.club) > LONGEST_CLUB:
            faults.append(_fault(entry.rows[0], "club_too_long", _TOO_LONG, {"most": LONGEST_CLUB}))
    faulty = {found.row for found in faults}
    clubs = _clubs(world, header, read, settings)
    if len(clubs) > MOST_CLUBS or not clubs_fit(clubs):
        faults.append(_fault(0, "too_many_clubs", _TOO_MANY, {"most": MOST_CLUBS}))
    return ImportReport(
        committed=False,
        imported=0,
        rows_seen=read.rows_seen,
        columns=[RosterColumn(guess.column, guess.heading, guess.role) for guess in read.columns],
        entries=[
            RosterLine(
                entry.rows[0],
                entry.name,
                entry.club,
                [PlayerView(player.name, player.phone) for player in entry.players],
            )
            for entry in read.entries
            if faulty.isdisjoint(entry.rows)
        ],
        clubs=[club.name for club in read.clubs],
        faults=sorted(faults, key=lambda found: found.row),
    )


def _fault(row: int, code: str, sentences: tuple[str, str], words: dict[str, Any]) -> RosterFault:
    return RosterFault(row, "", code, sentences[0].format(**words), sentences[1].format(**words))


def _clubs(world: World, header: EventHeader, read: RosterReport, settings: Settings) -> list[str]:
    """The event's 团体 and those of the file that are not among them, as they are stored."""
    known = {comparable(club) for club in settings.clubs}
    found = club_ids(world, header, [club.name for club in read.clubs])
    return [*settings.clubs, *(club for club in found if comparable(club) not in known)]


def reserve(world: World, checked: Checked) -> dict[str, Any]:
    """Take the numbers of an import: its id, first number, round, and how many entries are written (none).

    Raises too_many_entries, too_many_imports.
    """
    header = checked.header
    if len(header.imports or ()) >= MOST_IMPORTS:
        raise Problem("too_many_imports", limit=MOST_IMPORTS)
    return {
        "import_id": world.random.token(9),
        "first": _numbers(world, header.event_id, len(checked.read.entries)),
        "joined": joins_round(header),
        "next": 0,
    }


def rows_of(checked: Checked, reserved: dict[str, Any]) -> Rows:
    """What an import writes under the numbers that :func:`reserve` took."""
    return Rows(
        event_id=checked.header.event_id,
        import_id=reserved["import_id"],
        first_number=int(reserved["first"]),
        joined_round=int(reserved["joined"]),
        entries=checked.read.entries,
        header=checked.header,
    )


def _commit(world: World, checked: Checked, actor: str, call_once: Once) -> ImportReport:
    rows = rows_of(checked, reserve(world, checked))
    try:
        write(world, rows)
        # What is kept for retries names nobody in an encrypted event.
        clubs = club_ids(world, checked.header, checked.report.clubs)
        reply = msgspec.structs.replace(
            checked.report, committed=True, imported=len(rows.entries), entries=[], clubs=clubs, found=len(rows.entries)
        )
        flip(world, checked, rows, reply, actor, call_once)
    except Exception:
        discard(world, rows)
        raise
    return reply


def flip(world: World, checked: Checked, rows: Rows, reply: ImportReport, actor: str, call_once: Once) -> None:
    """The one transaction that makes all rows of an import count. Raises :class:`Moved`, event_ended."""
    header, settings, read = checked.header, checked.settings, checked.read
    event_id = rows.event_id
    clubs = _clubs(world, header, read, settings)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    actions = [
        EventHeader.imports.set([*rows.imports, rows.import_id]),
        EventHeader.entries_version.add(1),
    ]
    if clubs != settings.clubs:
        new = msgspec.structs.replace(settings, clubs=clubs)
        actions += [EventHeader.settings.set(msgspec.to_builtins(new)), EventHeader.version.add(1)]
    change.update(
        header,
        actions,
        (EventHeader.entries_version == header.entries_version)
        & (EventHeader.version == header.version)
        & (EventHeader.last_round == header.last_round)
        & (EventHeader.phase == "open"),
        lambda raw: Problem("event_ended") if raw and raw["phase"]["S"] == "ended" else Moved(),
    )
    for shard in range(SHARDS):
        numbers = [number for number in rows.numbers() if number % SHARDS == shard]
        if numbers:
            change.update(counts_of(event_id, shard), [EntryCounts.entries.add(len(numbers))])
    change.update(Tally(event_id, TALLY), [Tally.own.add(len(read.entries))])
    rank_changes.mark(change, event_id, "import", roster=True)
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="entry.import",
        subject=f"import:{rows.import_id}",
        details={
            "first": rows.first_number,
            "count": len(rows.entries),
            "event_clubs": clubs,
            **audit_facts.of_imported(_numbered(world, rows), rows.joined_round),
        },
    )
    change.commit()


def _numbered(world: World, rows: Rows) -> Iterator[tuple[int, str]]:
    """Number and 团体 of each entry, the latter as it is stored (in an encrypted event an id)."""
    found = [entry.club for _, entry in rows.numbered()]
    stored = dict(zip(dict.fromkeys(found), club_ids(world, rows.header, list(dict.fromkeys(found))), strict=True))
    for number, entry in rows.numbered():
        yield number, stored[entry.club] if entry.club else ""


def _numbers(world: World, event_id: str, count: int) -> int:
    """The first of ``count`` new entry numbers. Raises too_many_entries.

    A transaction of one step rather than a plain ADD: when its answer is lost it can be asked again without taking
    the numbers twice.
    """
    for _ in range(COUNTER_ATTEMPTS):
        last = last_number(event_id)
        if last + count > MOST_ENTRIES:
            raise Problem("too_many_entries", limit=MOST_ENTRIES)
        change = transaction(world)
        take_numbers(change, event_id, last, count, Moved)
        try:
            change.commit()
        except Moved:
            continue
        return last + 1
    raise Busy
