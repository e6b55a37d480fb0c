"""Facts for the workbooks: ranking, 团体 ranking and results of every round, from the very event that ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from chalicelib.rules.criteria import ROUNDS_SURVIVED
from chalicelib.rules.exact import Texts
from chalicelib.rules.kinds import kind_of
from chalicelib.rules.levels import level_name
from chalicelib.rules.measures import scoresheet
from chalicelib.rules.model import Entry, Event, Outcome, Room, Round, Table
from chalicelib.rules.standings import Standings, standings
from chalicelib.services.documents import event_of
from chalicelib.services.exports import (
    BoardFacts,
    ClubRankFacts,
    EntryLabel,
    PrizeFacts,
    RoundFacts,
    StandingFacts,
    TableFacts,
)
from chalicelib.services.finding import known_event
from chalicelib.services.privacy.keys import OpenKey
from chalicelib.services.settings import Settings
from chalicelib.services.winners import awarded
from chalicelib.services.world import World

Points = Mapping[tuple[int, int], Mapping[str, str]]
"""(entry, round) -> exact text of each measure."""


class Results:
    """Everything about an event's rounds and ranking that workbooks show; reads the store once."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self._labels = {entry.number: _label(entry) for entry in event.entries}
        self._players = {entry.number: tuple(player.name for player in entry.players) for entry in event.entries}
        self._ranked: Standings | None = None

    @classmethod
    def read(cls, world: World, event_id: str, key: OpenKey | None = None) -> Results:
        """The results as they stand now; ``key`` opens the names of an encrypted event. Raises event_not_found."""
        header, settings = known_event(event_id)
        return cls(event_of(world, header, settings, key=key))

    @property
    def criteria(self) -> tuple[str, ...]:
        """Codes of the ranking's columns, in order."""
        return (ROUNDS_SURVIVED, *self.event.criteria) if self.event.knockout else self.event.criteria

    def _standings(self) -> Standings:
        if self._ranked is None:
            self._ranked = standings(self.event, addends=False)
        return self._ranked

    def standings(self) -> list[StandingFacts]:
        """The ranking in order."""
        return [
            StandingFacts(row.rank, row.tied, self._labels[row.entry], self._players[row.entry], row.values, row.group)
            for row in self._standings().rows
        ]

    def prizes(self, settings: Settings, decided: Sequence[int]) -> list[PrizeFacts]:
        """Who wins what, award by award; what is still undecided is left out."""
        rows = {row.entry: row for row in self._standings().rows}
        return [
            PrizeFacts(
                award.prize.name if group is None else f"{award.prize.name} ({group})",
                rows[number].rank,
                self._labels[number],
                self._players[number],
            )
            for group, award in awarded(self._standings().rows, settings, decided)
            for number in award.winners
        ]

    def clubs(self) -> list[ClubRankFacts]:
        """The 团体 ranking; empty unless it is on."""
        return [
            ClubRankFacts(
                row.rank,
                row.tied,
                row.club,
                row.complete,
                tuple(self._labels[number] for number in row.entries),
                row.values,
            )
            for row in self._standings().clubs
        ]

    def rounds(self) -> list[RoundFacts]:
        """Every published round with its results."""
        points = self._points()
        measures = kind_of(self.event).measures
        shown = tuple(code for code in self.event.criteria if code in measures)
        return [self._round(drawn, shown, points) for drawn in self.event.drawn]

    def _round(self, drawn: Round, shown: tuple[str, ...], points: Points) -> RoundFacts:
        return RoundFacts(
            drawn.number,
            tuple(self._table(drawn.number, table, shown, points) for table in _one_each(drawn)),
            tuple(self._labels[number] for number in drawn.byes),
            tuple(self._labels[number] for number in drawn.sit_outs),
            shown,
        )

    def _table(self, number: int, match: tuple[Table, ...], shown: tuple[str, ...], points: Points) -> TableFacts:
        table = match[0]

        def of(entry: int) -> dict[str, str | None]:
            found: Mapping[str, Any] = points.get((entry, number), {})
            return {code: found.get(code) for code in shown}

        put_off = table.outcome is Outcome.UNPLAYED and table.postponed
        return TableFacts(
            table=table.number,
            ns=tuple(self._labels[entry] for entry in table.ns),
            ew=tuple(self._labels[entry] for entry in table.ew),
            outcome="postponed" if put_off else table.outcome.value,
            ns_level=_level(table.ns_level),
            ew_level=_level(table.ew_level),
            ns_points=of(table.ns[0]),
            ew_points=of(table.ew[0]),
            boards=tuple(
                BoardFacts(board.number, board.result, "" if record.room is None else _ROOMS[record.room])
                for record in match
                for board in record.boards
            ),
            board_set="" if table.board_set is None else str(table.board_set),
            winner="" if table.winner is None else table.winner.value,
            third_place=table.third_place,
        )

    def _points(self) -> Points:
        """What each entry got in each round, before adjustments."""
        sheet = scoresheet(self.event)
        measures = kind_of(self.event).measures
        texts = [Texts(sheet.scales[measure]) for measure in measures]
        return {
            (number, line.round): {
                measure: text[value] for measure, text, value in zip(measures, texts, line.score.points, strict=True)
            }
            for number, lines in zip(sheet.numbers, sheet.lines, strict=True)
            for line in lines.each()
        }


def _label(entry: Entry) -> EntryLabel:
    name = entry.name or "/".join(player.name for player in entry.players)
    return EntryLabel(entry.number, name, entry.club or "")


def _one_each(drawn: Round) -> list[tuple[Table, ...]]:
    """The round's tables in order, each with its record or, in a match of teams of four, those of both rooms."""
    matches: dict[int, tuple[Table, ...]] = {}
    for table in drawn.tables:
        matches[table.number] = (*matches.get(table.number, ()), table)
    return list(matches.values())


_ROOMS: dict[Room, Literal["open", "closed"]] = {Room.OPEN: "open", Room.CLOSED: "closed"}


def _level(index: int | None) -> str:
    """A level as it is written on paper; in 超分赛 with the laps that are behind it ("5 +1")."""
    if index is None:
        return ""
    name, lap = level_name(index)
    return name if lap == 1 else f"{name} +{lap - 1}"
