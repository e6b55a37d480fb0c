"""The referee's page."""

from __future__ import annotations

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
        sheet = self.open_table(table)
        sheet.get_by_role("button", name=say("byHand"), exact=True).click()
        for side, level in (("northSouth", ns_level), ("eastWest", ew_level)):
            words = say("levelPassedA") if level == "A+" else level
            picker = sheet.get_by_role("radiogroup", name=say("levelOf", side=say(side)))
            picker.get_by_role("radio", name=say("levelLabel", level=words), exact=True).click()
        self._confirm(sheet, None, table)

    def _confirm(self, sheet: Locator, reason_key: str | None, table: int) -> None:
        if reason_key is not None:
            sheet.get_by_role("button", name=say(reason_key), exact=True).click()
        sheet.get_by_role("button", name=say("confirmRuling", score="")).click()
        expect(sheet).to_be_hidden()
        expect(self.card(table)).to_contain_text(say("groupRuled"))
