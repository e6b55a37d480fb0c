"""Each of the ten kinds, from nothing to a registration link by which somebody registers, counted in clicks."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from chalicelib.rules.kinds import KINDS, Kind
from tests.e2e.catalogue import words_of
from tests.e2e.pages import registration as registration_page
from tests.e2e.pages.console import Console
from tests.e2e.pages.phone import PHONE
from tests.e2e.pages.registration import Registration

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
MOST_CLICKS = 6
say = words_of("console", "console-display", "shared")


def test_every_kind_takes_registrations_after_a_few_clicks(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1440, "height": 900})
    Console(page).sign_in("13800137701")
    visitor = Registration(open_page(**PHONE))
    table = [("赛制", "点击", "秒", "报名")]
    for index, kind in enumerate(KINDS.values()):
        began = time.monotonic()
        clicks, link = bring_up(page, kind)
        seconds = time.monotonic() - began
        visitor.open(link)
        first = 1000 + 10 * index
        people = [(f"选手{number}", f"1380013{number}") for number in range(first, first + kind.players[0])]
        visitor.register(people, club="海风俱乐部" if kind.club_ranking else "")
        card = visitor.state(people[0][0])
        expect(card).to_contain_text(registration_page.say("stateIn"))
        table.append((kind.chinese, str(clicks), f"{seconds:.1f}", f"{kind.players[0]} 人"))
    print("\n" + "\n".join("\t".join(line) for line in table))
    assert len(table) == len(KINDS) + 1
    assert max(int(clicks) for _, clicks, *_ in table[1:]) <= MOST_CLICKS


def bring_up(page: Page, kind: Kind) -> tuple[int, str]:
    """An event of this kind, by clicks only; returns how many, and the link that was copied."""
    clicks = 0

    def click(target: Locator) -> None:
        nonlocal clicks
        target.click()
        clicks += 1

    page.goto("/c/")
    click(page.get_by_role("link", name=say("newEvent")).first)
    click(page.locator("label", has=page.get_by_text(re.compile(f"^{kind.chinese}$"))))
    click(page.get_by_role("button", name=say("createEvent")))
    expect(page).to_have_url(re.compile(r"/overview$"))
    click(page.get_by_role("link", name=say("menuDisplay")))
    link = page.get_by_role("listitem").filter(has_text=say("linkRegistrationText"))
    address = link.get_by_role("textbox")
    expect(address).to_have_value(re.compile(r"/e/"))
    click(link.get_by_role("button", name=say("copyLink", name=say("linkRegistration"))))
    return clicks, address.input_value()
