"""Each of the ten kinds, from nothing to a registration link that can be sent round, counted in clicks."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from chalicelib.rules.kinds import KINDS
from tests.e2e.catalogue import words_of
from tests.e2e.pages.console import Console

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
MOST_CLICKS = 6
say = words_of("console", "console-display", "shared")


def test_every_kind_is_ready_for_registration_in_a_few_clicks(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1440, "height": 900})
    Console(page).sign_in("13800137701")
    counted: dict[str, int] = {}
    for kind in KINDS.values():
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
        expect(link.get_by_role("textbox")).to_have_value(re.compile(r"/e/"))
        click(link.get_by_role("button", name=say("copyLink", name=say("linkRegistration"))))
        counted[kind.chinese] = clicks
    print("\n" + "\n".join(f"{name}\t{clicks}" for name, clicks in counted.items()))
    assert max(counted.values()) <= MOST_CLICKS
    assert len(counted) == len(KINDS)
