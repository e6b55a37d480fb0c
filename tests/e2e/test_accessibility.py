"""axe finds nothing serious on any page, in any state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from infra.launcher.paths import WEB
from tests.e2e.scenes import SCENES, Scene
from tests.e2e.staged import Staged

pytestmark = pytest.mark.browser

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
_GRAVE = ("serious", "critical")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_axe_finds_nothing_serious(scene: Scene, staged: Staged, open_page: Callable[..., Page]) -> None:
    # The pages' own policy would not let axe in.
    page = open_page(bypass_csp=True, reduced_motion="reduce", **scene.sizes[-1], **scene.options(staged))
    scene.open(page, staged, "zh")
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], iframes: false})")
    assert found["passes"], "axe has looked at nothing"
    assert [_said(violation) for violation in found["violations"] if violation["impact"] in _GRAVE] == []


def _said(violation: dict[str, Any]) -> str:
    places = "; ".join(str(node["html"])[:200] for node in violation["nodes"])
    return f"{violation['id']} ({violation['impact']}): {violation['help']}: {places}"
