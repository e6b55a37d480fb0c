"""One table in play and the phones of its people, for tests of what the network does to a score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.organizing import Organizer, pairs
from tests.e2e.pages.phone import PHONE, Phone

OpenPage = Callable[..., Page]


@dataclass
class OneTable:
    """An event of two pairs whose first round is on; who sits in 南北 and in 东西."""

    organizer: Organizer
    ns: Any
    ew: Any
    link: str
    boards: bool = False

    def submit(self, phone: Phone, side: str, differently: bool = False) -> None:
        """A side's result from its phone: levels, or board after board as that side sees them; the same from both
        sides unless ``differently``."""
        if not self.boards:
            phone.submit("A", "K" if differently else "9")
            return
        for board, result in ((1, 3), (2, 2 if differently else -1)):
            phone.enter_board(board, result if side == "ns" else -result)
        phone.submit_entered()

    def phone(self, side: str, page: Page) -> Phone:
        """A phone in the hand of the side's first player, checked in and at its table."""
        seat = self.ns if side == "ns" else self.ew
        phone = Phone(page)
        phone.open(self.link)
        phone.find_myself(seat["players"][0], seat["players"][0])
        phone.check_in()
        expect(phone.table_number).to_have_text("1")
        return phone

    def table(self) -> Any:
        """The table as the server has it."""
        (found,) = self.organizer.tables()
        return found

    def history(self) -> list[tuple[str, str]]:
        """What was done at the table: act and side, oldest first; each word once for each time it was taken."""
        lines = self.organizer.get(self.organizer.path("/rounds/1/tables/1/history"))["lines"]
        return sorted((line["act"], line["side"]) for line in lines)


def open_table(organizer: Organizer, *, boards: bool = False, **settings: Any) -> OneTable:
    """Two pairs, drawn, published, the clock running; ``boards``: two boards are scored one by one, not levels."""
    kind = {"kind": "swiss_deviation", "boards_per_round": 2} if boards else {}
    organizer.create(pairs(2), **{**kind, **settings})
    (table,) = organizer.play_round()["tables"]
    return OneTable(organizer, table["ns"], table["ew"], organizer.link("play"), boards)


def phone_in_hand(table: OneTable, side: str, open_page: OpenPage) -> Phone:
    """A phone of its own for one side."""
    return table.phone(side, open_page(**PHONE))
