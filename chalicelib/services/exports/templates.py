"""Templates 模板 to fill in, and the list of 团体 in the template's own columns."""

from collections.abc import Sequence

from chalicelib.gateways.spreadsheets import Column, OutSheet, Workbook
from chalicelib.services.exports.cells import PHONE_WIDTH, people_columns
from chalicelib.services.exports.words import Language, word
from chalicelib.services.roster import Club, needs_of

EMPTY_ROWS = 500
NAME_WIDTH, CLUB_WIDTH, HOW_TO_WIDTH = 14, 20, 80


def roster_template(kind: str, language: Language) -> Workbook:
    """An empty roster for a kind of event, with a sheet that says how to fill it in.

    Its rows are formatted as text, so that typed phone numbers keep their digits. It has no example rows,
    which somebody would import. Raises `KeyError` for an unknown kind.
    """
    needs = needs_of(kind)
    people = people_columns(needs.most, language, phones=True)
    team = (Column(word("team_name", language), width=CLUB_WIDTH),) if needs.most > 1 else ()
    columns = (
        *team,
        *(Column(column.heading, column.kind, column.width or NAME_WIDTH) for column in people),
        Column(word("club", language), width=CLUB_WIDTH),
    )
    how_to = ["how_one_row", "how_team_name"] if needs.most > 1 else ["how_person"]
    how_to += ["how_four"] if kind == "team_of_four" else []
    how_to += ["how_phone", "how_club_needed" if needs.club else "how_club"]
    return _template(OutSheet(word("roster", language), columns, (), text_rows_below=EMPTY_ROWS), how_to, language)


def clubs_template(clubs: Sequence[Club], language: Language) -> Workbook:
    """The list of 团体 to edit and import again; without clubs an empty one."""
    sheet = clubs_sheet(clubs, language)
    to_fill = OutSheet(sheet.name, sheet.columns, sheet.rows, text_rows_below=EMPTY_ROWS)
    return _template(to_fill, ["how_club_rows", "how_phone"], language)


def clubs_sheet(clubs: Sequence[Club], language: Language) -> OutSheet:
    """The 团体 of an event: 团体名称, 简称, 领队, 领队手机."""
    columns = (
        Column(word("club_name", language), width=CLUB_WIDTH),
        Column(word("club_short", language), width=NAME_WIDTH),
        Column(word("leader", language), width=NAME_WIDTH),
        Column(word("leader_phone", language), width=PHONE_WIDTH),
    )
    rows = tuple((club.name, club.short, club.leader, club.leader_phone) for club in clubs)
    return OutSheet(word("clubs", language), columns, rows)


def _template(sheet: OutSheet, how_to: Sequence[str], language: Language) -> Workbook:
    heading = Column(word("how_to", language), width=HOW_TO_WIDTH)
    return Workbook((sheet, OutSheet(heading.heading, (heading,), tuple((word(line, language),) for line in how_to))))
