"""The registration page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of

say = words_of("register", "shared")


class Registration:
    """What somebody does who came by the registration link."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, link: str) -> None:
        """What a link or a scanned code does."""
        self.page.goto(link)

    def fill_in(self, players: Sequence[tuple[str, str]], club: str = "") -> None:
        """Names and phones, on a form that has the fields for that many."""
        names = self.page.get_by_label(_either("you", "partner", "playerName", n=r"\d"))
        phones = self.page.get_by_label(_either("yourPhone", "partnerPhone", "playerPhone", n=r"\d"))
        expect(names).to_have_count(len(players))
        for index, (name, phone) in enumerate(players):
            names.nth(index).fill(name)
            phones.nth(index).fill(phone)
        if club:
            self.page.get_by_label(_either("club", "clubOptional")).fill(club)
        self.page.get_by_role("checkbox").check()

    def send(self) -> None:
        """Submit what was filled in."""
        self.page.get_by_role("button", name=_either("submit", "submitWaiting")).click()

    def register(self, players: Sequence[tuple[str, str]], club: str = "") -> None:
        """One more team; its card says where it stands."""
        another = self.page.get_by_role("button", name=say("another"))
        form = self.page.get_by_role("heading", name=say("formTitle"))
        expect(another.or_(form).first).to_be_visible()
        before = self.own.count()
        if another.is_visible():
            another.click()
        self.fill_in(players, club)
        self.send()
        expect(self.own).to_have_count(before + 1)

    @property
    def own(self) -> Locator:
        """The cards of one's own registrations."""
        return self.page.get_by_test_id("own")

    def state(self, name: str) -> Locator:
        """The card of the registration in which somebody of this name plays."""
        return self.own.filter(has_text=name)


def _either(*keys: str, **values: str) -> re.Pattern[str]:
    words = [re.escape(say(key)).replace(r"\{n\}", values.get("n", "")) for key in keys]
    return re.compile(f"^({'|'.join(words)})$")
