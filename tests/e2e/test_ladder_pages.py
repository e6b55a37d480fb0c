"""天梯 in the browser: chosen in the settings, posted at the end, found by name, managed by the platform.

Every page fits a phone and axe finds nothing serious, with pictures to be looked at in build/screenshots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import axe_faults, faults_of, keep_picture, small_targets
from tests.e2e.organizing import Organizer, pairs, sign_in
from tests.e2e.product import Product
from tests.e2e.scenes import DESKTOP, PHONE_390
from tests.e2e.staged_people import make_administrator

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
PHONE = "13800138801"
LONG = "青岛市掼蛋运动协会俱乐部联赛系列赛年度总积分天梯"


@dataclass(frozen=True)
class Staged:
    """A platform's administrator who has an event that was posted, and another one that is still open."""

    organizer: Organizer
    ended: str
    open: str
    ladder: str
    person: str


@pytest.fixture(scope="module")
def staged(browser: Browser, product: Product) -> Iterator[Staged]:
    context = browser.new_context(base_url=product.url, locale="zh-CN", timezone_id="Asia/Shanghai")
    page = context.new_page()
    organizer = sign_in(page, PHONE)
    make_administrator(product, PHONE)
    found = organizer.post("/platform/account-searches", {"phone": PHONE})
    level = {"vip_level": 1, "trial_level": None, "trial_until": None, "platform_administrator": True}
    organizer.put(f"/platform/accounts/{found['account_id']}", level)
    elo = {"method": "elo"}
    made = organizer.post("/platform/ladders", {"name": LONG, "name_en": "", "season": "2026", "parameters": elo})
    ladder = made["ladder_id"]
    for levels in (("A", "7"), ("8", "A")):
        organizer.create(pairs(6), name="周三夜赛", ladders=["qingdao", ladder])
        played = organizer.play_round()
        for table in played["tables"]:
            organizer.rule(table["table"], *levels)
        organizer.settle()
        ended = organizer.event_id
        organizer.post(organizer.path("/ending"), {"ended": True, "reason": ""})
    for _ in range(100):
        lines = organizer.get(f"/events/{ended}/ladders")["ladders"]
        if {line["state"] for line in lines} == {"posted", "off"}:
            break
        page.wait_for_timeout(200)
    organizer.create(pairs(2), name="周四夜赛")
    person = organizer.get(f"/ladders/{ladder}")["rows"][0]["person"]
    yield Staged(organizer, ended, organizer.event_id, ladder, person)
    context.close()


PLACES = ("list", "table", "person", "overview", "settings", "platform", "platform-ladder")


