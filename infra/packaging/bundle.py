"""A hall without internet: the program, its built pages and the wheels of its packages in one archive.

Who unpacks it and says `python3 guanjun run` needs Python and nothing else: the launcher installs from the wheels that
lie beside it, and the pages carry the stamp of the very sources they were built from.
"""

import os
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from infra.launcher.environment import call, tell
from infra.launcher.node import page_sources
from infra.launcher.paths import BUILD, OFFLINE_REQUIREMENTS, ROOT, VENV_PYTHON, WEB_PAGES, WHEELS
from infra.launcher.python_packages import requirement_files

NAME = "guanjun"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# pip's tags of wheels that run on machines of the last years.
MACHINES = {
    "linux": ("manylinux_2_28_x86_64", "manylinux2014_x86_64"),
    "linux-arm": ("manylinux_2_28_aarch64", "manylinux2014_aarch64"),
    "mac": ("macosx_14_0_arm64",),
    "mac-intel": ("macosx_14_0_x86_64",),
    "windows": ("win_amd64",),
}
_FILES = ("app.py", "guanjun", "Makefile", "README.md", "LICENSE")
_DIRECTORIES = ("chalicelib", "infra", "docs", ".chalice")
# What a working copy keeps there for itself.
_NOT_PROGRAM = {"__pycache__", "deployments", "deployed", "venv"}
_MAY_BE_STARTED = {"guanjun"}
_NO_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Interpreter:
    """A Python on a kind of machine whose wheels go into the archive; no machine: this one, with this very Python."""

    machine: str | None = None
    python: str | None = None

    def pip_options(self) -> list[str]:
        """What tells `pip download` for which interpreter it works."""
        tags = [word for tag in MACHINES.get(self.machine or "", ()) for word in ("--platform", tag)]
        version = ["--python-version", self.python] if self.python else []
        return tags + version

    def __str__(self) -> str:
        return f"{self.machine or 'this machine'}, Python {self.python or 'as here'}"


def build_bundle(interpreters: Sequence[Interpreter], directory: Path = BUILD / "bundle") -> Path:
    """Write `guanjun.zip` into the directory and return its path; the built pages must be there.

    Raises SetupError when pip cannot get a wheel for one of the interpreters; an older archive is then left alone.
    """
    wheels = directory / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    for interpreter in interpreters:
        tell(f"fetching wheels ({interpreter})")
        call(
            [
                VENV_PYTHON, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--no-deps",
                *interpreter.pip_options(), "--dest", wheels, "--requirement", ROOT / OFFLINE_REQUIREMENTS,
            ],
            f"pip could not get every wheel for {interpreter}",
        )  # fmt: skip
    draft = directory / f"{NAME}.zip.draft"
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, file in contents(wheels):
            entry = zipfile.ZipInfo(f"{NAME}/{name}", _NO_TIME)
            entry.external_attr = (0o100755 if name in _MAY_BE_STARTED else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_STORED if file.suffix == ".whl" else zipfile.ZIP_DEFLATED
            opened.writestr(entry, file.read_bytes())
    shutil.rmtree(wheels)
    return draft.replace(directory / f"{NAME}.zip")


def contents(wheels: Path) -> Iterator[tuple[str, Path]]:
    """Names in the archive, below its one folder, and the files behind them."""
    for file in sorted({*_program(), *requirement_files(OFFLINE_REQUIREMENTS), *page_sources(), *_below(WEB_PAGES)}):
        yield file.relative_to(ROOT).as_posix(), file
    for file in sorted(wheels.iterdir()):
        yield f"{WHEELS.name}/{file.name}", file


def _program() -> Iterator[Path]:
    for name in _FILES:
        yield ROOT / name
    for name in _DIRECTORIES:
        yield from _below(ROOT / name)


def _below(top: Path) -> Iterator[Path]:
    for directory, names, files in os.walk(top):
        names[:] = [name for name in names if name not in _NOT_PROGRAM]
        yield from (Path(directory, file) for file in files if not file.endswith(".pyc"))
