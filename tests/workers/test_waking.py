"""Which writes wake the standings function, and which do not."""

from __future__ import annotations

import pytest

from chalicelib.services import entries, rounds, scoring, standings, submissions
from chalicelib.services.views.scoring import Score
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.world import TestWorld


class TestWaking:
    """Which writes wake the standings function, and which do not."""

    @pytest.fixture
    def hall(self, world: TestWorld) -> Hall:
        return open_hall(world, 5)

    @pytest.fixture
    def pump(self, engine: Engine) -> Pump:
        return Pump(engine)

    def woken(self, pump: Pump) -> bool:
        return bool(pump.waiting("standings"))

    def test_what_moves_ranks_wakes(self, hall: Hall, pump: Pump) -> None:
        assert self.woken(pump)  # entries
        hall.draw()
        assert not self.woken(pump)
        hall.publish(1)
        assert self.woken(pump)  # byes and absences
        hall.command("start")
        assert not self.woken(pump)
        hall.submit(1, 1, "ns", "A", "9")
        assert self.woken(pump)
        hall.rule(1, 2, "A", "9")
        assert self.woken(pump)
        version = hall.table(1, 2).version
        scoring.lift(hall.world, hall.event_id, 1, 2, version, "", "referee", hall.keys.fresh())
        assert self.woken(pump)
        hall.rule(1, 2, "A", "9")
        hall.submit(1, 1, "ew", "A", "9")
        pump.waiting("standings")
        hall.settle(1)
        assert not self.woken(pump)
        hall.rule(1, 1, "A", "10", "更正")
        assert self.woken(pump)  # a correction
        hall.configure(criteria=["match_points", "upgrades"])
        assert self.woken(pump)
        hall.configure(rounds=3)
        assert self.woken(pump)
        entries.withdraw(hall.world, hall.event_id, 5, True, "", ORGANIZER, hall.keys.fresh())
        assert self.woken(pump)
        rounds.delete(hall.world, hall.event_id, 1, "有误", ORGANIZER, hall.keys.fresh())
        assert self.woken(pump)

    def test_what_moves_no_rank_does_not(self, hall: Hall, pump: Pump) -> None:
        hall.play(1)
        pump.waiting("standings")
        view = hall.table(1, 1)
        submissions.save_running(
            hall.world,
            hall.event_id,
            1,
            1,
            hall.device(view.ns.number),
            Score("played", "5", "9"),
            hall.keys.fresh(),
        )
        assert not self.woken(pump)
        hall.command("pause")
        hall.configure(rules_text="规则")
        assert not self.woken(pump)

    def test_what_only_shows_at_a_table_is_told_and_not_ranked(self, hall: Hall, pump: Pump) -> None:
        hall.play(1)
        pump.run()
        before, version = hall.pointer(), hall.table(1, 1).version
        scoring.postpone(hall.world, hall.event_id, 1, 1, version, True, "改期", "referee", hall.keys.fresh())
        scoring.give_extra_time(hall.world, hall.event_id, 1, 1, version + 1, 5, "referee", hall.keys.fresh())
        pump.run()
        after = hall.pointer()
        assert after.changes > before.changes
        assert after.ticket == before.ticket

    def test_a_running_score_wakes_a_live_ranking(self, hall: Hall, pump: Pump) -> None:
        hall.configure(ranking_after_submission_only=False)
        hall.play(1)
        pump.waiting("standings")
        view = hall.table(1, 1)
        submissions.save_running(
            hall.world,
            hall.event_id,
            1,
            1,
            hall.device(view.ns.number),
            Score("played", "5", "9"),
            hall.keys.fresh(),
        )
        pump.run()
        shown = standings.read(hall.world, hall.event_id)
        assert shown.provisional
        values = {row.number: row.values[0] for row in shown.rows}
        assert values[view.ew.number] == "2"
        # Provisional only: a drawing does not count it.
        assert scoring.current_grid(hall.world, hall.event_id).counts["open"] == 2
