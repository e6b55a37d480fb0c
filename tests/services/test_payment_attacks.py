"""Payments against the grain: whoever tries to lose money, a place or an order finds each of them where it belongs."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from chalicelib.gateways.payments import Payment
from chalicelib.services import entries, fees
from chalicelib.services.payments import expiry, notices, orders, paying, progress
from chalicelib.services.registration import page, partners, registering, waiting_list
from chalicelib.store.entries import EntryRecord, partition, sort_key
from chalicelib.store.orders import due_orders, orders_of
from tests.services.test_registration import single
from tests.support.calls import a_call
from tests.support.payments import (
    FEES,
    ME,
    Troubled,
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


def change_entry(hall: Hall, *actions: Any, number: int = 1) -> None:
    """What another request commits between somebody's reading and writing."""
    EntryRecord(partition(hall.event_id, number), sort_key(number)).update(list(actions))


@pytest.mark.parametrize("end", ["desk", "withdrawn", "organizer"])
def test_money_for_a_closed_order_goes_back_though_its_callback_got_lost(hall: Hall, end: str) -> None:
    register(hall)
    view = opened(hall)
    cashier(hall).pay(trade(hall, view), hall.world.now())  # nobody tells us
    if end == "desk":
        fees.tick(hall.world, hall.event_id, 1, True, "account:o", a_call())
    elif end == "withdrawn":
        withdraw(hall)
    else:
        entries.withdraw(hall.world, hall.event_id, 1, True, "", "account:o", a_call())
    assert order(hall).state == "closed"
    assert expiry.look_at_due(hall.world) == 1
    assert (order(hall).state, order(hall).reason) == ("refunded", "late")
    assert cashier(hall).query(trade(hall, view)).state == "refunded"
    assert (entry(hall).paid_at is not None) is (end == "desk")
    assert expiry.look_at_due(hall.world) == 0


