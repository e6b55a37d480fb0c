"""Rosters 名单: entries and 团体 out of somebody's spreadsheet, as a dry run.

`read_roster` and `read_clubs` are pure: sheets as `chalicelib.gateways.spreadsheets` reads them go in, a
report of what an import would take and of every fault, by row and column, comes out. Nothing is saved here.
"""

from chalicelib.services.roster.clubs import ClubsReport, read_clubs
from chalicelib.services.roster.columns import ColumnGuess, ColumnMapping
from chalicelib.services.roster.corrections import Correction, FaultyRow, corrected, faulty_rows
from chalicelib.services.roster.faults import Fault
from chalicelib.services.roster.headings import Role
from chalicelib.services.roster.needs import KINDS, Needs, needs_of
from chalicelib.services.roster.phones import PhoneReading, read_phone
from chalicelib.services.roster.reading import Note, RosterReport, read_roster
from chalicelib.services.roster.teams import Club, Player, RosterEntry

__all__ = [
    "KINDS",
    "Club",
    "ClubsReport",
    "ColumnGuess",
    "ColumnMapping",
    "Correction",
    "Fault",
    "FaultyRow",
    "Needs",
    "Note",
    "PhoneReading",
    "Player",
    "Role",
    "RosterEntry",
    "RosterReport",
    "corrected",
    "faulty_rows",
    "needs_of",
    "read_clubs",
    "read_phone",
    "read_roster",
]
