"""Before the first round: sixty entries by page and file, check-in at the desk and by oneself, two administrators."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from openpyxl import Workbook
from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.organizing import Organizer, pairs
from tests.e2e.pages import registration as registration_page
from tests.e2e.pages.console import Console
from tests.e2e.pages.console import say as say_console
from tests.e2e.pages.phone import PHONE, Phone
from tests.e2e.pages.registration import Registration

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
BY_PAGE, IN_ALL, CAP = 6, 60, 4
"""Registrations in the browser, entries in the end, and how many one browser may bring (the setting's default)."""
say = words_of("console", "console-settings", "console-options", "console-desk", "console-entries", "shared")


def people(number: int) -> list[tuple[str, str]]:
    """The pair of that number."""
    return [(f"选手{one:03d}", f"1380013{one:04d}") for one in (2 * number - 1, 2 * number)]


def write_rest(file: Path) -> None:
    """A file of everybody who does not register on the page."""
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.append(["选手1姓名", "选手1手机号", "选手2姓名", "选手2手机号"])
    for number in range(BY_PAGE + 1, IN_ALL + 1):
        sheet.append([cell for person in people(number) for cell in person])
    workbook.save(file)


def test_sixty_entries_by_page_and_by_file_and_their_check_in(open_page: OpenPage, tmp_path: Path) -> None:
    console = Console(open_page(viewport={"width": 1440, "height": 900}))
    console.sign_in("13800137711")
    console.create_event("六十队公开赛", 5)
    link = console.link("linkRegistration")
    for first in range(1, BY_PAGE + 1, CAP):
        visitor = Registration(open_page(**PHONE))
        visitor.open(link)
        for number in range(first, min(first + CAP, BY_PAGE + 1)):
            visitor.register(people(number))
            expect(visitor.state(people(number)[0][0])).to_contain_text(registration_page.say("stateIn"))
        if first == 1:
            # This browser has brought as many as one may.
            expect(visitor.page.get_by_role("button", name=registration_page.say("another"))).to_have_count(0)
        else:
            # A phone that plays already is refused beside its field, and nothing that was typed is lost.
            visitor.page.get_by_role("button", name=registration_page.say("another")).click()
            visitor.fill_in([("选手901", "13800130901"), people(1)[1]])
            visitor.send()
            expect(visitor.page.get_by_role("alert")).to_contain_text(people(1)[1][1])
            expect(visitor.page.get_by_label(registration_page.say("you"), exact=True)).to_have_value("选手901")

    roster = tmp_path / "名单.xlsx"
    write_rest(roster)
    console.go_to("menuEntries")
    console.page.get_by_role("link", name=say("importRoster")).click()
    console.page.get_by_label(say("chooseFile")).set_input_files(roster)
    rest = IN_ALL - BY_PAGE
    console.page.get_by_role("button", name=say("commitImport", n=rest)).click()
    expect(console.page.get_by_text(say("imported", n=rest), exact=True)).to_be_visible()
    console.go_to("menuEntries")
    expect(console.page.get_by_role("button", name=re.compile(f"^{say('showAll')} {IN_ALL}$"))).to_be_visible()
    check_in(console, open_page)


def check_in(console: Console, open_page: OpenPage) -> None:
    """A desk types, scans and taps; a player checks in by phone; everybody sees everything."""
    play = console.link("linkPlay")
    desk = open_page(**PHONE)
    desk.goto(console.link("linkDesk"))
    figures = desk.get_by_role("status").filter(has_text=say("deskHere"))
    search = desk.get_by_label(say("deskSearch"))
    expect(figures).to_contain_text(f"0 / {IN_ALL}")
    search.fill("7")
    search.press("Enter")
    expect(figures).to_contain_text(f"1 / {IN_ALL}")
    # A scanner types the code of an entry, wherever the focus is, and ends with Enter.
    search.blur()
    desk.keyboard.type(f"{play}?n=8")
    desk.keyboard.press("Enter")
    expect(figures).to_contain_text(f"2 / {IN_ALL}")
    search.fill(people(20)[1][0])
    row = desk.get_by_role("listitem").filter(has_text=people(20)[1][0])
    row.get_by_role("button", name=re.compile(f"^{say('checkInAct')} ")).dblclick()
    expect(row).to_contain_text(re.compile(r"\d\d:\d\d:\d\d"))
    # The second tap of a double tap must not take it back.
    search.fill("")
    expect(figures).to_contain_text(f"3 / {IN_ALL}")
    search.fill("7")
    search.press("Enter")
    # A repeat says when and who.
    expect(desk.get_by_text(re.compile(r"选手014 · \d\d:\d\d:\d\d.*" + say("actorDesk")))).to_be_visible()

    phone = Phone(open_page(**PHONE))
    phone.open(play)
    phone.find_myself(people(33)[0][1], people(33)[1][0])
    phone.check_in()
    expect(figures).to_contain_text(f"4 / {IN_ALL}")
    search.fill("33")
    row = desk.get_by_role("listitem").filter(has_text=people(33)[0][0])
    expect(row).to_contain_text(say("actorPlayer"))
    row.get_by_role("button", name=re.compile(f"^{say('checkOutAct')} ")).click()
    search.fill("")
    expect(figures).to_contain_text(f"3 / {IN_ALL}")
    desk.get_by_role("button", name=re.compile(f"^{say('deskLate')} {IN_ALL - 3}$")).click()
    console.go_to("menuEntries")
    present = console.page.get_by_role("button", name=re.compile(f"^{say('showPresent')} 3$"))
    expect(present).to_be_visible()


def setting(page: Page, key: str) -> Locator:
    """One setting on the page of settings, by the key of its name."""
    return page.locator(".setting").filter(has=page.get_by_text(say(key), exact=True))


def save(page: Page) -> None:
    """Save what was changed."""
    page.get_by_role("region", name=say("unsaved")).get_by_role("button", name=say("save"), exact=True).click()


def test_two_administrators_at_once_lose_nothing(organizer: Organizer, open_page: OpenPage) -> None:
    organizer.create(pairs(2), name="两人同改")
    first, phone = organizer.page, "13800137712"
    first.goto(f"/c/{organizer.event_id}/settings/basics")
    members = first.get_by_role("region", name=say("administrators"))
    members.get_by_label(say("phone")).fill(phone)
    members.get_by_role("button", name=say("addAdministrator")).click()
    expect(members.get_by_role("listitem")).to_have_count(2)

    # The second one is abroad: times are the event's wherever a browser is.
    other = Console(open_page(viewport={"width": 1440, "height": 900}, timezone_id="America/New_York"))
    other.sign_in(phone)
    second = other.page
    second.get_by_role("link", name="两人同改").click()
    expect(second.get_by_role("region", name=say("nextStep"))).to_be_visible()
    other.go_to("menuSettings")

    setting(first, "setRounds").get_by_role("spinbutton").fill("7")
    setting(first, "setMinutes").get_by_role("spinbutton").fill("40")
    setting(second, "setMinutes").get_by_role("spinbutton").fill("45")
    setting(second, "setStop").get_by_role("spinbutton").fill("3")
    second.get_by_role("navigation", name=say("settingsGroups")).get_by_role(
        "link", name=re.compile(f"^{say('groupRegistration')}")
    ).click()
    deadline = setting(second, "setDeadline").get_by_role("combobox")
    deadline.fill("2027-03-01 23:59")
    deadline.press("Enter")
    save(first)
    expect(first.get_by_text(say("saved"), exact=True)).to_be_visible()
    save(second)

    # What only one of them touched is put together; what both did is asked about, and nothing is saved until then.
    conflict = second.get_by_role("alert").filter(has_text=say("settingsConflict"))
    expect(conflict.get_by_role("row").filter(has=second.get_by_role("rowheader"))).to_have_count(1)
    expect(conflict).to_contain_text(say("setMinutes"))
    now = organizer.get(organizer.path())["settings"]
    assert (now["rounds"], now["minutes_per_round"], now["stop_drawing_minutes"]) == (7, 40, 5)
    bar = second.get_by_role("region", name=say("unsaved"))
    expect(bar.get_by_role("button", name=say("save"), exact=True)).to_be_disabled()
    conflict.get_by_role("button", name=say("keepMine")).click()
    save(second)
    expect(second.get_by_text(say_console("saved"), exact=True)).to_be_visible()

    now = organizer.get(organizer.path())["settings"]
    assert (now["rounds"], now["minutes_per_round"], now["stop_drawing_minutes"]) == (7, 45, 3)
    midnight = datetime(2027, 3, 1, 23, 59, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert now["registration_deadline"] == midnight.timestamp() * 1000
    # An untouched form follows what others save.
    expect(setting(first, "setMinutes").get_by_role("spinbutton")).to_have_value("45")
