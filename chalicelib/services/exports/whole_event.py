"""Everything of an event in one workbook."""

from collections.abc import Sequence

import msgspec

from chalicelib.gateways.spreadsheets import OutSheet, Workbook
from chalicelib.services.exports.entries import check_in_sheet, entries_sheet
from chalicelib.services.exports.facts import (
    CheckInFacts,
    ClubRankFacts,
    EntryFacts,
    FeeFacts,
    PrizeFacts,
    RoundFacts,
    StandingFacts,
)
from chalicelib.services.exports.money import fees_sheet
from chalicelib.services.exports.rounds import boards_sheet, results_sheet
from chalicelib.services.exports.standings import club_standings_sheet, prizes_sheet, standings_sheet
from chalicelib.services.exports.templates import clubs_sheet
from chalicelib.services.exports.words import Language
from chalicelib.services.roster import Club


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


def event_workbook(event: EventFacts, language: Language) -> Workbook:
    """The sheets in the order of an event's life: entries, check-in, clubs, rounds, rankings, prizes, fees."""
    sheets: list[OutSheet] = [entries_sheet(event.entries, event.time_zone, language)]
    if event.check_in:
        sheets.append(check_in_sheet(event.check_in, event.time_zone, language))
    if event.clubs:
        sheets.append(clubs_sheet(event.clubs, language))
    for round_ in event.rounds:
        sheets.append(results_sheet(round_, language))
        if any(table.boards for table in round_.tables):
            sheets.append(boards_sheet(round_, language))
    if event.standings:
        sheets.append(standings_sheet(event.standings, event.criteria, language))
    if event.club_standings:
        sheets.append(club_standings_sheet(event.club_standings, event.club_criteria, language))
    if event.prizes:
        sheets.append(prizes_sheet(event.prizes, language))
    if event.fees:
        sheets.append(fees_sheet(event.fees, event.time_zone, language))
    return Workbook(tuple(sheets))
