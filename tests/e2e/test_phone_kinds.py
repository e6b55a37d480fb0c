"""What kinds other than plain levels ask of a phone: boards, rooms, winners; and calling for the referee, giving up."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.devices import device_of
from tests.e2e.hall import open_table
from tests.e2e.kinds import Hall, first_player, open_hall, teams
from tests.e2e.organizing import Organizer
from tests.e2e.pages.phone import PHONE, Phone, say
from tests.e2e.pages.referee import Referee
from tests.e2e.pages.referee import say as to_referee

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


def both(hall: Hall, open_page: OpenPage) -> tuple[Phone, Phone]:
    """A phone for each side of the first table."""
    table = hall.tables[0]
    return hall.phone(first_player(table, "ns"), open_page), hall.phone(first_player(table, "ew"), open_page)


def test_duplicate_boards_are_scored_one_by_one_and_those_that_differ_are_marked(
    organizer: Organizer, open_page: OpenPage
) -> None:
    hall = open_hall(organizer, "mitchell", teams(4, 2), rounds=2, boards_per_round=3)
    ns, ew = both(hall, open_page)
    submit = ns.page.get_by_role("button", name=say("submit"), exact=True)
    for board, result in ((1, 3), (2, -1)):
        ns.enter_board(board, result)
    expect(ns.page.get_by_text(say("boardsLeft", n=1))).to_be_visible()
    expect(submit).to_be_disabled()
    # What was entered so far is the table's running score.
    expect(ns.page.get_by_test_id("draft")).to_have_text(say("draftShared"))
    assert hall.table(1)["running"]["score"]["boards"] == [{"board": 1, "result": 3}, {"board": 2, "result": -1}]
    ns.enter_board(3, 2)
    expect(ns.page.get_by_text(say("boardsSentence", n=3, net="+4"))).to_be_visible()
    ns.submit_entered()
    expect(ns.fate("submitted")).to_contain_text(say("scoreBoards", n=3, net="+4"))
    # The opponents see them with the signs turned round, and differ on the second.
    for board, result in ((1, -3), (2, -2), (3, -2)):
        ew.enter_board(board, result)
    ew.submit_entered()
    for phone in (ns, ew):
        rows = phone.fate("disputed").get_by_role("row")
        expect(rows.filter(has_text=say("differs").strip("，"))).to_have_count(1)
        expect(rows.filter(has_text=say("differs").strip("，"))).to_contain_text(say("boardNumber", board=2))
    ew.page.get_by_role("button", name=say("takeTheirs", score=say("scoreBoards", n=3, net="−4")), exact=True).click()
    # Nothing is left to be chosen: the last look comes at once.
    ew.confirm()
    for phone in (ns, ew):
        expect(phone.fate("confirmed")).to_be_visible()
    assert [one["result"] for one in hall.table(1)["result"]["boards"]] == [3, -1, 2]


def test_a_correction_stays_open_while_other_things_change_at_the_table(
    organizer: Organizer, open_page: OpenPage, new_context: Callable[..., BrowserContext]
) -> None:
    table = open_table(organizer)
    phone = table.phone("ns", open_page(**PHONE))
    phone.submit("A", "9")
    device_of(new_context, organizer.event_id, table.ew).submit(table.table(), ns_level="A", ew_level="K")
    expect(phone.fate("disputed")).to_be_visible()
    phone.page.get_by_role("button", name=say("correctOwn"), exact=True).click()
    form = phone.page.get_by_role("region", name=say("correctTitle"))
    expect(form).to_be_visible()
    now_standing = table.table()
    with phone.page.expect_response(lambda reply: reply.url.endswith("/me") and reply.status == 200):
        path = organizer.path("/rounds/1/tables/1/extra-time")
        organizer.post(path, {"version": now_standing["version"], "minutes": 5})
    phone.page.wait_for_timeout(300)
    expect(form).to_be_visible()
    phone.submit("A", "K", "submitCorrection")
    expect(phone.fate("confirmed")).to_be_visible()


def test_levels_come_of_boards_and_agree_with_levels_alone(organizer: Organizer, open_page: OpenPage) -> None:
    hall = open_hall(organizer, "pairs", teams(2, 2))
    ns, ew = both(hall, open_page)
    ns.enter_by_boards(3, 3, -1)
    expect(ns.page.get_by_test_id("climbed")).to_have_text(say("climbed", ours="8", theirs="3"))
    expect(ns.page.get_by_test_id("draft")).to_have_text(say("draftShared"))
    ns.submit_entered()
    expect(ns.fate("submitted")).to_contain_text("8 : 3")
    ew.submit("8", "3")
    for phone in (ns, ew):
        expect(phone.fate("confirmed")).to_be_visible()
    result = hall.table(1)["result"]
    assert (result["ns_level"], result["ew_level"]) == ("8", "3")


def test_a_match_is_given_up_after_the_other_room_has_said_something(organizer: Organizer, open_page: OpenPage) -> None:
    """A reason is asked for in either room: the server wanted one, and no form offered it."""
    hall = open_hall(organizer, "team_of_four", teams(2, 4), rounds=2, boards_per_round=1)
    closed = hall.phone(hall.tables[0]["ns"]["players"][2], open_page, room="roomClosed")
    closed.enter_board(1, 3)
    closed.submit_entered()
    expect(closed.fate("submitted")).to_be_visible()
    referee = Referee(open_page(**PHONE))
    referee.open(organizer.link("referee"))
    referee.page.get_by_role("textbox", name=to_referee("jumpTo")).fill("1")
    referee.page.get_by_role("textbox", name=to_referee("jumpTo")).press("Enter")
    sheet = referee.page.get_by_role("dialog")
    forfeit = to_referee("scoreForfeit", side=hall.tables[0]["ew"]["name"])
    sheet.get_by_role("button", name=forfeit, exact=True).click()
    sheet.get_by_role("button", name=to_referee("reasonForfeit"), exact=True).click()
    sheet.locator("form.ruling-form button[type=submit]").click()
    expect(sheet).to_be_hidden()
    for _ in range(60):
        if {one["state"] for one in organizer.tables()} == {"ruled"}:
            break
        referee.page.wait_for_timeout(250)
    assert [one["result"]["outcome"] for one in organizer.tables()] == ["ew_forfeit"] * 2


def test_two_rooms_score_one_match_each_on_its_own(organizer: Organizer, open_page: OpenPage) -> None:
    hall = open_hall(organizer, "team_of_four", teams(2, 4), rounds=2, boards_per_round=2)
    home = hall.tables[0]["ns"]["players"]
    guests = hall.tables[0]["ew"]["players"]
    open_room = [hall.phone(home[0], open_page, room="roomOpen"), hall.phone(guests[0], open_page, room="roomOpen")]
    closed = [hall.phone(home[2], open_page, room="roomClosed"), hall.phone(guests[2], open_page, room="roomClosed")]
    for board, result in ((1, 2), (2, -3)):
        open_room[0].enter_board(board, result)
        open_room[1].enter_board(board, -result)
    for phone in open_room:
        phone.submit_entered()
    for phone in open_room:
        expect(phone.fate("confirmed")).to_be_visible()
    # In the closed room the home team sits EW: its gain is a loss of who sits NS there.
    expect(closed[0].page.locator(".seat.mine")).to_have_text(say("eastWest"))
    for board, result in ((1, 1), (2, 3)):
        closed[0].enter_board(board, result)
        closed[1].enter_board(board, -result)
    for phone in closed:
        phone.submit_entered()
    for phone in closed:
        expect(phone.fate("confirmed")).to_be_visible()
    results = {table["room"]: [one["result"] for one in table["result"]["boards"]] for table in organizer.tables()}
    assert results == {"open": [2, -3], "closed": [-1, -3]}
    # The choice is remembered.
    closed[0].page.reload()
    expect(closed[0].fate("confirmed")).to_be_visible()


def test_equal_levels_of_a_knock_out_need_a_winner(organizer: Organizer, open_page: OpenPage) -> None:
    hall = open_hall(organizer, "pairs", teams(2, 2), knockout=True)
    ns, ew = both(hall, open_page)
    for phone in (ns, ew):
        phone.choose_levels("K", "K")
        expect(phone.page.get_by_role("button", name=say("submit"), exact=True)).to_be_disabled()
        phone.page.get_by_role("button", name=say("sideWins", side=say("eastWest")), exact=True).click()
        phone.submit_entered()
    for phone in (ns, ew):
        expect(phone.fate("confirmed")).to_contain_text(say("scoreDrawWon", level="K", side=say("eastWest")))
    assert hall.table(1)["result"]["winner"] == "ew"


def test_a_call_has_its_place_and_is_seen_to_be_taken(organizer: Organizer, open_page: OpenPage) -> None:
    hall = open_hall(organizer, "pairs", teams(4, 2))
    first = hall.phone(first_player(hall.tables[0], "ns"), open_page)
    second = hall.phone(first_player(hall.tables[1], "ew"), open_page)
    # The sheet is on the phone before it is needed.
    sheets = "performance.getEntriesByType('resource').some(one => /ActSheets.*js/.test(one.name))"
    deadline = time.monotonic() + 15
    # Asked from outside: the page's own policy lets nobody evaluate text in it.
    while not first.page.evaluate(sheets):
        assert time.monotonic() < deadline, "the sheets never came"
        first.page.wait_for_timeout(100)
    first.context.set_offline(True)
    first.call_referee("对方没到")
    expect(first.call).to_contain_text(say("callSaved"))
    first.context.set_offline(False)
    expect(first.call).to_contain_text(say("callNext"))
    second.call_referee()
    expect(second.call).to_contain_text(say("callPlace", n=1))
    calls = organizer.get(organizer.path("/current-tables"))["calls"]
    assert [(call["table"], call["message"]) for call in calls] == [(1, "对方没到"), (2, "")]
    taken_at = time.monotonic()
    organizer.post(organizer.path(f"/calls/{calls[0]['call']}/taking"), {})
    expect(first.call).to_contain_text(say("callTaken"))
    print(f"\ncall taken, seen on the phone after {time.monotonic() - taken_at:.1f} s")
    expect(second.call).to_contain_text(say("callNext"))
    organizer.post(organizer.path(f"/calls/{calls[0]['call']}/closing"), {})
    expect(first.call).to_be_hidden()
    second.page.get_by_role("button", name=say("callWithdraw"), exact=True).click()
    expect(second.call).to_be_hidden()
    expect(second.sync).to_have_text(say("outboxSynced"))
    assert organizer.get(organizer.path("/current-tables"))["calls"] == []


def test_giving_up_takes_the_tables_number_and_counts_at_once(organizer: Organizer, open_page: OpenPage) -> None:
    hall = open_hall(organizer, "pairs", teams(2, 2), self_forfeit=True)
    ns, ew = both(hall, open_page)
    ns.page.get_by_role("button", name=say("giveUp"), exact=True).click()
    sheet = ns.page.get_by_role("dialog")
    sheet.get_by_label(say("giveUpType", table=1)).fill("7")
    sheet.get_by_role("button", name=say("giveUpGo"), exact=True).click()
    expect(sheet).to_contain_text(say("giveUpWrong", table=1))
    assert hall.table(1)["state"] == "open"
    sheet.get_by_label(say("giveUpType", table=1)).fill("1")
    sheet.get_by_role("button", name=say("giveUpGo"), exact=True).click()
    expect(ns.fate("ruled")).to_contain_text(say("weGaveUp"))
    expect(ew.fate("ruled")).to_contain_text(say("theyGaveUp"))
    assert hall.table(1)["result"]["outcome"] == "ns_forfeit"


def test_a_ruling_is_seen_at_the_table_and_a_settled_round_can_be_questioned(
    organizer: Organizer, open_page: OpenPage
) -> None:
    hall = open_hall(organizer, "pairs", teams(4, 2))
    phone = hall.phone(first_player(hall.tables[0], "ns"), open_page)
    phone.submit("10", "K")
    expect(phone.fate("submitted")).to_be_visible()
    ruled_at = time.monotonic()
    organizer.rule(1, "9", "K")
    expect(phone.fate("ruled")).to_contain_text("9 : K")
    expect(phone.fate("ruled")).to_contain_text(say("ruledInstead", score="10 : K"))
    print(f"\nruling, seen on the phone after {time.monotonic() - ruled_at:.1f} s")
    organizer.rule(2, "2", "J")
    organizer.settle()
    organizer.play_round()
    expect(phone.page.get_by_text(say("roundOf", round=2, rounds=5))).to_be_visible(timeout=45_000)
    phone.tab("tabMine")
    phone.page.get_by_role("button", name=say("askCorrection"), exact=True).click()
    sheet = phone.page.get_by_role("dialog")
    sheet.get_by_label(say("correctionWhat")).fill("第一轮应为 10 : K")
    sheet.get_by_role("button", name=say("correctionGo"), exact=True).click()
    expect(phone.page.get_by_text(say("correctionAsked"))).to_be_visible()
    expect(phone.sync).to_have_text(say("outboxSynced"))
    (call,) = organizer.get(organizer.path("/current-tables"))["calls"]
    assert (call["kind"], call["round"], call["message"]) == ("correction", 1, "第一轮应为 10 : K")
