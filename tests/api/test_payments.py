"""Payments over HTTP: a team registers and pays, WeChat calls back, the organizer refunds and takes the statement."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import app as application
from chalicelib.gateways.payments.cashier import LocalCashier
from chalicelib.services.world import use
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.support.client import Browser
from tests.support.people import Hall, open_hall, phone
from tests.support.wechat import WeChat, wechat
from tests.support.world import TestWorld

FEES = {"entry": 6000, "extra": 550, "online": True}


def tick() -> None:
    """A minute of the schedule, as the deployed function."""
    invoke(application.app, "close_registrations", scheduled_event("close_registrations", datetime.now(UTC)))


def register(hall: Hall, first: int = 100) -> Browser:
    browser = Browser()
    players = [{"name": f"选手{each:03d}", "phone": phone(each)} for each in (first, first + 1)]
    reply = browser.post(hall.path("/registrations"), {"players": players, "consent": True})
    assert reply.status == 201, reply.json
    return browser


def order_of(hall: Hall, browser: Browser, number: int = 1) -> dict[str, Any]:
    reply = browser.get(hall.path(f"/registrations/{number}/order"))
    assert reply.status == 200, reply.json
    found: dict[str, Any] = reply.json
    return found


@pytest.fixture
def hall(world: TestWorld, tmp_path: Path) -> Hall:
    changed = dataclasses.replace(world, payments=LocalCashier(tmp_path / "cashier"))
    use(changed)
    made = open_hall(changed)
    made.configure(fees=FEES)
    return made


@pytest.fixture
def played(world: TestWorld) -> Iterator[tuple[Hall, WeChat]]:
    # Callbacks carry the time of the machine that plays WeChat.
    world.time.now = int(datetime.now(UTC).timestamp() * 1000)
    with wechat() as played:
        changed = dataclasses.replace(world, payments=played.gateway())
        use(changed)
        made = open_hall(changed)
        made.configure(fees=FEES)
        yield made, played


def callback(hall: Hall, headers: dict[str, str], body: bytes) -> int:
    return Browser().send("POST", "/payments/notices", raw=body, headers=headers, key=None).status


def test_the_way_of_a_payment_at_the_local_cashier(hall: Hall) -> None:
    page = hall.owner.get(hall.path("/registration")).json
    assert (page["online"], page["fee"], page["extra_fee"]) == (True, 6000, 550)
    team = register(hall)
    assert team.get(hall.path("/registration")).json["mine"][0]["pay_by"] is not None
    opened = team.post(hall.path("/registrations/1/order"), {})
    assert (opened.status, opened.json["state"], opened.json["provider"]) == (200, "unpaid", "cashier")
    picture = team.get(hall.path("/registrations/1/order/qr?origin=https://example.org"))
    assert (picture.status, picture.headers["content-type"]) == (200, "image/svg+xml")
    trade = opened.json["cashier"].rpartition("#cashier.")[2]
    shown = Browser().get(hall.path(f"/cashier/{trade}"))
    assert shown.json == {"state": "unpaid", "amount": 6550, "event_name": "周三夜赛"}
    for _ in range(2):
        assert Browser().post(hall.path(f"/cashier/{trade}"), {}).json["state"] == "paid"
    assert order_of(hall, team)["state"] == "paid"
    gone = team.post(hall.path("/registrations/1/withdrawal"), {})
    assert (gone.status, gone.json["state"], gone.json["paid_at"]) == (200, "withdrawn", None)
    assert order_of(hall, team)["state"] == "refunded"


def test_the_way_of_a_payment_at_wechat(played: tuple[Hall, WeChat]) -> None:
    hall, server = played
    team = register(hall)
    opened = team.post(hall.path("/registrations/1/order"), {}).json
    assert (opened["provider"], opened["payable"], opened["cashier"]) == ("wechat", True, None)
    assert team.get(hall.path("/registrations/1/order/qr")).status == 200
    (number,) = server.trades
    assert server.trades[number]["amount"]["total"] == 6550
    server.pay(number)
    headers, body = server.notice(number)
    assert callback(hall, {**headers, "wechatpay-signature": "bm8="}, body) == 401
    assert order_of_state(hall) == "unpaid"
    for _ in range(2):
        assert callback(hall, headers, body) == 200
    assert order_of_state(hall) == "paid"
    (line,) = hall.owner.get(hall.path("/orders")).json["orders"]
    refund = hall.owner.post(hall.path(f"/orders/{line['order_id']}/refund"), {"reason": "误收"})
    assert refund.status == 200, refund.json
    assert order_of_state(hall) == "refunded"
    assert list(server.refunds) == [f"{number}R"]
    # WeChat tells of the refund as well, and of the payment once more, late.
    assert callback(hall, *server.refund_notice(number, f"{number}R", "SUCCESS", 6550)) == 200
    assert callback(hall, *server.notice(number, trade_state="SUCCESS")) == 200
    assert order_of_state(hall) == "refunded"


def order_of_state(hall: Hall) -> str:
    (line,) = hall.owner.get(hall.path("/orders")).json["orders"]
    state: str = line["state"]
    return state


def test_wechat_out_of_order_is_a_refusal_that_keeps_the_place(played: tuple[Hall, WeChat]) -> None:
    hall, server = played
    team = register(hall)
    server.broken = "silent"
    refused = team.post(hall.path("/registrations/1/order"), {})
    assert (refused.status, refused.json["code"]) == (503, "payments_down")
    server.broken = None
    assert team.post(hall.path("/registrations/1/order"), {}).json["payable"] is True


def test_nobody_pays_at_a_cashier_where_there_is_a_merchant(played: tuple[Hall, WeChat]) -> None:
    hall, server = played
    register(hall).post(hall.path("/registrations/1/order"), {})
    (number,) = server.trades
    assert Browser().get(hall.path(f"/cashier/{number}")).json["code"] == "order_not_found"
    assert Browser().post(hall.path(f"/cashier/{number}"), {}).json["code"] == "order_not_found"


def test_notices_without_a_merchant_are_refused(hall: Hall) -> None:
    assert callback(hall, {}, b"{}") == 401


def test_the_schedule_ends_unpaid_orders_and_moves_up(hall: Hall) -> None:
    hall.configure(capacity=1)
    first, second = register(hall), register(hall, 200)
    first.post(hall.path("/registrations/1/order"), {})
    hall.enter(1, first=700)
    hall.world.time.advance(minutes=6)
    tick()  # asks, and waits on
    assert order_of(hall, first)["state"] == "unpaid"
    hall.configure(capacity=2)
    hall.world.time.advance(minutes=25)
    tick()
    assert second.get(hall.path("/registration")).json["mine"][0]["state"] == "in"
    assert order_of(hall, first)["state"] == "closed"


def test_the_schedule_leaves_a_drafted_team_and_finds_lost_money(hall: Hall) -> None:
    team = register(hall)
    hall.enter(3, first=700)
    opened = team.post(hall.path("/registrations/1/order"), {}).json
    assert hall.owner.post(hall.path("/rounds"), {}).status == 201
    hall.world.time.advance(minutes=29)
    cashier = hall.world.payments
    assert isinstance(cashier, LocalCashier)
    cashier.pay(f"{hall.event_id}{opened['order_id']}", hall.world.now())
    hall.world.time.advance(minutes=2)
    tick()
    assert order_of(hall, team)["state"] == "paid"
    other = register(hall, 300)
    other.post(hall.path("/registrations/5/order"), {})
    hall.world.time.advance(minutes=31)
    tick()
    assert order_of(hall, other, 5)["state"] in ("closed", "unpaid")


def test_the_statement_as_a_workbook(hall: Hall) -> None:
    for number, first in enumerate((100, 200, 300), 1):
        team = register(hall, first)
        trade = team.post(hall.path(f"/registrations/{number}/order"), {}).json["cashier"].rpartition(".")[2]
        Browser().post(hall.path(f"/cashier/{trade}"), {})
    assert team.post(hall.path("/registrations/3/withdrawal"), {}).status == 200
    made = hall.owner.get(hall.path("/orders")).json
    assert made["totals"] == {"gross": 19650, "refunds": 6550, "platform": 655, "due": 12445}
    book = openpyxl.load_workbook(io.BytesIO(hall.owner.get(hall.path("/statement")).body))
    totals, orders = book.worksheets
    assert [row[1] for row in totals.iter_rows(min_row=2, max_row=5, values_only=True)] == [196.5, 65.5, 6.55, 124.45]
    assert totals.cell(6, 1).value == "本地演示收银台：没有真实资金"
    states = {row[0]: row[3] for row in orders.iter_rows(min_row=2, values_only=True)}
    assert states == {1: "已支付", 2: "已支付", 3: "已退款"}


def test_only_the_owner_gives_money_back(hall: Hall) -> None:
    team = register(hall)
    trade = team.post(hall.path("/registrations/1/order"), {}).json["cashier"].rpartition(".")[2]
    Browser().post(hall.path(f"/cashier/{trade}"), {})
    administrator = hall.administrator("13800130888")
    (line,) = administrator.get(hall.path("/orders")).json["orders"]
    path = hall.path(f"/orders/{line['order_id']}/refund")
    assert administrator.post(path, {"reason": "误收"}).status == 403
    assert hall.owner.post(path, {"reason": ""}).status == 400
    assert hall.owner.post(path, {"reason": "误收"}).json["state"] == "refunding"
    assert hall.owner.post(path, {"reason": "误收"}).json["code"] == "order_not_paid"
