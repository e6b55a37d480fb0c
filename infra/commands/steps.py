"""Named steps of a long command: run in order or side by side, timed, and all reported."""

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from infra.launcher.environment import clean
from infra.launcher.paths import ROOT


@dataclass(frozen=True)
class Step:
    """One program to run: its name for people, its words, its directory and environment."""

    name: str
    words: Sequence[str]
    cwd: Path = ROOT
    env: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Outcome:
    """How a step ended: seconds on the clock, and whether it ended with exit status 0."""

    name: str
    seconds: float
    passed: bool


@dataclass
class Report:
    """Everything that ran so far, in the order of ending."""

    outcomes: list[Outcome] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def passed(self) -> bool:
        """True when every step passed."""
        return all(outcome.passed for outcome in self.outcomes)

    def run(self, step: Step) -> bool:
        """Run one step with its output on the screen as it comes."""
        return self._run(step, together=False)

    def run_lanes(self, *lanes: Sequence[Step]) -> bool:
        """Run the lanes side by side, the steps of each in order; a failed step's output is printed when it ends."""
        with ThreadPoolExecutor(max_workers=len(lanes)) as pool:
            ended = list(pool.map(lambda lane: [self._run(step, together=True) for step in lane], lanes))
        return all(passed for lane in ended for passed in lane)

    def _run(self, step: Step, *, together: bool) -> bool:
        started = time.monotonic()
        if not together:
            print(f"--- {step.name}", flush=True)
        pipe = subprocess.PIPE if together else None
        done = subprocess.run(
            list(step.words),
            cwd=step.cwd,
            env=dict(step.env) if step.env is not None else clean(),
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=subprocess.STDOUT if together else None,
            check=False,
        )
        seconds = time.monotonic() - started
        passed = done.returncode == 0
        with self._lock:
            self.outcomes.append(Outcome(step.name, seconds, passed))
            if together:
                print(f"--- {step.name}: {'passed' if passed else 'FAILED'} in {seconds:.1f} s", flush=True)
                if not passed:
                    sys.stdout.buffer.write(done.stdout)
                    sys.stdout.flush()
        return passed

    def print_table(self) -> None:
        """One line per step: seconds and verdict."""
        width = max((len(outcome.name) for outcome in self.outcomes), default=0)
        for outcome in self.outcomes:
            verdict = "passed" if outcome.passed else "FAILED"
            print(f"{outcome.name:<{width}}  {outcome.seconds:7.1f} s  {verdict}")


def program(name: str) -> str:
    """A program of the virtual environment by its full path (`.exe` on Windows).

    Raises FileNotFoundError when the environment does not have it.
    """
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        raise FileNotFoundError(f"{name} is not in the virtual environment")
    return found
