"""The pictures of README.md, taken from a club's evening in the third round: build/pictures, to be copied by hand."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from infra.launcher.paths import BUILD
from tests.e2e import club_evening
from tests.e2e.organizing import Organizer, Pair
from tests.e2e.pages.console import say as console_say
from tests.e2e.pages.phone import PHONE, Phone
from tests.e2e.pages.screen import PROJECTOR, Screen

pytestmark = [pytest.mark.browser, pytest.mark.full]

PICTURES = BUILD / "pictures"
TEAMS = (*club_evening.TEAMS, "清泉", "竹影", "星河", "长亭", "渔火", "春山", "流云", "石桥", "归雁", "雪松", "银杏")
_FRAME = """
<style>
  body { margin: 0; display: inline-block; padding: 56px; background: linear-gradient(160deg, #e3efe9, #cfdcd6); }
  img { display: block; width: %dpx; border-radius: %dpx; box-shadow: 0 2px 6px #1c1f2326, 0 18px 48px #1c1f2340; }
</style>
<img src="data:image/png;base64,%s">
"""


def test_pictures_for_the_readme(organizer: Organizer, open_page: Callable[..., Page]) -> None:
    pairs = [
        Pair(team, club_evening.players(number), club_evening.phones(number), club_evening.club(number))
        for number, team in enumerate(TEAMS, start=1)
    ]
    organizer.create(pairs, name=club_evening.EVENT, rounds=club_evening.ROUNDS)
    for number in (1, 2):
        for table in organizer.play_round()["tables"]:
            organizer.rule(table["table"], *club_evening.levels(number, table["table"]))
        organizer.settle()
    one, two, three, *others = organizer.play_round()["tables"]
    for table in others[:4]:
        organizer.rule(table["table"], *club_evening.levels(3, table["table"]))
    link = organizer.link("play")

    both_submit(one, (("A+", "9"), ("A+", "9")), link, open_page)
    both_submit(two, (("10", "Q"), ("Q", "10")), link, open_page)
    phone = both_submit(three, (("A", "7"),), link, open_page)
    expect(phone.fate("submitted")).to_be_visible()
    framed(phone.page, "phone", 390, 28, open_page)

    console = organizer.page
    console.goto(f"/c/{organizer.event_id}/scoring")
    expect(console.get_by_test_id("table-2")).to_contain_text(console_say("groupDisputed"))
    expect(console.get_by_test_id("table-3")).to_contain_text(console_say("groupOneSided"))
    framed(console, "console", 1280, 10, open_page)

    organizer.show("standings")
    screen = Screen(open_page(**PROJECTOR))
    screen.open(organizer.event_id)
    screen.shows_standings()
    framed(screen.page, "screen", 1280, 10, open_page)


def both_submit(table: Any, words: tuple[tuple[str, str], ...], link: str, open_page: Callable[..., Page]) -> Phone:
    """Phones at a table submit these levels, 南北 first; returns the last of them."""
    for seat, levels in zip((table["ns"], table["ew"]), words, strict=False):
        phone = Phone(open_page(**PHONE))
        phone.open(link)
        phone.find_myself(seat["players"][0], seat["players"][0])
        phone.check_in()
        phone.submit(*levels)
        expect(phone.page.get_by_test_id("sync")).to_be_visible()
    return phone


def framed(page: Page, name: str, width: int, corner: int, open_page: Callable[..., Page]) -> None:
    """A picture of the page with round corners on a quiet ground."""
    frame = open_page(viewport={"width": width + 112, "height": 600}, device_scale_factor=1.5)
    picture = base64.b64encode(page.screenshot()).decode()
    frame.set_content(_FRAME % (width, corner, picture))
    PICTURES.mkdir(parents=True, exist_ok=True)
    frame.locator("body").screenshot(path=PICTURES / f"{name}.png")
