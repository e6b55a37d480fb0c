"""A team pays online: from the organizer's switch to the statement, at 本地演示收银台."""

from __future__ import annotations

import io
from collections.abc import Callable

import openpyxl
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import faults_of, keep_picture
from tests.e2e.organizing import Organizer
from tests.e2e.scenes import PHONE_390

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
ENGLISH = {"locale": "en-US"}


def say_in(language: str, *names: str) -> Callable[..., str]:
    return words_of(*names, "shared", language=language)


def fill_in(page: Page, say: Callable[..., str], first: int) -> None:
    """The form of a pair, with invented names and phones."""
    page.get_by_label(say("you")).fill(f"选手{first:03d}")
    page.get_by_label(say("yourPhone")).fill(f"1380013{first:04d}")
    page.get_by_label(say("partner"), exact=True).fill(f"选手{first + 1:03d}")
    page.get_by_label(say("partnerPhone")).fill(f"1380013{first + 1:04d}")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name=say("submit")).click()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_from_the_switch_to_the_statement(organizer: Organizer, open_page: OpenPage, language: str) -> None:
    console, register, pay = (
        say_in(language, "console-payments", "console-options", "console-settings", "console"),
        say_in(language, "register"),
        say_in(language, "pay"),
    )
    more = ENGLISH if language == "en" else {}
    organizer.event_id = organizer.post("/events", {"name": "周三夜赛", "kind": "pairs"})["event_id"]
    event = organizer.get(organizer.path())
    fees = {"entry": 6000, "extra": 550, "online": False}
    organizer.put(
        organizer.path("/settings"), {"version": event["version"], "settings": {**event["settings"], "fees": fees}}
    )

    # The organizer switches it on.
    desk = organizer.page
    if language == "en":
        desk.add_init_script("localStorage.setItem('guanjun:language', 'en')")
    desk.goto(f"/c/{organizer.event_id}/settings/fees")
    switch = desk.get_by_role("switch", name=console("setOnline"))
    expect(switch).to_be_enabled()
    desk.locator(".el-switch").first.click()
    keep_picture(desk, f"payments-settings-{language}")
    desk.get_by_role("button", name=console("save"), exact=True).click()
    expect(desk.get_by_role("link", name=console("menuPayments")).first).to_be_visible()

    # A team registers and pays.
    phone = open_page(**PHONE_390, **more)
    phone.goto(f"/e/{organizer.event_id}")
    expect(phone.get_by_text(register("feeOnline", amount=60))).to_be_visible()
    fill_in(phone, register, 100)
    order = phone.get_by_test_id("order")
    expect(order.get_by_role("timer")).to_contain_text(":")
    keep_picture(phone, f"payments-order-{language}")
    assert faults_of(phone) == []
    order.get_by_role("button", name=pay("open", amount="65.50")).click()
    expect(order.get_by_role("img", name=pay("qrName"))).to_be_visible()
    expect(order).to_contain_text(pay("cashierText"))
    expect(order.get_by_role("img")).to_have_js_property("complete", True)
    keep_picture(phone, f"payments-code-{language}")
    assert faults_of(phone) == []
    address = order.get_by_role("link", name=pay("toCashier")).get_attribute("href")
    assert address is not None
    cashier = open_page(**PHONE_390, **more)
    cashier.goto(address)
    expect(cashier.get_by_test_id("cashier")).to_contain_text(pay("cashierText"))
    keep_picture(cashier, f"payments-cashier-{language}")
    assert faults_of(cashier) == []
    cashier.get_by_role("button", name=pay("cashierPay", amount="65.50")).click()
    expect(cashier.get_by_role("status")).to_contain_text(pay("cashierPaid"))
    expect(order).to_contain_text(pay("paid", amount="65.50"))
    expect(phone.get_by_test_id("own")).to_contain_text(register("paid"))
    keep_picture(phone, f"payments-paid-{language}")

    # Another pays and withdraws: the money goes back.
    other = open_page(**PHONE_390, **more)
    other.goto(f"/e/{organizer.event_id}")
    fill_in(other, register, 200)
    second = other.get_by_test_id("order")
    second.get_by_role("button", name=pay("open", amount="65.50")).click()
    link = second.get_by_role("link", name=pay("toCashier")).get_attribute("href")
    cashier.goto("about:blank")
    cashier.goto(str(link))
    cashier.get_by_role("button", name=pay("cashierPay", amount="65.50")).click()
    expect(second).to_contain_text(pay("paid", amount="65.50"))
    other.get_by_role("button", name=register("withdraw")).click()
    other.get_by_role("dialog").get_by_role("button", name=register("withdraw")).click()
    expect(second).to_contain_text(pay("refunded", amount="65.50"))
    keep_picture(other, f"payments-refunded-{language}")

    # The organizer sees both, and gives the first one back as well.
    desk.get_by_role("link", name=console("menuPayments")).first.click()
    expect(desk.get_by_text(console("paymentsDemo"))).to_be_visible()
    expect(desk.get_by_test_id("order-1")).to_contain_text(console("orderPaid"))
    expect(desk.get_by_test_id("order-2")).to_contain_text(console("orderRefunded"))
    keep_picture(desk, f"payments-console-{language}-1440")
    assert faults_of(desk) == []
    desk.set_viewport_size({"width": 390, "height": 844})
    keep_picture(desk, f"payments-console-{language}-390")
    assert faults_of(desk) == []
    desk.set_viewport_size({"width": 1440, "height": 900})
    with desk.expect_download() as download:
        desk.get_by_role("link", name=console("statement")).click()
    book = openpyxl.load_workbook(io.BytesIO(download.value.path().read_bytes()))
    assert [row[1] for row in book.worksheets[0].iter_rows(min_row=2, max_row=5, values_only=True)] == [
        131,
        65.5,
        3.28,
        62.22,
    ]
    desk.get_by_test_id("order-1").get_by_role("button", name=console("refund")).click()
    desk.get_by_label(console("refundReason")).fill("场地取消")
    keep_picture(desk, f"payments-refund-{language}")
    desk.get_by_role("dialog").get_by_role("button", name=console("refund"), exact=True).click()
    expect(desk.get_by_test_id("order-1")).to_contain_text(console("orderRefunded"))
    phone.reload()
    expect(order).to_contain_text(pay("whyOrganizer"))
