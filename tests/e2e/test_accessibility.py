"""axe finds nothing serious on any page, in any state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.measuring import axe_faults
from tests.e2e.scenes import SCENES, Scene
from tests.e2e.staged import Staged

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_axe_finds_nothing_serious(scene: Scene, staged: Staged, open_page: Callable[..., Page]) -> None:
    # The pages' own policy would not let axe in.
    page = open_page(bypass_csp=True, reduced_motion="reduce", **scene.sizes[-1], **scene.options(staged))
    scene.open(page, staged, "zh")
    assert axe_faults(page) == []
