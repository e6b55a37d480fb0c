"""A pytest plugin: writes how many tests passed, failed, were skipped or broke, for the one line at the end."""

import json
import os
import time
from pathlib import Path

import pytest

FIGURES = "GUANJUN_TEST_FIGURES"
_STARTED = time.monotonic()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Called by pytest at the end of a run, in the process that drives it."""
    target = os.environ.get(FIGURES)
    if target is None:
        return
    stats = terminalreporter.stats
    figures: dict[str, float] = {word: len(stats.get(word, [])) for word in ("passed", "failed", "skipped")}
    figures["errors"] = len(stats.get("error", []))
    figures["seconds"] = time.monotonic() - _STARTED
    file = Path(target)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(figures), encoding="utf-8")
