"""The workbooks of an event: everything in one, or the part that was asked for."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import msgspec

from chalicelib.gateways.spreadsheets import OutSheet, Workbook
from chalicelib.services.exports.entries import check_in_sheet, entries_sheet, substitutions_sheet
from chalicelib.services.exports.facts import (
    CheckInFacts,
    ClubRankFacts,
    EntryFacts,
    FeeFacts,
    PrizeFacts,
    RoundFacts,
    StandingFacts,
    SubstitutionFacts,
)
from chalicelib.services.exports.money import fees_sheet
from chalicelib.services.exports.rounds import boards_sheet, results_sheet
from chalicelib.services.exports.standings import club_standings_sheet, prizes_sheet, standings_sheet
from chalicelib.services.exports.templates import clubs_sheet
from chalicelib.services.exports.words import Language
from chalicelib.services.roster import Club

BookName = Literal["workbook", "results", "standings", "entries"]
SheetMaker = Callable[[], OutSheet]


class EventFacts(msgspec.Struct, frozen=True):
    """All that is exported of an event; what an event does not have is left empty and gets no sheet.

    `criteria` are the codes of the ranking's columns in order, `club_criteria` those of the 团体 ranking.
    """

    time_zone: str
    entries: Sequence[EntryFacts]
    check_in: Sequence[CheckInFacts] = ()
    rounds: Sequence[RoundFacts] = ()
    standings: Sequence[StandingFacts] = ()
    criteria: Sequence[str] = ()
    clubs: Sequence[Club] = ()
    club_standings: Sequence[ClubRankFacts] = ()
    club_criteria: Sequence[str] = ()
    prizes: Sequence[PrizeFacts] = ()
    fees: Sequence[FeeFacts] = ()
    substitutions: Sequence[SubstitutionFacts] = ()


def event_workbook(event: EventFacts, language: Language) -> Workbook:
    """Everything of an event in one workbook."""
    return Workbook(tuple(make() for make in sheet_makers("workbook", event, language)))


def sheet_makers(name: BookName, event: EventFacts, language: Language) -> list[SheetMaker]:
    """What makes the sheets of a workbook, one call each: those of a large event need not all be in memory at once.

    ``workbook`` has them in the order of an event's life: entries, check-in, substitutions, clubs, rounds, rankings,
    prizes, fees.
    """
    if name == "entries":
        return _people(event, language)
    if name == "results":
        return [*_rounds(event, language), partial(standings_sheet, event.standings, event.criteria, language)]
    rankings = _rankings(event, language)
    if name == "standings":
        return [partial(standings_sheet, event.standings, event.criteria, language), *rankings]
    sheets = _people(event, language)
    if event.clubs:
        sheets.append(partial(clubs_sheet, event.clubs, language))
    sheets += _rounds(event, language)
    if event.standings:
        sheets.append(partial(standings_sheet, event.standings, event.criteria, language))
    sheets += rankings
    if event.fees:
        sheets.append(partial(fees_sheet, event.fees, event.time_zone, language))
    return sheets


def _people(event: EventFacts, language: Language) -> list[SheetMaker]:
    sheets: list[SheetMaker] = [partial(entries_sheet, event.entries, event.time_zone, language)]
    if event.check_in:
        sheets.append(partial(check_in_sheet, event.check_in, event.time_zone, language))
    if event.substitutions:
        sheets.append(partial(substitutions_sheet, event.substitutions, event.time_zone, language))
    return sheets


def _rounds(event: EventFacts, language: Language) -> list[SheetMaker]:
    sheets: list[SheetMaker] = []
    for round_ in event.rounds:
        sheets.append(partial(results_sheet, round_, language))
        if any(table.boards for table in round_.tables):
            sheets.append(partial(boards_sheet, round_, language))
    return sheets


def _rankings(event: EventFacts, language: Language) -> list[SheetMaker]:
    """What stands beside the ranking of entries."""
    sheets: list[SheetMaker] = []
    if event.club_standings:
        sheets.append(partial(club_standings_sheet, event.club_standings, event.club_criteria, language))
    if event.prizes:
        sheets.append(partial(prizes_sheet, event.prizes, language))
    return sheets
