"""Q1: Swiss pairing of round 8 with 10 clubs and 10,000 teams, and how small fields with many rounds fare."""

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from random import Random

from chalicelib.rules.model import ClubRule, Entry, Event, KindCode, PairingSettings, Round, Table
from chalicelib.rules.pairing import Drawn, draw
from chalicelib.rules.pairing.contenders import Field, field_of
from chalicelib.rules.pairing.history import history_of
from chalicelib.rules.pairing.matching import rank_first
from chalicelib.rules.pairing.swiss import draw_swiss
from chalicelib.rules.pairing.total_gap import min_total_gap
from infra.bench.row import BenchRow

TEAMS = 10_000
CLUBS = 10
ROUND = 8
MOST_SECONDS = 0.5
MOST_MEGABYTES = 64.0
REPEATS = 5


def rows() -> list[BenchRow]:
    """Seconds of one drawing and the memory it adds, against rustworkx on the same state."""
    event = _played(_event(TEAMS, ROUND), ROUND - 1)
    history = history_of(event.drawn)
    sides = [(entry.number,) for entry in event.entries]
    field = field_of(event, sides, history, ROUND)
    drawing = _seconds(lambda: draw_swiss(field, event.pairing, event.rounds))
    solver = _seconds(lambda: min_total_gap(field.met, field.clubs, field.scores), repeats=2)
    what = f"Swiss pairing of round {ROUND}, {CLUBS} clubs, {TEAMS:,} teams"
    return [
        BenchRow(
            "Q1",
            f"{what}: pairs, seats, reasons",
            drawing,
            "s",
            target=MOST_SECONDS,
            reference=solver,
            reference_name="rustworkx in windows, same state",
            note=_described(field, event),
        ),
        BenchRow(
            "Q1",
            f"{what}: only the exact matching in rank order",
            _seconds(lambda: rank_first(field.met, field.clubs, field.groups, event.pairing.order)),
            "s",
            reference=solver,
            reference_name="rustworkx in windows, same state",
        ),
        BenchRow("Q1", f"{what}: from the event's results", _seconds(lambda: draw(event)), "s"),
        BenchRow(
            "Q1",
            f"{what}: memory beyond the event's own, peak",
            _megabytes(lambda: draw(event)),
            "MB",
            target=MOST_MEGABYTES,
        ),
        BenchRow("Q1", "twenty teams and nineteen rounds with look-ahead: slowest round", _slowest(20, 19), "s"),
    ]


def _described(field: Field, event: Event) -> str:
    drawn = draw_swiss(field, event.pairing, event.rounds)
    if not isinstance(drawn, Drawn):
        return "no legal pairing"
    widest = max(drawn.report.gaps, default=0)
    return f"rematches {drawn.report.rematches}, club-mates {drawn.report.same_club}, widest gap {widest}"


def _event(teams: int, rounds: int) -> Event:
    random = Random(1)
    entries = tuple(Entry(number, club=f"俱乐部{random.randrange(CLUBS)}") for number in range(1, teams + 1))
    criteria = ("match_points", "level_points", "opponents_match_points", "upgrades")
    return Event("bench", KindCode.PAIRS, rounds, criteria, entries=entries)


def _played(event: Event, rounds: int) -> Event:
    """The event after that many rounds drawn by the product; the stronger side usually climbs higher."""
    for _ in range(rounds):
        event = _one_round(event)[0]
    return event


def _one_round(event: Event) -> tuple[Event, float]:
    random = Random(len(event.drawn))
    start = time.perf_counter()
    drawn = draw(event)
    seconds = time.perf_counter() - start
    if not isinstance(drawn, Drawn):
        raise RuntimeError(f"round {len(event.drawn) + 1} could not be drawn: {drawn.message}")
    tables = []
    for table in drawn.tables:
        lead = max(-12, min(12, round((table.ew[0] - table.ns[0]) * 16 / len(event.entries) + random.gauss(0, 6))))
        levels = (max(lead, 0), max(-lead, 0))
        tables.append(Table(table.number, table.ns, table.ew, ns_level=levels[0], ew_level=levels[1]))
    return replace(event, drawn=(*event.drawn, Round(drawn.round, tuple(tables), drawn.byes))), seconds


def _slowest(teams: int, rounds: int) -> float:
    settings = PairingSettings(club_rule=ClubRule.IGNORE)
    event, slowest = replace(_event(teams, rounds), pairing=settings), 0.0
    for _ in range(rounds):
        event, seconds = _one_round(event)
        slowest = max(slowest, seconds)
    return slowest


def _seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def _megabytes(work: Callable[[], object]) -> float:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
