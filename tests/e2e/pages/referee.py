"""The referee's page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of

say = words_of("ref", "officials", "shared")


class Referee:
    """One referee in the hall."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, link: str) -> None:
        """Come by the referee's link; its secret does not stay in the address bar."""
        self.page.goto(link)
        expect(self.page.get_by_role("group", name=say("filters"))).to_be_visible()
        assert "#" not in self.page.url

    def card(self, table: int) -> Locator:
        """One table in the grid."""
        return self.page.get_by_test_id(f"table-{table}")

    def sheet(self, name: str) -> Locator:
        """The open sheet of a table, by the table's name."""
        return self.page.get_by_role("dialog", name=name, exact=True)

    def open_table(self, table: int) -> Locator:
        """Open a table by typing its number; returns its sheet."""
        self.page.get_by_role("textbox", name=say("jumpTo")).fill(str(table))
        self.page.get_by_role("textbox", name=say("jumpTo")).press("Enter")
        sheet = self.page.get_by_role("dialog", name=say("table", table=table))
        expect(sheet).to_be_visible()
        return sheet

    def adopt(self, table: int, side_key: str, reason_key: str | None) -> None:
        """Rule that one side's word is the result."""
        sheet = self.open_table(table)
        sheet.get_by_role("button", name=say("takeSide", side=say(side_key))).click()
        self._confirm(sheet, reason_key, table)

    def rule(self, table: int, ns_level: str, ew_level: str) -> None:
        """Rule a result that nobody submitted."""
        self.fill_in(table, ns_level, ew_level)
        expect(self.card(table)).to_contain_text(say("groupRuled"))

    def fill_in(self, table: int, ns_level: str, ew_level: str) -> None:
        """Decide a result that nobody submitted, whether or not it reaches the server."""
        sheet = self.open_table(table)
        sheet.get_by_role("button", name=say("byHand"), exact=True).click()
        for side, level in (("northSouth", ns_level), ("eastWest", ew_level)):
            words = say("levelPassedA") if level == "A+" else level
            picker = sheet.get_by_role("radiogroup", name=say("levelOf", side=say(side)))
            picker.get_by_role("radio", name=say("levelLabel", level=words), exact=True).click()
        self._confirm_button(sheet).click()
        expect(sheet).to_be_hidden()

    def fill_in_boards(self, sheet: Locator, results: dict[int, int], reason_key: str | None) -> None:
        """Decide the results of boards on an open sheet, as 南北 sees them."""
        sheet.get_by_role("button", name=say("byHand"), exact=True).click()
        for board, result in results.items():
            side = say("northSouth" if result > 0 else "eastWest")
            words = say("boardWonBy", board=board, side=side, points=abs(result))
            sheet.get_by_role("radio", name=words, exact=True).click()
        if reason_key is not None:
            sheet.get_by_role("button", name=say(reason_key), exact=True).click()
        self._confirm_button(sheet).click()
        expect(sheet).to_be_hidden()

    def call(self, table: int) -> Locator:
        """One call in the queue on top."""
        return self.page.get_by_role("region", name=say("calls")).get_by_test_id(f"call-{table}")

    def answer(self, table: int, act_key: str) -> None:
        """Take a call (`callTake`), give it back (`callReturn`) or close it (`callClose`)."""
        self.call(table).get_by_role("button", name=say(act_key), exact=True).click()

    def undo(self) -> None:
        """Take the last act back."""
        self.page.get_by_role("button", name=say("undo"), exact=True).last.click()

    def punish(self, sheet: Locator, who: str, criterion: str, amount: str, reason_key: str) -> None:
        """Take points from somebody at the table whose sheet is open."""
        sheet.get_by_role("button", name=say("penalties"), exact=True).click()
        sheet.get_by_role("group", name=say("penaltyFor")).get_by_role("button", name=who).click()
        sheet.get_by_role("button", name=criterion, exact=True).click()
        sheet.get_by_label(say("penaltyAmount"), exact=True).fill(amount)
        sheet.get_by_role("button", name=say(reason_key), exact=True).click()
        sheet.get_by_role("button", name=f"{criterion} −{amount}").click()
        expect(sheet).to_be_hidden()

    def _confirm(self, sheet: Locator, reason_key: str | None, table: int) -> None:
        if reason_key is not None:
            sheet.get_by_role("button", name=say(reason_key), exact=True).click()
        self._confirm_button(sheet).click()
        expect(sheet).to_be_hidden()
        expect(self.card(table)).to_contain_text(say("groupRuled"))

    def _confirm_button(self, sheet: Locator) -> Locator:
        # What is ruled already and 撤销裁定 have the word in their names too.
        return sheet.get_by_role("button", name=re.compile("^" + say("confirmRuling", score="")))
