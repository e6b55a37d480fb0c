"""One step of a rehearsal: whatever is due now is done through the services that people's requests use.

What is due follows from the event as it stands, so a step that died is simply taken again, and an organizer may act
beside the robots: draw earlier, pause the clock, rule a table.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from chalicelib.services import clock, display, rounds, scoring, submissions
from chalicelib.services.finding import IN_PLAY, open_event
from chalicelib.services.jobs.steps import Work
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.problems import Problem
from chalicelib.services.rehearsal.entering import check_in_robot, enter_next, once_for, prepare, robot
from chalicelib.services.rehearsal.robots import Plan, plan_for
from chalicelib.services.settings import Settings
from chalicelib.services.views.events import DisplayView
from chalicelib.services.views.scoring import Score, TableGrid, TableView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, find_round
from chalicelib.store.standings import find_pointer

BEAT = 1.0
"""Seconds between two looks at the event."""
STEP_MILLISECONDS = 5_000
"""Short, so that robots that are stopped, and a server that is, need not be waited for."""
COUNT_DOWN = 5
REFEREE = "rehearsal"
REASON = "演练裁判 rehearsal"


def carry_on(work: Work) -> None:
    """One step: enter robots until there are enough, then play round after round until none is left."""
    game = _Game(work)
    until = work.world.now() + STEP_MILLISECONDS
    while work.world.now() < until:
        if not game.beat():
            work.finish("done")
            return
    work.again()


class _Game:
    def __init__(self, work: Work) -> None:
        self.work = work
        self.world: World = work.world
        self.event_id: str = work.job.event_id
        self.actor: str = work.job.actor
        order = dict(work.job.order)
        self.entries, self.seconds = int(order["entries"]), int(order["seconds"])

    def beat(self) -> bool:
        """Do what is due; False when the rehearsal is over."""
        try:
            header, settings = open_event(self.world, self.event_id)
            if header.last_round == 0 and self._enter():
                return True
            return self._play(header, settings)
        except AlreadyDone:
            return True
        except Problem as problem:
            if problem.code in ("stale_version", "busy", "clock_state", "round_phase"):
                # Somebody acts beside the robots: look again.
                self.world.sleep(BEAT)
                return True
            if problem.code in ("event_ended", "event_not_found", "all_rounds_drawn", "too_few_entries"):
                return False
            raise

    def _enter(self) -> bool:
        cursor = int(self.work.job.cursor or 0)
        if cursor == 0:
            prepare(self.world, self.event_id, self.actor)
        if enter_next(self.world, self.event_id, self.entries, self.actor):
            return True
        if cursor < self.entries:
            check_in_robot(self.world, self.event_id, cursor + 1)
            self.work.progress(0, int(self.work.job.total), cursor + 1)
            return True
        return False

    def _play(self, header: EventHeader, settings: Settings) -> bool:
        number = int(header.last_round)
        drawn = find_round(self.event_id, number) if number else None
        if drawn is None or drawn.phase == "settled":
            if number != int(self.work.job.done):
                self.work.progress(number, settings.rounds, self.work.job.cursor)
            if number >= settings.rounds:
                self._show("standings", number)
                return False
            rounds.draw(self.world, self.event_id, True, self.actor, self._once(f"draw-{number + 1}"))
            return True
        if drawn.phase == "draft":
            version = int(drawn.version)
            once = self._once(f"publish-{number}-{version}")
            rounds.publish(self.world, self.event_id, number, version, self.actor, once)
            self._show("pairings", number)
            return True
        self._play_round(drawn, number)
        self.world.sleep(BEAT)
        return True

    def _play_round(self, drawn: RoundHeader, number: int) -> None:
        pointer = find_pointer(self.event_id)
        stored = clock.IDLE if pointer is None else pointer.clock or clock.IDLE
        state = clock.state_at(stored, self.world.now())
        if pointer is not None and state == "idle":
            version = int(pointer.clock_version)
            once = self._once(f"clock-{number}-{version}")
            clock.command(self.world, self.event_id, number, "start", version, 0, COUNT_DOWN, self.actor, once)
            self._show("clock", number)
            return
        if state in ("countdown", "paused") or drawn.phase not in IN_PLAY:
            return
        grid = scoring.grid(self.world, self.event_id, number)
        passed = (self.world.now() - int(stored["starts_at"])) / (1000 * self.seconds)
        for table in grid.tables:
            if not table.locked and table.state != "ruled":
                self._act_at(table, grid, passed)
        if all(table.state in ("confirmed", "ruled") or table.postponed for table in grid.tables):
            version = int(drawn.version)
            once = self._once(f"settle-{number}-{version}")
            rounds.settle(self.world, self.event_id, number, version, self.actor, once)

    def _act_at(self, table: TableView, grid: TableGrid, passed: float) -> None:
        to_play = [each.board for each in table.to_play]
        plan = plan_for(self.event_id, table.round, table.table, to_play, grid.scoring)
        try:
            if not plan.said_at or (table.state == "disputed" and passed >= plan.ruled_at):
                if passed >= plan.ruled_at:
                    self._rule(table, plan.score)
                return
            self._say(table, plan, passed)
            self._keep_score(table, plan, passed)
        except AlreadyDone:
            return
        except Problem as problem:
            if problem.status >= 500:
                raise
            # A person was faster, or the clock says no: the robots look again.

    def _say(self, table: TableView, plan: Plan, passed: float) -> None:
        for side, word, seated in (("ns", table.word_ns, table.ns), ("ew", table.word_ew, table.ew)):
            if word is not None or passed < plan.said_at[side]:
                continue
            score = plan.objection if side == "ew" and plan.objection is not None else plan.score
            now = self.world.now()
            submissions.submit(
                self.world,
                self.event_id,
                table.round,
                table.table,
                robot(self.event_id, seated.number),
                score,
                0,
                now,
                self._once(f"say-{table.round}-{table.table}-{side}-{table.version}"),
            )

    def _keep_score(self, table: TableView, plan: Plan, passed: float) -> None:
        due = [score for moment, score in plan.running if passed >= moment]
        if not due or table.word_ns is not None or table.word_ew is not None:
            return
        if table.running is not None and msgspec.to_builtins(table.running.score) == msgspec.to_builtins(due[-1]):
            return
        submissions.save_running(
            self.world,
            self.event_id,
            table.round,
            table.table,
            robot(self.event_id, table.ns.number),
            due[-1],
            self._once(f"keep-{table.round}-{table.table}-{len(due)}"),
        )

    def _rule(self, table: TableView, score: Score) -> None:
        once = self._once(f"rule-{table.round}-{table.table}-{table.version}")
        scoring.rule(
            self.world,
            self.event_id,
            table.round,
            table.table,
            table.version,
            score,
            REASON,
            REFEREE,
            once,
        )

    def _show(self, view: str, number: int) -> None:
        with suppress(AlreadyDone):
            shown = DisplayView(view, None, False)
            display.show(self.world, self.event_id, shown, self.actor, self._once(f"show-{number}-{view}"))

    def _once(self, act: str) -> Once:
        return once_for(self.event_id, act)
