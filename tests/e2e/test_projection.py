"""The projection's newer views: calendar, two rooms, spread of kinds of boards, long names; and a hall whose network or
server goes away for a while."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.kinds import open_hall, teams
from tests.e2e.measuring import axe_faults, faults_of, keep_picture, words_too_small
from tests.e2e.organizing import Organizer, pairs, sign_in
from tests.e2e.pages.control import PHONE_CONSOLE, Control
from tests.e2e.pages.screen import PROJECTOR, Screen
from tests.e2e.product import serving

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
LONG = ("东海之滨听潮观云联队甲队", "Northern Lights Bridge Partners", "荷塘月色诗词雅集掼蛋小队", "晚照")
FOUR_WINS = 8
"""Match points of two rounds of two tables, two for a win."""
AGE = re.compile(r"\d+ 秒前")


def long_teams(count: int, size: int) -> list[dict[str, Any]]:
    """Teams whose names are as long as they may be, each with its number."""
    return [
        {**team, "name": f"{LONG[place % len(LONG)][:-2]}{place:02d}"}
        for place, team in enumerate(teams(count, size), 1)
    ]


def fits(page: Page, name: str) -> list[str]:
    """What is wrong with a picture: cut, upon something else, or too small to be read from ten metres. It is kept."""
    keep_picture(page, f"hall-{name}")
    return [*faults_of(page), *words_too_small(page)]


@pytest.mark.parametrize("language", LOCALES)
def test_the_calendar_pages_by_itself_and_follows_the_remote_control(
    organizer: Organizer, open_page: OpenPage, language: str
) -> None:
    say = words_of("screen", "matches", "shared", language=language)
    days = [1_800_000_000_000 + week * 7 * 86_400_000 for week in range(9)]
    open_hall(organizer, "league", long_teams(9, 2), rounds=9, match_days=days)
    organizer.rule(1, "A+", "9")
    organizer.page.set_viewport_size(PHONE_CONSOLE["viewport"])
    control = Control(organizer.page, organizer.event_id)
    control.open()
    control.show("viewCalendar")
    page = open_page(**PROJECTOR, locale=LOCALES[language])
    page.goto(organizer.link("display"))
    expect(page.get_by_text(say("calendarTitle"), exact=True)).to_be_visible()
    first = page.locator("tr.day").first
    expect(first).to_contain_text(say("dayOf", round=1))
    expect(first).to_contain_text(say("dayDrawn"))
    expect(page.locator("tr.day").nth(1)).to_contain_text(say("dayPlanned"))
    # 2027-01-15 16:00 in Shanghai, whatever the hall's computer thinks.
    expect(first).to_contain_text("16:00")
    expect(page.locator(".came").first).to_have_text(f"{say('levelPassedA')} : 9")
    assert fits(page, f"calendar-{language}") == []
    # Ten seconds a picture, without anybody's doing.
    expect(page.locator("tr.day").first).to_contain_text(say("dayOf", round=3), timeout=20_000)
    control.press("pagingPause")
    expect(page.get_by_text(say("resting"))).to_be_visible()


@pytest.mark.parametrize("language", LOCALES)
def test_a_team_of_four_finds_both_rooms_by_its_name(organizer: Organizer, open_page: OpenPage, language: str) -> None:
    say = words_of("screen", "matches", "shared", language=language)
    hall = open_hall(organizer, "team_of_four", long_teams(4, 4), rounds=2, boards_per_round=4)
    home = hall.tables[0]["ns"]["name"]
    page = open_page(**PROJECTOR, locale=LOCALES[language])
    organizer.show("names")
    page.goto(organizer.link("display"))
    for room in ("roomOpen", "roomClosed"):
        expect(page.get_by_role("columnheader", name=say(room), exact=True)).to_be_visible()
    cells = page.get_by_role("row").filter(has_text=home[:6]).filter(has_text=home[-2:]).get_by_role("cell")
    expect(cells.nth(2)).to_have_text("1")
    expect(cells.nth(3)).to_have_text(say("northSouth"))
    expect(cells.nth(4)).to_have_text(say("eastWest"))
    assert fits(page, f"rooms-names-{language}") == []
    organizer.show("pairings")
    home_seats = f"{say('roomOpen')} {say('northSouth')} · {say('roomClosed')} {say('eastWest')}"
    expect(page.get_by_role("columnheader", name=home_seats, exact=True)).to_be_visible()
    assert fits(page, f"rooms-tables-{language}") == []


@pytest.mark.parametrize("kind", ["mitchell", "swiss_deviation", "team_of_four", "rotation"])
def test_kinds_of_boards_have_a_spread_with_its_numbers_behind(
    organizer: Organizer, open_page: OpenPage, kind: str
) -> None:
    say = words_of("screen", "matches", "shared")
    hall = open_hall(organizer, kind, teams(8, 4 if kind == "team_of_four" else 2), rounds=3, boards_per_round=4)
    for place, table in enumerate(hall.tables):
        boards = [{"board": one["board"], "result": 3 if n <= place else -1} for n, one in enumerate(table["to_play"])]
        body = {"version": table["version"], "outcome": "played", "boards": boards, "reason": "以纸条为准"}
        organizer.post(organizer.path(f"/rounds/1/tables/{table['table']}/ruling"), body)
    charts = organizer.get(organizer.path("/charts"))
    criterion = charts["spread"]["criterion"]["zh"]
    organizer.show("chart")
    page = open_page(**PROJECTOR)
    page.goto(organizer.link("display"))
    title = say("chartSpreadOf", criterion=criterion)
    # The second picture; the first are the ranks.
    expect(page.get_by_text(title)).to_be_visible(timeout=25_000)
    expect(page.locator("svg.spread .count")).to_have_text([str(one["count"]) for one in charts["spread"]["ranges"]])
    assert fits(page, f"spread-{kind}") == []
    known = organizer.page.context.storage_state()
    page = open_page(bypass_csp=True, storage_state=known, viewport={"width": 320, "height": 568})
    for address in (f"/c/{organizer.event_id}/charts", f"/v/{organizer.event_id}"):
        page.goto(address)
        chart = page.get_by_role("figure", name=re.compile(title))
        chart.get_by_text(say("chartAsTable")).click()
        expect(chart.get_by_role("row")).to_have_count(1 + len(charts["spread"]["ranges"]))
        assert axe_faults(page) == []
        assert faults_of(page) == []


@pytest.mark.parametrize("language", LOCALES)
def test_long_names_are_whole_in_a_bracket(organizer: Organizer, open_page: OpenPage, language: str) -> None:
    hall = open_hall(organizer, "pairs", long_teams(16, 2), rounds=4, knockout=True, third_place_match=True)
    for table in hall.tables[:4]:
        organizer.rule(table["table"], "A+", "9")
    organizer.show("bracket")
    page = open_page(**PROJECTOR, locale=LOCALES[language])
    page.goto(organizer.link("display"))
    expect(page.locator(".bracket .round").first.get_by_role("listitem")).to_have_count(8)
    assert fits(page, f"bracket-{language}") == []
    names = page.locator(".bracket .round").first.locator(".name").all_inner_texts()
    assert sorted(names) == sorted(team["name"] for team in long_teams(16, 2))


def standings_shown(organizer: Organizer, open_page: OpenPage) -> Screen:
    """A projection of the standings after the first round of four pairs; the clock of the second is running."""
    organizer.create(pairs(4), rounds=3)
    for table in organizer.play_round()["tables"]:
        organizer.rule(table["table"], "A+", str(2 + table["table"]))
    organizer.settle()
    organizer.play_round()
    organizer.show("standings")
    page = open_page(**PROJECTOR)
    page.goto(organizer.link("display"))
    screen = Screen(page)
    screen.shows_standings()
    expect(page.get_by_role("row")).to_have_count(5)
    return screen


def caught_up(screen: Screen, organizer: Organizer) -> None:
    """Wait until the projection shows the ranking with the second round's results in it."""
    for _ in range(60):
        rows = organizer.get(organizer.path("/standings"))["rows"]
        counted = sum(int(row["values"][0]) for row in rows) == FOUR_WINS
        if counted and screen.standings() == [(row["rank"], row["name"]) for row in rows]:
            return
        screen.page.wait_for_timeout(500)
    raise AssertionError("the projection never caught up")


