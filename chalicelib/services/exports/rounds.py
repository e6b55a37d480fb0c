"""Rounds 轮次: pairings as drawn, results as they count, and boards of duplicate rounds."""

from collections.abc import Mapping

from chalicelib.gateways.spreadsheets import Column, OutCell, OutSheet
from chalicelib.services.exports.cells import (
    criterion_name,
    exact_number,
    side_club,
    side_name,
    side_number,
)
from chalicelib.services.exports.facts import EntryLabel, RoundFacts, TableFacts
from chalicelib.services.exports.words import Language, word


def pairings_sheet(round_: RoundFacts, language: Language) -> OutSheet:
    """Who sits where in a round; byes and those who sit out stand below the tables."""
    columns = (*_seat_columns(language), Column(word("note", language)))
    rows: list[tuple[OutCell, ...]] = [(*_seats(table), _note(table, language)) for table in round_.tables]
    rows += [(*_alone(label), word(code, language)) for code, label in _idle(round_)]
    return OutSheet(word("pairings", language, no=round_.no), columns, tuple(rows))


def results_sheet(round_: RoundFacts, language: Language) -> OutSheet:
    """The results of a round: levels where the event has them, outcome, and each side's points."""
    levels = any(table.ns_level or table.ew_level for table in round_.tables)
    columns = [*_seat_columns(language)]
    if levels:
        columns += [Column(word("ns_level", language)), Column(word("ew_level", language))]
    columns.append(Column(word("outcome", language)))
    for side in ("ns_value", "ew_value"):
        for code in round_.points:
            columns.append(Column(word(side, language, what=criterion_name(code, language)), "decimal"))
    columns.append(Column(word("note", language)))
    rows: list[tuple[OutCell, ...]] = []
    for table in round_.tables:
        cells = [*_seats(table), *([table.ns_level, table.ew_level] if levels else [])]
        cells.append(word(f"outcome_{table.outcome}", language))
        cells += [*_points(round_, table.ns_points), *_points(round_, table.ew_points)]
        cells.append(_note(table, language))
        rows.append(tuple(cells))
    blank: list[OutCell] = [None] * (2 * len(round_.points) + 1)
    for code, label in _idle(round_):
        rows.append((*_alone(label), *([None, None] if levels else []), word(code, language), *blank))
    return OutSheet(word("results", language, no=round_.no), tuple(columns), tuple(rows))


def boards_sheet(round_: RoundFacts, language: Language) -> OutSheet:
    """Every board of a duplicate round, one row each."""
    rooms = any(board.room for table in round_.tables for board in table.boards)
    sets = any(table.board_set for table in round_.tables)
    columns = (
        Column(word("table", language), "whole"),
        *([Column(word("room", language))] if rooms else []),
        *([Column(word("set", language))] if sets else []),
        Column(word("board", language), "whole"),
        Column(word("ns", language)),
        Column(word("ew", language)),
        Column(word("board_result", language), "whole"),
    )
    rows: list[tuple[OutCell, ...]] = []
    for table in round_.tables:
        for board in table.boards:
            room: list[OutCell] = [word(f"room_{board.room}", language) if board.room else None] if rooms else []
            board_set: list[OutCell] = [table.board_set] if sets else []
            sides = (side_name(table.ns), side_name(table.ew))
            if board.room == "closed":
                # The home team sits EW there, and a result is always the view of the pair that sits NS.
                sides = (sides[1], sides[0])
            rows.append((table.table, *room, *board_set, board.board, *sides, board.result))
    return OutSheet(word("boards", language, no=round_.no), columns, tuple(rows))


def _seat_columns(language: Language) -> tuple[Column, ...]:
    whole, words = ("table", "ns_no", "ew_no"), ("table", "ns_no", "ns", "ns_club", "ew_no", "ew", "ew_club")
    return tuple(Column(word(code, language), "whole" if code in whole else "text") for code in words)


def _seats(table: TableFacts) -> list[OutCell]:
    cells: list[OutCell] = [table.table]
    for side in (table.ns, table.ew):
        cells += [side_number(side), side_name(side), side_club(side)]
    return cells


def _note(table: TableFacts, language: Language) -> str:
    """What the columns do not say: the board set, the match for the third place, a winner that levels do not show."""
    parts = [table.note] if table.note else []
    if table.board_set:
        parts.append(word("board_set", language, name=table.board_set))
    if table.third_place:
        parts.append(word("third_place", language))
    if table.winner:
        parts.append(word("winner", language, side=word(table.winner, language)))
    return ("；" if language == "zh" else "; ").join(parts)


def _alone(label: EntryLabel) -> tuple[OutCell, ...]:
    return (None, label.no, label.name, label.club, None, None, None)


def _idle(round_: RoundFacts) -> list[tuple[str, EntryLabel]]:
    return [("bye", label) for label in round_.byes] + [("sit_out", label) for label in round_.sit_outs]


def _points(round_: RoundFacts, points: Mapping[str, str | None] | None) -> list[OutCell]:
    return [exact_number((points or {}).get(code)) for code in round_.points]
