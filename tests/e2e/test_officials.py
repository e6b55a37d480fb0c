"""What referees and organizers do about tables of every kind: calls, disputes by boards, penalties, paper slips."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.devices import device_of
from tests.e2e.measuring import faults_of, keep_picture
from tests.e2e.organizing import Organizer, Pair, pairs
from tests.e2e.pages import console as console_page
from tests.e2e.pages import referee as referee_page
from tests.e2e.pages.console import Console
from tests.e2e.pages.referee import Referee
from tests.e2e.scenes import PHONE_320

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
Contexts = Callable[..., BrowserContext]
say = referee_page.say
RESULTS = (3, 2, 1, -1, -2, -3)


def create(organizer: Organizer, kind: str, teams: list[tuple[str, ...]], **settings: Any) -> None:
    """A new event of a kind with these teams of players, its first round drawn, published and on."""
    organizer.event_id = organizer.post("/events", {"name": "周三夜赛", "kind": kind})["event_id"]
    event = organizer.get(organizer.path())
    changed = {"version": event["version"], "settings": {**event["settings"], **settings}}
    organizer.put(organizer.path("/settings"), changed)
    for number, players in enumerate(teams, 1):
        people = [{"name": name, "phone": ""} for name in players]
        organizer.post(organizer.path("/entries"), {"name": f"队{number}", "club": "", "players": people})
    organizer.play_round()


def teams(count: int, size: int = 2) -> list[tuple[str, ...]]:
    """Teams of 选手001 and so on."""
    return [tuple(f"选手{team * size + player:03d}" for player in range(size)) for team in range(count)]


def referee_at(open_page: OpenPage, organizer: Organizer, **options: Any) -> Referee:
    """A referee of the event, who has come by its link."""
    referee = Referee(open_page(**options))
    referee.open(organizer.link("referee"))
    return referee


def table_of(organizer: Organizer, table: int) -> Any:
    """A table of the current round as the server has it."""
    return next(one for one in organizer.tables() if one["table"] == table)


def test_a_call_waits_until_somebody_has_dealt_with_it(
    organizer: Organizer, open_page: OpenPage, new_context: Contexts
) -> None:
    create(organizer, "pairs", teams(4))
    tables = organizer.tables()
    device_of(new_context, organizer.event_id, tables[1]["ew"]).call(tables[1], message="看牌")
    first, second = referee_at(open_page, organizer), referee_at(open_page, organizer)
    expect(first.call(2)).to_contain_text("看牌")
    expect(first.card(2)).to_contain_text(say("calls"))
    first.answer(2, "callTake")
    expect(second.call(2)).to_contain_text(say("callTakenNow"))
    expect(second.call(2).get_by_role("button", name=say("callTake"), exact=True)).to_have_count(0)
    first.undo()
    expect(second.call(2).get_by_role("button", name=say("callTake"), exact=True)).to_be_visible()
    first.answer(2, "callTake")
    first.answer(2, "callClose")
    expect(second.call(2)).to_have_count(0)
    first.undo()
    # Closed by mistake: it is there again as it stood, taken.
    expect(second.call(2)).to_contain_text(say("callTakenNow"))


def test_a_match_in_two_rooms_is_judged_board_by_board(
    organizer: Organizer, open_page: OpenPage, new_context: Contexts
) -> None:
    create(organizer, "team_of_four", teams(2, 4), boards_per_round=4)
    opened, closed = organizer.tables()
    for side, results in (("ns", [3, -1, 2, 1]), ("ew", [3, 1, 2, 1])):
        device_of(new_context, organizer.event_id, opened[side]).submit_boards(opened, results)
    referee = referee_at(open_page, organizer, **PHONE_320)
    boxes = [referee.card(table["table"]).bounding_box() for table in (opened, closed)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] < boxes[1]["x"]

    referee.card(opened["table"]).click()
    sheet = referee.sheet(say("tableInRoom", table=1, room=say("roomOpen")))
    expect(sheet.get_by_role("row", name=re.compile("≠|" + say("differs")))).to_have_count(1)
    expect(sheet.get_by_role("row", name="2 −1 +1")).to_be_visible()
    assert faults_of(referee.page) == []
    keep_picture(referee.page, "referee-room-320-zh")
    board = opened["to_play"][1]["board"]
    referee.fill_in_boards(sheet, {board: 2}, "reasonSwapped")
    expect(referee.card(opened["table"])).to_contain_text(say("groupRuled"))
    ruled = table_of(organizer, opened["table"])
    # What nobody disputed was there already; only the second board had to be chosen.
    assert [one["result"] for one in ruled["ruling"]["score"]["boards"]] == [3, 2, 2, 1]

    referee.card(opened["table"]).click()
    sheet.get_by_role("group", name=say("rooms")).get_by_role("button", name=say("roomClosed")).click()
    other = referee.sheet(say("tableInRoom", table=1, room=say("roomClosed")))
    numbers = [one["board"] for one in closed["to_play"]]
    referee.fill_in_boards(other, dict(zip(numbers, (-1, -2, 3, -3), strict=True)), None)
    expect(referee.card(closed["table"])).to_contain_text(say("groupRuled"))
    results = table_of(organizer, closed["table"])["result"]["boards"]
    assert [one["result"] for one in results] == [-1, -2, 3, -3]


def test_points_are_taken_and_given_back_on_the_referees_page(organizer: Organizer, open_page: OpenPage) -> None:
    create(organizer, "pairs", teams(2))
    referee = referee_at(open_page, organizer)
    seat = organizer.tables()[0]["ns"]
    who = f"{seat['number']} {seat['name']}"

    def given() -> list[tuple[int, float, str]]:
        found = organizer.get(organizer.path("/adjustments"))["adjustments"]
        return [(one["entry"], one["amount"], one["reason"]) for one in found]

    referee.punish(referee.open_table(1), who, "级差分", "1.5", "penaltyLate")
    done = f"{seat['name']} 级差分 −1.5"
    expect(referee.page.get_by_text(done, exact=True)).to_be_visible()
    referee.page.get_by_role("button", name=say("penalties"), exact=True).click()
    line = referee.page.get_by_test_id(f"penalty-{seat['number']}")
    expect(line).to_contain_text("级差分 −1.5")
    assert given() == [(seat["number"], -1.5, say("penaltyLate"))]
    line.get_by_role("button", name=say("penaltyRemove"), exact=True).click()
    line.get_by_role("button", name=say("penaltyMistake"), exact=True).click()
    line.get_by_role("button", name=say("penaltyRemove"), exact=True).last.click()
    expect(line).to_have_count(0)
    assert given() == []
    referee.undo()
    expect(line).to_contain_text("级差分 −1.5")
    assert given() == [(seat["number"], -1.5, say("penaltyLate"))]


def test_without_a_network_the_referee_goes_on_and_the_server_decides(
    organizer: Organizer, open_page: OpenPage
) -> None:
    create(organizer, "pairs", teams(4))
    referee = referee_at(open_page, organizer)
    referee.page.context.set_offline(True)
    referee.fill_in(1, "A+", "9")
    referee.fill_in(2, "K", "3")
    for table in (1, 2):
        expect(referee.card(table)).to_contain_text(say("pending"))
    assert [table["state"] for table in organizer.tables()] == ["open", "open"]
    organizer.rule(1, "9", "A")
    referee.page.context.set_offline(False)
    expect(referee.card(2)).to_contain_text("K : 3")
    refused = referee.page.get_by_role("alert")
    expect(refused).to_contain_text(say("rejectedStale"))
    expect(referee.card(1)).to_contain_text("9 : A")
    expect(referee.page.get_by_text(say("pending"), exact=True)).to_have_count(0)
    results = [(table["result"]["ns_level"], table["result"]["ew_level"]) for table in organizer.tables()]
    assert results == [("9", "A"), ("K", "3")]


def test_an_old_result_of_a_knock_out_shows_what_stands_in_its_way(organizer: Organizer) -> None:
    create(organizer, "pairs", teams(4), knockout=True, rounds=2)
    for table in (1, 2):
        organizer.rule(table, "A", "9")
    organizer.settle()
    organizer.play_round()
    organizer.rule(1, "K", "8")
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/scoring/1")
    _correct(page, 1, 1, ("3", "A"))
    blocked = page.get_by_role("alert")
    expect(blocked).to_contain_text(console_page.say("nextMatchHow"))
    blocked.get_by_role("button", name=console_page.say("nextMatchOpen", round=2, table=1)).click()
    final = _sheet(page, 2, 1)
    final.get_by_role("button", name=console_page.say("byHand"), exact=True).click()
    final.get_by_role("button", name=console_page.say("scoreUnplayed"), exact=True).click()
    _give_reason_and_confirm(final)
    page.goto(f"/c/{organizer.event_id}/scoring/1")
    _correct(page, 1, 1, ("3", "A"))
    expect(_sheet(page, 1, 1)).to_be_hidden()
    grid = organizer.get(organizer.path("/rounds/1/tables"))
    assert (grid["tables"][0]["result"]["ns_level"], grid["tables"][0]["result"]["ew_level"]) == ("3", "A")


def test_paper_slips_with_boards_are_typed_by_keyboard_alone(organizer: Organizer) -> None:
    create(organizer, "mitchell", teams(6), boards_per_round=4)
    rows = {
        table["table"]: [RESULTS[(table["table"] + board) % 6] for board in range(4)] for table in organizer.tables()
    }
    slips = _open_slips(organizer)
    for table, results in rows.items():
        typed = "".join(str(result) for result in results)
        _type_slip(slips, str(table), typed)
    _everything_is_saved(slips, len(rows))
    found = {table["table"]: [one["result"] for one in table["result"]["boards"]] for table in organizer.tables()}
    assert found == rows


@pytest.mark.full
def test_a_paper_round_of_100_tables_is_typed_by_keyboard_alone(
    organizer: Organizer, capsys: pytest.CaptureFixture[str]
) -> None:
    organizer.create([Pair(pair.name, pair.players) for pair in pairs(200)])
    organizer.play_round()
    levels = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "A+"]
    rows = {table: (levels[table % 14], levels[(table * 5 + 3) % 13]) for table in range(1, 101)}
    slips = _open_slips(organizer)
    began = time.monotonic()
    for table, (ns_level, ew_level) in rows.items():
        _type_slip(slips, str(table), ns_level, ew_level)
    _everything_is_saved(slips, 100)
    seconds = time.monotonic() - began
    with capsys.disabled():
        print(f"\n100 paper slips typed by keyboard alone in {seconds:.0f} s")
    found = {table["table"]: (table["result"]["ns_level"], table["result"]["ew_level"]) for table in organizer.tables()}
    assert found == rows


def _open_slips(organizer: Organizer) -> Page:
    """The console's page of scores, the first field of the slips in focus by keys alone."""
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/scoring")
    region = page.get_by_role("region", name=console_page.say("slipsTitle"))
    expect(region).to_be_visible()
    for _ in range(40):
        page.keyboard.press("Tab")
        if region.get_by_label(console_page.say("tableNumber")).evaluate("field => field === document.activeElement"):
            return page
    raise AssertionError("the keyboard does not reach the slips")