def seconds_shown(page: Page) -> int:
    """What the clock shows."""
    digits = re.search(r"(\d+):(\d\d)", page.get_by_role("timer").inner_text())
    assert digits is not None
    return 60 * int(digits[1]) + int(digits[2])


def test_a_hall_without_network_keeps_the_last_picture_and_catches_up(
    organizer: Organizer, open_page: OpenPage
) -> None:
    screen = standings_shown(organizer, open_page)
    page = screen.page
    before = screen.standings()
    page.context.set_offline(True)
    age = page.get_by_role("status").filter(has_text=AGE)
    expect(age).to_be_visible(timeout=40_000)
    assert screen.standings() == before
    assert fits(page, "offline") == []
    # The clock goes on by itself.
    seconds = seconds_shown(page)
    page.wait_for_timeout(2500)
    assert seconds_shown(page) < seconds
    # What happens meanwhile is there as soon as the network is, without anybody's touching the machine.
    for table in organizer.tables():
        organizer.rule(table["table"], "3", "A+")
    organizer.settle()
    assert screen.standings() == before
    page.context.set_offline(False)
    expect(age).to_have_count(0)
    caught_up(screen, organizer)


def test_a_hall_whose_server_restarts_keeps_the_last_picture_and_catches_up(browser: Browser, tmp_path: Path) -> None:
    def open_here(**options: Any) -> Page:
        return browser.new_context(base_url=first.url, locale="zh-CN", **options).new_page()

    with serving(tmp_path / "hall") as first:
        organizer = sign_in(open_here())
        screen = standings_shown(organizer, open_here)
        before = screen.standings()
        first.kill()
        expect(screen.page.get_by_role("status").filter(has_text=AGE)).to_be_visible(timeout=40_000)
        assert screen.standings() == before
    with serving(tmp_path / "hall", port=int(first.url.rpartition(":")[2])):
        expect(screen.page.get_by_role("status").filter(has_text=AGE)).to_have_count(0)
        for table in organizer.tables():
            organizer.rule(table["table"], "3", "A+")
        organizer.settle()
        caught_up(screen, organizer)


