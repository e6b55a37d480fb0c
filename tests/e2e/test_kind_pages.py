"""Every page of the kinds that are not plain pairs: nothing scrolls sideways, is cut off or lies upon something else.

Console, referee, event page and projection, in both languages, on a desk and on small phones, in large letters, with
long names; pictures to be looked at in build/screenshots.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import axe_faults, enlarge, faults_of, keep_picture, words_too_small
from tests.e2e.pages.screen import PROJECTOR
from tests.e2e.product import Product
from tests.e2e.scenes import DESKTOP, PHONE_390
from tests.e2e.staged_kinds import KINDS, KindEvent, stage_kind

pytestmark = [pytest.mark.browser, pytest.mark.full]

OpenPage = Callable[..., Page]
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
SMALLEST = {"width": 320, "height": 568}
LARGE = "24px"
CONSOLE = (
    "overview", "entries", "rounds/1", "rounds/2", "scoring", "standings", "standings/1", "charts", "winners",
    "print/slips", "print/pairings", "print/names", "print/standings", "settings/pairing", "display",
)  # fmt: skip
SCREEN = ("pairings", "names", "standings", "chart")
SUBJECTS = {
    "pairings": "byTable",
    "names": "byName",
    "standings": "standingsTitle",
    "chart": "chartRanks",
    "calendar": "calendarTitle",
    "bracket": "bracketTitle",
    "clubs": "clubsTitle",
}
"""What stands above a view."""
LETTERS = ("normal", "large", "tv")


@pytest.fixture(scope="session")
def kinds(browser: Browser, product: Product) -> Callable[[str], KindEvent]:
    """The event of a kind, made once."""
    made: dict[str, KindEvent] = {}

    def event(name: str) -> KindEvent:
        if name not in made:
            made[name] = stage_kind(browser, product.url, name)
        return made[name]

    return event


def look(page: Page, name: str, language: str, *, desk: bool) -> list[str]:
    """Measure a page as wide as a desk (if `desk`) and a phone, then on the smallest phone in large letters."""
    faults = []
    if desk:
        page.set_viewport_size(DESKTOP["viewport"])
        faults += [f"{name} at 1440: {fault}" for fault in faults_of(page)]
        keep_picture(page, f"kind-{name}-1440-{language}")
    page.set_viewport_size(PHONE_390["viewport"])
    faults += [f"{name} at 390: {fault}" for fault in faults_of(page)]
    if language == "zh":
        faults += [f"{name} at 390: {fault}" for fault in axe_faults(page)]
    page.set_viewport_size(SMALLEST)
    faults += [f"{name} at 320: {fault}" for fault in faults_of(page)]
    enlarge(page, LARGE)
    faults += [f"{name} at 320, 150 %: {fault}" for fault in faults_of(page)]
    keep_picture(page, f"kind-{name}-320-{language}-large")
    page.set_viewport_size(PHONE_390["viewport"])
    enlarge(page, "")
    return faults


def settled(page: Page) -> None:
    """Wait until nothing is announced by grey bars any more."""
    expect(page.get_by_role("heading").first).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", KINDS)
def test_the_console_fits(name: str, language: str, kinds: Callable[[str], KindEvent], open_page: OpenPage) -> None:
    event = kinds(name)
    page = open_page(bypass_csp=True, storage_state=event.known, locale=LOCALES[language], reduced_motion="reduce")
    faults = []
    for path in (*CONSOLE, *event.kind.pages):
        page.goto(f"/c/{event.event_id}/{path}")
        settled(page)
        faults += look(page, f"{name}-{path.replace('/', '-')}", language, desk=True)
    page.goto(f"/c/{event.draft}/rounds")
    settled(page)
    faults += look(page, f"{name}-draft", language, desk=True)
    page.goto(f"/c/{event.event_id}/scoring")
    page.get_by_test_id("table-1").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    faults += look(page, f"{name}-table", language, desk=True)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", KINDS)
def test_the_referees_page_and_the_event_page_fit(
    name: str, language: str, kinds: Callable[[str], KindEvent], open_page: OpenPage
) -> None:
    event = kinds(name)
    say = words_of("ref", "officials", "shared", language=language)
    page = open_page(bypass_csp=True, **PHONE_390, locale=LOCALES[language], reduced_motion="reduce")
    page.goto(event.links["referee"])
    expect(page.get_by_test_id("table-1")).to_be_visible()
    faults = look(page, f"{name}-referee", language, desk=True)
    page.get_by_test_id("table-1").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name=say("byHand"), exact=True).click()
    faults += look(page, f"{name}-referee-table", language, desk=False)
    page.goto(f"/v/{event.event_id}")
    settled(page)
    faults += look(page, f"{name}-event", language, desk=True)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("name", KINDS)
def test_the_projection_fits(name: str, language: str, kinds: Callable[[str], KindEvent], open_page: OpenPage) -> None:
    event = kinds(name)
    say = words_of("screen", "matches", language=language)
    page = open_page(**PROJECTOR, locale=LOCALES[language], reduced_motion="reduce")
    faults = []
    for view in (*SCREEN, *event.kind.views):
        event.organizer.show(view)
        page.goto(event.links["display"])
        expect(page.locator(".subject")).to_contain_text(say(SUBJECTS[view]))
        # Every picture is held until it was looked at.
        page.keyboard.press(" ")
        for letters in LETTERS:
            for place in range(max(1, page.locator(".dots i").count())):
                seen = f"{name}-{view}-{letters}-{place + 1}"
                faults += [f"{seen}: {fault}" for fault in (*faults_of(page), *words_too_small(page))]
                keep_picture(page, f"hall-{seen}-{language}")
                page.keyboard.press("ArrowRight")
            page.keyboard.press("+")
        for _ in LETTERS:
            page.keyboard.press("-")
    assert not faults, "\n".join(faults)
