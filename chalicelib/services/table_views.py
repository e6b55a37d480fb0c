"""A table in play, read with everything that surrounds it, and as pages show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from chalicelib.rules.duplicate.presets import preset
from chalicelib.rules.kinds import Scoring
from chalicelib.services.finding import as_it_is, free_at, settings_of
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import roster, tables
from chalicelib.services.stored.tables import StoredTable, StoredWord
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.views.scoring import (
    BoardToPlay,
    HistoryLine,
    LineUp,
    RulingView,
    RunningView,
    Score,
    ScoringRules,
    TableView,
    WordView,
)
from chalicelib.services.world import World
from chalicelib.store import entries, matches
from chalicelib.store.bulk import Item, get_items
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.standings import POINTER, Pointer

EVENTS = EventHeader.Meta.table_name
ENTRIES = entries.EntryRecord.Meta.table_name
POINTERS = Pointer.Meta.table_name
NO_EXTRA: tuple[tuple[str, str, str], ...] = ()


class Surroundings(msgspec.Struct, frozen=True):
    """One strongly consistent look at a table: the event, its round and clock, the table, and what else was asked."""

    event: EventHeader
    settings: Settings
    round: RoundHeader
    pointer: Pointer | None
    table: StoredTable
    extra: list[Item | None]

    @property
    def double_submission(self) -> bool:
        """The setting that holds for this round: a settled one keeps its own."""
        return double_submission(self.round, self.settings)


def table_keys(event_id: str, number: int, table: int) -> list[tuple[str, str, str]]:
    """The keys of all that is said of a table: the match, the word of NS, the word of EW, the running score."""
    pk = matches.partition(event_id, number)
    return [
        (matches.TABLE, pk, matches.table_key(table)),
        (matches.TABLE, pk, matches.word_key(table, "ns")),
        (matches.TABLE, pk, matches.word_key(table, "ew")),
        (matches.TABLE, pk, matches.running_key(table)),
    ]


def look(
    world: World,
    event_id: str,
    number: int,
    table: int,
    extra: tuple[tuple[str, str, str], ...] = NO_EXTRA,
    check: Callable[[list[Item | None]], None] | None = None,
) -> Surroundings:
    """Read a table of a published round in one request; ``extra`` are keys read with it, judged by ``check`` first.

    Raises event_not_found, round_not_found (drafts are not there), table_not_found.
    """
    keys = [
        (EVENTS, event_id, "EVENT"),
        (EVENTS, event_id, round_key(number)),
        (POINTERS, event_id, POINTER),
        *table_keys(event_id, number, table),
        *extra,
    ]
    event, header, pointer, match, ns, ew, running, *rest = get_items(keys, world.sleep, world.random.fraction)
    if event is None:
        raise Problem("event_not_found")
    if check is not None:
        check(rest)
    drawn = None if header is None else RoundHeader.from_raw_data(header)
    if drawn is None or drawn.phase == "draft":
        raise Problem("round_not_found")
    if match is None or match["generation"]["S"] != drawn.generation:
        raise Problem("table_not_found")
    stored = EventHeader.from_raw_data(event)
    settings = settings_of(stored)
    return Surroundings(
        as_it_is(stored, settings, world.now()),
        settings,
        drawn,
        None if pointer is None else Pointer.from_raw_data(pointer),
        tables.with_words(match, ns, ew, running),
        rest,
    )


def names_at(world: World, event_id: str, numbers: list[int]) -> dict[int, SeatedEntry]:
    """The entries of one table as pages show them, in one request."""
    keys = [(ENTRIES, entries.partition(event_id, number), entries.sort_key(number)) for number in numbers]
    found = get_items(keys, world.sleep, world.random.fraction)
    return {
        number: roster.nobody(number) if item is None else roster.seat(entries.StoredEntry.from_raw(item))
        for number, item in zip(numbers, found, strict=True)
    }


def double_submission(header: RoundHeader, settings: Settings) -> bool:
    """需要双提交 as it holds for a round: a settled one keeps the setting it was settled by."""
    kept = header.double_submission
    return settings.double_submission if kept is None else bool(kept)


def to_play(table: StoredTable, settings: Settings) -> list[BoardToPlay]:
    """The boards of a table that is scored by boards, with level and leader once 一键生成 has set a seed.

    A Mitchell board keeps its preset wherever it is played: its set stands in the place of the round.
    """
    seed = settings.preset_seed if kind_of(settings.kind).duplicate else ""
    made = []
    for number in table.boards:
        if not seed:
            made.append(BoardToPlay(number, None, None))
            continue
        if table.board_set is None:
            found = preset(seed, table.round, number)
        else:
            board_set, place = divmod(number - 1, len(table.boards))
            found = preset(seed, board_set + 1, place + 1)
        made.append(BoardToPlay(number, found.level, found.leader.value))
    return made


def table_view(
    table: StoredTable, header: RoundHeader, settings: Settings, names: Mapping[int, SeatedEntry], now: int
) -> TableView:
    """A table as referees and its own players see it."""
    state = tables.state_of(table, double_submission(header, settings))
    said = [word.at for word in table.words.values()]
    since = table.ruling["at"] if table.ruling else max(said, default=int(header.published_at or header.drawn_at))
    return TableView(
        round=table.round,
        table=table.table,
        match=table.match,
        room=table.room,
        board_set=None if table.board_set is None else str(table.board_set),
        third_place=table.third_place,
        to_play=to_play(table, settings),
        line_up=_line_up(table, names),
        ns=roster.side(names, table.ns),
        ew=roster.side(names, table.ew),
        state=state.state.value,
        result=None if state.effective is None else tables.score_of(state.effective),
        word_ns=_word_view(table.words.get("ns")),
        word_ew=_word_view(table.words.get("ew")),
        running=_running_view(table),
        ruling=_ruling_view(table.ruling),
        locked=header.phase == "settled" or table.held_until > free_at(header, now),
        postponed=table.postponed,
        extra_minutes=table.extra_minutes,
        version=table.version,
        since=since,
    )


def _line_up(table: StoredTable, names: Mapping[int, SeatedEntry]) -> LineUp | None:
    if table.line_up is None:
        return None
    ns, ew = (roster.side(names, numbers).players for numbers in (table.ns, table.ew))
    ns_places = [place for place in table.line_up["ns"] if place < len(ns)]
    ew_places = [place for place in table.line_up["ew"] if place < len(ew)]
    return LineUp([ns[place] for place in ns_places], [ew[place] for place in ew_places], ns_places, ew_places)


def scoring_rules(settings: Settings) -> ScoringRules:
    """How this event's tables are scored."""
    kind = kind_of(settings.kind)
    return ScoringRules(
        by="levels" if kind.scored_by_levels else "boards",
        laps=kind.laps,
        needs_winner=settings.knockout,
        boards=settings.boards_per_round,
        failures_at_a=settings.failures_at_a,
        rooms=kind.scoring is Scoring.TEAM_BOARDS,
        self_forfeit=settings.self_forfeit,
    )


