"""Drafts of every kind in the console, teams' pages, and what is printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.kinds import teams
from tests.e2e.measuring import PICTURES, faults_of
from tests.e2e.organizing import Organizer, pairs
from tests.e2e.pages.control import Draft, say

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
_PAGE = re.compile(rb"/Type\s*/Page[^s]")
A4 = {"pairings": 1, "names": 1, "slips": 1, "cards": 2, "standings": 1, "certificates": 2}
"""Pages that an event of four pairs and two winners takes."""


def event_of(organizer: Organizer, kind: str, entries: list[dict[str, Any]], **settings: Any) -> None:
    """A new event of a kind with these entries."""
    organizer.event_id = organizer.post("/events", {"name": "各种赛制", "kind": kind})["event_id"]
    if settings:
        event = organizer.get(organizer.path())
        changed = {"version": event["version"], "settings": {**event["settings"], **settings}}
        organizer.put(organizer.path("/settings"), changed)
    for entry in entries:
        organizer.post(organizer.path("/entries"), entry)


def test_one_of_two_persons_changes_places_by_drag_and_by_taps(organizer: Organizer) -> None:
    event_of(organizer, "individual", teams(9, 1))
    organizer.draw()
    draft = Draft(organizer.page, organizer.event_id)
    first, second = draft.name_at(1, 0), draft.name_at(2, 3)
    draft.seat(1, 0).drag_to(draft.seat(2, 3))
    expect(draft.seat(1, 0)).to_contain_text(second)
    expect(draft.seat(2, 3)).to_contain_text(first)
    # The one who rests comes in, by two taps.
    resting = organizer.page.get_by_role("region", name=say("bye")).locator("button.seat")
    name = resting.locator(".name").inner_text()
    resting.click()
    draft.seat(1, 1).click()
    expect(draft.seat(1, 1)).to_contain_text(name.split()[0])
    seats = {
        number
        for table in organizer.get(organizer.path("/rounds/1"))["tables"]
        for side in ("ns", "ew")
        for number in table[side]["numbers"]
    }
    assert len(seats) == 8


def test_a_pair_of_persons_changes_places_by_typed_numbers(organizer: Organizer) -> None:
    event_of(organizer, "rotation", teams(8, 1))
    organizer.draw()
    draft = Draft(organizer.page, organizer.event_id)
    before = [draft.name_at(1, place) for place in (2, 3)]
    page = organizer.page
    for label, side, table in (("firstTable", "firstSide", "1"), ("secondTable", "secondSide", "2")):
        page.get_by_label(say(label)).fill(table)
        page.get_by_label(say(side)).select_option(label=say("pairOf", side=say("eastWest")))
    page.get_by_role("button", name=say("swap"), exact=True).click()
    for place, name in zip((2, 3), before, strict=True):
        expect(draft.seat(2, place)).to_contain_text(name)
    # A place that does not exist is refused beside the field.
    page.get_by_label(say("firstTable")).fill("9")
    page.get_by_label(say("secondTable")).fill("1")
    page.get_by_role("button", name=say("swap"), exact=True).click()
    expect(page.get_by_text(say("swapImpossible"))).to_be_visible()


def test_a_draft_of_mitchell_names_its_boards_and_who_sits_out(organizer: Organizer) -> None:
    event_of(organizer, "mitchell", teams(9, 2))
    organizer.draw()
    draft = Draft(organizer.page, organizer.event_id)
    expect(organizer.page.get_by_role("columnheader", name=say("boardSet"))).to_be_visible()
    expect(organizer.page.get_by_role("region", name=say("sitOut")).locator("button.seat")).to_have_count(1)
    expect(draft.row(1)).to_contain_text(say("whyMitchell"))


def test_a_teams_page_adds_up(organizer: Organizer) -> None:
    organizer.create(pairs(4), rounds=3)
    for _ in range(2):
        for table in organizer.play_round()["tables"]:
            organizer.rule(table["table"], "A+", "9")
        organizer.settle()
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/standings")
    row = page.get_by_role("row").filter(has=page.get_by_role("cell")).first
    points = int(row.get_by_role("cell").nth(4).inner_text())
    row.get_by_role("link").click()
    rounds = page.get_by_role("table").get_by_role("row").filter(has=page.get_by_role("cell"))
    expect(rounds).to_have_count(2)
    expect(rounds.first.get_by_role("cell").nth(3)).to_have_text("过A : 9")
    assert sum(int(one.get_by_role("cell").nth(5).inner_text()) for one in rounds.all()) == points


@pytest.mark.parametrize("sheet", list(A4))
def test_sheets_are_printed_without_the_page_around_them(organizer: Organizer, sheet: str, tmp_path: Path) -> None:
    organizer.create(pairs(4), rounds=3, prizes=[{"name": "冠军", "count": 2}])
    for table in organizer.play_round()["tables"]:
        organizer.rule(table["table"], "A+", "9")
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/print/{sheet}")
    paper = page.locator(".paper")
    expect(paper).to_be_visible()
    if sheet == "cards":
        page.get_by_label(say("cardsTo")).fill("3")
        expect(page.locator(".table-card")).to_have_count(3)
    page.emulate_media(media="print")
    for part in ("navigation", "banner"):
        expect(page.get_by_role(part)).to_have_count(0)
    expect(page.get_by_test_id("print")).to_be_hidden()
    assert faults_of(page) == []
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"print-{sheet}.png", full_page=True)
    file = tmp_path / "sheet.pdf"
    page.pdf(path=file, prefer_css_page_size=True)
    assert len(_PAGE.findall(file.read_bytes())) == A4[sheet]
    page.emulate_media(media="screen")


def test_an_event_comes_back_from_its_document(organizer: Organizer, tmp_path: Path) -> None:
    organizer.create(pairs(4), rounds=3)
    for table in organizer.play_round()["tables"]:
        organizer.rule(table["table"], "A+", "9")
    organizer.settle()
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/files")
    saved = {}
    for key in ("downloadJson", "filesAudit"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=say(key), exact=True).click()
        saved[key] = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved[key])
    assert '"action"' in saved["filesAudit"].read_text(encoding="utf-8").splitlines()[0]
    before = organizer.get(organizer.path("/standings"))
    page.goto("/c/")
    page.get_by_role("link", name=say("documentImport")).click()
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": "guanjun-event/1"}', encoding="utf-8")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.get_by_role("alert")).to_contain_text("/entries")
    page.locator("input[type=file]").set_input_files(saved["downloadJson"])
    expect(page).to_have_url(re.compile(r"/overview$"))
    organizer.event_id = page.url.split("/")[-2]
    after = organizer.get(organizer.path("/standings"))
    assert [(row["rank"], row["number"], row["values"]) for row in after["rows"]] == [
        (row["rank"], row["number"], row["values"]) for row in before["rows"]
    ]
