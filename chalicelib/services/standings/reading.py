"""Standings as organizers and referees read them, and every number opened to its addends."""

from __future__ import annotations

from typing import Any

from chalicelib.rules.addends import Addends
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.ranking import Ranking
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.problems import Problem
from chalicelib.services.standings import pages
from chalicelib.services.standings.content import shown_value
from chalicelib.services.views.standings import AddendView, EntryAddends, StandingRow, StandingsView
from chalicelib.services.world import World
from chalicelib.store.standings import find_pointer
from chalicelib.store.transaction import Busy

ATTEMPTS = 5


def read(world: World, event_id: str) -> StandingsView:
    """The newest standings as the standings function wrote them; version 0 without rows before its first run."""
    _, settings = known_event(event_id)
    for _ in range(ATTEMPTS):
        pointer = find_pointer(event_id)
        if pointer is None or pointer.standings is None:
            return StandingsView(0, 0, [], [], 0, False)
        whole = pages.read(world, event_id, pointer.standings, int(pointer.standings_pages))
        if whole is not None:
            return StandingsView(
                int(pointer.standings.partition("-")[0]),
                int(pointer.standings_round),
                whole.criteria,
                [_row(row) for row in whole.rows],
                int(pointer.standings_at),
                not settings.ranking_after_submission_only,
            )
    # Replaced again each time we looked.
    raise Busy


def _row(row: dict[str, Any]) -> StandingRow:
    return StandingRow(
        rank=row["rank"],
        tied=row["tied"],
        number=row["no"],
        name=row["name"],
        club=row["club"],
        players=row["players"],
        values=row["values"],
        group=row["group"],
        left=row["left"],
    )


def addends(world: World, event_id: str, number: int) -> EntryAddends:
    """Every addend of one entry's numbers as they are now. Raises entry_not_found."""
    header, settings = known_event(event_id)
    event = event_of(world, header, settings)
    entry = next((entry for entry in event.entries if entry.number == number), None)
    if entry is None:
        raise Problem("entry_not_found")
    ranking = Ranking(scoresheet(event))
    opened = Addends(ranking).of(ranking.sheet.numbers.index(number), ranking.value_columns())
    return EntryAddends(
        number,
        entry.name or " / ".join(player.name for player in entry.players),
        {
            code: [AddendView(part.round, shown_value(code, part.value), part.why) for part in parts]
            for code, parts in opened.items()
        },
    )