def test_a_code_that_lies_about_after_the_desk_took_the_fee_pays_for_nothing(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    fees.tick(hall.world, hall.event_id, 1, True, "account:o", a_call())
    assert cashier(hall).pay(trade(hall, view), hall.world.now()).state == "closed"
    hall.world.time.advance(days=2)
    assert due_orders(hall.world.now(), 10) == []


def test_a_provider_that_is_silent_is_told_later_that_an_order_is_closed(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    cashier(hall).closes = False
    withdraw(hall)
    expiry.look_at_due(hall.world)
    assert cashier(hall).query(trade(hall, view)).state == "unpaid"
    cashier(hall).closes = True
    hall.world.time.advance(minutes=1)
    assert expiry.look_at_due(hall.world) == 1
    assert cashier(hall).query(trade(hall, view)).state == "closed"
    assert expiry.look_at_due(hall.world) == 0


def test_a_team_that_paid_at_the_desk_while_its_order_was_made_pays_once_and_stays(hall: Hall) -> None:
    """The desk read the entry before there was an order, and wrote after."""
    register(hall)
    view = opened(hall)
    change_entry(hall, EntryRecord.paid_at.set(hall.world.now()))
    progress.paid(hall.world, Payment(trade(hall, view), "paid", 6550, "x"))
    assert (order(hall).reason, entry(hall).paid_at is not None, entry(hall).pay_by) == ("late", True, None)


def test_a_team_that_paid_at_the_desk_while_it_moved_up_keeps_its_place(hall: Hall) -> None:
    register(hall)
    change_entry(hall, EntryRecord.paid_at.set(hall.world.now()))
    hall.world.time.advance(minutes=31)
    expiry.look_at_due(hall.world)
    assert (entry(hall).state, entry(hall).paid_at is not None, order(hall).state) == ("in", True, "closed")
    assert entry(hall).pay_by is None


def test_money_for_a_team_that_left_while_its_order_was_made_goes_back(hall: Hall) -> None:
    hall.configure(fees={**FEES, "online": False})
    register(hall)
    hall.configure(fees=FEES)
    view = opened(hall)
    change_entry(hall, EntryRecord.state.set("withdrawn"))
    progress.paid(hall.world, Payment(trade(hall, view), "paid", 6550, "x"))
    assert (order(hall).reason, entry(hall).paid_at) == ("late", None)


def test_a_withdrawal_sees_the_order_that_was_opened_meanwhile(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.configure(fees={**FEES, "online": False})
    register(hall)
    hall.configure(fees=FEES)
    leave, meanwhile = orders.leave, [True]

    def leave_later(*arguments: Any) -> Any:
        found = leave(*arguments)
        if meanwhile.pop() if meanwhile else False:
            opened(hall)
        return found

    monkeypatch.setattr(orders, "leave", leave_later)
    withdraw(hall)
    assert (entry(hall).state, order(hall).state) == ("withdrawn", "closed")


def test_a_wrong_amount_leaves_no_place_that_waits_for_ever(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    progress.paid(hall.world, Payment(trade(hall, view), "paid", 1, "x"))
    assert (entry(hall).state, entry(hall).pay_by) == ("in", None)
    fresh = opened(hall)
    assert (fresh.state, fresh.order_id != view.order_id) == ("unpaid", True)


def test_money_for_a_deleted_event_goes_back(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    cashier(hall).pay(trade(hall, view), hall.world.now())
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    hall.world.time.advance(minutes=6)
    expiry.look_at_due(hall.world)
    assert (order(hall).state, entry(hall).paid_at, entry(hall).pay_by) == ("refunded", None, None)


@pytest.mark.parametrize("change", [{"online": False}, {"entry": 0, "extra": 0}])
def test_nobody_loses_a_place_for_a_fee_that_is_not_collected_online_any_more(
    hall: Hall, change: dict[str, Any]
) -> None:
    register(hall)
    view = opened(hall)
    hall.configure(fees={**FEES, **change})
    hall.world.time.advance(minutes=31)
    expiry.look_at_due(hall.world)
    assert (entry(hall).state, entry(hall).pay_by, order(hall).state) == ("in", None, "closed")
    assert cashier(hall).query(trade(hall, view)).state == "closed"


def test_a_team_that_plays_is_not_withdrawn_by_its_unpaid_order(hall: Hall) -> None:
    hall.configure(capacity=1)
    register(hall)
    register(hall, 300, "browser:b")
    withdraw(hall)
    assert entry(hall, 2).pay_by == hall.world.now() + orders.HOLD_LATER
    hall.enter(3, first=500)
    hall.start_round()
    hall.world.time.advance(hours=25)
    expiry.look_at_due(hall.world)
    assert (entry(hall, 2).state, entry(hall, 2).pay_by) == ("in", None)
    assert shown(hall, 2, "browser:b").state == "closed"


def test_whoever_has_played_does_not_take_the_fee_home_again(hall: Hall) -> None:
    register(hall)
    pay(hall, opened(hall))
    hall.enter(3, first=500)
    hall.start_round()
    gone = withdraw(hall)
    assert (gone.state, gone.paid_at is not None, shown(hall).state) == ("withdrawn", True, "paid")
    # A team that came later and has not played yet does.
    register(hall, 700)
    pay(hall, opened(hall, 5))
    assert (withdraw(hall, 5).paid_at, shown(hall, 5).state) == (None, "refunded")


def test_a_code_that_is_two_hours_old_is_replaced_and_the_place_stays_held(hall: Hall) -> None:
    hall.configure(capacity=1)
    register(hall)
    register(hall, 300, "browser:b")
    withdraw(hall)
    until = entry(hall, 2).pay_by
    old = opened(hall, 2, "browser:b")
    hall.world.time.advance(minutes=119)
    expiry.look_at_due(hall.world)
    assert shown(hall, 2, "browser:b").payable is False
    assert refused(paying.qr, hall.world, hall.event_id, ["browser:b"], 2, "https://a.example") == "order_not_found"
    new = opened(hall, 2, "browser:b")
    assert (new.payable, new.order_id != old.order_id, new.expires_at) == (True, True, until)
    assert (entry(hall, 2).order, entry(hall, 2).pay_by) == (new.order_id, until)
    assert cashier(hall).query(trade(hall, old)).state == "closed"
    hall.world.time.advance(hours=23)
    expiry.look_at_due(hall.world)
    assert entry(hall, 2).state == "withdrawn"


def test_who_paid_with_the_old_code_is_not_asked_to_pay_again(hall: Hall) -> None:
    hall.configure(capacity=1)
    register(hall)
    register(hall, 300, "browser:b")
    withdraw(hall)
    old = opened(hall, 2, "browser:b")
    hall.world.time.advance(minutes=110)
    cashier(hall).pay(trade(hall, old), hall.world.now())
    again = opened(hall, 2, "browser:b")
    assert (again.order_id, again.state, entry(hall, 2).pay_by) == (old.order_id, "paid", None)


def test_a_page_that_is_loaded_again_and_again_asks_a_silent_provider_once(hall: Hall) -> None:
    register(hall)
    opened(hall)
    hall.world.time.advance(minutes=31)
    cashier(hall).down = True
    for _ in range(3):
        assert page.page(hall.world, hall.event_id, [ME]).mine[0].state == "in"
        assert shown(hall).state == "unpaid"
    assert cashier(hall).asked == 1


def test_an_order_that_nobody_foresaw_keeps_no_other_waiting(hall: Hall) -> None:
    register(hall)
    view = opened(hall)
    register(hall, 300, "browser:b")
    (cashier(hall)._directory / f"{trade(hall, view)}.json").write_text("not JSON at all")
    hall.world.time.advance(minutes=31)
    assert expiry.look_at_due(hall.world) == 2
    assert (entry(hall, 1).state, entry(hall, 2).state) == ("in", "withdrawn")


def test_a_callback_of_a_megabyte_is_not_read(hall: Hall) -> None:
    class Reads(Troubled):
        def notice(self, headers: Any, body: bytes, now: int) -> Payment:
            return Payment(trade(hall, view), "paid", 6550, "x")

    register(hall)
    view = opened(hall)
    world = dataclasses.replace(hall.world, payments=Reads(cashier(hall)._directory))
    assert refused(notices.take, world, {}, b"{" * 1_000_000) == "notice_refused"
    notices.take(world, {}, b"{}")
    assert order(hall).state == "paid"


def test_what_the_second_of_two_singles_paid_at_the_desk_is_not_lost_when_they_are_matched(hall: Hall) -> None:
    hall.configure(fees=FEES, allow_single=True)
    for index, who in enumerate((ME, "browser:b")):
        registering.register(hall.world, hall.event_id, who, single(100 + index), a_call(who))
    fees.tick(hall.world, hall.event_id, 2, True, "account:o", a_call())
    made = partners.match(hall.world, hall.event_id, 1, 2, "account:o", a_call())
    assert made.paid_at is not None
    assert (entry(hall).paid_at, entry(hall).pay_by, list(orders_of(hall.event_id))) == (made.paid_at, None, [])


def test_organizers_own_entries_owe_nothing_online(hall: Hall) -> None:
    hall.enter(2, first=500)
    waiting_list.admit(hall.world, hall.event_id)
    assert list(orders_of(hall.event_id)) == []
    assert refused(opened, hall, 1) == "entry_not_found"
