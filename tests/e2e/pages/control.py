"""The console's remote control of the projections, and its pages of drafts, freezing and paper."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of

say = words_of(
    "console",
    "console-rounds",
    "console-standings",
    "console-display",
    "console-files",
    "matches",
    "table-reasons",
    "shared",
)

PHONE_CONSOLE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
"""A console in the hand of somebody who walks the hall."""


class Control:
    """投屏控制 of one event."""

    def __init__(self, page: Page, event_id: str) -> None:
        self.page = page
        self.event_id = event_id

    def open(self) -> None:
        """The page of the remote control."""
        self.page.goto(f"/c/{self.event_id}/display")
        expect(self.page.get_by_role("heading", level=1, name=say("menuDisplay"))).to_be_visible()

    def show(self, view_key: str) -> None:
        """Put a view, such as `viewWinners`, on every projection."""
        button = self.page.get_by_role("group", name=say("showNow")).get_by_role(
            "button", name=say(view_key), exact=True
        )
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")

    def reveal(self, step: int, total: int) -> None:
        """Reveal the next winner, who is number `step` of `total`."""
        self.page.get_by_test_id("reveal-next").click()
        expect(self.page.get_by_text(say("winnersStep", step=step, total=total))).to_be_visible()

    def press(self, key: str) -> None:
        """A button by its words' key."""
        self.page.get_by_role("button", name=say(key), exact=True).click()


class Draft:
    """A draft in 编排与桌次."""

    def __init__(self, page: Page, event_id: str) -> None:
        self.page = page
        page.goto(f"/c/{event_id}/rounds")
        expect(page.get_by_test_id("publish-round")).to_be_visible()

    def row(self, table: int) -> Locator:
        """One table of the draft."""
        number = self.page.locator("td:first-child strong", has_text=re.compile(rf"^{table}$"))
        return self.page.locator("tbody tr").filter(has=number)

    def seat(self, table: int, place: int) -> Locator:
        """Somebody at a table, counted from 0: 南北 first."""
        return self.row(table).locator("button.seat").nth(place)

    def name_at(self, table: int, place: int) -> str:
        """Who sits there."""
        return self.seat(table, place).locator(".name").inner_text()
