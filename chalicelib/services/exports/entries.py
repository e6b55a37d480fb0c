"""The list of entries 报名, the check-in list 签到 and the substitutions 换人."""

from collections.abc import Sequence

from chalicelib.gateways.spreadsheets import Column, OutCell, OutSheet
from chalicelib.services.exports.cells import TIME_WIDTH, local_time, people_cells, people_columns
from chalicelib.services.exports.facts import CheckInFacts, EntryFacts, SubstitutionFacts
from chalicelib.services.exports.words import Language, word


def entries_sheet(entries: Sequence[EntryFacts], zone: str, language: Language, *, phones: bool = True) -> OutSheet:
    """Every entry with its players; without `phones` no column of phone numbers exists at all.

    Its columns come in again as a roster: names, phones and 团体 stand under the headings of the template.
    """
    most = max((len(entry.players) for entry in entries), default=1)
    grouped = any(entry.group is not None for entry in entries)
    seeded = any(entry.seed is not None for entry in entries)
    columns = [Column(word("no", language), "whole"), Column(word("team_name", language))]
    columns += people_columns(most, language, phones=phones)
    columns.append(Column(word("club", language)))
    columns += [Column(word("group", language))] * grouped + [Column(word("seed", language), "whole")] * seeded
    columns += [Column(word("state", language)), Column(word("registered_at", language), width=TIME_WIDTH)]
    rows: list[tuple[OutCell, ...]] = []
    for entry in entries:
        cells: list[OutCell] = [entry.label.no, entry.label.name]
        cells += people_cells(entry.players, most, phones=phones)
        cells.append(entry.label.club)
        cells += [entry.group] * grouped + [entry.seed] * seeded
        cells += [word(f"state_{entry.state}", language), local_time(entry.registered_at, zone)]
        rows.append(tuple(cells))
    return OutSheet(word("entries", language), tuple(columns), tuple(rows))


def check_in_sheet(entries: Sequence[CheckInFacts], zone: str, language: Language, *, phones: bool = True) -> OutSheet:
    """Who is here and who is missing, for the desk."""
    most = max((len(entry.players) for entry in entries), default=1)
    columns = (
        Column(word("no", language), "whole"),
        Column(word("team_name", language)),
        *people_columns(most, language, phones=phones),
        Column(word("club", language)),
        Column(word("checked_in", language)),
        Column(word("checked_in_at", language), width=TIME_WIDTH),
        Column(word("checked_in_by", language)),
        Column(word("table", language), "whole"),
    )
    rows = tuple(
        (
            entry.label.no,
            entry.label.name,
            *people_cells(entry.players, most, phones=phones),
            entry.label.club,
            word("not_yet" if entry.checked_in_at is None else "yes", language),
            local_time(entry.checked_in_at, zone),
            entry.checked_in_by,
            entry.table,
        )
        for entry in entries
    )
    return OutSheet(word("check_in", language), columns, rows)


def substitutions_sheet(substitutions: Sequence[SubstitutionFacts], zone: str, language: Language) -> OutSheet:
    """Who came in for whom, from which round on, and why."""
    columns = (
        Column(word("no", language), "whole"),
        Column(word("team", language)),
        Column(word("from_round", language), "whole"),
        *(Column(word(code, language)) for code in ("gone", "came", "reason", "allowed_by")),
        Column(word("substituted_at", language), width=TIME_WIDTH),
    )
    rows = tuple(
        (
            each.label.no,
            each.label.name,
            each.round,
            each.gone,
            each.came,
            each.reason,
            word(f"by_{each.by}", language),
            local_time(each.at, zone),
        )
        for each in substitutions
    )
    return OutSheet(word("substitutions", language), columns, rows)