def address(place: str, staged: Staged) -> str:
    return {
        "list": "/l",
        "table": f"/l/{staged.ladder}",
        "person": f"/l/{staged.ladder}/{staged.person}?season=1",
        "overview": f"/c/{staged.ended}/overview",
        "settings": f"/c/{staged.ended}/settings/advanced",
        "platform": "/c/platform/ladders",
        "platform-ladder": f"/c/platform/ladders/{staged.ladder}",
    }[place]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("size", [DESKTOP, PHONE_390], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_pages_fit_and_axe_finds_nothing(
    staged: Staged, open_page: OpenPage, place: str, size: dict[str, Any], language: str
) -> None:
    state = staged.organizer.page.context.storage_state()
    locale = {"zh": "zh-CN", "en": "en-GB"}[language]
    page = open_page(**size, bypass_csp=True, storage_state=state, reduced_motion="reduce", locale=locale)
    page.goto(address(place, staged))
    said = {
        "list": "laddersTitle",
        "table": "ladderPoints",
        "person": "historyTitle",
        "overview": "eventLaddersTitle",
        "settings": "eventLaddersTitle",
        "platform": "ladderNew",
        "platform-ladder": "ladderMembers",
    }[place]
    catalogue = "ladders" if place in ("list", "table", "person") else "console-ladders"
    expect(page.get_by_text(words_of(catalogue, language=language)(said)).first).to_be_visible()
    if place in ("overview", "settings"):
        expect(page.locator("[data-state=posted]").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    faults = [*axe_faults(page), *faults_of(page)]
    if catalogue == "ladders" and size is PHONE_390:
        faults += small_targets(page)
    keep_picture(page, f"ladder-{place}-{size['viewport']['width']}-{language}")
    assert not faults, "\n".join(faults)


def test_a_player_is_found_by_name_and_their_history_leads_to_the_event(staged: Staged, open_page: OpenPage) -> None:
    page = open_page(**PHONE_390)
    page.goto("/")
    page.get_by_role("link", name="天梯").click()
    page.get_by_role("link", name="青岛系列").click()
    expect(page.get_by_text("12 人 · 2 场")).to_be_visible()
    page.get_by_role("searchbox").fill("选手003")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("link", name="选手003").click()
    expect(page.locator("ol li")).to_have_count(2)
    page.get_by_role("link", name="周三夜赛").first.click()
    page.wait_for_url(f"**/v/{staged.ended}")


def test_an_organizer_switches_a_ladder_on_and_a_restarted_event_is_taken_back(
    staged: Staged, open_page: OpenPage
) -> None:
    page = open_page(**DESKTOP, storage_state=staged.organizer.page.context.storage_state())
    page.goto(f"/c/{staged.open}/settings/advanced")
    page.get_by_label("平台天梯").check()
    page.get_by_role("button", name="保存", exact=True).click()
    expect(page.get_by_text("比赛结束时计入", exact=True)).to_be_visible()
    page.goto(f"/c/{staged.ended}/settings/advanced")
    expect(page.locator("[data-state=posted]")).to_have_count(2)
    page.get_by_role("button", name="撤销结束").click()
    expect(page.locator("[data-state=waiting]")).to_have_count(2)
    assert len(staged.organizer.get("/ladders/qingdao")["rows"]) == 12
    page.get_by_role("button", name="结束比赛").click()
    expect(page.locator("[data-state=posted]")).to_have_count(2)


def test_an_administrator_makes_a_ladder_with_a_list_and_closes_its_season(staged: Staged, open_page: OpenPage) -> None:
    page = open_page(**DESKTOP, storage_state=staged.organizer.page.context.storage_state())
    page.goto("/c/platform")
    page.get_by_role("link", name="天梯管理").click()
    page.get_by_label("名称", exact=True).fill("高手榜")
    page.get_by_role("button", name="新建天梯").click()
    expect(page.get_by_role("heading", name="高手榜")).to_be_visible()
    page.get_by_role("textbox", name="姓名").fill("甲")
    page.get_by_role("textbox", name="手机号").fill("13800130999")
    page.get_by_role("button", name="加入名单").click()
    expect(page.get_by_text("138****0999")).to_be_visible()
    roster = "姓名,手机\n乙,13800130001\n丙,13800130002\n"
    page.get_by_test_id("member-file").set_input_files(
        {"name": "名单.csv", "mimeType": "text/csv", "buffer": roster.encode()}
    )
    page.get_by_test_id("commit-members").click()
    expect(page.get_by_role("heading", name="名单 2 人")).to_be_visible()
    expect(page.get_by_label("只计名单内的人")).to_be_checked()
    page.get_by_role("button", name="结束本赛季").click()
    season = page.locator("li", has_text="进行中").inner_text().split("“")[1].split("”")[0]
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("textbox").fill(season)
    sheet.get_by_role("button", name="结束本赛季").click()
    expect(page.get_by_text("没有进行中的赛季", exact=False)).to_be_visible()
    page.get_by_label("赛季名称").fill("2027")
    page.get_by_role("button", name="开始新赛季").click()
    expect(page.get_by_text("“2027”进行中", exact=False)).to_be_visible()
    page.goto("/c/platform")
    expect(page.get_by_text("开始天梯赛季").first).to_be_visible()