def _type_slip(page: Page, *fields: str) -> None:
    for text in fields:
        page.keyboard.type(text)
        page.keyboard.press("Enter")


def _everything_is_saved(page: Page, tables: int) -> None:
    """Nothing was refused, and the grid says that all is in."""
    slips = page.get_by_role("region", name=console_page.say("slipsTitle"))
    expect(slips.get_by_role("listitem").filter(has_text=console_page.say("slipSending"))).to_have_count(0)
    ruled = page.get_by_role("group", name=console_page.say("filter")).get_by_role(
        "button", name=f"{console_page.say('groupRuled')} {tables}", exact=True
    )
    expect(ruled).to_be_visible()


def _sheet(page: Page, number: int, table: int) -> Locator:
    words = f"{console_page.say('round', round=number)} · {console_page.say('table', table=table)}"
    return page.get_by_role("dialog", name=words, exact=True)


def _correct(page: Page, number: int, table: int, levels: tuple[str, str]) -> None:
    """Change a result of a settled round on the console's sheet, with a reason."""
    Console(page).table_card(table).click()
    sheet = _sheet(page, number, table)
    sheet.get_by_role("button", name=console_page.say("byHand"), exact=True).click()
    for side, level in zip(("northSouth", "eastWest"), levels, strict=True):
        picker = sheet.get_by_role("radiogroup", name=console_page.say("levelOf", side=console_page.say(side)))
        picker.get_by_role("radio", name=console_page.say("levelLabel", level=level), exact=True).click()
    _give_reason_and_confirm(sheet)


def _give_reason_and_confirm(sheet: Locator) -> None:
    sheet.get_by_role("button", name=console_page.say("reasonMissed"), exact=True).click()
    # 撤销裁定 may stand beside it.
    sheet.get_by_role("button", name=re.compile("^" + console_page.say("confirmRuling", score=""))).click()
