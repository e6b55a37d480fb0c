"""`guanjun test`: everything, on a machine that may have nothing but Python; `--full` adds the long runs."""

import sys

from infra.commands.quality_steps import pytest_step, python_lane, summary_line, web_lane
from infra.commands.steps import Report
from infra.launcher.browser import ensure_browser
from infra.launcher.environment import tell
from infra.launcher.lock import only_one
from infra.launcher.node import ensure_modules, ensure_pages
from infra.launcher.paths import BUILD
from infra.local.ministack import prepare as prepare_ministack

_RUNS = {"tests": "not browser and not cloud", "browser and cloud tests": "browser or cloud"}


def run(arguments: list[str]) -> int:
    """Returns 0 when everything passed, 2 for a word that is not understood.

    Raises SetupError when something is missing that this command cannot install.
    """
    unknown = [word for word in arguments if word != "--full"]
    if unknown:
        print(f"guanjun test: unknown option {unknown[0]!r}; there is only --full", file=sys.stderr)
        return 2
    full = "--full" in arguments
    with only_one(BUILD / "launcher.lock"):
        tell(f"browser: {ensure_browser()}")
        prepare_ministack()
        node = ensure_modules()
        ensure_pages()
    report = Report()
    report.run_lanes(python_lane(), web_lane(node))
    for name, marks in _RUNS.items():
        report.run(pytest_step(name, marks if full else f"({marks}) and not full"))
    report.print_table()
    print(summary_line(_RUNS))
    return 0 if report.passed else 1
