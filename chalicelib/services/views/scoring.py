"""Tables in play, submissions and rulings as the API answers them."""

from __future__ import annotations

from dataclasses import dataclass

from chalicelib.services.views.events import ClockView
from chalicelib.services.views.rounds import SeatedEntry


@dataclass(frozen=True)
class Score:
    """Final levels of both sides as names ("2".."10", "J", "Q", "K", "A", "A+"); ``outcome`` as in event-json."""

    outcome: str
    ns_level: str | None
    ew_level: str | None


@dataclass(frozen=True)
class WordView:
    """What one side submitted, when, and the version to answer to."""

    score: Score
    version: int
    at: int
    late: bool


@dataclass(frozen=True)
class RunningView:
    """The score as entered so far, by which side."""

    score: Score
    side: str
    at: int


@dataclass(frozen=True)
class RulingView:
    """The referee's decision."""

    score: Score
    winner: str | None
    reason: str
    actor: str
    at: int


@dataclass(frozen=True)
class HistoryLine:
    """One earlier word or ruling of the table. ``act``: word | ruling | lifting (``score``: what was taken back)."""

    at: int
    side: str | None
    actor: str
    score: Score
    reason: str | None
    act: str


@dataclass(frozen=True)
class TableView:
    """One table in play. ``state``: open | one_sided | confirmed | disputed | ruled; ``version`` guards rulings."""

    round: int
    table: int
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


@dataclass(frozen=True)
class TableGrid:
    """All tables of a round for referees and organizers; counts by state."""

    round: int
    rounds: int
    phase: str
    name: str
    clock: ClockView
    counts: dict[str, int]
    tables: list[TableView]
    byes: list[SeatedEntry]


@dataclass(frozen=True)
class TableHistory:
    """Everything that was said about a table, oldest first."""

    lines: list[HistoryLine]