def test_a_correction_that_lets_others_go_on_is_told_and_redrawn_from_the_console(
    organizer: Organizer, open_page: OpenPage
) -> None:
    say = words_of("console-rounds", "console", "officials", "shared")
    hall = open_hall(organizer, "pairs", teams(4, 2), rounds=2, knockout=True)
    for table in hall.tables:
        organizer.rule(table["table"], "A+", "9")
    organizer.settle()
    organizer.play_round()
    referee = open_page(viewport={"width": 390, "height": 844})
    referee.goto(organizer.link("referee"))
    expect(referee.get_by_test_id("table-1")).to_be_visible()
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/overview")
    expect(page.get_by_test_id("redraw")).to_have_count(0)
    first = organizer.get(organizer.path("/rounds/1/tables"))["tables"][0]
    body = {"version": first["version"], "outcome": "played", "ns_level": "9", "ew_level": "A+", "reason": "录反了"}
    answer = organizer.post(organizer.path("/rounds/1/tables/1/ruling"), body)
    assert answer["redraw"] == 2
    text = say("redrawRound", round=2, before=1, tables="1")
    for told in (page, referee):
        expect(told.get_by_test_id("redraw")).to_contain_text(text)
        assert faults_of(told) == []
    expect(referee.get_by_test_id("redraw")).to_contain_text(say("redrawTell"))
    page.get_by_test_id("redraw").get_by_role("link", name=say("redrawGo")).click()
    page.get_by_role("button", name=say("redrawAct", round=2)).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(say("reason")).fill("上一轮录反了")
    sheet.get_by_label(say("typeToConfirm", word=say("round", round=2))).fill(say("round", round=2))
    sheet.get_by_role("button", name=say("redrawAct", round=2)).click()
    expect(page.get_by_test_id("publish-round")).to_be_visible()
    expect(page.get_by_test_id("redraw")).to_have_count(0)
    tables = organizer.get(organizer.path("/rounds/2"))["tables"]
    seated = {table[side]["number"] for table in tables for side in ("ns", "ew")}
    assert first["ew"]["number"] in seated
    assert first["ns"]["number"] not in seated
