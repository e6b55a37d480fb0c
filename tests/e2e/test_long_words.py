"""Where words are as long as they may be: names on the referee's cards, a score of boards beside its state."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.kinds import first_player, open_hall, teams
from tests.e2e.measuring import faults_of
from tests.e2e.organizing import Organizer
from tests.e2e.pages.screen import PROJECTOR
from tests.e2e.scenes import PHONE_320, PHONE_390

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
NAMES = ["东海之滨听潮观云联队甲队", "Northern Lights Bridge Partners", "荷塘月色诗词雅集掼蛋小队", "晚照"]
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
WITHIN = """one => {
  const words = document.createRange()
  words.selectNodeContents(one)
  const [said, cell] = [words.getBoundingClientRect(), one.getBoundingClientRect()]
  const padding = parseFloat(getComputedStyle(one).paddingRight)
  return said.left >= cell.left && said.right <= cell.right - padding + 0.5
}"""
"""Do a cell's words stay within its padding?"""


@pytest.mark.parametrize("language", LOCALES)
def test_a_long_name_that_gave_up_stays_on_its_card(organizer: Organizer, open_page: OpenPage, language: str) -> None:
    entries = [{**team, "name": name} for team, name in zip(teams(4, 4), NAMES, strict=True)]
    hall = open_hall(organizer, "team_of_four", entries, boards_per_round=4)
    given_up = next(table for table in hall.tables if NAMES[1] in (table["ns"]["name"], table["ew"]["name"]))
    side = "ns" if given_up["ns"]["name"] == NAMES[1] else "ew"
    body = {"version": given_up["version"], "outcome": f"{side}_forfeit", "reason": "迟到"}
    organizer.post(organizer.path(f"/rounds/1/tables/{given_up['table']}/ruling"), body)
    page = open_page(**PHONE_390, locale=LOCALES[language])
    page.goto(organizer.link("referee"))
    expect(page.get_by_test_id(f"table-{given_up['table']}").locator(".score")).to_contain_text(NAMES[1])
    assert page.viewport_size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_long_name_is_whole_on_its_card(organizer: Organizer, open_page: OpenPage) -> None:
    entries = [{**team, "name": name} for team, name in zip(teams(4, 2), NAMES, strict=True)]
    open_hall(organizer, "pairs", entries)
    page = open_page(**PHONE_390)
    page.goto(organizer.link("referee"))
    expect(page.get_by_test_id("table-2")).to_be_visible()
    for name in NAMES:
        shown = page.get_by_text(name, exact=True)
        assert shown.evaluate("one => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth"), name


def test_a_criterion_of_long_words_stays_in_its_column(organizer: Organizer, open_page: OpenPage) -> None:
    criteria = ["match_points", "opponents_match_points", "opponents_level_points", "lot"]
    open_hall(organizer, "pairs", teams(4, 2), criteria=criteria)
    for table in organizer.tables():
        organizer.rule(table["table"], "A", "9")
    organizer.show("standings")
    page = open_page(**PROJECTOR, locale=LOCALES["en"])
    page.goto(organizer.link("display"))
    expect(page.get_by_role("columnheader", name="Match points", exact=True)).to_be_visible()
    for letters in ("normal", "large", "tv"):
        expect(page.locator("html")).to_have_attribute("data-letters", letters)
        for head in page.locator("th.criterion").all():
            assert head.evaluate(WITHIN), (letters, head.inner_text())
        page.keyboard.press("+")


def test_a_score_of_boards_stands_beside_or_below_its_state(organizer: Organizer, open_page: OpenPage) -> None:
    hall = open_hall(organizer, "rotation", teams(4, 2), boards_per_round=5)
    table = hall.tables[0]
    page = open_page(**PHONE_320, locale="en-GB")
    path = f"/api/events/{organizer.event_id}"
    headers = {"X-Guanjun-As": "player"}

    def send(rest: str, body: object) -> Any:
        more = {**headers, "Idempotency-Key": uuid4().hex}
        reply = page.context.request.post(path + rest, data=body, headers=more)
        assert reply.ok, reply.text()
        return reply.json()

    who = {"number": table["ns"]["number"], "player": 0, "text": first_player(table, "ns")}
    headers["X-CSRF-Token"] = send("/devices", who)["csrf"]
    boards = [{"board": one["board"], "result": 3} for one in table["to_play"]]
    word = {"boards": boards, "base_version": 0, "tapped_at": int(time.time() * 1000)}
    send(f"/rounds/1/tables/{table['table']}/submissions", word)
    page.goto(hall.link)
    expect(page.get_by_test_id("fate-submitted")).to_be_visible()
    assert [fault for fault in faults_of(page) if "<h2" in fault] == []


@pytest.mark.parametrize("language", LOCALES)
def test_awards_that_a_tie_leaves_open_are_said_to_be_undecided(
    organizer: Organizer, open_page: OpenPage, language: str
) -> None:
    say = words_of("screen", language=language)
    open_hall(organizer, "pairs", teams(4, 2), prizes=[{"name": "冠军", "count": 1}])
    for table in organizer.tables():
        organizer.rule(table["table"], "A", "9")
    organizer.show("winners")
    page = open_page(**PROJECTOR, locale=LOCALES[language])
    page.goto(organizer.link("display"))
    expect(page.get_by_text(say("winnersUndecided"))).to_be_visible()
