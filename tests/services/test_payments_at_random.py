"""Teams, desk, organizer, provider and clock act in any order: in the end no money and no place is left hanging."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from chalicelib.gateways.payments import PaymentsDown
from chalicelib.services import entries, fees
from chalicelib.services.payments import expiry, progress, statement
from chalicelib.services.problems import Problem
from chalicelib.services.registration import own, page
from chalicelib.store.orders import Order, due_orders, orders_of
from tests.support.calls import a_call
from tests.support.payments import FEES, cashier, entry, opened, register, with_cashier
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

STEPS, TEAMS = 60, 6
ENDS = {("paid", "paid"), ("closed", "closed"), ("closed", None), ("refunded", "refunded")}
"""An order as we have it, and its trade as the cashier has it (None: it was never offered)."""


def orders_by(hall: Hall, number: int) -> list[Order]:
    return [order for order in orders_of(hall.event_id) if order.number == number]


def acts_of(hall: Hall, dice: random.Random, who: dict[int, str]) -> list[Callable[[int], object]]:
    """What may happen next to a team, by its number."""
    world, event_id = hall.world, hall.event_id

    def registers(number: int) -> None:
        if len(who) < TEAMS:
            name = f"browser:{len(who)}-{dice.random()}"
            who[register(hall, 100 + 10 * len(who), name).number] = name

    def pays(number: int) -> None:
        for order in orders_by(hall, number):
            cashier(hall).pay(order.trade, world.now())

    def is_told(number: int) -> None:
        for order in orders_by(hall, number):
            found = cashier(hall).query(order.trade)
            if found.state == "paid":
                progress.paid(world, found)

    def is_refunded(number: int) -> None:
        for order in orders_by(hall, number):
            statement.refund(world, event_id, order.sk, "误收", "account:o", a_call())

    def provider_changes(number: int) -> None:
        cashier(hall).down, cashier(hall).closes = dice.random() < 0.4, dice.random() < 0.6

    return [
        registers,
        lambda number: opened(hall, number, who[number]),
        pays,
        pays,
        is_told,
        is_refunded,
        provider_changes,
        lambda number: fees.tick(world, event_id, number, dice.random() < 0.6, "account:o", a_call()),
        lambda number: own.withdraw(world, event_id, [who[number]], number, a_call(who[number])),
        lambda number: entries.withdraw(world, event_id, number, dice.random() < 0.4, "", "account:o", a_call()),
        lambda number: page.page(world, event_id, [who[number]]),
        lambda number: world.time.advance(minutes=dice.choice([1, 5, 20, 31, 110, 1500])),
        lambda number: expiry.look_at_due(world),
        lambda number: hall.configure(fees={**FEES, "online": dice.random() < 0.7}),
    ]


@pytest.mark.parametrize("seed", range(10))
def test_whatever_happens_money_and_places_come_to_an_end(world: TestWorld, tmp_path: Path, seed: int) -> None:
    hall, dice, who = open_hall(with_cashier(world, tmp_path / "cashier")), random.Random(seed), dict[int, str]()
    hall.configure(fees=FEES, capacity=3)
    acts = acts_of(hall, dice, who)
    for step in range(STEPS):
        act = acts[0] if step < 3 else dice.choice(acts)
        with suppress(Problem, PaymentsDown):
            act(dice.choice([*who] or [1]))
    cashier(hall).down, cashier(hall).closes = False, True
    for _ in range(TEAMS + 2):
        # Whoever moves up meanwhile has a day.
        hall.world.time.advance(hours=25)
        expiry.look_at_due(hall.world)
    assert due_orders(hall.world.now() + 10**9, 10) == []
    for order in orders_of(hall.event_id):
        traded = cashier(hall).query(order.trade).state if order.code else None
        assert (order.state, traded) in ENDS
        if order.state == "paid":
            assert (entry(hall, int(order.number)).order, entry(hall, int(order.number)).paid_at is None) == (
                order.sk,
                False,
            )
    for number in who:
        assert entry(hall, number).pay_by is None
        assert sum(order.state == "paid" for order in orders_by(hall, number)) <= 1
