"""The third-party packages of the program, for a given target.

Chalice would collect them itself, but leaves a package without a fitting wheel out and still ends with status 0.
pip, asked for exactly the pinned lines and nothing else, fails instead.
"""

import shutil
import sys
from pathlib import Path

from infra.launcher import stamps
from infra.launcher.environment import call
from infra.launcher.paths import BUILD, ROOT
from infra.packaging.target import Target

RUNTIME = ROOT / "requirements.txt"
# Installed without what it asks for itself: numpy, 20 MB, which the one function used of it does not need.
VENDORED = ROOT / "requirements-vendor.txt"


def collect(target: Target) -> Path:
    """A directory with every package of both requirements files, as it has to lie in the zip.

    Kept from build to build until a pinned line or the target changes. Raises SetupError when pip finds no wheel.
    """
    directory = BUILD / "package" / f"dependencies-{target.name}"
    stamp = directory.with_name(f"{directory.name}.stamp")
    key = stamps.digest([RUNTIME, VENDORED], *target.pip_options())
    if not (stamps.is_fresh(stamp, key) and directory.is_dir()):
        stamps.withdraw(stamp)
        shutil.rmtree(directory, ignore_errors=True)
        for requirements in (RUNTIME, VENDORED):
            _install(requirements, directory, target)
        stamps.write(stamp, key)
    return directory


def _install(requirements: Path, directory: Path, target: Target) -> None:
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--upgrade"]
    words += ["--target", str(directory), *target.pip_options(), "-r", str(requirements)]
    call(words, f"pip has no wheel for {target.name} of something in {requirements.name}")
