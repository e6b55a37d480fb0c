"""团体列表: the event's clubs out of an edited template (团体名称, 简称, 领队, 领队手机): a dry run, then a commit.

The file's list takes the place of the event's, for the template holds what was there: a row that was deleted is meant.
Entries keep the club they have. Of an encrypted event only the names are taken, as the opaque ids that its list is
made of: who leads a club is as much somebody's name as a player's. Nor does a leader come back into an event whose
personal data were purged.
"""

from __future__ import annotations

import msgspec

from chalicelib.gateways.spreadsheets import MAX_FILE_BYTES, read_sheets
from chalicelib.services import audit, rank_changes
from chalicelib.services.finding import known_event, settings_of
from chalicelib.services.names import comparable
from chalicelib.services.once import AlreadyDone, Once, transaction
from chalicelib.services.privacy.sealing import club_ids
from chalicelib.services.problems import Problem
from chalicelib.services.roster import Club, ClubsReport, read_clubs
from chalicelib.services.settings import Settings, clubs_fit
from chalicelib.services.views.club_list import ClubImportReport, ClubListView, ClubView
from chalicelib.services.views.entries import RosterColumn, RosterFault
from chalicelib.services.world import World
from chalicelib.store.club_list import StoredClub, club_list, stored_clubs
from chalicelib.store.events import EventHeader
from chalicelib.store.tables import whole

LONGEST_CLUB = 60
LONGEST_DETAIL = 60
MOST_CLUBS = 2000
MOST_BYTES = 300_000
"""Of the packed list: an item of the store holds 400 kB."""
_TOO_LONG = (
    "团体名称、简称和领队各不超过 {most} 个字。",
    "Names of a club and its leader have at most {most} characters each.",
)
_TOO_MANY = (
    "文件中的团体过多，最多 {most} 个，名称合计不超过 200 KB。",
    "There are too many clubs in the file; at most {most}, with names of 200 KB together.",
)
MOST_FAULTS = 500
"""Of a report's faults, that many are told; the others are counted."""


def read(event_id: str) -> ClubListView:
    """The event's 团体 with what is known of them. Raises event_not_found."""
    _, settings = known_event(event_id)
    return ClubListView([_view(club, known=True) for club in clubs_of(event_id, settings)])


def clubs_of(event_id: str, settings: Settings) -> list[Club]:
    """The clubs of the settings' list in its order, each with what a file said of it."""
    described = {comparable(club.name): club for club in stored_clubs(event_id)}
    found = [(name, described.get(comparable(name), StoredClub(name))) for name in settings.clubs]
    return [Club(name, club.short, club.leader, club.leader_phone) for name, club in found]


def run(
    world: World, event_id: str, data: bytes, commit: bool, version: int, actor: str, call_once: Once
) -> ClubImportReport:
    """Check a list of clubs and, with ``commit``, put it in place of the event's list as it was at ``version``.

    Raises event_not_found, too_large; on commit also roster_faults with the report, and stale_version with the
    settings as they are.
    """
    if commit and (given := call_once.earlier_reply()) is not None:
        raise AlreadyDone(given)
    header, settings = known_event(event_id)
    if len(data) > MAX_FILE_BYTES:
        raise Problem("too_large", "content", limit=f"{MAX_FILE_BYTES // 1024 // 1024} MB")
    read_file = read_clubs(read_sheets(data))
    report = _report(header, settings, read_file)
    if not commit:
        return report
    if report.faults:
        raise Problem("roster_faults", current=msgspec.to_builtins(report), count=report.wrong)
    if header.version != version:
        raise _stale(header)
    return _commit(world, header, settings, read_file, report, actor, call_once)


def _report(header: EventHeader, settings: Settings, read_file: ClubsReport) -> ClubImportReport:
    faults = [
        RosterFault(found.row or 0, found.column, found.code, found.message_zh, found.message_en)
        for found in read_file.faults
    ]
    for club in read_file.clubs:
        if len(club.name) > LONGEST_CLUB or max(len(club.short), len(club.leader)) > LONGEST_DETAIL:
            faults.append(_fault("club_too_long", _TOO_LONG, LONGEST_CLUB))
    fits = clubs_fit(club.name for club in read_file.clubs)
    if len(read_file.clubs) > MOST_CLUBS or not fits or len(club_list("", _stored(read_file)).body) > MOST_BYTES:
        faults.append(_fault("too_many_clubs", _TOO_MANY, MOST_CLUBS))
    known = {comparable(name) for name in settings.clubs}
    kept = {comparable(club.name) for club in read_file.clubs}
    return ClubImportReport(
        committed=False,
        version=int(header.version),
        rows_seen=read_file.rows_seen,
        columns=[RosterColumn(guess.column, guess.heading, guess.role) for guess in read_file.columns],
        clubs=[_view(club, known=comparable(club.name) in known) for club in read_file.clubs[:MOST_CLUBS]],
        gone=[] if header.sealing is not None else [name for name in settings.clubs if comparable(name) not in kept],
        faults=faults[:MOST_FAULTS],
        names_only=_names_only(header),
        wrong=len(faults),
    )


def _commit(
    world: World,
    header: EventHeader,
    settings: Settings,
    read_file: ClubsReport,
    report: ClubImportReport,
    actor: str,
    call_once: Once,
) -> ClubImportReport:
    event_id, version = header.event_id, int(header.version)
    names = club_ids(world, header, [club.name for club in read_file.clubs])
    # What is kept for retries names no leader, and nobody at all in an encrypted event.
    kept = [ClubView(name, "", "", "", True) for name in names]
    reply = msgspec.structs.replace(report, committed=True, version=version + 1, clubs=kept)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.update(
        header,
        [
            EventHeader.settings.set(msgspec.to_builtins(msgspec.structs.replace(settings, clubs=names))),
            EventHeader.version.set(version + 1),
        ],
        EventHeader.version == version,
        lambda raw: _stale(None if raw is None else EventHeader.from_raw_data(raw)),
    )
    if not _names_only(header):
        change.put(club_list(event_id, _stored(read_file)))
    rank_changes.mark(change, event_id, "settings", roster=True)
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="event.import_clubs",
        subject=f"event:{event_id}",
        details={"clubs": len(names), "version": version + 1, "names": names},
    )
    change.commit()
    return reply


def _names_only(header: EventHeader) -> bool:
    """Whether nothing is kept of a club but its name."""
    return header.sealing is not None or whole(header.purged_at) is not None


def _stored(read_file: ClubsReport) -> list[StoredClub]:
    return [StoredClub(club.name, club.short, club.leader, club.leader_phone) for club in read_file.clubs]


def _view(club: Club, *, known: bool) -> ClubView:
    return ClubView(club.name, club.short, club.leader, club.leader_phone, known)


def _fault(code: str, sentences: tuple[str, str], most: int) -> RosterFault:
    return RosterFault(0, "", code, sentences[0].format(most=most), sentences[1].format(most=most))


def _stale(header: EventHeader | None) -> Problem:
    if header is None:
        return Problem("event_not_found")
    current = {"version": int(header.version), "settings": msgspec.to_builtins(settings_of(header))}
    return Problem("stale_version", current=current)
