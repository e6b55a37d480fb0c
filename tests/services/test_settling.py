"""Settlement against words that arrive at the same moment: what was settled is what the standings say."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from chalicelib.services import scoring, standings
from chalicelib.services.finding import drawn_round
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import holding, settling
from infra.local.engine import Engine
from tests.support.hall import Hall, Pump, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Eight pairs who have finished round 1."""
    hall = open_hall(world, 8)
    hall.play_out(1)
    return hall


def test_a_settlement_that_died_lets_players_go_on_after_two_minutes(hall: Hall) -> None:
    header = drawn_round(hall.event_id, 1)
    settling.held_and_finished(hall.world, header, hall.settings())
    # Here the process died.
    assert hall.table(1, 1).locked
    assert refused(hall.submit, 1, 1, "ns", "A", "5").code == "busy"
    assert refused(hall.rule, 1, 1, "A", "5", "更正").code == "busy"
    hall.world.time.advance(minutes=2)
    assert not hall.table(1, 1).locked
    assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"
    assert refused(hall.settle, 1).current == {"tables": [1]}


def test_a_settlement_that_takes_too_long_is_not_made(hall: Hall) -> None:
    header = drawn_round(hall.event_id, 1)
    held = settling.held_and_finished(hall.world, header, hall.settings())
    assert held.still_good()
    hall.world.time.advance(seconds=holding.TIME_TO_SETTLE / 1000)
    assert not held.still_good()
    held.release()
    assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"


@pytest.mark.parametrize("seed", range(4))
def test_words_and_a_settlement_at_the_same_moment(hall: Hall, engine: Engine, seed: int) -> None:
    chance = random.Random(seed)
    tables = [view.table for view in scoring.grid(hall.world, hall.event_id, 1).tables]
    settled: list[int] = []

    def change_mind(table: int) -> None:
        with suppress(Problem):
            hall.submit(1, table, "ns", "A", "5")
            hall.submit(1, table, "ew", "A", "5")

    def settle(_: int) -> None:
        with suppress(Problem):
            hall.settle(1)
            settled.append(1)

    acts = [(change_mind, table) for table in tables] + [(settle, 0)] * 2
    chance.shuffle(acts)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda act: act[0](act[1]), acts))
    hall.world.time.advance(minutes=2)
    if not settled:
        for table in tables:
            change_mind(table)
        hall.settle(1)
    grid = scoring.grid(hall.world, hall.event_id, 1)
    assert {view.state for view in grid.tables} == {"confirmed"}
    Pump(engine).run()
    # The pack that the settled round is read from says what its tables say.
    assert standings.compare(hall.world, hall.event_id).equal
