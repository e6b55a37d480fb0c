"""The browser of the end-to-end tests: the system's own; a test tool never downloads one."""

import os
import shutil
import subprocess
from pathlib import Path

from infra.launcher.environment import call, clean, tell
from infra.launcher.errors import SetupError

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PACKAGES = ("chromium", "fonts-noto-cjk")
_ADVICE = "no Chromium on PATH: install one (Debian: apt install chromium fonts-noto-cjk). 请安装 Chromium 与中文字体。"


def find_browser() -> Path | None:
    """The first Chromium or Chrome on PATH, or None."""
    for name in _NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    return None


def ensure_browser() -> Path:
    """Chromium and a Chinese font, by Debian's packages when they are missing and this process may install them.

    Raises SetupError when there is no browser and none can be installed. A missing font alone is no failure:
    the tests pass without it, only screenshots look poor.
    """
    found = find_browser()
    if found is not None and _has_chinese_font():
        return found
    may_install = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None
    if may_install:
        tell(f"installing {' and '.join(_PACKAGES)} with apt")
        quiet = clean({"DEBIAN_FRONTEND": "noninteractive"})
        try:
            call(["apt-get", "-qq", "update"], "apt could not read its package lists", env=quiet)
            install = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", *_PACKAGES]
            call(install, "apt could not install Chromium", env=quiet)
        except SetupError as error:
            tell(str(error))
    found = find_browser()
    if found is None:
        raise SetupError(_ADVICE)
    return found


def _has_chinese_font() -> bool:
    """Whether fontconfig knows a font for Chinese; true where there is no fontconfig (Windows, macOS have fonts)."""
    tool = shutil.which("fc-list")
    if tool is None:
        return True
    answer = subprocess.run([tool, ":lang=zh"], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return bool(answer.stdout.strip())
