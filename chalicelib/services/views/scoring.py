"""Tables in play, submissions and rulings as the API answers them."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.calls import CallView
from chalicelib.services.views.events import ClockView
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.substitutes import PlaceView, SubstitutionView


class BoardResult(msgspec.Struct, frozen=True):
    """One board (副) as the pair that sits NS sees it: +3, +2, +1, -1, -2 or -3."""

    board: int
    result: int


class Score(msgspec.Struct, frozen=True):
    """What is said of a table. ``outcome`` as in event-json.

    Final levels of both sides as names ("2".."10", "J", "Q", "K", "A", "A+"), with their lap in 超分赛 (1 elsewhere);
    ``boards`` in the kinds that are scored by boards (levels None), and behind the levels where the table was scored
    board by board. ``winner`` (ns | ew): where levels do not decide it.
    """

    outcome: str
    ns_level: str | None = None
    ew_level: str | None = None
    ns_lap: int = 1
    ew_lap: int = 1
    winner: str | None = None
    boards: list[BoardResult] = []


class ScoringRules(msgspec.Struct, frozen=True):
    """How the tables of an event are scored, for the pages that offer buttons.

    ``by``: levels | boards. ``laps``: levels go on after A+ (超分赛). ``needs_winner``: equal levels need a winner
    (淘汰赛). ``boards``: how many boards a table plays in a round (0: not limited). ``failures_at_a`` as in the
    settings. ``rooms``: a match is played in an open and a closed room. ``self_forfeit``: players may give up.
    """

    by: str
    laps: bool
    needs_winner: bool
    boards: int
    failures_at_a: str
    rooms: bool
    self_forfeit: bool


class BoardToPlay(msgspec.Struct, frozen=True):
    """A duplicate board of a table: the level played and the first leader (N E S W) once 一键生成 has made them."""

    board: int
    level: str | None
    leader: str | None


class WordView(msgspec.Struct, frozen=True):
    """What one side submitted, when, and the version to answer to."""

    score: Score
    version: int
    at: int
    late: bool


class RunningView(msgspec.Struct, frozen=True):
    """The score as entered so far, by which side."""

    score: Score
    side: str
    at: int


class RulingView(msgspec.Struct, frozen=True):
    """The referee's decision; ``self_forfeit``: the side that gave up made it itself."""

    self_forfeit: bool
    score: Score
    winner: str | None
    reason: str
    actor: str
    at: int


class HistoryLine(msgspec.Struct, frozen=True):
    """One earlier word or ruling of the table. ``act``: word | ruling | forfeit (a side gave up by itself) | lifting
    (``score``: what was taken back)."""

    at: int
    side: str | None
    actor: str
    score: Score
    reason: str | None
    act: str


class LineUp(msgspec.Struct, frozen=True):
    """Who of each team sits at a table, by name, and by the place within the team (from 0): names may be equal."""

    ns: list[str]
    ew: list[str]
    ns_places: list[int]
    ew_places: list[int]


class TableView(msgspec.Struct, frozen=True):
    """One table in play. ``state``: open | one_sided | confirmed | disputed | ruled; ``version`` guards rulings.

    ``table`` is its address; ``match`` the number that people read. They differ only in the closed room of a match of
    teams of four (``room``: open | closed, None elsewhere), where the players of ``ns``, the home team, sit EW.
    ``to_play``: the boards of a table that is scored by boards; ``line_up``: None until it was said. ``redraw``: in the
    answer to a ruling the round that has to be drawn again, because others go on now.
    """

    round: int
    table: int
    match: int
    room: str | None
    board_set: str | None
    third_place: bool
    to_play: list[BoardToPlay]
    line_up: LineUp | None
    ns: SeatedEntry
    ew: SeatedEntry
    state: str
    result: Score | None
    word_ns: WordView | None
    word_ew: WordView | None
    running: RunningView | None
    ruling: RulingView | None
    locked: bool
    postponed: str | None
    extra_minutes: int
    version: int
    since: int
    redraw: int | None = None


class TableGrid(msgspec.Struct, frozen=True):
    """All tables of a round for referees and organizers; counts by state. ``calls``: the open ones of the event, of any
    round, oldest first. ``outdated_by``: tables of the round before a knock-out's that were corrected so that others go
    on, so that this round has to be drawn again. ``changes``: what changed later is asked for by this number."""

    scoring: ScoringRules

    round: int
    rounds: int
    phase: str
    name: str
    clock: ClockView
    counts: dict[str, int]
    tables: list[TableView]
    byes: list[SeatedEntry]
    sit_outs: list[SeatedEntry]
    calls: list[CallView]
    outdated_by: list[int]
    changes: int = 0


class TableHistory(msgspec.Struct, frozen=True):
    """Everything that was said about a table, oldest first; ``substitutions`` of the entries that sit there, and their
    ``players`` now."""

    lines: list[HistoryLine]
    substitutions: list[SubstitutionView]
    players: list[PlaceView]
