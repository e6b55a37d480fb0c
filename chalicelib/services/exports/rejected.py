"""Rows that an import would not take, to correct and import again."""

from collections import defaultdict
from collections.abc import Iterable

from chalicelib.gateways.spreadsheets import BrokenCell, CellValue, Column, OutCell, OutSheet, Sheet
from chalicelib.services.exports.words import Language, word
from chalicelib.services.roster import Fault, RosterReport
from chalicelib.services.views.entries import RosterFault


def rejected_sheet(
    sheet: Sheet, report: RosterReport, faults: Iterable[Fault | RosterFault], language: Language
) -> OutSheet:
    """The rows of `sheet`, read as `report` says, that have `faults`: their number, what is wrong, the cells as text.

    The columns keep the headings of the file, so the corrected sheet can be imported as it is.
    """
    problems: dict[int, list[str]] = defaultdict(list)
    for fault in faults:
        if fault.row:
            problems[fault.row].append(fault.message_zh if language == "zh" else fault.message_en)
    columns = (
        Column(word("row", language), "whole"),
        Column(word("problem", language)),
        *(Column(guess.heading or guess.letter) for guess in report.columns),
    )
    width = len(report.columns)
    rows: list[tuple[OutCell, ...]] = []
    for row in sheet.rows:
        if row.number in problems and row.number != report.heading_row:
            cells = [_as_text(cell) for cell in row.cells[:width]]
            cells += [None] * (width - len(cells))
            rows.append((row.number, "\n".join(problems[row.number]), *cells))
    return OutSheet(word("rejected", language), columns, tuple(rows))


def _as_text(value: CellValue) -> str | None:
    if value is None:
        return None
    return value.text if isinstance(value, BrokenCell) else str(value)
