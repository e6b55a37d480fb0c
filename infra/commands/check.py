"""`guanjun check` without a file: lint, types and unit tests, for every few minutes of work."""

from infra.commands.quality_steps import pytest_step, python_lane, summary_line, web_lane
from infra.commands.steps import Report
from infra.launcher.lock import only_one
from infra.launcher.node import ensure_modules
from infra.launcher.paths import BUILD

# What starts servers, emulators and builds takes minutes; `guanjun test` runs it.
_SLOW = ("tests/e2e", "tests/infra", "tests/local")


def run(_arguments: list[str]) -> int:
    """Returns 0 when everything passed."""
    with only_one(BUILD / "launcher.lock"):
        node = ensure_modules()
    report = Report()
    report.run_lanes(python_lane(), web_lane(node))
    report.run(
        pytest_step("unit tests", "not browser and not cloud and not full", *(f"--ignore={slow}" for slow in _SLOW))
    )
    report.print_table()
    print(summary_line(["unit tests"]))
    return 0 if report.passed else 1
