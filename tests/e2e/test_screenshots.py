"""Pages fit: nothing scrolls sideways, no words are cut off; with pictures to be looked at in build/screenshots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.measuring import faults_of, keep_picture
from tests.e2e.scenes import DESKTOP, PHONE_320, PROJECTOR, SCENES, Scene
from tests.e2e.staged import Staged

pytestmark = pytest.mark.browser

LOCALES = {"zh": "zh-CN", "en": "en-GB"}

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
    assert faults_of(page) == []
    keep_picture(page, f"{scene.name}-{size['viewport']['width']}-{language}")
