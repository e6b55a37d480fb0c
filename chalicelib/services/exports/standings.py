"""Rankings: of entries with all criteria, of clubs 团体排名, and the winners of prizes 奖项."""

from collections.abc import Sequence

from chalicelib.gateways.spreadsheets import Column, OutCell, OutSheet
from chalicelib.services.exports.cells import criterion_cell, criterion_column
from chalicelib.services.exports.facts import ClubRankFacts, PrizeFacts, StandingFacts
from chalicelib.services.exports.words import Language, word


def standings_sheet(rows: Sequence[StandingFacts], criteria: Sequence[str], language: Language) -> OutSheet:
    """The ranking, in the order given; `criteria` are the codes of its columns, in the event's order.

    Numbers are exact in the cells and shown with two decimals where they are fractions.
    """
    grouped = any(row.group is not None for row in rows)
    columns = (
        *([Column(word("group", language))] if grouped else []),
        Column(word("rank", language), "whole"),
        Column(word("tied", language)),
        Column(word("no", language), "whole"),
        Column(word("team", language)),
        Column(word("players", language)),
        Column(word("club", language)),
        *(criterion_column(code, language) for code in criteria),
    )
    cells: list[tuple[OutCell, ...]] = [
        (
            *([row.group] if grouped else []),
            row.rank,
            _tied(row.tied, language),
            row.label.no,
            row.label.name,
            "/".join(row.players),
            row.label.club,
            *(criterion_cell(code, row.values.get(code)) for code in criteria),
        )
        for row in rows
    ]
    return OutSheet(word("standings", language), columns, tuple(cells))


def club_standings_sheet(rows: Sequence[ClubRankFacts], criteria: Sequence[str], language: Language) -> OutSheet:
    """The 团体 ranking, with the entries that were counted."""
    columns = (
        Column(word("rank", language), "whole"),
        Column(word("tied", language)),
        Column(word("club", language)),
        Column(word("complete", language)),
        Column(word("counted", language)),
        *(criterion_column(code, language) for code in criteria),
    )
    cells: list[tuple[OutCell, ...]] = [
        (
            row.rank,
            _tied(row.tied, language),
            row.club,
            word("yes" if row.complete else "not_yet", language),
            ", ".join(f"{label.no} {label.name}" for label in row.entries),
            *(criterion_cell(code, row.values.get(code)) for code in criteria),
        )
        for row in rows
    ]
    return OutSheet(word("club_standings", language), columns, tuple(cells))


def prizes_sheet(prizes: Sequence[PrizeFacts], language: Language) -> OutSheet:
    """Who won what, award by award."""
    columns = (
        Column(word("award", language)),
        Column(word("rank", language), "whole"),
        Column(word("no", language), "whole"),
        Column(word("team", language)),
        Column(word("players", language)),
        Column(word("club", language)),
    )
    rows = tuple(
        (prize.award, prize.rank, prize.label.no, prize.label.name, "/".join(prize.players), prize.label.club)
        for prize in prizes
    )
    return OutSheet(word("prizes", language), columns, rows)


def _tied(tied: bool, language: Language) -> str | None:
    return word("tied", language) if tied else None
