"""The virtual environment and the pinned Python packages in it."""

import importlib.util
import subprocess
import sys
import venv
from pathlib import Path

from infra.launcher import stamps
from infra.launcher.environment import call, clean, tell
from infra.launcher.errors import SetupError
from infra.launcher.paths import OFFLINE_REQUIREMENTS, ROOT, VENV, VENV_PYTHON, WHEELS, inside_venv

_STAMPS = VENV / "guanjun-stamps"
# Lies there while pip works. Found at a start, it says that pip was killed half-way, which it cannot mend itself.
_UNFINISHED = _STAMPS / "unfinished"
# `--isolated`: an index or a constraint that somebody configured on that machine may not be reachable from the hall.
_OFFLINE_OPTIONS = ["--isolated", "--no-index", "--find-links", str(WHEELS)]


def requirement_files(name: str) -> list[Path]:
    """A requirements file and all that it includes by `-r`."""
    file = ROOT / name
    found = [file]
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            found += requirement_files(line[3:].strip())
    return found


def ensure_packages(name: str) -> None:
    """Have a virtual environment with everything that the requirements file `name` pins.

    Raises SetupError when Python lacks `venv`, or when pip cannot get a package.
    """
    stamp = _STAMPS / name
    if VENV_PYTHON.exists() and (VENV / "pyvenv.cfg").exists() and stamps.is_fresh(stamp, _key(name)):
        return
    _ensure_venv()
    tell(f"installing Python packages ({name})")
    stamps.withdraw(stamp)
    _install(["-r", str(ROOT / name)], offline=name == OFFLINE_REQUIREMENTS and WHEELS.is_dir())
    stamps.write(stamp, _key(name))


def install(requirement: str) -> None:
    """Install one pinned requirement into the virtual environment."""
    _ensure_venv()
    tell(f"installing {requirement}")
    _install([requirement])


def _install(arguments: list[str], *, offline: bool = False) -> None:
    """Have pip install; ``offline``: from the wheels beside the program, asking no network."""
    why = "pip could not install the packages"
    if offline:
        arguments = [*_OFFLINE_OPTIONS, *arguments]
        why += f"; {WHEELS.name}/ may hold none for this machine and Python (guanjun bundle --help) 离线包不适用于本机"
    _UNFINISHED.parent.mkdir(parents=True, exist_ok=True)
    _UNFINISHED.touch()
    try:
        call([VENV_PYTHON, "-m", "pip", "install", "--quiet", *arguments], why)
    except SetupError:
        _UNFINISHED.unlink()  # pip itself gave up, and put everything back
        raise
    _UNFINISHED.unlink()


def _ensure_venv() -> None:
    if inside_venv():
        return
    if _works() and not _UNFINISHED.exists():
        return
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SetupError(
            f"this Python lacks the module venv; install it first (Debian, Ubuntu: apt install python{version}-venv). "
            "缺少 venv 模块，请先安装。"
        )
    tell("making the virtual environment .venv")
    try:
        venv.EnvBuilder(with_pip=True, clear=True, symlinks=sys.platform != "win32").create(VENV)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"the virtual environment .venv could not be made: {error}") from error


def _works() -> bool:
    """True when the environment's Python starts, is new enough and has pip."""
    question = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        answer = subprocess.run(
            [VENV_PYTHON, "-c", question], env=clean(), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError:
        return False
    return answer.returncode == 0


def _key(name: str) -> str:
    """What the packages depend on: the pinned lines, and the interpreter that the environment was made with."""
    return stamps.digest(requirement_files(name), (VENV / "pyvenv.cfg").read_text(encoding="utf-8"))
