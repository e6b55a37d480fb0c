"""What the network and the phone's own clock may do to a score: it arrives, and it arrives once.

Everything is tried with levels and with boards, and the phone says at each moment what is true.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.hall import OneTable, open_table, phone_in_hand
from tests.e2e.organizing import Organizer
from tests.e2e.pages.phone import PHONE, Phone, say

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
SUBMISSIONS = "**/tables/*/submissions"


@pytest.fixture(params=["levels", "boards"])
def table(request: pytest.FixtureRequest, organizer: Organizer) -> OneTable:
    """One table whose round is on."""
    return open_table(organizer, boards=request.param == "boards")


def unsent(phone: Phone) -> None:
    """The phone says that the score is on it and nowhere else."""
    expect(phone.fate("saved")).to_contain_text(say("outboxSaved"))
    expect(phone.sync).to_have_text(say("outboxOfflineWaiting", n=1))
    for fate in ("submitted", "confirmed", "disputed"):
        expect(phone.fate(fate)).to_have_count(0)


def test_a_reply_that_is_lost_makes_one_score_of_two_sendings(table: OneTable, open_page: OpenPage) -> None:
    phone = phone_in_hand(table, "ns", open_page)
    keys: list[str] = []

    def lose_the_first_reply(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            # The server has acted; the phone never hears of it.
            assert route.fetch().status == 201
            route.abort("connectionreset")
        else:
            route.continue_()

    phone.page.route(SUBMISSIONS, lose_the_first_reply)
    table.submit(phone, "ns")
    expect(phone.fate("submitted")).to_be_visible()
    expect(phone.sync).to_have_text(say("outboxSynced"))
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert table.table()["word_ns"]["version"] == 1
    assert table.history() == [("word", "ns")]


def test_a_phone_that_is_put_away_without_a_network_delivers_when_it_is_taken_out(
    table: OneTable, open_page: OpenPage
) -> None:
    phone = phone_in_hand(table, "ew", open_page)
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.context.set_offline(True)
    table.submit(phone, "ew")
    unsent(phone)
    phone.page.close()
    assert table.table()["word_ew"] is None

    # Still no network: the page comes from the phone itself and knows what is waiting.
    again = Phone(phone.context.new_page())
    again.open(table.link)
    unsent(again)
    again.context.set_offline(False)
    expect(again.fate("submitted")).to_be_visible()
    expect(again.fate("saved")).to_have_count(0)
    expect(again.sync).to_have_text(say("outboxSynced"))
    assert table.history() == [("word", "ew")]


def test_two_tabs_of_one_phone_send_a_score_once(table: OneTable, open_page: OpenPage) -> None:
    first = phone_in_hand(table, "ns", open_page)
    second = Phone(first.context.new_page())
    second.open(table.link)
    expect(second.table_number).to_have_text("1")
    first.context.set_offline(True)
    table.submit(first, "ns")
    for tab in (first, second):
        unsent(tab)
    first.context.set_offline(False)
    for tab in (first, second):
        expect(tab.fate("submitted")).to_be_visible()
        expect(tab.sync).to_have_text(say("outboxSynced"))
    assert table.history() == [("word", "ns")]


@pytest.mark.parametrize("minutes", [-7, 7])
def test_a_phone_whose_clock_is_wrong_shows_the_servers_time_and_scores(
    table: OneTable, open_page: OpenPage, minutes: int
) -> None:
    page = open_page(**PHONE)
    page.clock.install(time=dt.datetime.now(dt.UTC) + dt.timedelta(minutes=minutes))
    wrong, right = table.phone("ns", page), phone_in_hand(table, "ew", open_page)
    # Its own clock would be seven minutes off; it is measured against the server's right after the start.
    expect(wrong.page.get_by_role("timer")).to_contain_text(re.compile(r"(49|50):\d\d"))
    assert abs(seconds_left(wrong) - seconds_left(right)) <= 2
    table.submit(wrong, "ns")
    expect(wrong.fate("submitted")).to_be_visible()
    table.submit(right, "ew")
    expect(right.fate("confirmed")).to_be_visible()
    expect(wrong.fate("confirmed")).to_be_visible()
    words = table.table()
    assert not words["word_ns"]["late"]
    assert abs(words["word_ns"]["at"] - words["word_ew"]["at"]) < 60_000


@pytest.mark.parametrize("fate", ["confirmed", "disputed"])
def test_five_minutes_without_a_network_while_the_other_side_submits(
    table: OneTable, open_page: OpenPage, fate: str
) -> None:
    page = open_page(**PHONE)
    page.clock.install()
    lost, other = table.phone("ns", page), phone_in_hand(table, "ew", open_page)
    lost.context.set_offline(True)
    table.submit(lost, "ns")
    unsent(lost)
    table.submit(other, "ew", differently=fate == "disputed")
    # The other side has no answer yet, and neither phone says that both agree.
    expect(other.fate("submitted")).to_be_visible()
    page.clock.fast_forward("05:00")
    unsent(lost)
    expect(other.fate("submitted")).to_be_visible()
    assert table.table()["state"] == "one_sided"
    lost.context.set_offline(False)
    for phone in (lost, other):
        expect(phone.fate(fate)).to_be_visible()
        expect(phone.fate("submitted")).to_have_count(0)
        expect(phone.sync).to_have_text(say("outboxSynced"))
    assert table.history() == [("word", "ew"), ("word", "ns")]
    # The score counts from when it was entered, not from when it came.
    assert not table.table()["word_ns"]["late"]


def seconds_left(phone: Phone) -> int:
    """What the clock of the page shows."""
    digits = re.search(r"(\d+):(\d\d)", phone.page.get_by_role("timer").inner_text())
    assert digits is not None
    return 60 * int(digits[1]) + int(digits[2])
