"""A player's phone."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.catalogue import words_of

say = words_of("play", "play-find", "play-table", "play-standings", "play-mine", "shared")

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
"""Options of a context: a phone of a usual size."""


def level_words(level: str) -> str:
    """What stands on the button of a level such as `10` or `A+`."""
    return say("levelPassedA") if level == "A+" else level


class Phone:
    """The page of one player."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def context(self) -> BrowserContext:
        """The phone itself: its network, its storage."""
        return self.page.context

    def open(self, link: str) -> None:
        """What a scanned code does."""
        self.page.goto(link)

    def find_myself(self, text: str, player: str) -> None:
        """Search by name or phone, and confirm who I am."""
        self.page.get_by_label(say("findNameOrPhone")).fill(text)
        self._button(say("findGo")).click()
        candidate = self.page.get_by_role("listitem").filter(has_text=player)
        candidate.get_by_role("button", name=say("thisIsMe")).click()

    def check_in(self) -> None:
        """Check in, and put the confirmation away."""
        self._button(say("checkIn")).click()
        expect(self.page.get_by_role("heading", name=say("checkedIn"))).to_be_visible()
        self._button(say("goOn")).click()

    @property
    def table_number(self) -> Locator:
        """The number of my table."""
        return self.page.get_by_test_id("table-number")

    @property
    def sync(self) -> Locator:
        """Whether everything entered has reached the server."""
        return self.page.get_by_test_id("sync")

    def fate(self, which: str) -> Locator:
        """The card that says where my score is: saved, submitted, confirmed, disputed, ruled, refused."""
        return self.page.get_by_test_id(f"fate-{which}")

    def choose_levels(self, ns_level: str, ew_level: str) -> None:
        """Both sides' levels."""
        for side, level in (("northSouth", ns_level), ("eastWest", ew_level)):
            picker = self.page.get_by_role("radiogroup", name=say("levelsOf", side=say(side)))
            picker.get_by_role("radio", name=say("levelLabel", level=level_words(level)), exact=True).click()

    def submit(self, ns_level: str, ew_level: str, act_key: str = "submit") -> None:
        """Choose both levels, look once more, submit."""
        self.choose_levels(ns_level, ew_level)
        self.submit_entered(act_key)

    def submit_entered(self, act_key: str = "submit") -> None:
        """Submit what stands on the buttons, after the last look at it."""
        self._button(say(act_key)).click()
        self.confirm()

    def confirm(self) -> None:
        """The last look at a score, and off it goes."""
        sheet = self.page.get_by_role("dialog")
        sheet.get_by_role("button", name=say("confirmSubmit")).click()
        expect(sheet).to_be_hidden()

    def enter_board(self, board: int, ours: int) -> None:
        """The result of a board as this player sees it: +3 ours, -1 theirs by one."""
        self.page.get_by_test_id(f"board-{board}").click()
        key = "boardOurs" if ours > 0 else "boardTheirs"
        pad = self.page.get_by_role("radiogroup", name=say("boardNumber", board=board), exact=True)
        pad.get_by_role("radio", name=say(key, n=abs(ours)), exact=True).click()

    def enter_by_boards(self, *ours: int) -> None:
        """Where boards make the levels: change to that way, and enter one board after the other."""
        self._button(say("byBoards")).click()
        for board, result in enumerate(ours, start=1):
            self.enter_board(board, result)

    @property
    def call(self) -> Locator:
        """The card that says where my call for the referee is."""
        return self.page.get_by_test_id("call")

    def call_referee(self, message: str = "") -> None:
        """Call the referee to my table."""
        self._button(say("callReferee")).click()
        sheet = self.page.get_by_role("dialog")
        sheet.get_by_label(say("callWhat")).fill(message)
        sheet.get_by_role("button", name=say("callGo"), exact=True).click()
        expect(sheet).to_be_hidden()

    def tab(self, key: str) -> None:
        """One of the three places of the page, such as `tabStandings`."""
        self.page.get_by_role("navigation", name=say("tabs")).get_by_role("button", name=say(key)).click()

    def standings(self) -> list[tuple[int, str]]:
        """Rank and name of every row of the public standings, as shown."""
        self.tab("tabStandings")
        rows = self.page.get_by_role("list", name=say("standingsTitle")).get_by_role("listitem")
        expect(rows.first).to_be_visible()
        found = []
        for row in rows.all():
            place = row.locator(".place").inner_text().removesuffix(say("tied")).strip()
            found.append((int(place), row.locator(".name").inner_text()))
        return found

    def _button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)
