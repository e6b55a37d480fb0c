"""团体 ranking: the best results of each club, summed criterion by criterion (section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chalicelib.rules.columns import Key, Value, lot_key
from chalicelib.rules.criteria import CRITERIA, ROUNDS_SURVIVED, HeadToHead, HighRounds, Lot
from chalicelib.rules.exact import text
from chalicelib.rules.lot import lot
from chalicelib.rules.ranking import Ranking


class ClubRow(NamedTuple):
    """One club: its rank, whether it shares it, the entries counted (best first) and its values by criterion.

    ``complete`` is False when the club has fewer entries than count.
    """

    rank: int
    tied: bool
    club: str
    complete: bool
    entries: tuple[int, ...]
    values: dict[str, Value]


def club_rows(ranking: Ranking) -> tuple[ClubRow, ...]:
    """The clubs of the event's 团体列表 that have entries, best first; equal ones share a rank and stand by name.

    The best N of a club are taken by event rank; over groups by rank, then by the criteria. Head to head is passed
    over, since it says nothing about a sum.
    """
    event = ranking.sheet.event
    best = event.club_ranking.best
    members = _members_best_first(ranking)
    found: list[tuple[tuple[Key, ...], ClubRow]] = []
    for club in sorted(set(event.clubs) & members.keys()):
        counted = members[club][:best]
        keys, values = _club_values(ranking, club, counted)
        numbers = tuple(ranking.sheet.numbers[index] for index in counted)
        found.append((keys, ClubRow(0, False, club, len(counted) == best, numbers, values)))
    found.sort(key=lambda pair: pair[0], reverse=True)
    rows: list[ClubRow] = []
    for place, (keys, row) in enumerate(found, 1):
        above = place > 1 and found[place - 2][0] == keys
        below = place < len(found) and found[place][0] == keys
        rows.append(row._replace(rank=rows[-1].rank if above else place, tied=above or below))
    return tuple(rows)


def _members_best_first(ranking: Ranking) -> dict[str, list[int]]:
    """The entries (indices) of every club by rank, then criteria, then number."""
    event = ranking.sheet.event
    club_of = {entry.number: entry.club for entry in event.entries}
    codes = [code for code in event.criteria if not isinstance(CRITERIA[code], HeadToHead)]
    columns: list[Sequence[Key]] = [ranking.columns.column(code).keys for code in codes]
    if ranking.survived is not None:
        columns.insert(0, ranking.survived)
    placed = sorted((rank, index) for group in ranking.groups for rank, index in group.ranks())
    # Within a group equal ranks have equal keys, so sorting by keys only orders equal ranks of different groups.
    placed.sort(key=lambda pair: [column[pair[1]] for column in columns], reverse=True)
    placed.sort(key=lambda pair: pair[0])
    members: dict[str, list[int]] = {}
    for _, index in placed:
        club = club_of[ranking.sheet.numbers[index]]
        if club is not None:
            members.setdefault(club, []).append(index)
    return members


def _club_values(ranking: Ranking, club: str, counted: Sequence[int]) -> tuple[tuple[Key, ...], dict[str, Value]]:
    keys: list[Key] = []
    values: dict[str, Value] = {}
    if ranking.survived is not None:
        survived = sum(ranking.survived[index] for index in counted)
        keys.append(survived)
        values[ROUNDS_SURVIVED] = str(survived)
    event = ranking.sheet.event
    for code in event.criteria:
        criterion = CRITERIA[code]
        if isinstance(criterion, HeadToHead):
            continue
        if isinstance(criterion, Lot):
            drawn = lot(event.pairing.seed, club)
            keys.append(lot_key(drawn))
            values[code] = drawn
            continue
        column = ranking.columns.column(code)
        parts = [column.keys[index] for index in counted]
        if isinstance(criterion, HighRounds):
            merged = sorted((score for part in parts if isinstance(part, list) for score in part), reverse=True)
            keys.append(merged)
            values[code] = tuple(text(score, column.scale) for score in merged)
        else:
            total = sum(part for part in parts if isinstance(part, int))
            keys.append(total)
            values[code] = text(total, column.scale)
    return tuple(keys), values
