"""A round with many tables is published and settled by jobs: progress in the console, then everybody sees all of it.

The product runs in a world in which more than two tables are many; nothing else is different.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.organizing import Organizer, pairs, sign_in
from tests.e2e.pages.console import say
from tests.e2e.product import Product, serving

pytestmark = pytest.mark.browser

TABLES = 30


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product, where two tables are the most that are done within a request."""
    with serving(tmp_path_factory.mktemp("large") / "data", tables_at_once=2) as running:
        yield running


@pytest.fixture
def visitor(large: Product, browser: Browser) -> Iterator[BrowserContext]:
    """A browser that shows it."""
    context = browser.new_context(base_url=large.url, locale="zh-CN", timezone_id="Asia/Shanghai")
    yield context
    context.close()


def drawn(organizer: Organizer) -> None:
    """The next round's draft, by a job or not."""
    job = organizer.post(organizer.path("/drawing"), {})
    while not job["over"]:
        organizer.page.wait_for_timeout(200)
        job = organizer.get(organizer.path(f"/drawing/{job['job_id']}"))
    assert job["phase"] == "done", job


def test_a_large_round_is_published_cancelled_and_settled_from_the_console(
    large: Product, visitor: BrowserContext
) -> None:
    page = visitor.new_page()
    organizer = sign_in(page)
    organizer.create(pairs(2 * TABLES), score_any_time=True, rounds=3)
    drawn(organizer)
    card, publish = page.get_by_test_id("round-progress"), page.get_by_test_id("publish-round")
    page.goto(f"/c/{organizer.event_id}/rounds/1")
    with large.switched_off("jobs"):
        publish.click()
        expect(card).to_contain_text(say("publishUnderWay", round=1))
        expect(publish).to_be_disabled()
        card.get_by_role("button").click()
        expect(page.get_by_text(say("roundJobCancelled", round=1))).to_be_visible()
        expect(card).to_have_count(0)
    assert [one["phase"] for one in organizer.get(organizer.path())["rounds"]] == ["draft"]

    publish.click()
    expect(page.get_by_text(say("roundPublished", round=1), exact=True)).to_be_visible(timeout=60_000)
    expect(publish).to_have_count(0)
    (last,) = organizer.get(organizer.path())["rounds"]
    assert (last["phase"], last["tables"], last["job"]) == ("published", TABLES, None)
    assert len(organizer.tables()) == TABLES
    # What phones and projections go by is another from now on.
    pulse = page.request.get(f"/pub/{organizer.event_id}/pulse.json").json()
    assert (pulse["round"], pulse["phase"]) == (1, "published")

    # All tables are open: the console says so, and the round stays as it is.
    settle = page.get_by_test_id("settle-round")
    page.goto(f"/c/{organizer.event_id}/scoring")
    settle.click()
    expect(page.get_by_role("alert").first).to_contain_text(say("settleBlocked", n=TABLES))
    assert organizer.get(organizer.path())["rounds"][0]["phase"] == "published"

    for table in organizer.tables():
        organizer.rule(table["table"], "A", "9")
    page.goto(f"/c/{organizer.event_id}/overview")
    page.goto(f"/c/{organizer.event_id}/scoring")
    with large.switched_off("jobs"):
        settle.click()
        expect(card).to_contain_text(say("settleUnderWay", round=1))
    expect(page.get_by_text(say("roundSettled", round=1), exact=True).first).to_be_visible(timeout=60_000)
    expect(card).to_have_count(0)
    assert organizer.get(organizer.path())["rounds"][0]["phase"] == "settled"
    page.get_by_role("button", name="撤销").click()
    expect(settle).to_be_visible()
    assert organizer.get(organizer.path())["rounds"][0]["phase"] == "published"

    # Drawing settles it, too, in steps of the same job.
    drawn(organizer)
    assert [one["phase"] for one in organizer.get(organizer.path())["rounds"]] == ["settled", "draft"]
