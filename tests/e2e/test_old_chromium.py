"""The oldest engines met in WeChat: the phone page renders in Chromium 77 and 83, and a score gets through.

They come as PyQtWebEngine from PyPI, each into an environment of its own below build/; see docs/development.md.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infra.launcher.paths import BUILD
from tests.e2e.hall import open_table
from tests.e2e.organizing import Organizer
from tests.e2e.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.full]

ENGINES = {
    "77": ("PyQt5==5.14.2", "PyQtWebEngine==5.14.0"),
    "83": ("PyQt5==5.15.4", "PyQtWebEngine==5.15.4", "PyQt5-Qt5==5.15.2", "PyQtWebEngine-Qt5==5.15.2"),
}
DRIVER = Path(__file__).parent / "old_chromium_driver.py"
DEBIAN = ("xvfb", "libgl1-mesa-dri", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-xinerama0", "libxkbcommon-x11-0")
LONGEST_SECONDS = 240


def interpreter(version: str) -> Path:
    """The Python that has this Chromium; installed when it is missing, else the test says what is not to be had."""
    if sys.platform != "linux":
        pytest.skip("old Chromium is tried on Linux only: there it needs no screen")
    if shutil.which("xvfb-run") is None and os.geteuid() == 0 and shutil.which("apt-get") is not None:
        subprocess.run(["apt-get", "-qq", "update"], check=False, capture_output=True)
        install = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", *DEBIAN]
        subprocess.run(install, check=False, capture_output=True)
    if shutil.which("xvfb-run") is None:
        pytest.skip(f"old Chromium needs a virtual screen: apt install {' '.join(DEBIAN)}")
    folder = BUILD / f"chromium-{version}"
    python = folder / "bin" / "python"
    ready = folder / "installed"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True, capture_output=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", *ENGINES[version]]
        done = subprocess.run(pip, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"old Chromium needs {' '.join(ENGINES[version])} from PyPI: {done.stderr.strip()[-200:]}")
        ready.touch()
    return python


def steps(name: str) -> list[str]:
    """Find oneself, choose both levels, submit; every step is true once it is done."""
    find = f"""(function () {{
      var field = document.querySelector('form input')
      if (!field) return false
      field.value = '{name}'
      field.dispatchEvent(new Event('input', {{ bubbles: true }}))
      document.querySelector('form button[type=submit]').click()
      return true
    }})()"""
    click = """(function () {
      var found = document.querySelector(%s)
      if (!found || found.disabled) return false
      found.click()
      return true
    })()"""
    level = """(function () {
      var found = document.querySelectorAll('[role=radiogroup]')
      if (found.length < 2) return false
      found[%d].querySelectorAll('[role=radio]')[%d].click()
      return true
    })()"""
    return [
        find,
        click % "'li .button'",
        level % (0, 13),
        level % (1, 7),
        click % "'#score-entry .go'",
        click % "'[role=dialog] .go'",
        "document.querySelector('[data-testid=fate-submitted]') !== null",
    ]


@pytest.mark.parametrize("version", list(ENGINES))
def test_an_old_chromium_renders_and_scores(version: str, organizer: Organizer, product: Product) -> None:
    python = interpreter(version)
    table = open_table(organizer)
    pictures = BUILD / "screenshots"
    pictures.mkdir(parents=True, exist_ok=True)
    settings = {
        **os.environ,
        "QT_QPA_PLATFORM": "xcb",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
        "LANG": "zh_CN.UTF-8",
    }
    command = ["xvfb-run", "-a", str(python), str(DRIVER), product.url + table.link]
    command += [str(pictures / f"phone-chromium-{version}.png"), json.dumps(steps(table.ns["players"][0]))]
    done = subprocess.run(command, capture_output=True, text=True, env=settings, timeout=LONGEST_SECONDS, check=False)
    if "libxcb" in done.stderr or "platform plugin" in done.stderr:
        pytest.skip(f"old Chromium needs libraries of the system: apt install {' '.join(DEBIAN)}")
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout.strip().splitlines()[-1])
    assert f"Chrome/{version}." in said["agent"]
    assert said["done"] == len(steps("")), said
    assert said["errors"] == []
    word = table.table()["word_ns"]
    assert (word["score"]["ns_level"], word["score"]["ew_level"]) == ("A+", "9")
