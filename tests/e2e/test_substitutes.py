"""换人: by the referee at a table, with or without a network, and by the organizer in an entry; each can be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import faults_of, keep_picture
from tests.e2e.organizing import Organizer
from tests.e2e.pages import console as console_page
from tests.e2e.pages.console import Console
from tests.e2e.pages.phone import PHONE, Phone
from tests.e2e.pages.phone import say as on_phone
from tests.e2e.pages.referee import Referee, say
from tests.e2e.scenes import PHONE_390

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
Contexts = Callable[..., BrowserContext]
DESK = {"viewport": {"width": 1440, "height": 900}}
LONG_HAN = "欧阳上官司马诸葛东方慕容"
LONG_LATIN = "Maximiliane Featherstonehaugh"


def create(organizer: Organizer, kind: str = "pairs", size: int = 2, count: int = 4, **settings: Any) -> None:
    """An event whose first round is published and has not begun; entry 1 has the longest names."""
    organizer.event_id = organizer.post("/events", {"name": "周三夜赛", "kind": kind})["event_id"]
    event = organizer.get(organizer.path())
    changed = {"version": event["version"], "settings": {**event["settings"], **settings}}
    organizer.put(organizer.path("/settings"), changed)
    for number in range(1, count + 1):
        names = [f"选手{number}0{player}" for player in range(1, size + 1)]
        if number == 1:
            names[:2] = [LONG_HAN, LONG_LATIN]
        people = [{"name": name, "phone": ""} for name in names]
        organizer.post(organizer.path("/entries"), {"name": "" if size == 2 else f"队{number}", "players": people})
    organizer.publish(organizer.draw())


def table_of(organizer: Organizer, number: int) -> Any:
    return next(one for one in organizer.tables() if number in (one["ns"]["number"], one["ew"]["number"]))


def players(organizer: Organizer, number: int = 1) -> list[str]:
    found = organizer.get(organizer.path(f"/entries/{number}/substitutions"))["players"]
    return [one["name"] for one in found]


def referee_at(open_page: OpenPage, organizer: Organizer, **options: Any) -> Referee:
    referee = Referee(open_page(**{**PHONE_390, **options}))
    referee.open(organizer.link("referee"))
    return referee


def fill(form: Locator, out: str, into: str, reason_key: str = "substituteIll", words: Any = say) -> None:
    """Say who goes out, who comes in and why, and confirm it."""
    form.get_by_role("button", name=words("substitute"), exact=True).first.click()
    form.get_by_role("button", name=out, exact=True).click()
    form.get_by_label(words("substituteIn")).fill(into)
    form.get_by_role("button", name=words(reason_key), exact=True).click()
    go = form.locator("form.substitute button[type=submit]")
    expect(go).to_contain_text(out)
    expect(go).to_contain_text(into)
    go.click()


def wait_for(page: Page, holds: Callable[[], bool]) -> None:
    """Until the server has heard of what was done on a page."""
    for _ in range(60):
        if holds():
            return
        page.wait_for_timeout(250)
    assert holds()


def test_a_referee_substitutes_at_a_table_and_who_left_loses_the_phone(
    organizer: Organizer, open_page: OpenPage
) -> None:
    create(organizer)
    gone = Phone(open_page(**PHONE))
    gone.open(organizer.link("play"))
    gone.find_myself(LONG_HAN, LONG_HAN)
    table = table_of(organizer, 1)["table"]
    expect(gone.table_number).to_have_text(str(table))

    referee = referee_at(open_page, organizer)
    sheet = referee.open_table(table)
    fill(sheet, LONG_HAN, "丙")
    expect(sheet).to_be_hidden()
    expect(referee.page.get_by_text(say("substituteDone", gone=LONG_HAN, came="丙"))).to_be_visible()
    wait_for(referee.page, lambda: players(organizer) == ["丙", LONG_LATIN])
    sheet = referee.open_table(table)
    told = sheet.get_by_role("listitem").filter(has_text=say("didSubstitute"))
    expect(told).to_contain_text(say("substituted", gone=LONG_HAN, came="丙", round=1))
    expect(told).to_contain_text(say("substituteIll"))

    # The phone of who left asks who it is; the new player finds themselves.
    gone.page.reload()
    expect(gone.page.get_by_label(on_phone("findNameOrPhone"))).to_be_visible()
    came = Phone(open_page(**PHONE))
    came.open(organizer.link("play"))
    came.find_myself("丙", "丙")
    expect(came.table_number).to_have_text(str(table))


def test_the_form_on_small_and_wide_pages(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer)
    table = table_of(organizer, 1)["table"]
    for language in ("zh", "en"):
        words = words_of("ref", "officials", "shared", language=language)
        locale = {"locale": "zh-CN" if language == "zh" else "en-GB"}
        for size, options in (("390", PHONE_390), ("1440", DESK)):
            page = open_page(**options, **locale)
            page.goto(organizer.link("referee"))
            page.get_by_role("textbox", name=words("jumpTo")).fill(str(table))
            page.get_by_role("textbox", name=words("jumpTo")).press("Enter")
            sheet = page.get_by_role("dialog", name=words("table", table=table))
            sheet.get_by_role("button", name=words("substitute"), exact=True).first.click()
            sheet.get_by_role("button", name=LONG_LATIN, exact=True).click()
            keep_picture(page, f"substitute-who-{size}-{language}")
            sheet.get_by_label(words("substituteIn")).fill(LONG_HAN)
            sheet.get_by_label(words("substitutePhone")).fill("138")
            sheet.get_by_role("button", name=words("reasonOther"), exact=True).last.scroll_into_view_if_needed()
            assert faults_of(page) == []
            keep_picture(page, f"substitute-{size}-{language}")
            page.context.close()


def test_boards_a_line_up_and_the_own_name_on_small_and_wide_pages(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer, "team_of_four", 5, boards_per_round=2)
    organizer.start_clock()
    for language in ("zh", "en"):
        words = words_of("ref", "officials", "shared", language=language)
        locale = {"locale": "zh-CN" if language == "zh" else "en-GB"}
        for size, options in (("390", PHONE_390), ("1440", DESK)):
            page = open_page(**options, **locale)
            page.goto(organizer.link("referee"))
            page.get_by_role("button", name=words("refereeWho"), exact=True).click()
            page.get_by_role("textbox", name=words("refereeName")).fill("欧阳裁判")
            assert faults_of(page) == []
            keep_picture(page, f"referee-name-{size}-{language}")
            page.get_by_role("button", name=words("refereeSave"), exact=True).click()
            page.get_by_role("textbox", name=words("jumpTo")).fill("1")
            page.get_by_role("textbox", name=words("jumpTo")).press("Enter")
            sheet = page.get_by_role("dialog")
            sheet.get_by_role("button", name=words("byHand"), exact=True).click()
            sheet.get_by_role("radio").first.click()
            assert faults_of(page) == []
            keep_picture(page, f"ruling-team-boards-{size}-{language}")
            sheet.get_by_role("heading", name=words("lineUp"), exact=True).scroll_into_view_if_needed()
            named = sheet.locator("section.line-up fieldset").first.get_by_role("button")
            named.nth(0).click()
            named.nth(1).click()
            sheet.get_by_role("button", name=words("lineUpSave"), exact=True).scroll_into_view_if_needed()
            assert faults_of(page) == []
            keep_picture(page, f"line-up-officials-{size}-{language}")
            page.context.close()


def test_undone_within_ten_seconds_everything_is_as_it_was(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer)
    referee = referee_at(open_page, organizer)
    fill(referee.open_table(table_of(organizer, 1)["table"]), LONG_HAN, "丙")
    expect(referee.page.get_by_text(say("substituteDone", gone=LONG_HAN, came="丙"))).to_be_visible()
    referee.undo()
    expect(referee.page.get_by_text(say("rejected", words=""))).to_have_count(0)
    wait_for(referee.page, lambda: players(organizer) == [LONG_HAN, LONG_LATIN])


def test_without_a_network_it_is_kept_and_sent_later(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer)
    referee = referee_at(open_page, organizer)
    table = table_of(organizer, 1)["table"]
    sheet = referee.open_table(table)
    referee.page.context.set_offline(True)
    fill(sheet, LONG_LATIN, "丁")
    expect(sheet).to_be_hidden()
    sheet = referee.open_table(table)
    expect(sheet.get_by_text(say("substituteDone", gone=LONG_LATIN, came="丁"))).to_be_visible()
    assert players(organizer) == [LONG_HAN, LONG_LATIN]
    referee.page.context.set_offline(False)
    wait_for(referee.page, lambda: players(organizer) == [LONG_HAN, "丁"])


def test_a_table_under_way_refuses_and_says_so(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer, double_submission=True)
    organizer.start_clock()
    table = table_of(organizer, 1)
    phone = Phone(open_page(**PHONE))
    phone.open(organizer.link("play"))
    phone.find_myself(LONG_HAN, LONG_HAN)
    phone.submit("A", "9")
    expect(phone.fate("submitted")).to_be_visible()
    referee = referee_at(open_page, organizer)
    sheet = referee.open_table(table["table"])
    toggle = sheet.get_by_role("button", name=say("substitute"), exact=True).first
    toggle.click()
    expect(sheet.get_by_text(say("substituteUnderWay"))).to_be_visible()
    keep_picture(referee.page, "substitute-under-way-390-zh")
    toggle.click()
    fill(sheet, LONG_HAN, "丙")
    refused = referee.page.get_by_role("alert").filter(has_text="换人")
    expect(refused).to_contain_text(f"第 1 轮第 {table['table']} 桌正在比赛")
    assert players(organizer)[0] == LONG_HAN
    assert faults_of(referee.page) == []
    keep_picture(referee.page, "substitute-refused-390-zh")
    referee.page.get_by_role("button", name=say("putAway"), exact=True).click()
    referee.adopt(table["table"], "northSouth" if table["ns"]["number"] == 1 else "eastWest", None)
    fill(referee.open_table(table["table"]), LONG_HAN, "丙")
    wait_for(referee.page, lambda: players(organizer)[0] == "丙")
    assert organizer.get(organizer.path("/entries/1/substitutions"))["substitutions"][0]["round"] == 2


def test_an_organizer_substitutes_in_an_entry_and_takes_it_back(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer)
    words = console_page.say
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/entries")
    page.get_by_role("button", name=f"{words('edit')} {LONG_HAN} / {LONG_LATIN}").click()
    sheet = page.get_by_role("dialog")
    part = sheet.locator("section.substitutes")
    fill(part, LONG_LATIN, "丁", "substituteLeaves", words)
    expect(sheet).to_be_hidden()
    wait_for(page, lambda: players(organizer)[1] == "丁")
    page.get_by_role("button", name=f"{words('edit')} {LONG_HAN} / 丁").click()
    part.scroll_into_view_if_needed()
    expect(part).to_contain_text(words("substituted", gone=LONG_LATIN, came="丁", round=1))
    assert faults_of(page) == []
    keep_picture(page, "substitute-entry-1440-zh")
    part.get_by_role("button", name=words("substituteUndo"), exact=True).click()
    wait_for(page, lambda: players(organizer)[1] == LONG_LATIN)


def test_an_organizer_substitutes_at_a_table(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer)
    page = organizer.page
    table = table_of(organizer, 1)["table"]
    page.goto(f"/c/{organizer.event_id}/scoring?table={table}")
    sheet = page.get_by_role("dialog")
    fill(sheet, LONG_HAN, "丙", words=console_page.say)
    expect(sheet).to_be_hidden()
    expect(Console(page).table_card(table)).to_contain_text("丙")
    assert players(organizer)[0] == "丙"


def test_levels_are_ruled_board_by_board(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer)
    organizer.start_clock()
    referee = referee_at(open_page, organizer)
    sheet = referee.open_table(1)
    sheet.get_by_role("button", name=say("byHand"), exact=True).click()
    sheet.get_by_role("button", name=say("byBoards"), exact=True).click()
    expect(sheet.get_by_text(say("boardsFirst"))).to_be_visible()
    for board, result in ((1, 3), (2, -1), (3, 2)):
        side = say("northSouth" if result > 0 else "eastWest")
        sheet.get_by_role(
            "radio", name=say("boardWonBy", board=board, side=side, points=abs(result)), exact=True
        ).click()
    expect(sheet.get_by_text(say("boardsClimbed", score="7 : 3"))).to_be_visible()
    assert faults_of(referee.page) == []
    keep_picture(referee.page, "ruling-boards-390-zh")
    sheet.get_by_role("button", name=say("boardTakeOut", board=3), exact=True).click()
    sheet.get_by_role("button", name=say("confirmRuling", score="5 : 3"), exact=True).click()
    expect(referee.card(1)).to_contain_text(say("groupRuled"))
    ruled = organizer.tables()[0]["result"]
    assert (ruled["ns_level"], ruled["ew_level"]) == ("5", "3")
    assert [one["result"] for one in ruled["boards"]] == [3, -1]


def test_slips_of_boards_take_a_forfeit_by_keyboard(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer, "team_of_four", 4, boards_per_round=2)
    organizer.start_clock()
    words = console_page.say
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/scoring")
    slips = page.get_by_role("region", name=words("slipsTitle"))
    expect(slips).to_contain_text(words("slipsForfeitTeam"))
    slips.get_by_label(words("tableNumber")).fill("1")
    slips.get_by_label(words("tableNumber")).press("Enter")
    boards = slips.get_by_label(words("slipBoardsLabel")).first
    boards.fill("x")
    boards.press("Enter")
    expect(slips).to_contain_text(words("slipForfeitTeam"))
    boards.fill("x2")
    expect(slips).to_contain_text(words("scoreForfeit", side=organizer.tables()[0]["ew"]["name"]))
    assert faults_of(page) == []
    keep_picture(page, "slips-forfeit-1440-zh")
    boards.press("Enter")
    wait_for(page, lambda: organizer.tables()[0]["state"] == "ruled")
    assert [one["result"]["outcome"] for one in organizer.tables() if one["match"] == 1] == ["ew_forfeit"] * 2


def test_a_referee_says_who_takes_a_call(organizer: Organizer, open_page: OpenPage, new_context: Contexts) -> None:
    create(organizer)
    organizer.start_clock()
    phone = Phone(open_page(**PHONE))
    phone.open(organizer.link("play"))
    phone.find_myself(LONG_HAN, LONG_HAN)
    phone.page.get_by_role("button", name=on_phone("callReferee"), exact=True).click()
    phone.page.get_by_role("dialog").get_by_role("button", name=on_phone("callGo"), exact=True).click()
    referee, other = referee_at(open_page, organizer), referee_at(open_page, organizer)
    referee.page.get_by_role("button", name=say("refereeWho"), exact=True).click()
    referee.page.get_by_role("textbox", name=say("refereeName")).fill("A")
    keep_picture(referee.page, "referee-name-390-zh")
    referee.page.get_by_role("button", name=say("refereeSave"), exact=True).click()
    expect(referee.page.get_by_role("button", name=say("refereeIs", name="A"), exact=True)).to_be_visible()
    table = table_of(organizer, 1)["table"]
    referee.answer(table, "callTake")
    expect(other.call(table)).to_contain_text(say("callTakenByNow", name="A"))
    expect(phone.page.get_by_test_id("call")).to_contain_text(on_phone("callTakenBy", name="A"))
    keep_picture(referee.page, "referee-call-taken-390-zh")
    referee.page.reload()
    expect(referee.page.get_by_role("button", name=say("refereeIs", name="A"), exact=True)).to_be_visible()
