"""赛事阶段 in the browser: two batches, groups of four, knock-out and final as one series, formed page by page.

Every page fits a phone and axe finds nothing serious, with pictures to be looked at in build/screenshots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from chalicelib.rules.levels import LEVELS
from tests.e2e.catalogue import words_of
from tests.e2e.measuring import axe_faults, faults_of, keep_picture, small_targets
from tests.e2e.organizing import Organizer, pairs, sign_in
from tests.e2e.product import Product
from tests.e2e.scenes import DESKTOP, PHONE_390

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
PHONE = "13800138901"
SAY = words_of("console-series", "console")


def play(organizer: Organizer, event_id: str, *, level: bool = False) -> None:
    """Play and settle all rounds of an event: the smaller number wins; ``level``: nobody does."""
    organizer.event_id = event_id
    for _ in range(organizer.get(organizer.path())["settings"]["rounds"]):
        organizer.play_round()
        for table in organizer.tables():
            ns, ew = table["ns"]["number"], table["ew"]["number"]
            lower = LEVELS[(5 * ns + 3 * ew + ns * ew) % 12]
            levels = ("9", "9") if level else ("A", lower) if ns < ew else (lower, "A")
            organizer.rule(table["table"], *levels)
        organizer.settle()


def make(organizer: Organizer, name: str, kind: str = "pairs", count: int = 0, first: int = 1, **settings: Any) -> str:
    organizer.create(pairs(count, first), name=name, kind=kind, registration_closed=True, **settings)
    return organizer.event_id


@dataclass(frozen=True)
class Staged:
    """A series whose batches were played and whose groups are formed; and one whose cut goes through a tie."""

    organizer: Organizer
    batches: list[str]
    groups: str
    knockout: str
    final: str
    tied: str
    lone: str


@pytest.fixture(scope="module")
def staged(browser: Browser, product: Product) -> Iterator[Staged]:
    context = browser.new_context(base_url=product.url, locale="zh-CN", timezone_id="Asia/Shanghai")
    page = context.new_page()
    organizer = sign_in(page, PHONE)
    batches = [
        make(organizer, f"海选{name}", count=6, first=first, rounds=3) for name, first in (("甲", 1), ("乙", 101))
    ]
    for each in batches:
        play(organizer, each)
    groups = make(organizer, "小组赛", "round_robin", rounds=3)
    knockout = make(organizer, "淘汰赛", rounds=1, knockout=True)
    final = make(organizer, "决赛", rounds=1)
    tied = make(organizer, "并列预赛", count=6, first=201, rounds=1, criteria=["match_points"])
    play(organizer, tied, level=True)
    after = make(organizer, "并列决赛", rounds=1)
    stages = [{"name": "预赛", "events": [tied]}, {"name": "决赛", "events": [after]}]
    organizer.put(f"/events/{tied}/series", {"name": "邀请赛", "stages": stages, "token": ""})
    lone = make(organizer, "独立赛")
    yield Staged(organizer, batches, groups, knockout, final, tied, lone)
    context.close()


def opened(staged: Staged, open_page: OpenPage, **options: Any) -> Page:
    return open_page(**options, storage_state=staged.organizer.page.context.storage_state())


def form(page: Page, event_id: str, stage: str, count: int, groups: int = 1) -> None:
    """Form a stage as an organizer does."""
    page.goto(f"/c/{event_id}/series")
    page.get_by_role("link", name=SAY("stageForm", name=stage)).click()
    page.get_by_role("spinbutton").fill(str(count))
    if groups > 1:
        page.get_by_label(SAY("formGroups")).select_option(str(groups))
    page.get_by_role("button", name=SAY("formPreview"), exact=True).click()
    page.get_by_role("button", name="确认组成").click()
    expect(page.get_by_role("link", name=SAY("stageForm", name=stage))).to_have_count(0)
    page.wait_for_url("**/series")


def test_a_series_is_run_from_two_batches_to_the_final(staged: Staged, open_page: OpenPage) -> None:
    page = opened(staged, open_page, **DESKTOP)
    page.goto(f"/c/{staged.batches[0]}/overview")
    page.get_by_role("link", name=SAY("menuSeries"), exact=True).click()
    page.get_by_role("button", name=SAY("seriesBegin")).click()
    page.get_by_label(SAY("seriesName")).fill("青岛公开赛")
    for _ in range(2):
        page.get_by_role("button", name=SAY("seriesAddStage")).click()
    stages = [("海选", ["海选甲", "海选乙"]), ("小组", ["小组赛"]), ("淘汰", ["淘汰赛"]), ("决赛", ["决赛"])]
    for place, (name, events) in enumerate(stages, start=1):
        card = page.locator("form section").nth(place)
        card.get_by_label(SAY("seriesStageName")).fill(name)
        for event in events:
            card.get_by_label(event, exact=True).check()
    page.get_by_role("button", name=SAY("seriesSave"), exact=True).click()
    expect(page.get_by_role("heading", name="青岛公开赛")).to_be_visible()
    form(page, staged.batches[0], "小组", 4, groups=2)
    expect(page.get_by_role("button", name=SAY("stageUndo"))).to_be_visible()
    keep_picture(page, "series-formed-1440-zh")
    roster = staged.organizer.get(f"/events/{staged.groups}/entries")["entries"]
    assert [entry["seed"] for entry in roster] == list(range(1, 9))
    # Undone by its typed name, and formed again.
    page.get_by_role("button", name=SAY("stageUndo")).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("textbox").fill("小组")
    sheet.get_by_role("button", name=SAY("stageUndo")).click()
    page.get_by_role("link", name=SAY("stageFormAgain", name="小组")).click()
    page.get_by_role("button", name=SAY("formPreview"), exact=True).click()
    page.get_by_role("button", name="确认组成").click()
    page.wait_for_url("**/series")
    assert staged.organizer.get(f"/events/{staged.groups}/entries")["entries"] == roster
    play(staged.organizer, staged.groups)
    form(page, staged.groups, "淘汰", 2)
    play(staged.organizer, staged.knockout)
    form(page, staged.knockout, "决赛", 2)
    assert len(staged.organizer.get(f"/events/{staged.final}/entries")["entries"]) == 2
    # One code for all: the phone of a finalist is led to the final first, whichever code it scans.
    phone = staged.organizer.get(f"/events/{staged.final}/entries")["entries"][0]["players"][0]["phone"]
    found = staged.organizer.post(f"/events/{staged.batches[0]}/searches", {"text": phone}, {"X-Guanjun-As": "player"})
    assert found["candidates"][0]["event_name"] == "决赛"


def test_a_tie_at_the_cut_is_chosen_on_the_page(staged: Staged, open_page: OpenPage) -> None:
    page = opened(staged, open_page, **DESKTOP)
    page.goto(f"/c/{staged.tied}/series/1")
    page.get_by_role("spinbutton").fill("2")
    page.get_by_role("button", name=SAY("formPreview"), exact=True).click()
    boxes = page.locator("fieldset input")
    expect(boxes).to_have_count(6)
    expect(page.get_by_role("button", name="确认组成")).to_have_count(0)
    boxes.nth(1).check()
    boxes.nth(4).check()
    expect(boxes.nth(0)).to_be_disabled()
    keep_picture(page, "series-tie-1440-zh")
    page.get_by_role("button", name=SAY("formDecide")).click()
    expect(page.locator("tbody tr")).to_have_count(2)


PLACES = ("none", "overview", "arrange", "preview", "refused", "public", "mine")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("size", [DESKTOP, PHONE_390], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_pages_fit_and_axe_finds_nothing(
    staged: Staged, open_page: OpenPage, place: str, size: dict[str, Any], language: str
) -> None:
    say = words_of("console-series", "console", language=language)
    locale = {"zh": "zh-CN", "en": "en-GB"}[language]
    page = opened(staged, open_page, **size, bypass_csp=True, reduced_motion="reduce", locale=locale)
    if place == "none":
        page.goto(f"/c/{staged.lone}/series")
        expect(page.get_by_text(say("seriesNone"))).to_be_visible()
    elif place == "public":
        page.goto(f"/v/{staged.tied}")
        expect(page.get_by_text("并列决赛")).to_be_visible()
    elif place == "mine":
        who = {"number": 1, "player": 0, "text": "选手201"}
        headers = {"X-Guanjun-As": "player", "Idempotency-Key": uuid4().hex}
        reply = page.context.request.post(f"/api/events/{staged.tied}/devices", data=who, headers=headers)
        assert reply.ok
        page.goto(f"/p/{staged.tied}")
        # Once it knows who plays here it opens the table by itself.
        expect(page.get_by_text("选手201 / 选手202").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        tab = words_of("play", language=language)("tabMine")
        page.get_by_role("navigation").get_by_role("button", name=tab).click()
        expect(page.get_by_text("并列决赛")).to_be_visible()
    else:
        page.goto(f"/c/{staged.tied}/series" + ("/1" if place in ("preview", "refused") else ""))
    if place == "arrange":
        page.get_by_role("button", name=say("seriesEdit")).click()
        expect(page.get_by_label(say("seriesName"))).to_be_visible()
    elif place in ("preview", "refused"):
        page.get_by_role("spinbutton").fill("6" if place == "preview" else "2")
        if place == "refused":
            staged.organizer.event_id = staged.tied
            event = staged.organizer.get(staged.organizer.path())
            staged.organizer.put(staged.organizer.path("/freeze"), {"version": event["version"], "round": 1})
        page.get_by_role("button", name=say("formPreview"), exact=True).click()
        expect(page.locator("tbody tr").first if place == "preview" else page.get_by_role("alert")).to_be_visible()
        if place == "refused":
            event = staged.organizer.get(staged.organizer.path())
            staged.organizer.put(staged.organizer.path("/freeze"), {"version": event["version"], "round": None})
    elif place == "overview":
        expect(page.get_by_role("heading", name="邀请赛")).to_be_visible()
    page.wait_for_load_state("networkidle")
    faults = [*axe_faults(page), *faults_of(page)]
    if place in ("public", "mine") and size is PHONE_390:
        faults += small_targets(page)
    keep_picture(page, f"series-{place}-{size['viewport']['width']}-{language}")
    assert not faults, "\n".join(faults)
