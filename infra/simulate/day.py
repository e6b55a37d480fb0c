"""A whole event in virtual time: registration, check-in, rounds, the end. The steps stand in the modules beside."""

from __future__ import annotations

import random
import time as real_time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.simulate.arrival import Arrival
from infra.simulate.browser import Browser
from infra.simulate.facts import Facts, Pair
from infra.simulate.organizer import Organizer
from infra.simulate.polling import Polling
from infra.simulate.rounds import Rounds
from infra.simulate.settings import Habits, habits
from infra.simulate.stage import Stage, set_up
from infra.simulate.streams import Clockwork, Streams

CLUBS = 10
MOST_STANDINGS_RUNS = 50
"""About so many runs of the standings a simulation carries out, at a second each; the others it counts."""
TAIL_MINUTES = 5
Show = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What is simulated: players (a multiple of four, in pairs), rounds, the seed of everything random, and whether
    every stream batch is carried out or, of the standings', about ``most_runs``. ``within``: minutes on this machine
    after which no further round is begun."""

    players: int
    rounds: int
    seed: int = 1
    every_batch: bool = False
    most_runs: int = MOST_STANDINGS_RUNS
    within: float = float("inf")

    def __post_init__(self) -> None:
        if self.players < 8 or self.players % 4:
            raise ValueError("players must be a multiple of 4 and at least 8: two pairs sit at a table")
        if not 1 <= self.rounds <= 20:
            raise ValueError("rounds must lie between 1 and 20")

    @property
    def pairs(self) -> int:
        """Entries."""
        return self.players // 2

    @property
    def tables(self) -> int:
        """Tables of a round."""
        return self.players // 4

    @property
    def standings_every(self) -> int:
        """Which share of the standings' batches is carried out: one of so many."""
        # A batch holds at most a hundred words and begins at most each second; most words come within a minute or two.
        expected = self.rounds * max(self.pairs // 40, min(self.pairs // 2, 80))
        return 1 if self.every_batch else max(1, expected // self.most_runs)


@dataclass
class Day:
    """A day that was played; stage and store are still there to be looked at."""

    plan: Plan
    stage: Stage
    facts: Facts
    streams: Streams
    owner: Browser
    began: float
    ended: float
    rounds: int
    """So many were played: fewer than planned if the time on this machine was over."""

    @property
    def hours(self) -> float:
        """How long it took, in virtual time."""
        return (self.ended - self.began) / 3_600_000


@contextmanager
def played(plan: Plan, directory: Path, show: Show, given: Habits | None = None) -> Iterator[Day]:
    """Play a day; it can be looked at within the block. Raises :class:`~infra.simulate.browser.Refused` when the
    program answers otherwise than planned."""
    with set_up(directory, (given or habits()).of(plan.players), plan.seed) as stage:
        yield _play(plan, stage, show)


def _play(plan: Plan, stage: Stage, show: Show) -> Day:
    began = stage.time.now
    chance = random.Random(plan.seed)
    facts = Facts(_pairs(plan.pairs))

    def program_ms(function: str) -> float:
        return 5.0 + stage.habits.cloud.rank_program_ms * (plan.pairs if function == "standings" else 0)

    streams = Streams(stage, {"standings": plan.standings_every}, program_ms)
    stage.agenda.after_each = streams.follow

    def wait(milliseconds: float) -> None:
        stage.agenda.until(stage.time.now + milliseconds, streams.follow)

    organizer = Organizer(stage, plan.rounds, wait)
    polling = Polling(stage, streams, plan.players, facts, plan.seed)
    over = [float("inf")]
    clockwork = Clockwork(stage, lambda: over[0], streams)
    organizer.open_event()
    streams.follow()
    clockwork.start()

    arrival = Arrival(stage, organizer, facts, chance, polling)
    polling.know(arrival.phones, organizer.owner, organizer.referee)
    show(f"{plan.pairs} pairs register")
    arrival.register()
    stage.agenda.run(arrival.registration_ends, streams.follow)
    show(f"{plan.players} players check in")
    arrival.check_in()
    stage.agenda.run(arrival.check_in_ends, streams.follow)

    rounds = Rounds(stage, organizer, facts, chance, polling, arrival.phones)
    number, limit = 0, real_time.monotonic() + 60 * plan.within
    while number < plan.rounds and (number == 0 or real_time.monotonic() < limit):
        number += 1
        show(f"round {number}: {plan.tables} tables")
        rounds.play(number, lunch=number == plan.rounds // 2 and plan.rounds > 4)
        stage.agenda.run(rounds.ends, streams.follow)
    organizer.finish(number)
    streams.follow()
    over[0] = stage.time.now + TAIL_MINUTES * 60_000
    stage.agenda.run(after_each=streams.follow)
    stage.ledger.sms = len(stage.outbox.messages())
    return Day(plan, stage, facts, streams, organizer.owner, began, stage.time.now, number)


def _pairs(count: int) -> list[Pair]:
    """Invented people: 选手00001 and 选手00002 with phones nobody has."""
    return [
        Pair(
            index,
            (f"138{2 * index + 1:08d}", f"138{2 * index + 2:08d}"),
            (f"选手{2 * index + 1:05d}", f"选手{2 * index + 2:05d}"),
            f"团体{index % CLUBS + 1:02d}",
        )
        for index in range(count)
    ]
