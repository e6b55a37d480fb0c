"""Rounds from drawing to settlement, and what players see of them."""

from __future__ import annotations

import pytest

from chalicelib.services import players, rounds, scoring
from chalicelib.services.problems import Problem
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.world import TestWorld


def refused(act: object, *arguments: object, **named: object) -> Problem:
    """The problem that a call raises."""
    assert callable(act)
    with pytest.raises(Problem) as caught:
        act(*arguments, **named)
    return caught.value


def test_an_evening_is_played_from_draw_to_ranking(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 9)
    pump = Pump(engine)
    for number in range(1, 5):
        hall.play_out(number)
        pump.run()
    hall.settle(4)
    pump.run()
    from chalicelib.services import standings

    view = standings.read(world, hall.event_id)
    assert [row.rank for row in view.rows][0] == 1
    assert len(view.rows) == 9
    assert view.round == 4
    assert standings.compare(world, hall.event_id).equal
