"""Orders: they hold places, end in time, and money that comes or goes has one effect however often it is told."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from chalicelib.gateways.payments import Payment, Refund
from chalicelib.services import entries, fees
from chalicelib.services.payments import expiry, orders, paying, progress, statement
from chalicelib.services.registration import page, partners, registering
from chalicelib.services.views.payments import Totals
from chalicelib.store.orders import due_orders
from tests.services.test_registration import single
from tests.support.calls import a_call
from tests.support.payments import (
    FEES,
    ME,
    acts,
    cashier,
    entry,
    opened,
    order,
    pay,
    refused,
    register,
    shown,
    trade,
    with_cashier,
    withdraw,
)
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld, tmp_path: Path) -> Hall:
    made = open_hall(with_cashier(world, tmp_path / "cashier"))
    made.configure(fees=FEES)
    return made


def test_a_place_comes_with_its_order_and_is_paid(hall: Hall) -> None:
    view = register(hall)
    assert (view.state, view.pay_by, view.paid_at) == ("in", hall.world.now() + orders.HOLD, None)
    unpaid = opened(hall)
    assert (unpaid.state, unpaid.amount, unpaid.payable) == ("unpaid", 6550, True)
    assert unpaid.cashier == f"/e/{hall.event_id}#cashier.{trade(hall, unpaid)}"
    assert opened(hall) == unpaid
    assert paying.qr(hall.world, hall.event_id, [ME], 1, "https://a.example").startswith(b"<svg")
    pay(hall, unpaid)
    assert shown(hall).state == "paid"
    assert (entry(hall).paid_at, entry(hall).pay_by) == (hall.world.now(), None)
    # Paid, it waits for nothing any more.
    hall.world.time.advance(days=2)
    assert due_orders(hall.world.now(), 10) == []
    assert entry(hall).state == "in"


def test_fees_are_collected_on_site_without_a_provider_or_the_switch(hall: Hall, world: TestWorld) -> None:
    hall.configure(fees={**FEES, "online": False})
    assert register(hall).pay_by is None
    assert refused(opened, hall) == "nothing_to_pay"
    hall.configure(fees=FEES)
    nobody = dataclasses.replace(hall, world=world)
    assert page.page(world, hall.event_id, [ME]).online is False
    assert register(nobody, 200, "browser:b").pay_by is None
    hall.configure(fees={"entry": 0, "extra": 0, "online": True})
    assert register(hall, 300, "browser:c").pay_by is None


def test_an_unpaid_order_ends_and_the_next_team_moves_up(hall: Hall) -> None:
    hall.configure(capacity=1)
    register(hall)
    late = opened(hall)
    register(hall, 200, "browser:b")
    assert (entry(hall, 2).state, entry(hall, 2).order) == ("waiting", None)
    hall.world.time.advance(minutes=30)
    assert expiry.look_at_due(hall.world) == 1
    assert (entry(hall, 1).state, entry(hall, 2).state) == ("withdrawn", "in")
    # Who moves up has a day to pay.
    assert entry(hall, 2).pay_by == hall.world.now() + orders.HOLD_LATER
    assert cashier(hall).query(trade(hall, late)).state == "closed"
    assert shown(hall).state == "closed"
    assert expiry.look_at_due(hall.world) == 0


@pytest.mark.parametrize("read", ["page", "order", "open"])
def test_expiry_is_checked_on_read(hall: Hall, read: str) -> None:
    register(hall)
    hall.world.time.advance(minutes=30)
    if read == "page":
        assert [mine.state for mine in page.page(hall.world, hall.event_id, [ME]).mine] == ["withdrawn"]
    elif read == "order":
        assert shown(hall).state == "closed"
    else:
        assert refused(opened, hall) == "nothing_to_pay"
    assert entry(hall).state == "withdrawn"


def test_a_lost_callback_is_found_by_asking(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    cashier(hall).pay(trade(hall, view), hall.world.now())  # nobody tells us
    assert shown(hall).state == "unpaid"
    hall.world.time.advance(minutes=5)
    assert expiry.look_at_due(hall.world) == 1
    assert shown(hall).state == "paid"


def test_a_provider_that_does_not_answer_ends_no_order(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    cashier(hall).pay(trade(hall, view), hall.world.now())
    cashier(hall).down = True
    hall.world.time.advance(minutes=31)
    expiry.look_at_due(hall.world)
    assert entry(hall).state == "in"
    cashier(hall).down = False
    hall.world.time.advance(minutes=1)
    expiry.look_at_due(hall.world)
    assert (entry(hall).state, shown(hall).state) == ("in", "paid")


def test_money_for_an_order_that_ended_goes_back(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    cashier(hall).pay(trade(hall, view), hall.world.now())
    paid = cashier(hall).query(trade(hall, view))
    entries.withdraw(hall.world, hall.event_id, 1, True, "", "account:o", a_call())  # before we hear of the money
    assert shown(hall).state == "closed"
    progress.paid(hall.world, paid)
    assert (shown(hall).state, shown(hall).reason) == ("refunded", "late")
    assert cashier(hall).query(trade(hall, view)).state == "refunded"
    assert (entry(hall).state, entry(hall).paid_at) == ("withdrawn", None)
    assert statement.listing(hall.world, hall.event_id).totals == Totals(6550, 6550, 0, 0)


def test_a_wrong_amount_pays_for_nothing_and_goes_back(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    cashier(hall).down = True  # so that what we owe can be seen
    progress.paid(hall.world, Payment(trade(hall, view), "paid", 1, "x"))
    assert (order(hall).state, int(order(hall).received), entry(hall).paid_at) == ("refunding", 1, None)


def test_the_same_news_in_parallel_has_one_effect(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    told = Payment(trade(hall, view), "paid", 6550, "x")
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: progress.paid(hall.world, told), range(24)))
    assert (shown(hall).state, acts(hall).count("order.paid")) == ("paid", 1)


def test_payment_and_expiry_at_once_keep_neither_money_nor_place_for_nothing(hall: Hall) -> None:
    for number in range(1, 7):
        register(hall, 100 * number, f"browser:{number}")
        view = opened(hall, number, f"browser:{number}")
        cashier(hall).pay(trade(hall, view), hall.world.now())
        told = cashier(hall).query(trade(hall, view))
        acting: list[Callable[[], object]] = [
            partial(progress.paid, hall.world, told),
            partial(entries.lapse, hall.world, hall.event_id, number, view.order_id),
        ]
        with ThreadPoolExecutor(2) as threads:
            said = [done.exception() for done in [threads.submit(act) for act in acting]]
        assert [error for error in said if error is not None and getattr(error, "code", "") != "order_not_found"] == []
        state, found = shown(hall, number, f"browser:{number}").state, entry(hall, number)
        assert (state, found.state, found.paid_at is not None) in (
            ("paid", "in", True),
            ("refunded", "withdrawn", False),
        )


def test_withdrawing_gives_the_money_back_once(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    pay(hall, view)
    gone = withdraw(hall)
    assert (gone.state, gone.paid_at) == ("withdrawn", None)
    assert (shown(hall).state, shown(hall).reason) == ("refunded", "withdrawn")
    withdraw(hall)
    assert acts(hall).count("order.refunded") == 1


def test_a_refund_that_could_not_be_asked_for_is_asked_for_again(hall: Hall) -> None:
    register(hall)
    pay(hall, opened(hall))
    cashier(hall).down = True
    withdraw(hall)
    assert shown(hall).state == "refunding"
    cashier(hall).down = False
    assert expiry.look_at_due(hall.world) == 0
    hall.world.time.advance(minutes=10)
    assert expiry.look_at_due(hall.world) == 1
    assert shown(hall).state == "refunded"


def test_a_refund_that_failed_is_shown_and_tried_later(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    pay(hall, view)
    cashier(hall).down = True
    withdraw(hall)
    number = trade(hall, view)
    progress.refunded(hall.world, Refund(number, f"{number}R", 6550, "failed"))
    (line,) = statement.listing(hall.world, hall.event_id).orders
    assert (line.state, line.trouble) == ("refunding", hall.world.now())
    progress.refunded(hall.world, Refund(number, f"{number}R", 6550, "done"))
    (line,) = statement.listing(hall.world, hall.event_id).orders
    assert (line.state, line.trouble) == ("refunded", None)


def test_news_in_the_wrong_order(hall: Hall) -> None:
    """The merchant gave the money back at WeChat, and we hear of that before we hear that it came."""
    register(hall)
    view = opened(hall)
    number = trade(hall, view)
    progress.refunded(hall.world, Refund(number, "by-hand", 6550, "done"))
    progress.paid(hall.world, Payment(number, "paid", 6550, "x"))
    assert (shown(hall).state, entry(hall).paid_at, entry(hall).pay_by) == ("refunded", None, None)
    assert statement.listing(hall.world, hall.event_id).totals == Totals(6550, 6550, 0, 0)


def test_a_part_that_was_given_back_elsewhere_changes_nothing(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    pay(hall, view)
    progress.refunded(hall.world, Refund(trade(hall, view), "by-hand", 50, "done"))
    assert shown(hall).state == "paid"


def test_news_of_an_order_that_is_none_of_ours(hall: Hall) -> None:
    for number in ("", "short", "x" * 28, "y" * 60):
        assert refused(progress.paid, hall.world, Payment(number, "paid", 1, "x")) == "order_not_found"
        assert refused(progress.refunded, hall.world, Refund(number, "r", 1, "done")) == "order_not_found"


def test_an_organizer_gives_back_with_a_reason_and_the_team_stays(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    act = (hall.world, hall.event_id, view.order_id)
    assert refused(statement.refund, *act, "误收", "account:o", a_call()) == "order_not_paid"
    pay(hall, view)
    assert refused(statement.refund, *act, "  ", "account:o", a_call()) == "reason_missing"
    assert refused(fees.tick, hall.world, hall.event_id, 1, False, "account:o", a_call()) == "paid_online"
    assert statement.refund(*act, "误收", "account:o", a_call()).state == "refunding"
    assert (shown(hall).state, shown(hall).reason) == ("refunded", "organizer")
    assert (entry(hall).state, entry(hall).paid_at) == ("in", None)
    assert refused(statement.refund, *act, "误收", "account:o", a_call()) == "order_not_paid"
    # The team may pay anew; that order holds nothing, and if it ends the team stays.
    assert opened(hall).order_id != view.order_id
    hall.world.time.advance(minutes=31)
    expiry.look_at_due(hall.world)
    assert entry(hall).state == "in"


def test_who_pays_at_the_desk_owes_nothing_online(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    fees.tick(hall.world, hall.event_id, 1, True, "account:o", a_call())
    assert (shown(hall).state, entry(hall).pay_by) == ("closed", None)
    hall.world.time.advance(minutes=31)
    expiry.look_at_due(hall.world)
    assert (entry(hall).state, entry(hall).paid_at is not None) == ("in", True)
    progress.paid(hall.world, Payment(trade(hall, view), "paid", 6550, "x"))  # and paid on the phone as well
    assert order(hall).state == "refunding"
    assert entry(hall).paid_at is not None


def test_an_organizer_who_withdraws_a_team_decides_about_the_money(hall: Hall) -> None:
    register(hall)
    pay(hall, opened(hall))
    entries.withdraw(hall.world, hall.event_id, 1, True, "", "account:o", a_call())
    assert (shown(hall).state, entry(hall).paid_at is not None) == ("paid", True)


def test_singles_owe_when_they_are_a_team(hall: Hall) -> None:
    hall.configure(fees=FEES, allow_single=True)
    for index, who in enumerate((ME, "browser:b")):
        made = registering.register(hall.world, hall.event_id, who, single(100 + index), a_call(who))
        assert (made.state, made.pay_by) == ("single", None)
    partners.match(hall.world, hall.event_id, 1, 2, "account:o", a_call())
    assert entry(hall).pay_by == hall.world.now() + orders.HOLD_LATER
    assert opened(hall, 1, "browser:b").amount == 6550


def test_a_team_in_a_draft_keeps_its_place_until_that_is_settled(hall: Hall) -> None:
    register(hall)
    hall.enter(3, first=500)
    drawn = hall.owner.post(hall.path("/rounds"), {})
    assert drawn.status == 201
    hall.world.time.advance(minutes=31)
    expiry.look_at_due(hall.world)
    assert (entry(hall).state, order(hall).state) == ("in", "unpaid")
    assert int(order(hall).due_at) > hall.world.now()


def test_the_orders_of_a_deleted_event_end_too(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    deleted = hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"})
    assert deleted.status in (200, 204), deleted.json
    hall.world.time.advance(minutes=31)
    expiry.look_at_due(hall.world)
    assert order(hall).state == "closed"
    progress.paid(hall.world, Payment(trade(hall, view), "paid", 6550, "x"))
    assert order(hall).state == "refunding"


def test_an_order_is_its_registrants_alone(hall: Hall) -> None:
    register(hall)
    assert refused(opened, hall, 1, "browser:stranger") == "entry_not_found"
    opened(hall)
    assert refused(shown, hall, 1, "browser:stranger") == "entry_not_found"


def test_a_statement_adds_up_to_the_fen(hall: Hall) -> None:
    hall.configure(fees={"entry": 3333, "extra": 0, "online": True})
    for number in (1, 2, 3):
        register(hall, 100 * number)
        pay(hall, opened(hall, number))
    withdraw(hall, 2)
    made = statement.listing(hall.world, hall.event_id)
    assert made.totals == Totals(gross=9999, refunds=3333, platform=333, due=6333)
    assert {line.number: line.state for line in made.orders} == {1: "paid", 2: "refunded", 3: "paid"}
    assert made.orders[0].name.startswith("选手")
