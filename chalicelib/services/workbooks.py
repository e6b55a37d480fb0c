"""Workbooks of an event to download: what exports (``services.exports``) make of the store's facts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal, get_args

import msgspec

from chalicelib.gateways.spreadsheets import Workbook, write_workbook
from chalicelib.services import substitutes
from chalicelib.services.club_list import clubs_of
from chalicelib.services.exports import (
    BookName,
    CheckInFacts,
    EntryFacts,
    EntryLabel,
    EventFacts,
    Language,
    PersonFacts,
    SubstitutionFacts,
    clubs_template,
    roster_template,
    sheet_makers,
)
from chalicelib.services.finding import known_event
from chalicelib.services.large_events import refuse_large
from chalicelib.services.privacy.keys import OpenKey, unlocked
from chalicelib.services.privacy.sealing import readable
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.standings.sheets import Results
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, all_entries

_STATES: dict[str, Literal["active", "waiting", "withdrawn"]] = {
    "in": "active",
    "waiting": "waiting",
    "withdrawn": "withdrawn",
}


def download(world: World, event_id: str, name: str, language: str, digits: str = "") -> tuple[bytes, str]:
    """A workbook (.xlsx) and the name to save it under; ``name``: template, clubs (the list of 团体 to edit and
    import again), entries, standings, results or workbook (everything in one).

    An encrypted event names people only with its ``digits``. Raises event_not_found, not_found, digits_wrong;
    file_large where a job has to make the file.
    """
    header, settings = known_event(event_id)
    wanted: Language = "en" if language == "en" else "zh"
    if name == "template":
        return write_workbook(roster_template(settings.kind, wanted)), f"{_WORDS[name][wanted]}.xlsx"
    if name == "clubs":
        return write_workbook(clubs_template(clubs_of(event_id, settings), wanted)), f"{_WORDS[name][wanted]}.xlsx"
    book = _BOOKS.get(name)
    if book is None:
        raise Problem("not_found")
    refuse_large(world, event_id)
    facts = facts_of(world, event_id, book, unlocked(world, header, digits))
    made = Workbook(tuple(make() for make in sheet_makers(book, facts, wanted)))
    return write_workbook(made), filename(settings, book, wanted)


def filename(settings: Settings, name: BookName, language: Language) -> str:
    """What a workbook of an event is saved under."""
    return f"{settings.name}-{_WORDS[name][language]}.xlsx"


def facts_of(world: World, event_id: str, name: BookName, key: OpenKey | None) -> EventFacts:
    """What the workbook shows, as the store has it now; ``key`` opens the names of an encrypted event. What is not
    shown is not read. Raises event_not_found."""
    header, settings = known_event(event_id)
    entries = readable(all_entries(event_id, header.imports or ()), key) if name in ("entries", "workbook") else []
    people = EventFacts(
        time_zone=settings.time_zone,
        entries=[entry_facts(entry) for entry in entries],
        check_in=[check_in_facts(entry) for entry in entries],
        substitutions=substitution_facts(entries),
    )
    if name == "entries":
        return people
    results = Results.read(world, event_id, key)
    return msgspec.structs.replace(
        people,
        rounds=[] if name == "standings" else results.rounds(),
        standings=results.standings(),
        criteria=results.criteria,
        clubs=clubs_of(event_id, settings) if name == "workbook" else [],
        club_standings=results.clubs(),
        club_criteria=results.criteria,
        prizes=results.prizes(settings, header.decided or ()),
    )


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


def substitution_facts(entries: Iterable[StoredEntry]) -> list[SubstitutionFacts]:
    """Who was substituted, in the order in which it was done."""
    found = [(view, entry) for entry in entries for view in substitutes.views(entry)]
    return [
        SubstitutionFacts(
            label(entry),
            view.round,
            view.gone,
            view.came,
            view.reason,
            "organizer" if view.actor.startswith("account:") else "referee",
            _moment(view.at),
        )
        for view, entry in sorted(found, key=lambda pair: (pair[0].at, pair[0].id))
    ]


def _people(entry: StoredEntry) -> tuple[PersonFacts, ...]:
    return tuple(PersonFacts(player.name, player.phone) for player in entry.players)


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


_BOOKS: dict[str, BookName] = {name: name for name in get_args(BookName)}
_WORDS = {
    "template": {"zh": "名单模板", "en": "roster-template"},
    "clubs": {"zh": "团体列表", "en": "clubs"},
    "entries": {"zh": "报名表", "en": "entries"},
    "standings": {"zh": "排名", "en": "standings"},
    "results": {"zh": "成绩", "en": "results"},
    "workbook": {"zh": "全部", "en": "everything"},
}
