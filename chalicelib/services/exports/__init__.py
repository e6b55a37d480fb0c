"""Exports 导出: workbooks of an event and templates to fill in.

Pure: frozen facts go in (the services fill them from the store), described workbooks come out;
`chalicelib.gateways.spreadsheets.write_workbook` makes the bytes.
"""

from chalicelib.services.exports.entries import check_in_sheet, entries_sheet, substitutions_sheet
from chalicelib.services.exports.facts import (
    BoardFacts,
    CheckInFacts,
    ClubRankFacts,
    EntryFacts,
    EntryLabel,
    FeeFacts,
    PersonFacts,
    PrizeFacts,
    RoundFacts,
    StandingFacts,
    SubstitutionFacts,
    TableFacts,
)
from chalicelib.services.exports.money import fees_sheet
from chalicelib.services.exports.rejected import rejected_sheet
from chalicelib.services.exports.rounds import boards_sheet, pairings_sheet, results_sheet
from chalicelib.services.exports.standings import club_standings_sheet, prizes_sheet, standings_sheet
from chalicelib.services.exports.templates import clubs_sheet, clubs_template, roster_template
from chalicelib.services.exports.whole_event import BookName, EventFacts, event_workbook, sheet_makers
from chalicelib.services.exports.words import Language

__all__ = [
    "BoardFacts",
    "BookName",
    "CheckInFacts",
    "ClubRankFacts",
    "EntryFacts",
    "EntryLabel",
    "EventFacts",
    "FeeFacts",
    "Language",
    "PersonFacts",
    "PrizeFacts",
    "RoundFacts",
    "StandingFacts",
    "SubstitutionFacts",
    "TableFacts",
    "boards_sheet",
    "check_in_sheet",
    "club_standings_sheet",
    "clubs_sheet",
    "clubs_template",
    "entries_sheet",
    "event_workbook",
    "fees_sheet",
    "pairings_sheet",
    "prizes_sheet",
    "rejected_sheet",
    "results_sheet",
    "roster_template",
    "sheet_makers",
    "standings_sheet",
    "substitutions_sheet",
]
