"""A confirmed score is on the table's own phones, the referee's page, the console and the projection within moments,
and on phones that wait for nothing within half a minute or so.

The seconds are printed, not asserted: how fast a busy machine is says nothing about the program. What fails the test is
a page that does not follow at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.devices import device_of
from tests.e2e.hall import open_table
from tests.e2e.organizing import Organizer
from tests.e2e.pages import console as console_page
from tests.e2e.pages import screen as screen_page
from tests.e2e.pages.console import Console
from tests.e2e.pages.phone import PHONE
from tests.e2e.pages.referee import Referee
from tests.e2e.pages.referee import say as referee_words
from tests.e2e.pages.screen import PROJECTOR, Screen

pytestmark = pytest.mark.browser

LOOK = 0.05
PATIENCE = 60
"""Seconds; a phone that only stays in front looks at the pulse every 30, give or take a third."""


def test_a_confirmed_score_is_seen_everywhere(
    organizer: Organizer, open_page: Callable[..., Page], new_context: Callable[..., BrowserContext]
) -> None:
    table = open_table(organizer)
    phone = table.phone("ns", open_page(**PHONE))
    phone.submit("A", "9")
    expect(phone.fate("submitted")).to_be_visible()
    onlooker = table.phone("ew", open_page(**PHONE))
    referee = Referee(open_page())
    referee.open(organizer.link("referee"))
    console = Console(organizer.page)
    organizer.page.goto(f"/c/{organizer.event_id}/scoring")
    expect(console.table_card(1)).to_contain_text(console_page.say("groupOneSided"))
    organizer.show("standings")
    screen = Screen(open_page(**PROJECTOR))
    screen.page.goto(organizer.link("display"))
    expect(screen.page.get_by_role("columnheader", name=screen_page.say("rank"))).to_be_visible()
    other = device_of(new_context, organizer.event_id, table.ew)
    winner = table.ns["name"] or table.ns["players"][0]

    other.submit(table.table(), ns_level="A", ew_level="9")
    confirmed_at = time.monotonic()
    waiting: dict[str, Locator] = {
        "phone": phone.fate("confirmed"),
        "phone that only looks": onlooker.fate("confirmed"),
        "referee": referee.card(1).get_by_text(referee_words("groupConfirmed")),
        "console": console.table_card(1).get_by_text(console_page.say("groupConfirmed")),
        # The winner's level points stand in his row of the ranking.
        "projection": screen.page.get_by_role("row")
        .filter(has_text=winner.split(" ")[0])
        .get_by_text("18", exact=True),
    }
    seen: dict[str, float] = {}
    while waiting and time.monotonic() - confirmed_at < PATIENCE:
        for name, place in list(waiting.items()):
            if place.first.is_visible():
                seen[name] = time.monotonic() - confirmed_at
                del waiting[name]
        time.sleep(LOOK)
    print("\nconfirmed, seen after " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in seen.items()))
    assert not waiting, f"not seen within a minute: {sorted(waiting)}"
