"""Pages fit: nothing scrolls sideways, no words are cut off; with pictures to be looked at in build/screenshots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from infra.launcher.paths import BUILD
from tests.e2e.scenes import DESKTOP, PHONE_320, PROJECTOR, SCENES, Scene
from tests.e2e.staged import Staged

pytestmark = pytest.mark.browser

PICTURES = BUILD / "screenshots"
LOCALES = {"zh": "zh-CN", "en": "en-GB"}

# Elements whose own words stick out of them where they are cut off. Ending in "…" on purpose is no fault as long as
# the whole stands somewhere else, so those and what only screen readers see are left out.
_CUT = """
() => {
  const seen = [];
  for (const element of document.querySelectorAll('body *')) {
    const words = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    const style = getComputedStyle(element);
    if (!words || style.clip !== 'auto' || element.closest('.visually-hidden')) continue;
    if (style.overflowX === 'visible' || style.textOverflow === 'ellipsis') continue;
    if (['auto', 'scroll'].includes(style.overflowX)) continue;
    if (element.scrollWidth > element.clientWidth + 1) seen.push(element.outerHTML.slice(0, 160));
  }
  return seen;
}
"""
_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

ALWAYS = [
    ("console-scoring", DESKTOP, "zh"),
    ("console-standings", DESKTOP, "en"),
    ("phone-table", PHONE_320, "zh"),
    ("phone-table", PHONE_320, "en"),
    ("phone-disputed", PHONE_320, "en"),
    ("referee-hall", PHONE_320, "zh"),
    ("screen-standings", PROJECTOR, "zh"),
    ("screen-pairings", PROJECTOR, "en"),
]
"""What is measured in every run; `--full` looks at everything."""

_SCENES = {scene.name: scene for scene in SCENES}
_EVERYTHING = [
    pytest.param(scene, size, language, id=f"{scene.name}-{size['viewport']['width']}-{language}")
    for scene in SCENES
    for size in scene.sizes
    for language in LOCALES
]


@pytest.mark.parametrize(
    ("scene", "size", "language"),
    [
        pytest.param(_SCENES[name], size, language, id=f"{name}-{size['viewport']['width']}-{language}")
        for name, size, language in ALWAYS
    ],
)
def test_the_main_pages_fit(
    scene: Scene, size: dict[str, Any], language: str, staged: Staged, open_page: Callable[..., Page]
) -> None:
    look_at(scene, size, language, staged, open_page)


@pytest.mark.full
@pytest.mark.parametrize(("scene", "size", "language"), _EVERYTHING)
def test_every_page_fits(
    scene: Scene, size: dict[str, Any], language: str, staged: Staged, open_page: Callable[..., Page]
) -> None:
    look_at(scene, size, language, staged, open_page)


def look_at(scene: Scene, size: dict[str, Any], language: str, staged: Staged, open_page: Callable[..., Page]) -> None:
    """Open a scene, measure it, keep a picture."""
    options = {**size, **scene.options(staged), "locale": LOCALES[language], "reduced_motion": "reduce"}
    page = open_page(**options)
    scene.open(page, staged, language)
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate(_SIDEWAYS) <= 0, "the page scrolls sideways"
    assert page.evaluate(_CUT) == []
    keep_picture(page, f"{scene.name}-{size['viewport']['width']}-{language}")


def keep_picture(page: Page, name: str) -> None:
    """The whole page as one picture, unless a sheet covers it."""
    size = page.viewport_size
    assert size is not None
    if page.get_by_role("dialog").count() == 0:
        # In a window that is high enough, because bars that stick to its edges would stand in the middle otherwise.
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": size["width"], "height": max(size["height"], height)})
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
