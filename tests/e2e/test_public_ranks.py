"""What players and spectators see of the ranks: nothing later than a freeze allows, and what is not final marked so."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.organizing import Organizer, pairs
from tests.e2e.pages import screen as screen_page
from tests.e2e.pages.phone import PHONE, Phone, say
from tests.e2e.pages.screen import PROJECTOR, Screen

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
of_event = words_of("home", "shared")
of_addends = words_of("addends")
of_counted = words_of("counted")


def phone_of(organizer: Organizer, seat: Any, open_page: OpenPage) -> Phone:
    """A phone of the first player of a team."""
    phone = Phone(open_page(**PHONE))
    phone.open(organizer.link("play"))
    phone.find_myself(seat["players"][0], seat["players"][0])
    # The tabs of a known player take the place of those of a stranger.
    expect(phone.page.get_by_role("button", name=say("tabMine"))).to_be_visible()
    return phone


def event_page(organizer: Organizer, open_page: OpenPage) -> Locator:
    """The public standings on the event's own page."""
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(f"/v/{organizer.event_id}")
    return page.get_by_test_id("public-standings")


def ranks_on(standings: Locator) -> list[str]:
    """Rank and team of every row of the event's page."""
    expect(standings.get_by_role("row").nth(1)).to_be_visible()
    return [
        f"{row.locator('.rank').inner_text().strip()} {row.locator('.team').inner_text()}"
        for row in standings.get_by_role("row").all()[1:]
    ]


def public_ranks(organizer: Organizer, open_page: OpenPage) -> set[tuple[int, int]]:
    """(number, rank) wherever they stand in a file that anybody may fetch: all that the pulse names."""
    request = open_page().context.request
    pulse = request.get(f"/pub/{organizer.event_id}/pulse.json").json()
    found: set[tuple[int, int]] = set()
    for kind in ("standings", "clubs", "charts", "bracket", "calendar", "pairings"):
        name = pulse.get(kind)
        page = 1
        while name and (reply := request.get(f"/pub/{organizer.event_id}/{kind}/{name}/{page}.json")).ok:
            found |= set(ranked(reply.json()))
            page += 1
    return found


def ranked(value: Any) -> list[tuple[int, int]]:
    """Every (number, rank) in a JSON value."""
    if isinstance(value, list):
        return [pair for part in value for pair in ranked(part)]
    if not isinstance(value, dict):
        return []
    own = [(value["no"], value["rank"])] if "no" in value and isinstance(value.get("rank"), int) else []
    return own + ranked(list(value.values()))


def play(organizer: Organizer, tables: list[Any], winner: str) -> None:
    """Every table is won by one side, each by another margin, and the round is settled."""
    lower = ("2", "7", "Q")
    for place, table in enumerate(tables):
        levels = ("A+", lower[place]) if winner == "ns" else (lower[place], "A+")
        organizer.rule(table["table"], *levels)
    organizer.settle()


def wait_for_standings(organizer: Organizer, number: int) -> dict[int, int]:
    """Rank by number as organizers see them, once that round counts."""
    page = organizer.page
    for _ in range(100):
        found = organizer.get(organizer.path("/standings"))
        if found["round"] == number and not found["provisional"]:
            return {row["number"]: row["rank"] for row in found["rows"]}
        page.wait_for_timeout(100)
    raise AssertionError(f"round {number} never counted")


def test_after_a_freeze_phones_event_page_and_files_keep_the_ranks_of_before(
    organizer: Organizer, open_page: OpenPage
) -> None:
    organizer.create(pairs(7), rounds=3)
    play(organizer, organizer.play_round()["tables"], "ns")
    before = wait_for_standings(organizer, 1)
    version = organizer.get(organizer.path())["version"]
    organizer.put(organizer.path("/freeze"), {"version": version, "round": 2})
    second = organizer.play_round()
    resting, player = second["byes"][0], second["tables"][0]["ew"]
    waiting, phone = (phone_of(organizer, seat, open_page) for seat in (resting, player))
    # Whoever sits nowhere is told his rank, and that it is the one of before.
    expect(waiting.page.get_by_test_id("my-rank")).to_have_text(say("myRankFrozen", rank=before[resting["number"]]))
    shown = phone.standings()
    expect(phone.page.get_by_text(say("standingsFrozen"))).to_be_visible()
    spectators = event_page(organizer, open_page)
    seen = ranks_on(spectators)

    play(organizer, second["tables"], "ew")
    after = wait_for_standings(organizer, 2)
    assert after != before
    for one in (waiting, phone):
        one.page.reload()
    expect(phone.page.get_by_text(say("standingsFrozen"))).to_have_count(0)  # the table's page first
    assert phone.standings() == shown
    expect(phone.page.get_by_text(say("standingsFrozen"))).to_be_visible()
    expect(phone.page.get_by_text(of_counted("countedAll", round=1))).to_be_visible()
    expect(waiting.page.get_by_test_id("my-rank")).to_have_text(say("myRankFrozen", rank=before[resting["number"]]))
    spectators.page.reload()
    assert ranks_on(spectators) == seen
    expect(spectators).to_contain_text(of_event("standingsFrozen"))
    assert public_ranks(organizer, open_page) == set(before.items())

    # Once it is over everybody sees everything.
    version = organizer.get(organizer.path())["version"]
    organizer.put(organizer.path("/freeze"), {"version": version, "round": None})
    expect(phone.page.get_by_text(of_counted("countedAll", round=2))).to_be_visible(timeout=60_000)
    expect(phone.page.get_by_text(say("standingsFrozen"))).to_have_count(0)
    assert [rank for rank, _ in phone.standings()] == sorted(after.values())
    assert public_ranks(organizer, open_page) == set(after.items())


