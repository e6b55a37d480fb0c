"""The environment of the programs that the launcher starts."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from infra.launcher.errors import SetupError
from infra.launcher.paths import ROOT

# Settings of the caller that would make Python or pip look elsewhere than in the virtual environment.
_MISLEADING = {
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONSAFEPATH",
    "PYTHONUSERBASE",
    "VIRTUAL_ENV",
    "__PYVENV_LAUNCHER__",
    "PIP_USER",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_REQUIREMENT",
    "PIP_CONSTRAINT",
    "PIP_REQUIRE_VIRTUALENV",
    "NODE_OPTIONS",
    "NODE_ENV",
}


def clean(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment without what misleads Python, pip and npm; UTF-8 everywhere; `extra` on top."""
    kept = {name: value for name, value in os.environ.items() if name not in _MISLEADING}
    return {**kept, "PYTHONUTF8": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **(extra or {})}


def tell(sentence: str) -> None:
    """Say what is going on, on standard error: standard output belongs to the command."""
    print(f"guanjun: {sentence}", file=sys.stderr, flush=True)


def call(arguments: Sequence[str | Path], why: str, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> None:
    """Run a program whose output is shown only when it fails.

    Raises SetupError with `why` as its first words.
    """
    words = [str(word) for word in arguments]
    done = subprocess.run(
        words, cwd=cwd, env=dict(env) if env is not None else clean(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        sys.stderr.write(done.stdout.decode("utf-8", "replace"))
        raise SetupError(f"{why} (exit status {done.returncode} of {Path(words[0]).name})")
