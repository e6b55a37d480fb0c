"""Where things lie in a working copy, on POSIX and on Windows."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
WEB_PAGES = WEB / "dist"
BUILD = ROOT / "build"
VENV = ROOT / ".venv"
# Beside the program where it came as one archive (`guanjun bundle`): the wheels of what OFFLINE_REQUIREMENTS pins.
WHEELS = ROOT / "wheels"
OFFLINE_REQUIREMENTS = "requirements-local.txt"
VENV_PROGRAMS = VENV / ("Scripts" if os.name == "nt" else "bin")
VENV_PYTHON = VENV_PROGRAMS / ("python.exe" if os.name == "nt" else "python")


def inside_venv() -> bool:
    """True when this very interpreter is the one of the working copy's virtual environment."""
    return Path(sys.prefix).resolve() == VENV.resolve()
