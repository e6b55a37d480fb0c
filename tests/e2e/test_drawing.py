"""Drawing in the console: a large field with progress, cancelled and drawn again; a draft that cannot be published."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import expect

from tests.e2e.organizing import Organizer, pairs
from tests.e2e.pages.console import say
from tests.e2e.product import Product
from tests.support.spreadsheets import xlsx

pytestmark = pytest.mark.browser

ENTRIES = 420
"""More than are drawn within a request."""


def large_event(organizer: Organizer) -> None:
    """An event of more entries than are drawn at once."""
    organizer.create([], name="周日大赛")
    people = [(2 * number - 1, 2 * number) for number in range(1, ENTRIES + 1)]
    rows = [["选手1", "手机1", "选手2", "手机2"]]
    rows += [[f"选手{one:03d}", f"1380013{one:04d}", f"选手{two:03d}", f"1380013{two:04d}"] for one, two in people]
    content = base64.b64encode(xlsx(rows)).decode()
    organizer.post(organizer.path("/imports"), {"filename": "名单.xlsx", "content": content, "commit": True})


def test_a_large_drawing_is_cancelled_from_the_console_and_drawn_again(product: Product, organizer: Organizer) -> None:
    large_event(organizer)
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/rounds")
    draw = page.get_by_test_id("draw-round")
    expect(draw).to_be_enabled()
    under_way = page.get_by_text(say("drawUnderWay"), exact=True)
    with product.switched_off("jobs"):
        draw.click()
        expect(under_way).to_be_visible()
        # Another page of the console neither hides that, nor offers to draw a second time.
        menu = page.get_by_role("navigation", name=say("menu"))
        menu.get_by_role("link", name=say("menuScoring")).click()
        expect(under_way).to_have_count(0)
        menu.get_by_role("link", name=say("menuRounds")).click()
        expect(under_way).to_be_visible()
        expect(draw).to_be_disabled()

        page.get_by_role("button", name=say("drawCancel")).click()
        expect(page.get_by_text(say("drawCancelled"))).to_be_visible()
        expect(under_way).to_have_count(0)
    assert organizer.get(organizer.path())["last_round"] == 0

    # Nothing of it comes later, either: the next drawing is the first round, and the only one.
    draw.click()
    expect(page.get_by_role("heading", name=say("round", round=1), exact=True)).to_be_visible(timeout=60_000)
    event = organizer.get(organizer.path())
    assert [(drawn["number"], drawn["phase"], drawn["tables"]) for drawn in event["rounds"]] == [(1, "draft", 210)]
    expect(under_way).to_have_count(0)


def test_a_draft_that_seats_who_is_out_by_now_is_not_offered_for_publishing(organizer: Organizer) -> None:
    organizer.create(pairs(8), name="淘汰赛之夜", knockout=True, rounds=3)
    for table in organizer.play_round()["tables"]:
        organizer.rule(table["table"], "A", "9")
    organizer.draw()
    page = organizer.page
    page.goto(f"/c/{organizer.event_id}/rounds")
    publish = page.get_by_test_id("publish-round")
    expect(publish).to_be_enabled()
    organizer.rule(1, "9", "A")
    expect(page.get_by_test_id("redraw")).to_be_visible()
    expect(publish).to_be_disabled()
    # The correction was wrong itself: taken back, the draft is as good as it was.
    organizer.rule(1, "A", "9")
    expect(page.get_by_test_id("redraw")).to_have_count(0)
    expect(publish).to_be_enabled()
