"""The steps that `check` and `test` share: the linters, the type checkers and the tests of the pages."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from infra.commands.figures import FIGURES
from infra.commands.steps import Step, program
from infra.launcher.environment import clean
from infra.launcher.node import Node
from infra.launcher.paths import BUILD, WEB

# Tests never reach a real account, whatever the caller's shell is signed in to.
_NO_CLOUD = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
}


def python_lane() -> list[Step]:
    """Lint, types and the direction of imports."""
    return [
        Step("ruff", [program("ruff"), "check", "--quiet", "."]),
        Step("mypy", [program("mypy")]),
        Step("import contracts", [program("lint-imports")]),
    ]


def web_lane(node: Node) -> list[Step]:
    """Types and unit tests of the pages."""
    environment = node.environment()
    return [
        Step("web types", [node.npm, "run", "-s", "check"], WEB, environment),
        Step("web tests", [node.npm, "run", "-s", "test"], WEB, environment),
    ]


def pytest_step(name: str, marks: str, *more: str, workers: int = 2) -> Step:
    """A pytest run over the tests that carry these marks, on `workers` processes; its figures go to build/."""
    words = [sys.executable, "-m", "pytest", "-p", "infra.commands.figures", "-n", str(workers), "--dist", "loadgroup"]
    words += ["-m", marks, *more]
    environment = {name: value for name, value in clean().items() if name not in ("AWS_PROFILE", "AWS_ENDPOINT_URL")}
    figures_file(name).unlink(missing_ok=True)
    return Step(name, words, env={**environment, **_NO_CLOUD, FIGURES: str(figures_file(name))})


def figures_file(name: str) -> Path:
    """Where the pytest run of this name writes its figures."""
    return BUILD / f"{name.replace(' ', '-')}.json"


def summary_line(names: Iterable[str]) -> str:
    """One line in pytest's own words over several runs, such as `812 passed, 1 failed in 301.22s`."""
    figures: Counter[str] = Counter()
    for name in names:
        file = figures_file(name)
        # A run that died before its end has no figures: one error, so that the line cannot look green.
        figures.update(json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"errors": 1})
    words = [f"{figures[word]:.0f} {word}" for word in ("failed", "passed", "skipped", "errors") if figures[word]]
    return f"{', '.join(words) or 'no tests ran'} in {figures['seconds']:.2f}s"
