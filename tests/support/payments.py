"""Teams that pay at a cashier which a test can make silent, and what became of their orders."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from chalicelib.gateways.payments import Payment, PaymentsDown, Refund
from chalicelib.gateways.payments.cashier import LocalCashier
from chalicelib.services.payments import paying
from chalicelib.services.problems import Problem
from chalicelib.services.registration import own, registering
from chalicelib.services.views.payments import OrderView
from chalicelib.services.views.registration import RegistrationView
from chalicelib.services.world import use
from chalicelib.store.audit import entries as audit_entries
from chalicelib.store.entries import StoredEntry, find_entry
from chalicelib.store.orders import Order, orders_of
from tests.services.test_registration import pair
from tests.support.calls import a_call
from tests.support.people import Hall
from tests.support.world import TestWorld

ME = "browser:a"
FEES = {"entry": 6000, "extra": 550, "online": True}


class Troubled(LocalCashier):
    """A cashier that sometimes does not answer. ``asked``: how often it was asked for a trade."""

    down = False
    closes = True
    asked = 0

    def query(self, number: str) -> Payment:
        self.asked += 1
        if self.down:
            raise PaymentsDown("no answer")
        return super().query(number)

    def close(self, number: str) -> None:
        if not self.closes:
            raise PaymentsDown("no answer")
        super().close(number)

    def refund(self, number: str, refund_number: str, amount: int, reason: str) -> Refund:
        if self.down:
            raise PaymentsDown("no answer")
        return super().refund(number, refund_number, amount, reason)


def with_cashier(world: TestWorld, directory: Path) -> TestWorld:
    changed = dataclasses.replace(world, payments=Troubled(directory))
    use(changed)
    return changed


def cashier(hall: Hall) -> Troubled:
    assert isinstance(hall.world.payments, Troubled)
    return hall.world.payments


def register(hall: Hall, first: int = 100, who: str = ME) -> RegistrationView:
    return registering.register(hall.world, hall.event_id, who, pair(first), a_call(who))


def opened(hall: Hall, number: int = 1, who: str = ME) -> OrderView:
    return paying.open_order(hall.world, hall.event_id, [who], number, a_call(who))


def shown(hall: Hall, number: int = 1, who: str = ME) -> OrderView:
    return paying.read(hall.world, hall.event_id, [who], number)


def entry(hall: Hall, number: int = 1) -> StoredEntry:
    found = find_entry(hall.event_id, number, ())
    assert found is not None
    return found


def order(hall: Hall) -> Order:
    (found,) = orders_of(hall.event_id)
    return found


def trade(hall: Hall, view: OrderView) -> str:
    return f"{hall.event_id}{view.order_id}"


def pay(hall: Hall, view: OrderView) -> None:
    paying.pay_at_cashier(hall.world, hall.event_id, trade(hall, view))


def withdraw(hall: Hall, number: int = 1) -> RegistrationView:
    return own.withdraw(hall.world, hall.event_id, [ME], number, a_call(ME))


def acts(hall: Hall) -> list[str]:
    return [found.action for found in audit_entries(hall.event_id) if found.action.startswith("order.")]


def refused(act: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(Problem) as refusal:
        act(*arguments)
    return refusal.value.code
