"""Events of any kind with a round on, and the phones of their people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.organizing import Organizer
from tests.e2e.pages.phone import PHONE, Phone, say

OpenPage = Callable[..., Page]


@dataclass
class Hall:
    """An event whose first round is on, everybody checked in."""

    organizer: Organizer
    tables: list[Any]
    link: str

    def phone(self, name: str, open_page: OpenPage, room: str = "", **options: Any) -> Phone:
        """A phone in the hand of the player of this name; in its room where a match has two."""
        phone = Phone(open_page(**{**PHONE, **options}))
        phone.open(self.link)
        phone.find_myself(name, name)
        if room:
            phone.page.get_by_test_id("room-choice").get_by_role("button").filter(has_text=say(room)).click()
        return phone

    def table(self, number: int) -> Any:
        """A table as the server has it, by its address."""
        return next(table for table in self.organizer.tables() if table["table"] == number)


def teams(count: int, size: int) -> list[dict[str, Any]]:
    """Entries of invented players: 队1 with 选手001 and so on."""
    return [
        {
            "name": f"队{number}" if size > 1 else "",
            "club": "",
            "players": [{"name": f"选手{(number - 1) * size + one:03d}", "phone": ""} for one in range(1, size + 1)],
        }
        for number in range(1, count + 1)
    ]


def open_hall(organizer: Organizer, kind: str, entries: list[dict[str, Any]], **settings: Any) -> Hall:
    """A new event of this kind; its first round drawn, published, the clock running."""
    organizer.event_id = organizer.post("/events", {"name": "各种赛制", "kind": kind})["event_id"]
    event = organizer.get(organizer.path())
    if settings:
        changed = {"version": event["version"], "settings": {**event["settings"], **settings}}
        organizer.put(organizer.path("/settings"), changed)
    for entry in entries:
        number = organizer.post(organizer.path("/entries"), entry)["number"]
        organizer.put(organizer.path(f"/entries/{number}/check-in"), {"checked_in": True})
    organizer.play_round()
    return Hall(organizer, organizer.tables(), organizer.link("play"))


def first_player(table: Any, side: str) -> str:
    """Whose phone speaks for a side."""
    name: str = table[side]["players"][0]
    return name


def at_table(phone: Phone, number: int) -> Phone:
    """The phone, once it shows its table."""
    expect(phone.table_number).to_have_text(str(number))
    return phone
