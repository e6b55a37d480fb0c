"""相互胜负: 场分 of the meetings of those who are still tied (section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chalicelib.rules.scoresheet import Line, Scoresheet


def meetings(sheet: Scoresheet, index: int, members: frozenset[int]) -> Iterator[tuple[Line, int]]:
    """The meetings of one entry with ``members`` (entry numbers): its line and the member met, played or forfeited."""
    for line in sheet.lines[index].each():
        for opponent in line.opponents:
            if opponent in members:
                yield line, opponent


def points_of_meetings(sheet: Scoresheet, tied: Sequence[int]) -> list[int] | None:
    """场分 of each tied entry (given and returned in the order of ``tied``, by index) in their own meetings, scaled.

    None unless all of them have met one another equally often, at least once. Adjustments do not count here.
    """
    members = frozenset(sheet.numbers[index] for index in tied)
    place = sheet.kind.measures.index("match_points")
    points: list[int] = []
    for index in tied:
        met: dict[int, int] = {}
        earned = 0
        for line, opponent in meetings(sheet, index, members):
            met[opponent] = met.get(opponent, 0) + 1
            earned += line.score.points[place]
        # Equally often for each member is equally often for all: a meeting counts for both who met.
        if len(met) != len(members) - 1 or len(set(met.values())) != 1:
            return None
        points.append(earned)
    return points
