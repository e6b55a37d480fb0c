"""A real server, as `python3 guanjun run` starts it, and the system's own Chromium."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from infra.launcher.browser import find_browser
from infra.launcher.environment import clean
from infra.launcher.paths import BUILD, ROOT
from tests.e2e.organizing import Organizer, sign_in
from tests.e2e.product import Product, serving
from tests.e2e.staged import Staged, stage

# Patience, not a wish for speed: a busy machine must not fail a test.
PATIENCE = 15_000
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none")

OpenPage = Callable[..., Page]


def pytest_configure(config: pytest.Config) -> None:
    """Pictures of every open page when a test fails, in build/e2e; `--tracing retain-on-failure` adds traces."""
    config.option.output = str(BUILD / "e2e")
    if config.option.screenshot == "off":
        config.option.screenshot = "only-on-failure"
    expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The browser on PATH: a test tool never downloads one."""
    found = find_browser()
    assert found is not None, "no Chromium on PATH; `python3 guanjun test` says how to install one"
    return {"executable_path": str(found), "args": list(_FLAGS)}


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product on a free port, with data of its own."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], product: Product) -> dict[str, Any]:
    """Addresses are relative to the server."""
    return {**browser_context_args, "base_url": product.url}


@pytest.fixture
def open_page(new_context: Callable[..., BrowserContext]) -> OpenPage:
    """Open a page in a browser of its own, in China unless the options (those of a Playwright context) differ."""

    def open_in_own_browser(**options: Any) -> Page:
        context = new_context(**{"locale": "zh-CN", "timezone_id": "Asia/Shanghai", **options})
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    return open_in_own_browser


@pytest.fixture
def organizer(product: Product, open_page: OpenPage) -> Organizer:
    """An organizer who is signed in and works through the API, for tests that need an event to begin with."""
    return sign_in(open_page(viewport={"width": 1440, "height": 900}))


@pytest.fixture(scope="session")
def staged(browser: Browser, product: Product) -> Staged:
    """An event in play, for looking at pages; tests may look, and switch the screens."""
    return stage(browser, product.url)


@pytest.fixture
def ranking() -> Callable[[Path], Any]:
    """`./guanjun standings FILE`, run as anybody would; returns what it prints."""

    def run(document: Path) -> Any:
        words = [sys.executable, str(ROOT / "guanjun"), "standings", str(document)]
        done = subprocess.run(words, capture_output=True, env=clean(), check=False, cwd=os.path.expanduser("~"))
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run