def _word_view(word: StoredWord | None) -> WordView | None:
    return None if word is None else WordView(_score(word.values), word.version, word.at, word.late)


def _running_view(table: StoredTable) -> RunningView | None:
    running = table.running
    return None if running is None else RunningView(_score(running.values), running.side, running.at)


def _ruling_view(ruling: dict[str, Any] | None) -> RulingView | None:
    if ruling is None:
        return None
    return RulingView(
        self_forfeit=bool(ruling.get("own")),
        score=_score(ruling),
        winner=ruling.get("winner"),
        reason=ruling["reason"],
        actor=ruling["actor"],
        at=ruling["at"],
    )


def _score(values: dict[str, Any]) -> Score:
    return tables.score_of(tables.result_of(values))


def history_lines(table: StoredTable) -> list[HistoryLine]:
    """Everything that was said of a table, oldest first."""
    lines = [
        HistoryLine(said["at"], side, said["actor"], _score(said["values"]), None, "word")
        for side, word in table.words.items()
        for said in (*word.said, {"at": word.at, "actor": word.actor, "values": word.values})
    ]
    rulings = [*table.rulings, *([table.ruling] if table.ruling else [])]
    for ruling in rulings:
        lines.append(
            HistoryLine(
                ruling["at"],
                None,
                ruling["actor"],
                _score(ruling),
                ruling["reason"] or None,
                "lifting" if ruling.get("lifted") else "forfeit" if ruling.get("own") else "ruling",
            )
        )
    return sorted(lines, key=lambda line: line.at)
