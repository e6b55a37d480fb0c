"""The projection in the hall."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of

say = words_of("screen", "shared")

PROJECTOR = {"viewport": {"width": 1920, "height": 1080}}
"""Options of a context: a usual projector."""


class Screen:
    """One projection; it follows the console."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, event_id: str) -> None:
        """The projection's address."""
        self.page.goto(f"/s/{event_id}")

    @property
    def clock(self) -> Locator:
        """The time of the round, in any view."""
        return self.page.get_by_role("timer")

    def shows_pairings(self, round_number: int) -> None:
        """Wait until the tables of a round are on the screen."""
        expect(self.page.get_by_text(say("pairingsTitle", round=round_number))).to_be_visible()

    def table_row(self, table: int) -> Locator:
        """One table of the pairings."""
        number = self.page.get_by_role("cell", name=str(table), exact=True)
        return self.page.get_by_role("row").filter(has=number).first

    def shows_standings(self) -> None:
        """Wait until the standings are on the screen."""
        expect(self.page.get_by_role("columnheader", name=say("rank"))).to_be_visible()

    def standings(self) -> list[tuple[int, str]]:
        """Rank and first line of the name of every row in sight."""
        self.shows_standings()
        found = []
        for row in self.page.get_by_role("row").filter(has=self.page.get_by_role("cell")).all():
            place = re.match(r"\d+", row.locator(".place").inner_text())
            assert place is not None
            name = row.get_by_role("cell").filter(has=self.page.locator(".name-line")).first
            found.append((int(place[0]), "".join(name.locator(".name-line").all_inner_texts())))
        return found
