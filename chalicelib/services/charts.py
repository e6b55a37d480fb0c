"""Charts 图表: rank over rounds, spread of level points or of what entries rank by, progress of the round in play.

They tell nothing that the standings and tables do not: frozen standings have charts up to the round before.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import msgspec

from chalicelib.rules import exact
from chalicelib.rules.criteria import CRITERIA, Criterion, OfOpponents, Summed
from chalicelib.rules.kinds import kind_of
from chalicelib.rules.model import Event, Outcome, Round
from chalicelib.rules.standings import standings
from chalicelib.services import clock
from chalicelib.services.documents import event_of
from chalicelib.services.finding import IN_PLAY, known_event
from chalicelib.services.settings import Settings
from chalicelib.services.stored import tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.table_views import double_submission
from chalicelib.services.views.charts import Charts, LevelRange, Progress, RankLine, Spread, ValueRange
from chalicelib.services.views.events import Labelled
from chalicelib.services.world import World
from chalicelib.store.events import find_round
from chalicelib.store.standings import Pointer, find_pointer

MOST_LINES = 200
MOST_RANKED = 20_000
"""Entries times rounds that are ranked for one chart; of a larger field the last rounds are told."""
MOST_TABLES = 500
"""A larger round's progress is left to the console, which asks for it."""
MOST_MINUTES = 300
RANGE = 3
HIGHEST = 26
MOST_RANGES = 10
"""Ranges of the values that entries rank by."""


def read(world: World, event_id: str) -> Charts:
    """Everything as it stands, frozen or not. Raises event_not_found."""
    header, settings = known_event(event_id)
    pointer = find_pointer(event_id)
    return charts(event_of(world, header, settings), None, progress(event_id, settings, pointer))


def public(event: Event, event_id: str, settings: Settings, pointer: Pointer | None, last: int | None) -> Charts:
    """What everybody may see: results up to round ``last`` (None: all)."""
    return charts(event, last, progress(event_id, settings, pointer, most=MOST_TABLES))


def charts(event: Event, last: int | None, now: Progress | None) -> Charts:
    """The charts of an event over its finished rounds up to ``last``."""
    finished = [drawn for drawn in event.counted() if _finished(drawn) and (last is None or drawn.number <= last)]
    counted = [drawn for drawn in event.counted() if last is None or drawn.number <= last]
    return Charts(_ranks(event, finished), _level_points(event, counted), now, _spread(event, finished))


def _finished(drawn: Round) -> bool:
    return all(table.outcome is not Outcome.UNPLAYED or table.postponed for table in drawn.tables)


class _Past:
    """An event up to a round. Two are equal when they say the same, which their digests tell without a long look."""

    def __init__(self, event: Event, last: int) -> None:
        self.event = replace(event, drawn=tuple(drawn for drawn in event.drawn if drawn.number <= last))
        self._digest = hashlib.blake2b(msgspec.msgpack.encode(self.event, enc_hook=str)).digest()

    def __hash__(self) -> int:
        return hash(self._digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Past) and other._digest == self._digest


def _ranks(event: Event, finished: Sequence[Round]) -> list[RankLine]:
    return list(_ranks_until(_Past(event, finished[-1].number), finished[-1].number)) if finished else []


@lru_cache(maxsize=2)
def _ranks_until(past: _Past, last: int) -> list[RankLine]:
    """Remembered, for while a round is played the standings are made again and again and the past stays as it was: of
    5,000 entries and eight rounds that is a third of the work."""
    event = past.event
    told = max(1, MOST_RANKED // max(1, len(event.entries)))
    ranked = {
        number: standings(event, through_round=number, addends=False).rows
        for number in range(max(1, last - told + 1), last + 1)
    }
    rank_of = {number: {row.entry: row.rank for row in rows} for number, rows in ranked.items()}
    entries = {entry.number: entry for entry in event.entries}
    lines = []
    for row in ranked[last][:MOST_LINES]:
        entry = entries[row.entry]
        by_round = [
            rank_of[number][row.entry] if number in rank_of and entry.joined_round <= number else None
            for number in range(1, last + 1)
        ]
        name = entry.name or " / ".join(player.name for player in entry.players)
        lines.append(RankLine(row.entry, name, by_round))
    return lines


def _spread(event: Event, finished: Sequence[Round]) -> Spread | None:
    """How the entries are spread over the first number that ranks one before another after the finished rounds; None
    where level points are spread instead, and while nothing tells the entries apart."""
    if kind_of(event).scored_by_levels or not finished:
        return None
    rows = standings(event, through_round=finished[-1].number, addends=False).rows
    for criterion in (CRITERIA[code] for code in event.criteria):
        if isinstance(criterion, Summed | OfOpponents):
            values = [exact.value(text) for row in rows if isinstance(text := row.values[criterion.code], str)]
            if len(set(values)) > 1:
                return _spread_over(criterion, values)
    return None


def _spread_over(criterion: Criterion, values: Sequence[Fraction]) -> Spread:
    reach = max(values) - min(values)
    width = next(width for width in _widths() if reach <= width * (MOST_RANGES - 1))
    found = Counter(math.floor(value / width) for value in values)
    return Spread(
        Labelled(criterion.code, criterion.chinese, criterion.english),
        all(value.denominator == 1 for value in values),
        [ValueRange(place * width, (place + 1) * width, found[place]) for place in range(min(found), max(found) + 1)],
    )


def _widths() -> Iterator[int]:
    """Widths that ranges may have: 1, 2, 5, 10, 20, 50, ..."""
    return (digit * 10**zeros for zeros in itertools.count() for digit in (1, 2, 5))


def _level_points(event: Event, counted: Sequence[Round]) -> list[LevelRange]:
    if not kind_of(event).scored_by_levels:
        return []
    found: Counter[int] = Counter()
    for drawn in counted:
        for table in drawn.tables:
            if table.outcome is Outcome.PLAYED and table.ns_level is not None and table.ew_level is not None:
                own = min(HIGHEST, max(0, HIGHEST // 2 + table.ns_level - table.ew_level))
                found.update((own // RANGE, (HIGHEST - own) // RANGE))
    if not found:
        return []
    return [LevelRange(place * RANGE, place * RANGE + RANGE - 1, found[place]) for place in range(HIGHEST // RANGE + 1)]


def progress(event_id: str, settings: Settings, pointer: Pointer | None, most: int | None = None) -> Progress | None:
    """How the round in play comes in; None without one, before its clock started, or with more tables than ``most``."""
    header = None if pointer is None or not pointer.round else find_round(event_id, int(pointer.round))
    started = None if pointer is None else (pointer.clock or clock.IDLE).get("starts_at")
    if header is None or header.phase not in IN_PLAY or started is None:
        return None
    if most is not None and int(header.tables) > most:
        return None
    found = tables.of_round(event_id, int(header.number), header.generation)
    double = double_submission(header, settings)
    times = [at for table in found if (at := _came_in(table, double)) is not None]
    minutes = min(MOST_MINUTES, 1 + max((max(0, at - started) // clock.MINUTE for at in times), default=-1))
    ends = [started + (minute + 1) * clock.MINUTE for minute in range(minutes)]
    return Progress(int(header.number), len(found), [sum(at < end for at in times) for end in ends])


def _came_in(table: StoredTable, double: bool) -> int | None:
    """When the table's result became effective, milliseconds; None while it has none."""
    effective = tables.state_of(table, double).effective
    if effective is None or effective.outcome is Outcome.UNPLAYED:
        return None
    if table.ruling is not None:
        return int(table.ruling["at"])
    said = [word.at for word in table.words.values()]
    return max(said) if double else min(said)
