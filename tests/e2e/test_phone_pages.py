"""The phone in the states that the kinds bring: everything fits, can be hit by a finger, and axe finds nothing.

With pictures to be looked at in build/screenshots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import axe_faults, enlarge, faults_of, keep_picture, small_targets
from tests.e2e.product import Product
from tests.e2e.scenes import PHONE_390
from tests.e2e.staged_phones import Phones, stage_phones

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
Say = Callable[..., str]
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
SMALLEST = {"width": 320, "height": 568}
CATALOGUES = ("play-find", "play-mine", "play-table", "play", "table-reasons", "shared")


@dataclass(frozen=True)
class Scene:
    """A state of a phone: what is done on it to get there, and what shows that it is reached."""

    name: str
    acts: Callable[[Page, Say], Locator]
    who: str = ""


def button(page: Page, words: str) -> Locator:
    """A button by its whole name."""
    return page.get_by_role("button", name=words, exact=True)


def _enter(page: Page, say: Say, board: int, key: str, n: int) -> None:
    page.get_by_test_id(f"board-{board}").click()
    page.get_by_role("radio", name=say(key, n=n), exact=True).click()


def _boards(page: Page, say: Say) -> Locator:
    return page.get_by_test_id("board-8")


def _disputed(page: Page, say: Say) -> Locator:
    return page.get_by_test_id("fate-disputed")


def _rooms(page: Page, say: Say) -> Locator:
    return page.get_by_test_id("room-choice")


def _closed_room(page: Page, say: Say) -> Locator:
    page.get_by_test_id("room-choice").get_by_role("button").filter(has_text=say("roomClosed")).click()
    return button(page, say("toOpenRoom"))


def _climb(page: Page, say: Say) -> Locator:
    button(page, say("byBoards")).click()
    for board, n in ((1, 3), (2, 2)):
        _enter(page, say, board, "boardOurs", n)
    return page.get_by_test_id("climbed")


def _climb_confirm(page: Page, say: Say) -> Locator:
    _climb(page, say)
    button(page, say("submit")).click()
    return page.get_by_role("dialog")


def _equal(page: Page, say: Say) -> Locator:
    expect(page.get_by_role("radiogroup")).to_have_count(2)
    for group in page.get_by_role("radiogroup").all():
        group.get_by_role("radio").nth(8).click()
    return button(page, say("sideWins", side=say("eastWest")))


def _call(page: Page, say: Say) -> Locator:
    return page.get_by_test_id("call").get_by_text(say("callPlace", n=1))


def _call_sheet(page: Page, say: Say) -> Locator:
    button(page, say("callReferee")).click()
    return page.get_by_role("dialog")


def _forfeit(page: Page, say: Say) -> Locator:
    button(page, say("giveUp")).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("textbox").fill("99")
    button(page, say("giveUpGo")).click()
    return sheet.get_by_role("alert")


def _gave_up(page: Page, say: Say) -> Locator:
    return page.get_by_test_id("fate-ruled")


def _sit_out(page: Page, say: Say) -> Locator:
    return page.get_by_role("heading", name=say("sitOutRound", round=1))


def _levels(page: Page, say: Say) -> Locator:
    return page.get_by_role("radiogroup").first


def _mine(page: Page, say: Say) -> Locator:
    page.get_by_role("navigation").get_by_role("button", name=say("tabMine")).click()
    page.get_by_text(say("whyThisTable")).click()
    return page.get_by_role("listitem").get_by_text(say("whyNewPartners"))


SCENES = [
    Scene("boards", _boards),
    Scene("boards-disputed", _disputed),
    Scene("sit-out", _sit_out),
    Scene("rooms", _rooms),
    Scene("closed-room", _closed_room),
    Scene("climb", _climb),
    Scene("climb-confirm", _climb_confirm, "climb"),
    Scene("equal", _equal),
    Scene("called", _call),
    Scene("call-sheet", _call_sheet, "climb"),
    Scene("forfeit", _forfeit),
    Scene("gave-up", _gave_up),
    Scene("laps", _levels),
    Scene("persons", _levels),
    Scene("my-rounds", _mine),
]
ALWAYS = ("boards", "boards-disputed", "climb", "called")


@pytest.fixture(scope="session")
def phones(browser: Browser, product: Product) -> Phones:
    """The events that are looked at."""
    return stage_phones(browser, product.url)


def opened(scene: Scene, size: dict[str, Any], language: str, phones: Phones, open_page: OpenPage) -> Page:
    """The scene in a browser of its own."""
    who = scene.who or scene.name
    # The pages' own policy would not let axe in.
    page = open_page(
        **size, bypass_csp=True, storage_state=phones.stored[who], locale=LOCALES[language], reduced_motion="reduce"
    )
    page.goto(phones.links[who])
    expect(scene.acts(page, words_of(*CATALOGUES, language=language))).to_be_visible()
    return page


@pytest.mark.parametrize("scene", [one for one in SCENES if one.name in ALWAYS], ids=lambda scene: scene.name)
def test_a_state_fits_any_phone_and_axe_finds_nothing(scene: Scene, phones: Phones, open_page: OpenPage) -> None:
    page = opened(scene, PHONE_390, "zh", phones, open_page)
    faults = [*axe_faults(page), *faults_of(page), *small_targets(page)]
    page.set_viewport_size(SMALLEST)
    faults += [f"at 320 px: {fault}" for fault in faults_of(page)]
    enlarge(page)
    faults += [f"at 320 px and 150 %: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(faults)


@pytest.mark.full
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_state_in_both_languages(scene: Scene, language: str, phones: Phones, open_page: OpenPage) -> None:
    page = opened(scene, PHONE_390, language, phones, open_page)
    faults = [*axe_faults(page), *faults_of(page), *small_targets(page)]
    keep_picture(page, f"phone-{scene.name}-390-{language}")
    page.set_viewport_size(SMALLEST)
    faults += [f"at 320 px: {fault}" for fault in faults_of(page)]
    keep_picture(page, f"phone-{scene.name}-320-{language}")
    page.set_viewport_size(SMALLEST)
    enlarge(page)
    faults += [f"at 320 px and 150 %: {fault}" for fault in faults_of(page)]
    keep_picture(page, f"phone-{scene.name}-150-{language}")
    assert not faults, "\n".join(faults)
