"""Workbooks of an event to download: what exports (``services.exports``) make of the store's facts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from chalicelib.gateways.spreadsheets import Workbook, write_workbook
from chalicelib.services.club_list import clubs_of
from chalicelib.services.exports import (
    CheckInFacts,
    EntryFacts,
    EntryLabel,
    EventFacts,
    Language,
    PersonFacts,
    boards_sheet,
    check_in_sheet,
    club_standings_sheet,
    clubs_template,
    entries_sheet,
    event_workbook,
    prizes_sheet,
    results_sheet,
    roster_template,
    standings_sheet,
)
from chalicelib.services.finding import known_event, settings_of
from chalicelib.services.privacy.keys import OpenKey, unlocked
from chalicelib.services.privacy.sealing import readable
from chalicelib.services.problems import Problem
from chalicelib.services.standings.sheets import Results
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, all_entries
from chalicelib.store.events import EventHeader

_STATES: dict[str, Literal["active", "waiting", "withdrawn"]] = {
    "in": "active",
    "waiting": "waiting",
    "withdrawn": "withdrawn",
}


def download(world: World, event_id: str, name: str, language: str, digits: str = "") -> tuple[bytes, str]:
    """A workbook (.xlsx) and the name to save it under; ``name``: template, clubs (the list of 团体 to edit and
    import again), entries, standings, results or workbook (everything in one).

    An encrypted event names people only with its ``digits``. Raises event_not_found, not_found, digits_wrong.
    """
    header, settings = known_event(event_id)
    key = unlocked(world, header, digits)
    wanted: Language = "en" if language == "en" else "zh"
    if name == "template":
        return write_workbook(roster_template(settings.kind, wanted)), f"{_WORDS[name][wanted]}.xlsx"
    if name == "clubs":
        return write_workbook(clubs_template(clubs_of(event_id, settings), wanted)), f"{_WORDS[name][wanted]}.xlsx"
    if name == "entries":
        entries = readable(all_entries(event_id, header.imports or ()), key)
        sheets = (
            entries_sheet([entry_facts(entry) for entry in entries], settings.time_zone, wanted),
            check_in_sheet([check_in_facts(entry) for entry in entries], settings.time_zone, wanted),
        )
        return write_workbook(Workbook(sheets)), f"{settings.name}-{_WORDS[name][wanted]}.xlsx"
    if name in ("standings", "results", "workbook"):
        made = _MAKERS[name](world, header, key, settings.time_zone, wanted)
        return write_workbook(made), f"{settings.name}-{_WORDS[name][wanted]}.xlsx"
    raise Problem("not_found")


def _standings(world: World, header: EventHeader, key: OpenKey | None, zone: str, language: Language) -> Workbook:
    results = Results.read(world, header.event_id, key)
    sheets = [standings_sheet(results.standings(), results.criteria, language)]
    if clubs := results.clubs():
        sheets.append(club_standings_sheet(clubs, results.criteria, language))
    if prizes := results.prizes(settings_of(header), header.decided or ()):
        sheets.append(prizes_sheet(prizes, language))
    return Workbook(tuple(sheets))


def _results(world: World, header: EventHeader, key: OpenKey | None, zone: str, language: Language) -> Workbook:
    results = Results.read(world, header.event_id, key)
    sheets = []
    for drawn in results.rounds():
        sheets.append(results_sheet(drawn, language))
        if any(table.boards for table in drawn.tables):
            sheets.append(boards_sheet(drawn, language))
    return Workbook((*sheets, standings_sheet(results.standings(), results.criteria, language)))


def _whole(world: World, header: EventHeader, key: OpenKey | None, zone: str, language: Language) -> Workbook:
    results = Results.read(world, header.event_id, key)
    entries = readable(all_entries(header.event_id, header.imports or ()), key)
    facts = EventFacts(
        time_zone=zone,
        entries=[entry_facts(entry) for entry in entries],
        check_in=[check_in_facts(entry) for entry in entries],
        rounds=results.rounds(),
        standings=results.standings(),
        criteria=results.criteria,
        clubs=clubs_of(header.event_id, settings_of(header)),
        club_standings=results.clubs(),
        club_criteria=results.criteria,
        prizes=results.prizes(settings_of(header), header.decided or ()),
    )
    return event_workbook(facts, language)


_MAKERS: dict[str, Callable[[World, EventHeader, OpenKey | None, str, Language], Workbook]] = {
    "standings": _standings,
    "results": _results,
    "workbook": _whole,
}


def label(entry: StoredEntry) -> EntryLabel:
    """How the entry is named on every sheet."""
    return EntryLabel(entry.number, entry.name or "/".join(player.name for player in entry.players), entry.club)


def entry_facts(entry: StoredEntry) -> EntryFacts:
    """The entry as the list of entries shows it, phones included."""
    return EntryFacts(
        label(entry), _people(entry), _STATES[entry.state], entry.group, entry.seed, _moment(entry.created_at)
    )


def check_in_facts(entry: StoredEntry) -> CheckInFacts:
    """The entry as the check-in list shows it."""
    return CheckInFacts(label(entry), _people(entry), _moment(entry.checked_in_at), entry.checked_in_by or "")


def _people(entry: StoredEntry) -> tuple[PersonFacts, ...]:
    return tuple(PersonFacts(player.name, player.phone) for player in entry.players)


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


_WORDS = {
    "template": {"zh": "名单模板", "en": "roster-template"},
    "clubs": {"zh": "团体列表", "en": "clubs"},
    "entries": {"zh": "报名表", "en": "entries"},
    "standings": {"zh": "排名", "en": "standings"},
    "results": {"zh": "成绩", "en": "results"},
    "workbook": {"zh": "全部", "en": "everything"},
}
