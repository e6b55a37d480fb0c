"""Registration, public pages, desk and console before the first round: they fit, on small phones and in large letters.

Nothing scrolls sideways, nothing is cut off or lies upon something else, everything can be hit by a finger, and axe
finds nothing serious; with pictures to be looked at in build/screenshots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import axe_faults, enlarge, faults_of, keep_picture, small_targets
from tests.e2e.people_scenes import SCENES, Scene
from tests.e2e.product import Product
from tests.e2e.scenes import DESKTOP, PHONE_390
from tests.e2e.staged_people import People, stage_people

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
SMALLEST = {"width": 320, "height": 568}


@pytest.fixture(scope="session")
def people(browser: Browser, product: Product) -> People:
    """The events that are looked at."""
    return stage_people(browser, product)


def opened(scene: Scene, size: dict[str, Any], language: str, people: People, open_page: OpenPage) -> Page:
    """The scene in a browser of its own."""
    options = {**size, **scene.options(people), "locale": LOCALES[language], "reduced_motion": "reduce"}
    # The pages' own policy would not let axe in.
    page = open_page(bypass_csp=True, **options)
    scene.open(page, people, language)
    return page


@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.always], ids=lambda scene: scene.name)
def test_a_page_fits_any_phone_and_axe_finds_nothing(scene: Scene, people: People, open_page: OpenPage) -> None:
    page = opened(scene, scene.sizes[0], "zh", people, open_page)
    faults = [*axe_faults(page), *faults_of(page), *small_targets(page)]
    page.set_viewport_size(SMALLEST)
    faults += [f"at 320 px: {fault}" for fault in faults_of(page)]
    enlarge(page)
    faults += [f"at 320 px and 150 %: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(faults)


ENGLISH = (
    "home", "event", "register-faults", "register-own", "register-partner", "desk", "account", "platform", "entry",
    "entries-locked", "settings-advanced", "import-faults",
)  # fmt: skip
"""What people meet before an event and where their data are guarded: in longer words, in every run."""


@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.name in ENGLISH], ids=lambda scene: scene.name)
def test_in_english_a_page_fits_the_smallest_phone(scene: Scene, people: People, open_page: OpenPage) -> None:
    page = opened(scene, PHONE_390, "en", people, open_page)
    page.set_viewport_size(SMALLEST)
    faults = [*axe_faults(page), *faults_of(page), *small_targets(page)]
    keep_picture(page, f"{scene.name}-320-en")
    assert not faults, "\n".join(faults)


@pytest.mark.full
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_page_in_both_languages(scene: Scene, language: str, people: People, open_page: OpenPage) -> None:
    faults = []
    for size in scene.sizes:
        page = opened(scene, size, language, people, open_page)
        width = size["viewport"]["width"]
        faults += [f"at {width} px: {fault}" for fault in (*axe_faults(page), *faults_of(page))]
        keep_picture(page, f"{scene.name}-{width}-{language}")
        if size is not DESKTOP:
            faults += small_targets(page)
            width = SMALLEST["width"]
            page.set_viewport_size(SMALLEST)
            faults += [f"at {width} px: {fault}" for fault in faults_of(page)]
            keep_picture(page, f"{scene.name}-{width}-{language}")
            page.set_viewport_size(SMALLEST)
        enlarge(page)
        faults += [f"at {width} px and 150 %: {fault}" for fault in faults_of(page)]
        keep_picture(page, f"{scene.name}-{width}-{language}-large")
        page.close()
    assert not faults, "\n".join(faults)


def test_the_group_of_settings_that_is_shown_is_in_sight_on_a_phone(people: People, open_page: OpenPage) -> None:
    scene = next(scene for scene in SCENES if scene.name == "settings-advanced")
    page = opened(scene, PHONE_390, "zh", people, open_page)
    current = page.get_by_role("navigation", name=words_of(*scene.catalogues)("settingsGroups")).locator(
        "[aria-current]"
    )
    expect(current).to_be_in_viewport(ratio=0.9)
