"""上场名单 on the phones of a team of four: ahead of the round, once before it begins, and what the others see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import faults_of, keep_picture
from tests.e2e.organizing import Organizer
from tests.e2e.pages.phone import PHONE, Phone, say
from tests.e2e.pages.referee import Referee
from tests.e2e.pages.referee import say as to_referee

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
LONG = ["欧阳上官司马诸葛东方慕容", "Maximiliane Featherstonehaugh", "丙", "丁", "戊"]


@pytest.fixture
def teams(organizer: Organizer) -> Organizer:
    """Two teams of five; nothing is drawn."""
    organizer.event_id = organizer.post("/events", {"name": "四人队式", "kind": "team_of_four"})["event_id"]
    event = organizer.get(organizer.path())
    changed = {"version": event["version"], "settings": {**event["settings"], "rounds": 2, "boards_per_round": 2}}
    organizer.put(organizer.path("/settings"), changed)
    for number, names in ((1, LONG), (2, [f"选手20{place}" for place in range(1, 6)])):
        people = [{"name": name, "phone": ""} for name in names]
        organizer.post(organizer.path("/entries"), {"name": f"队{number}", "players": people})
        organizer.put(organizer.path(f"/entries/{number}/check-in"), {"checked_in": True})
    return organizer


def phone_of(organizer: Organizer, open_page: OpenPage, name: str, **options: Any) -> Phone:
    phone = Phone(open_page(**{**PHONE, **options}))
    phone.open(organizer.link("play"))
    phone.find_myself(name, name)
    return phone


def card(phone: Phone) -> Locator:
    return phone.page.get_by_test_id("line-up")


def choose(phone: Phone, opened: list[str], closed: list[str], act: str = "lineUpMake") -> None:
    """Put two players into each room and hand it in."""
    card(phone).get_by_role("button", name=say(act), exact=True).click()
    sheet = phone.page.get_by_role("dialog")
    for room, names in (("lineUpOpen", opened), ("lineUpClosed", closed)):
        for name in names:
            sheet.get_by_role("button", name=f"{name} {say(room)}", exact=True).click()
    sheet.get_by_role("button", name=say("lineUpGo"), exact=True).click()
    expect(sheet).to_be_hidden()


def sent(organizer: Organizer, team: int) -> list[list[str]]:
    """Whom a team sends into the open and into the closed room."""
    rooms = organizer.tables()
    side = "ns" if rooms[0]["ns"]["number"] == team else "ew"
    return [[] if room["line_up"] is None else room["line_up"][side] for room in rooms]


def test_given_ahead_changed_and_on_the_table_when_published(teams: Organizer, open_page: OpenPage) -> None:
    phone = phone_of(teams, open_page, "丙")
    expect(card(phone)).to_contain_text(say("lineUpRound", round=1))
    expect(card(phone)).to_contain_text(say("lineUpNone"))
    choose(phone, LONG[:2], ["丙", "丁"])
    expect(card(phone)).to_contain_text(" / ".join(LONG[:2]))
    expect(card(phone)).to_contain_text(say("lineUpChangeable"))
    assert faults_of(phone.page) == []
    keep_picture(phone.page, "line-up-given-390-zh")
    # 戊 for 丁 in the closed room.
    card(phone).get_by_role("button", name=say("lineUpChange"), exact=True).click()
    sheet = phone.page.get_by_role("dialog")
    sheet.get_by_role("button", name=f"丁 {say('lineUpRests')}", exact=True).click()
    expect(sheet.get_by_role("button", name=say("lineUpGo"), exact=True)).to_be_disabled()
    assert faults_of(phone.page) == []
    keep_picture(phone.page, "line-up-sheet-390-zh")
    sheet.get_by_role("button", name=f"戊 {say('lineUpClosed')}", exact=True).click()
    sheet.get_by_role("button", name=say("lineUpGo"), exact=True).click()
    expect(sheet).to_be_hidden()
    teams.publish(teams.draw())
    assert sent(teams, 1) == [LONG[:2], ["丙", "戊"]]
    # 丙 is known to sit in the closed room without being asked.
    phone.page.reload()
    expect(phone.table_number).to_be_visible()
    expect(phone.page.get_by_text(say("roomClosed"), exact=False).first).to_be_visible()


def test_who_has_said_nothing_says_it_once_and_sees_the_others_then(teams: Organizer, open_page: OpenPage) -> None:
    first = phone_of(teams, open_page, "丙")
    choose(first, LONG[:2], ["丙", "丁"])
    teams.publish(teams.draw())
    second = phone_of(teams, open_page, "选手201")
    expect(card(second)).to_contain_text(say("lineUpNow"))
    keep_picture(second.page, "line-up-due-390-zh")
    # Whom the others send is not told before.
    second.page.get_by_test_id("room-choice").get_by_role("button").filter(has_text=say("roomOpen")).click()
    head = second.page.get_by_role("region", name=say("table", table=1))
    expect(head).to_contain_text("戊")
    choose(second, ["选手201", "选手202"], ["选手203", "选手204"])
    expect(card(second)).to_contain_text(say("lineUpFixed"))
    expect(head).to_contain_text(LONG[0])
    expect(head).not_to_contain_text("戊")
    assert sent(teams, 2) == [["选手201", "选手202"], ["选手203", "选手204"]]

    # The referee overrules what was handed in.
    referee = Referee(open_page(**PHONE))
    referee.open(teams.link("referee"))
    referee.card(1).click()
    sheet = referee.page.get_by_role("dialog")
    form = sheet.locator("section.line-up")
    form.get_by_role("button", name="戊", exact=True).click()
    form.get_by_role("button", name=to_referee("lineUpSave"), exact=True).click()
    expect(sheet).to_be_hidden()
    for _ in range(40):
        if "戊" in sent(teams, 1)[0]:
            break
        referee.page.wait_for_timeout(250)
    second.page.reload()
    expect(head).to_contain_text("戊")


def test_a_round_that_has_begun_leaves_the_next_one(teams: Organizer, open_page: OpenPage) -> None:
    teams.play_round()
    english = words_of("play", "play-table", "shared", language="en")
    phone = phone_of(teams, open_page, "选手205")
    phone.page.get_by_test_id("room-choice").get_by_role("button").first.click()
    expect(card(phone)).to_contain_text(say("lineUpRound", round=2))
    choose(phone, ["选手201", "选手202"], ["选手203", "选手205"])
    expect(card(phone)).to_contain_text("选手203 / 选手205")
    phone.page.get_by_role("button", name="EN", exact=True).or_(phone.page.get_by_text("English")).first.click()
    expect(card(phone)).to_contain_text(english("lineUpChangeable"))
    card(phone).get_by_role("button", name=english("lineUpChange"), exact=True).click()
    expect(phone.page.get_by_role("dialog")).to_be_visible()
    assert faults_of(phone.page) == []
    keep_picture(phone.page, "line-up-sheet-390-en")
