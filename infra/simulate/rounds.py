"""One round after the other: drawing, publishing, the clock, the words at the whistle, disputes, corrections."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from infra.simulate.browser import Browser
from infra.simulate.facts import Facts, Levels, PlayedTable
from infra.simulate.organizer import Organizer
from infra.simulate.polling import Polling
from infra.simulate.stage import Stage

MINUTE = 60_000
LOWER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


@dataclass
class _Course:
    """When what happens in a round (ms)."""

    published: float
    started: float
    ends: float


class Rounds:
    """Plays the rounds; ``ends`` is when the present one is through and the next can be drawn."""

    def __init__(
        self,
        stage: Stage,
        organizer: Organizer,
        facts: Facts,
        chance: random.Random,
        polling: Polling,
        phones: dict[int, Browser],
    ) -> None:
        self._stage = stage
        self._organizer = organizer
        self._facts = facts
        self._chance = chance
        self._polling = polling
        self._phones = phones
        self._clock_version = 0
        self.ends = 0.0

    def play(self, number: int, *, lunch: bool) -> None:
        """Draw and plan everything else of round ``number``."""
        play = self._stage.habits.play
        drawn = self._organizer.draw()
        now = self._stage.time.now
        for table in drawn["tables"]:
            place = (number, table["table"])
            self._facts.tables[place] = PlayedTable(*place, table["ns"]["number"], table["ew"]["number"])
        published = now + play.draft_minutes * MINUTE
        started = published + 2 * MINUTE
        course = _Course(published, started, started + play.minutes_per_round * MINUTE)
        pause = play.lunch_minutes if lunch else play.pause_minutes
        self.ends = course.ends + pause * MINUTE
        self._stage.agenda.at(published, lambda: self._publish(number, drawn["version"]))
        self._stage.agenda.at(started, lambda: self._start(number))
        for table in self._facts.of_round(number):
            self._plan_table(table, course)
        self._plan_corrections(number - 1, course)
        self._polling.round(number, course.published, course.started, course.ends, self.ends)

    def _publish(self, number: int, version: int) -> None:
        self._clock_version = self._organizer.publish(number, version)["clock"]["version"]

    def _start(self, number: int) -> None:
        self._organizer.start(number, self._clock_version)

    def _plan_table(self, table: PlayedTable, course: _Course) -> None:
        play = self._stage.habits.play
        if self._chance.random() < play.burst:
            before = -play.burst_seconds * math.log(1 - self._chance.random())
        else:
            before = self._chance.uniform(0, 600)
        # A hand is finished within the clock; nobody finishes before ten minutes are left.
        first = course.ends - 1000 * min(600.0, before) - 3000
        second = first + 1000 * self._chance.expovariate(1 / play.answer_seconds)
        if second > course.ends - 500:
            # Who would be late hurries, each as well as he can: not all in the same instant.
            second = max(first + 500, course.ends - 1000 * self._chance.uniform(0.5, play.hurry_seconds))
        sides = ["ns", "ew"] if self._chance.random() < 0.5 else ["ew", "ns"]
        levels = self._levels()
        self._say(table, sides[0], levels, first, 0)
        if self._chance.random() < play.silent:
            self._rule(table, levels, "纸质记分条", course.ends + MINUTE + 200 * (table.table % 300))
        elif self._chance.random() < play.disputed:
            self._dispute(table, sides[1], levels, second, course)
        else:
            self._say(table, sides[1], levels, second, 0)
        self._polling.own_table(table, first, sides[0], second)

    def _dispute(self, table: PlayedTable, side: str, right: Levels, when: float, course: _Course) -> None:
        wrong = self._levels(other_than=right)
        self._say(table, side, wrong, when, 0)
        in_time = when + 60_000 < course.ends
        if in_time and self._chance.random() < self._stage.habits.play.corrected_by_side:
            self._say(table, side, right, when + 45_000, 1)
        else:
            self._rule(table, right, "双方记分不一致", course.ends + MINUTE + 200 * (table.table % 300))

    def _levels(self, other_than: Levels | None = None) -> Levels:
        """A made-up result; one side has passed A or reached it."""
        while True:
            lower = self._chance.choice(LOWER)
            found = (("A", lower), (lower, "A"), ("A+", lower), (lower, "A+"))[self._chance.randrange(4)]
            if found != other_than:
                return found

    def _say(self, table: PlayedTable, side: str, levels: Levels, when: float, base: int) -> None:
        """Plan one side's word, perhaps with its reply lost on the way."""
        number = table.ns if side == "ns" else table.ew
        key = f"word-{table.round:02d}-{table.table:05d}-{side}-{base}"
        body = {"ns_level": levels[0], "ew_level": levels[1], "base_version": base, "tapped_at": int(when)}

        def send(again: bool) -> None:
            reply = self._phones[number].change(
                "POST",
                "/events/{event}/rounds/{}/tables/{}/submissions",
                table.round,
                table.table,
                body=body,
                key=key,
            )
            if again:
                self._facts.replays += 1
                if not reply.replayed:
                    raise RuntimeError("a word took effect twice")
                return
            table.words.setdefault(side, []).append(levels)
            table.said_at[side] = self._stage.time.now

        self._stage.agenda.at(when, lambda: send(False))
        if self._chance.random() < self._stage.habits.play.retried:
            self._stage.agenda.at(when + 1000 * self._stage.habits.play.retry_after, lambda: send(True))

    def _rule(self, table: PlayedTable, levels: Levels, reason: str, when: float) -> None:
        def rule() -> None:
            self._organizer.rule(table.round, table.table, table.version, levels, reason, self._organizer.referee)
            table.version += 1
            table.ruling = levels

        self._stage.agenda.at(when, rule)

    def _plan_corrections(self, number: int, course: _Course) -> None:
        """While a round is played, some tables of the settled one before are ruled anew."""
        before = self._facts.of_round(number)
        if not before:
            return
        count = max(1, round(self._stage.habits.play.corrections * len(before)))
        for place, table in enumerate(self._chance.sample(before, count)):
            levels = self._levels(other_than=table.result)
            self._rule(table, levels, "更正", course.started + (5 + 3 * place) * MINUTE)
