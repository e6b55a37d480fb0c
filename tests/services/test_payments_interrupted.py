"""Payments whose process dies at any write: an order and its place are never apart."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from chalicelib.gateways.payments import Payment
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.payments import expiry, paying, progress
from chalicelib.services.registration import own
from chalicelib.services.world import World
from chalicelib.store.orders import orders_of
from infra.local.engine.hook import plugged_in
from tests.support.calls import a_call
from tests.support.interruptions import Killed, Stage
from tests.support.payments import (
    FEES,
    ME,
    entry,
    register,
    with_cashier,
)
from tests.support.people import open_hall
from tests.support.world import TestWorld

Act = Callable[[World, str, Once], Any]


def _open(world: World, event_id: str, key: Once) -> None:
    paying.open_order(world, event_id, [ME], 1, key)


def _pay(world: World, event_id: str, key: Once) -> None:
    (found,) = orders_of(event_id)
    progress.paid(world, Payment(found.trade, "paid", 6550, "x"))


def _leave(world: World, event_id: str, key: Once) -> None:
    own.withdraw(world, event_id, [ME], 1, key)


def _lapse(world: World, event_id: str, key: Once) -> None:
    assert isinstance(world, TestWorld)
    world.time.now = max(world.time.now, world.time.now + 31 * 60_000 if not _over(event_id) else 0)
    expiry.look_at_due(world)


def _over(event_id: str) -> bool:
    (found,) = orders_of(event_id)
    return found.state != "unpaid"


PLOTS: dict[str, tuple[list[Act], tuple[str, str, bool]]] = {
    "open": ([_open], ("unpaid", "in", False)),
    "pay": ([_open, _pay], ("paid", "in", True)),
    "lapse": ([_open, _lapse], ("closed", "withdrawn", False)),
    "leave unpaid": ([_open, _leave], ("closed", "withdrawn", False)),
}


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("plot", PLOTS)
def test_an_act_that_dies_at_any_write_is_whole_or_not_at_all(
    stages: Callable[[], Stage], tmp_path: Path, plot: str, after: bool
) -> None:
    before, end = PLOTS[plot][0][:-1], PLOTS[plot][1]
    last = PLOTS[plot][0][-1]
    for write in range(30):
        stage = stages()
        with plugged_in(stage.engine):
            world = with_cashier(stage.world, tmp_path / f"cashier-{write}")
            hall = open_hall(world)
            hall.configure(fees=FEES)
            register(hall)
            for act in before:
                act(world, hall.event_id, a_call(ME))
            key = a_call(ME)
            stage.executioner.kill_at(write, after=after)
            try:
                last(world, hall.event_id, key)
                died = False
            except Killed:
                died = True
            stage.executioner.kill_at(None)
            found, (bill,) = entry(hall), list(orders_of(hall.event_id))
            # Whenever it died: an unpaid order holds a place, a paid one is a paid entry, an ended one holds nothing.
            assert (bill.state == "unpaid") is (found.pay_by is not None)
            assert (bill.state == "paid") is (found.paid_at is not None)
            assert bill.state != "closed" or found.state == "withdrawn"
            with suppress(AlreadyDone):
                last(world, hall.event_id, key)
            found, (bill,) = entry(hall), list(orders_of(hall.event_id))
            assert (bill.state, found.state, found.paid_at is not None) == end
        if not died:
            return
    raise AssertionError("it never came to its end")
