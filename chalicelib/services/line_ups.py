"""上场名单 as the rules of the hall see it: who gives one, for which round, until when, and who may see it.

A team gives it from its phones for the coming round; publishing puts it on the tables. Who has given none by then may
still do so until the round begins, once and without seeing the other team's. Officials overrule it at the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from chalicelib.rules.kinds import Scoring
from chalicelib.rules.model import Room
from chalicelib.services.names import comparable
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.views.scoring import LineUp, TableView
from chalicelib.services.views.substitutes import MyLineUp
from chalicelib.store.entries import StoredEntry, StoredPlayer, TeamLineUp
from chalicelib.store.events import RoundHeader

PAIR = 2
"""How many of a team sit on one side of a table."""


def rooms_of(settings: Settings) -> int:
    """How many pairs a team names: one for each room of its match; 0 where an entry is its two players."""
    kind = kind_of(settings.kind)
    if kind.players[1] <= PAIR:
        return 0
    return len(Room) if kind.scoring is Scoring.TEAM_BOARDS else 1


def sound(rooms: Sequence[Sequence[int]], players: int) -> bool:
    """Whether each room has two different players of a team of ``players``, and nobody sits in two rooms."""
    seated = [place for pair in rooms for place in pair]
    return (
        all(len(pair) == PAIR for pair in rooms)
        and len(set(seated)) == len(seated)
        and all(place < players for place in seated)
    )


def mine(
    settings: Settings,
    phase: str,
    entry: StoredEntry,
    last: int,
    drawn: RoundHeader | None,
    found: Sequence[StoredTable],
) -> MyLineUp | None:
    """The line-up that a team gives next; None where there is nothing to give.

    ``phase``: of the event; ``last``: the last published round with its header ``drawn``; ``found``: the team's table
    there, or both rooms of its match.
    """
    count = rooms_of(settings)
    if not count or len(entry.players) <= PAIR or phase == "ended" or entry.state != "in":
        return None
    if drawn is not None and drawn.phase == "published" and found and not begun(found):
        rooms = [_given(table, entry.number) for table in found]
        return MyLineUp(last, rooms, 0, "line_up_given" if any(rooms) else None)
    coming = last + 1
    if coming > settings.rounds:
        return None
    kept = entry.line_up
    if kept is None or kept.round != coming:
        return MyLineUp(coming, [[] for _ in range(count)], 0, None)
    return MyLineUp(coming, kept.rooms, kept.version, None)


def begun(found: Sequence[StoredTable]) -> bool:
    """Whether anything has been said of a match."""
    return any(table.words or table.running or table.ruling for table in found)


def _given(table: StoredTable, number: int) -> list[int]:
    side = table.side_of(number)
    return [] if table.line_up is None or side is None else table.line_up.get(side, [])


def at_publishing(
    entries: Mapping[int, StoredEntry], number: int, ns: Sequence[int], ew: Sequence[int], room: int
) -> dict[str, list[int]] | None:
    """What stands at room ``room`` (0: open, or the only table) of a match of round ``number`` from the beginning: the
    pairs that the teams gave for it. A team that has grown smaller since has given none."""
    given = {"ns": _pair(entries, number, ns, room), "ew": _pair(entries, number, ew, room)}
    return given if any(given.values()) else None


def _pair(entries: Mapping[int, StoredEntry], number: int, side: Sequence[int], room: int) -> list[int]:
    entry = entries.get(side[0]) if len(side) == 1 else None
    if entry is None or entry.line_up is None or entry.line_up.round != number or room >= len(entry.line_up.rooms):
        return []
    return entry.line_up.rooms[room] if sound(entry.line_up.rooms, len(entry.players)) else []


def after_change(given: TeamLineUp, before: Sequence[StoredPlayer], now: Sequence[StoredPlayer]) -> TeamLineUp | None:
    """The line-up of a team whose list of players was changed: whoever is on it still, perhaps at another place or in
    another spelling, plays as was said. None if somebody who was to play is gone."""
    old, new = ([comparable(player.name) for player in players] for players in (before, now))

    def moved(place: int) -> int:
        if new[place : place + 1] == [old[place]]:
            return place
        if new.count(old[place]) == 1:
            return new.index(old[place])
        respelled = len(new) == len(old) and new[place] not in old
        return place if respelled else len(new)  # nobody's place

    rooms = [sorted(moved(place) for place in pair) for pair in given.rooms]
    return replace(given, rooms=rooms) if sound(rooms, len(new)) else None


def kept_form(given: TeamLineUp) -> dict[str, object]:
    """As it stands in the entry."""
    return {"round": given.round, "rooms": given.rooms, "version": given.version}


def as_players_see(view: TableView, side: str | None, header: RoundHeader) -> TableView:
    """A table on the phone of a player of ``side``: who has not said yet who plays does not see whom the others
    sent."""
    if view.line_up is None or side is None or header.phase != "published":
        return view
    own = view.line_up.ns if side == "ns" else view.line_up.ew
    if own or view.word_ns or view.word_ew or view.running or view.ruling:
        return view
    return replace(view, line_up=LineUp([], [], [], []))
