"""The organizer's console."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of

say = words_of(
    "console",
    "console-rounds",
    "console-scoring",
    "console-standings",
    "console-entries",
    "console-display",
    "officials",
    "shared",
)


@dataclass(frozen=True)
class Seat:
    """One team at a table."""

    number: int
    name: str


@dataclass(frozen=True)
class Tables:
    """A published round: number of the table -> the teams in 南北 and 东西; and who has a bye."""

    tables: dict[int, tuple[Seat, Seat]]
    byes: list[Seat]


def _seat(text: str) -> Seat:
    number, _, name = text.strip().partition(" ")
    return Seat(int(number), name)


class Console:
    """What an organizer does, page by page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    # --- getting in -----------------------------------------------------------------------------------------------

    def sign_in(self, phone: str) -> None:
        """By the one-time code, taken from the on-screen outbox."""
        self.page.goto("/c/")
        self.page.get_by_label(say("phone")).fill(phone)
        self._button(say("sendCode")).click()
        self._button(say("useCode")).click()
        expect(self.page.get_by_role("heading", name=say("myEvents"))).to_be_visible()

    def create_event(self, name: str, rounds: int) -> None:
        """A new event of pairs."""
        self.page.get_by_role("link", name=say("newEvent")).first.click()
        self.page.get_by_label(say("eventName")).fill(name)
        self.page.get_by_label(say("rounds")).fill(str(rounds))
        self._button(say("createEvent")).click()
        expect(self.page.get_by_role("region", name=say("nextStep"))).to_be_visible()

    def go_to(self, menu_key: str) -> None:
        """A page of the event by its place in the menu, such as `menuRounds`."""
        menu = self.page.get_by_role("navigation", name=say("menu"))
        # 排名, not 团体排名.
        menu.get_by_role("link", name=re.compile("^" + re.escape(say(menu_key)))).click()
        expect(self.page.get_by_role("heading", level=1, name=say(menu_key))).to_be_visible()

    def next_step(self, words: str) -> None:
        """Do what the overview proposes, which must be `words`."""
        self.page.get_by_role("region", name=say("nextStep")).get_by_role("button", name=words, exact=True).click()

    # --- entries --------------------------------------------------------------------------------------------------

    def import_roster(self, file: Path, entries: int) -> None:
        """Choose a file, see that it is good, import it."""
        self.next_step(say("actImport"))
        self.page.get_by_label(say("chooseFile")).set_input_files(file)
        expect(self.page.get_by_text(say("findingsGood", rows=entries, n=entries))).to_be_visible()
        self._button(say("commitImport", n=entries)).click()
        self._told(say("imported", n=entries))

    # --- rounds ---------------------------------------------------------------------------------------------------

    def draw(self, number: int) -> None:
        """Draw a round; its draft is shown."""
        self.go_to("menuRounds")
        self._button(say("actDraw", round=number)).first.click()
        expect(self._button(say("actPublish", round=number))).to_be_visible()

    def swap_in_draft(self, first: int, second: int) -> None:
        """Exchange the 东西 teams of two tables, by typing the tables' numbers."""
        before = [self._draft_seat(table, "ew").inner_text() for table in (first, second)]
        self.page.get_by_label(say("firstTable")).fill(str(first))
        self.page.get_by_label(say("firstSide")).select_option(label=say("eastWest"))
        self.page.get_by_label(say("secondTable")).fill(str(second))
        self.page.get_by_label(say("secondSide")).select_option(label=say("eastWest"))
        self._button(say("swap")).click()
        for table, text in zip((second, first), before, strict=True):
            expect(self._draft_seat(table, "ew")).to_have_text(re.compile(re.escape(text.split()[-1])))

    def publish(self, number: int) -> None:
        """Publish the draft that is shown."""
        self._button(say("actPublish", round=number)).click()
        self._told(say("roundPublished", round=number))

    def start_clock(self, minutes: int) -> None:
        """Start the round's clock at once."""
        panel = self.page.get_by_role("region", name=say("clock"))
        panel.get_by_role("button", name=say("clockStart", minutes=minutes)).click()
        expect(panel.get_by_role("button", name=say("clockPause"))).to_be_visible()

    def published_tables(self) -> Tables:
        """Who sits where, as the page of the published round says."""
        table = self.page.get_by_role("table")
        expect(table.get_by_role("columnheader", name=say("conflict"))).to_have_count(0)
        rows = table.get_by_role("row").filter(has=self.page.get_by_role("cell"))
        tables = {}
        for row in rows.all():
            cells = row.get_by_role("cell").all_inner_texts()
            tables[int(cells[0])] = (_seat(cells[1]), _seat(cells[2]))
        byes = self.page.locator(".byes").inner_text().removeprefix(say("bye")).strip()
        return Tables(tables, [_seat(text) for text in byes.split(say("listComma"))])

    # --- scores ---------------------------------------------------------------------------------------------------

    def type_slip(self, table: int, ns_level: str, ew_level: str) -> None:
        """A paper slip by keyboard: number, Enter, level, Enter, level, Enter."""
        slips = self.page.get_by_role("region", name=say("slipsTitle"))
        slips.get_by_label(say("tableNumber")).click()
        for text in (str(table), ns_level, ew_level):
            self.page.keyboard.type(text)
            self.page.keyboard.press("Enter")
        line = slips.get_by_role("listitem").filter(has_text=say("table", table=table)).first
        expect(line).to_contain_text(say("slipSaved"))

    def table_card(self, table: int) -> Locator:
        """One table in the live grid."""
        return self.page.get_by_test_id(f"table-{table}")

    def settle(self, number: int) -> None:
        """Settle the round whose tables are all in."""
        self._button(say("actSettle", round=number)).click()
        self._told(say("roundSettled", round=number))

    def correct(self, number: int, table: int, ns_level: str, ew_level: str, reason: str) -> None:
        """Change a result of a settled round, with a reason."""
        self.go_to("menuScoring")
        rounds = self.page.get_by_role("navigation", name=say("roundsNav"))
        rounds.get_by_role("link", name=say("round", round=number)).click()
        expect(self.page.get_by_text(say("settledText"))).to_be_visible()
        self.table_card(table).click()
        sheet = self.page.get_by_role("dialog", name=f"{say('round', round=number)} · {say('table', table=table)}")
        sheet.get_by_role("button", name=say("byHand"), exact=True).click()
        for side, level in (("northSouth", ns_level), ("eastWest", ew_level)):
            picker = sheet.get_by_role("radiogroup", name=say("levelOf", side=say(side)))
            picker.get_by_role("radio", name=say("levelLabel", level=level), exact=True).click()
        # Without a reason the correction is not taken.
        confirm = sheet.get_by_role("button", name=re.compile("^" + say("confirmRuling", score="")))
        expect(confirm).to_be_disabled()
        sheet.get_by_role("button", name=say("reasonOther"), exact=True).click()
        sheet.get_by_label(say("reasonText"), exact=True).fill(reason)
        confirm.click()
        expect(sheet).to_be_hidden()
        expect(self.table_card(table)).to_contain_text(say("groupRuled"))

    # --- screens, links, files --------------------------------------------------------------------------------------

    def show_on_screens(self, view_key: str) -> None:
        """Switch every projection to a view, such as `viewStandings`."""
        self.go_to("menuDisplay")
        views = self.page.get_by_role("group", name=say("showNow"))
        button = views.get_by_role("button", name=say(view_key), exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")

    def link(self, link_key: str) -> str:
        """The address of a link, such as `linkReferee`."""
        self.go_to("menuDisplay")
        address = self.page.get_by_label(say("linkAddress", name=say(link_key)))
        expect(address).to_be_visible()
        return address.input_value()

    def download(self, link_key: str, directory: Path) -> Path:
        """Save a file of the page of standings, such as `downloadStandings`; returns where it is."""
        self.go_to("menuStandings")
        with self.page.expect_download() as waiting:
            self.page.get_by_role("link", name=say(link_key), exact=True).click()
        file = directory / waiting.value.suggested_filename
        waiting.value.save_as(file)
        return file

    def standings(self) -> list[tuple[int, int, list[str]]]:
        """The rows of the ranking as shown: rank, number of the entry, values of the criteria."""
        self.go_to("menuStandings")
        rows = self.page.get_by_role("table").get_by_role("row").filter(has=self.page.get_by_role("cell"))
        expect(rows.first).to_be_visible()
        found = []
        for row in rows.all():
            rank, number, _team, _club, *values = row.get_by_role("cell").all_inner_texts()
            # A tie is marked beside the rank.
            found.append((int(rank.strip().removesuffix(say("tied")).strip().rstrip("=")), int(number), values))
        return found

    def compare(self) -> None:
        """Have the ranking computed anew from all results; it must be the one that is shown."""
        self.go_to("menuStandings")
        self._button(say("recompute")).click()
        expect(self.page.get_by_text(say("compareEqualText"))).to_be_visible()

    def _draft_seat(self, table: int, side: str) -> Locator:
        row = self.page.get_by_role("row").filter(has=self.page.get_by_role("cell", name=str(table), exact=True)).first
        return row.get_by_role("button", name=re.compile(".+")).nth(0 if side == "ns" else 1)

    def _told(self, words: str) -> None:
        expect(self.page.get_by_text(words, exact=True)).to_be_visible()

    def _button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)