def lines_add_up(page: Page, words: Callable[..., str], criterion: str) -> tuple[list[str], float]:
    """The rounds of a criterion's lines in the sheet that is open, and its total, which they add up to."""
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name=criterion, exact=True).click()
    rows = sheet.get_by_role("table").locator("tbody tr").all()
    total = float(sheet.get_by_text(words("total")).locator("strong").inner_text())
    assert sum(float(row.locator(".number").inner_text()) for row in rows) == total
    return [row.locator(".round").inner_text() for row in rows], total


def test_a_tap_on_a_row_opens_the_lines_of_every_number_and_none_of_a_frozen_round(
    organizer: Organizer, open_page: OpenPage
) -> None:
    organizer.create(pairs(6), rounds=3)
    play(organizer, organizer.play_round()["tables"], "ns")
    second = organizer.play_round()
    play(organizer, second["tables"], "ew")
    wait_for_standings(organizer, 2)
    phone = phone_of(organizer, second["tables"][0]["ew"], open_page)
    phone.standings()
    row = phone.page.get_by_role("list", name=say("standingsTitle")).get_by_role("listitem").first
    shown = dict(zip(row.locator(".value").all_inner_texts(), row.locator(".value b").all_inner_texts(), strict=True))
    row.get_by_role("button").tap()
    for words, value in list(shown.items())[:3]:
        criterion = words.removesuffix(value).strip()
        rounds, total = lines_add_up(phone.page, of_addends, criterion)
        assert total == float(value)
        assert set(rounds) == {of_addends("round", round=1), of_addends("round", round=2)}
    phone.page.get_by_role("dialog").get_by_role("button", name=say("close")).click()
    expect(phone.page.get_by_role("dialog")).to_have_count(0)

    version = organizer.get(organizer.path())["version"]
    organizer.put(organizer.path("/freeze"), {"version": version, "round": 2})
    spectators = event_page(organizer, open_page)
    expect(spectators).to_contain_text(of_event("standingsFrozen"))
    spectators.get_by_role("row").nth(1).locator(".rank").click()  # anywhere in the row
    expect(spectators.page.get_by_role("dialog")).to_contain_text(of_counted("countedAll", round=1))
    heads = spectators.locator("thead th.number").all_inner_texts()
    for criterion in heads[:3]:
        rounds, _ = lines_add_up(spectators.page, of_addends, criterion)
        assert set(rounds) == {of_addends("round", round=1)}


def test_ranks_that_may_still_change_are_marked_everywhere(organizer: Organizer, open_page: OpenPage) -> None:
    organizer.create(pairs(4), rounds=2, ranking_after_submission_only=False)
    table = organizer.play_round()["tables"][0]
    ns, ew = (phone_of(organizer, table[side], open_page) for side in ("ns", "ew"))
    organizer.show("standings")
    screen = Screen(open_page(**PROJECTOR))
    screen.open(organizer.event_id)
    spectators = event_page(organizer, open_page)
    ns.submit("A", "9")
    expect(ns.fate("submitted")).to_be_visible()
    ns.tab("tabStandings")
    expect(ns.page.get_by_text(say("standingsLive"))).to_be_visible(timeout=60_000)
    marks = ns.page.get_by_role("list", name=say("standingsTitle")).locator("em")
    assert marks.all_inner_texts() == [say("provisional")] * 2
    pinned = ns.page.locator(".pinned")
    expect(pinned.locator("em")).to_have_text(say("provisional"))
    expect(spectators).to_contain_text(of_event("standingsProvisional"), timeout=60_000)
    expect(spectators.get_by_role("row").locator("em")).to_have_count(2)
    expect(screen.page.get_by_text(screen_page.say("standingsProvisional"))).to_be_visible()
    # Both tables have to be over before the round counts as one.
    in_play = of_counted("countedPart", round=1)
    expect(ns.page.get_by_text(in_play)).to_be_visible()
    expect(spectators).to_contain_text(in_play)
    expect(screen.page.get_by_text(in_play)).to_be_visible()

    ew.submit("A", "9")
    expect(ew.fate("confirmed")).to_be_visible()
    expect(ns.page.get_by_text(re.compile(say("standingsLive")))).to_have_count(0, timeout=60_000)
    expect(marks).to_have_count(0)
    expect(pinned.locator("em")).to_have_count(0)
    expect(spectators.get_by_role("row").locator("em")).to_have_count(0, timeout=60_000)
    expect(screen.page.get_by_text(screen_page.say("standingsProvisional"))).to_have_count(0)
    expect(ns.page.get_by_text(in_play)).to_be_visible()
    other = next(one for one in organizer.tables() if one["table"] != table["table"])
    organizer.rule(other["table"], "A", "9")
    over = of_counted("countedAll", round=1)
    expect(ns.page.get_by_text(over)).to_be_visible(timeout=60_000)
    expect(spectators).to_contain_text(over, timeout=60_000)
    expect(screen.page.get_by_text(over)).to_be_visible(timeout=60_000)
