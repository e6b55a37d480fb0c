"""The launcher: content stamps, the lock, Node's version, the words of the command line, old and bare Pythons."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from infra.launcher import stamps
from infra.launcher.environment import clean
from infra.launcher.lock import only_one
from infra.launcher.main import COMMANDS
from infra.launcher.node import is_new_enough
from infra.launcher.paths import ROOT
from infra.launcher.python_packages import requirement_files

LAUNCHER = ROOT / "guanjun"


def start(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the launcher as a person does, from another directory than the working copy."""
    return subprocess.run(
        [sys.executable, str(LAUNCHER), *words],
        capture_output=True,
        text=True,
        cwd=ROOT.parent,
        env={**clean(), **environment},
        check=False,
    )


@pytest.mark.parametrize(
    ("version", "usable"),
    [
        ("v18.20.0", False),
        ("v20.18.3", False),
        ("v20.19.0\n", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.19.0", True),
        ("", False),
        ("command not found", False),
    ],
)
def test_node_is_taken_from_the_machine_only_when_vite_runs_on_it(version: str, usable: bool) -> None:
    assert is_new_enough(version) is usable


def test_a_stamp_holds_for_the_same_content_and_no_other(tmp_path: Path) -> None:
    source, stamp = ROOT / "requirements.txt", tmp_path / "deep" / "stamp"
    key = stamps.digest([source])
    assert not stamps.is_fresh(stamp, key)
    stamps.write(stamp, key)
    assert stamps.is_fresh(stamp, key)
    assert not stamps.is_fresh(stamp, stamps.digest([source], "another interpreter"))
    assert not stamps.is_fresh(stamp, stamps.digest([source, ROOT / "LICENSE"]))
    stamps.withdraw(stamp)
    assert not stamps.is_fresh(stamp, key)
    assert list(stamp.parent.iterdir()) == []


def test_two_starts_prepare_one_after_the_other(tmp_path: Path) -> None:
    log, lock = tmp_path / "log", tmp_path / "lock"
    program = (
        "import sys, time; from pathlib import Path\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from infra.launcher.lock import only_one\n"
        f"with only_one(Path({str(lock)!r})), open({str(log)!r}, 'a') as log:\n"
        "    log.write('in '); log.flush(); time.sleep(0.2); log.write('out '); log.flush()\n"
    )
    starts = [subprocess.Popen([sys.executable, "-c", program], env=clean()) for _ in range(3)]
    assert [start.wait(30) for start in starts] == [0, 0, 0]
    assert log.read_text().split() == ["in", "out"] * 3


def test_a_killed_start_does_not_block_the_next(tmp_path: Path) -> None:
    lock, ready = tmp_path / "lock", tmp_path / "ready"
    program = (
        "import sys, time; from pathlib import Path\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from infra.launcher.lock import only_one\n"
        f"with only_one(Path({str(lock)!r})):\n"
        f"    Path({str(ready)!r}).touch(); time.sleep(600)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], env=clean())
    while not ready.exists():
        assert holder.poll() is None
        time.sleep(0.01)
    holder.kill()
    holder.wait()
    with only_one(lock):
        assert ready.exists()


def test_help_names_every_command() -> None:
    answer = start("help")
    assert answer.returncode == 0
    for word in [*COMMANDS, "standings", "pair", "check FILE"]:
        assert re.search(rf"^  {word}\b", answer.stdout, re.MULTILINE), word


def test_an_unknown_word_is_refused_in_words() -> None:
    answer = start("standing")
    assert answer.returncode == 2
    assert "unknown command 'standing'" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_foreign_module_path_does_not_mislead_the_launcher(tmp_path: Path) -> None:
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra" / "__init__.py").write_text("raise SystemExit('the wrong infra')\n")
    assert start("help", PYTHONPATH=str(tmp_path)).returncode == 0
    assert start("help", PYTHONSAFEPATH="1").returncode == 0


def test_an_old_python_is_told_so_in_one_line(tmp_path: Path) -> None:
    """The launcher's first lines are run with the version of an old interpreter put in."""
    site = tmp_path / "sitecustomize.py"
    site.write_text("import sys\nsys.version_info = (3, 9, 18, 'final', 0)\n")
    answer = start("help", PYTHONPATH=str(tmp_path))
    assert answer.returncode == 1
    assert answer.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer, this is 3.9" in answer.stderr


def test_the_launcher_parses_on_python_2_and_3() -> None:
    """Nothing newer than Python 2.7 in the file that has to complain about an old Python."""
    source = LAUNCHER.read_text(encoding="utf-8")
    assert not re.search(r"""\bf["']|:=|->|\bmatch\b|\bprint \b""", source)
    compile(source, str(LAUNCHER), "exec")


@pytest.mark.skipif(os.name == "nt", reason="Debian splits venv from Python, Windows does not")
def test_a_python_without_venv_is_told_so_in_one_line(tmp_path: Path) -> None:
    """As on a bare Debian: the same launcher in a fresh copy, with `ensurepip` hidden."""
    copy = tmp_path / "copy"
    for name in (
        "infra/__init__.py",
        *[f"infra/launcher/{file.name}" for file in (ROOT / "infra/launcher").glob("*.py")],
    ):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    for name in ("guanjun", "requirements.txt", "requirements-local.txt"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    hide = tmp_path / "hide"
    hide.mkdir()
    (hide / "sitecustomize.py").write_text(
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name, package=None: None if name == 'ensurepip' else find(name, package)\n"
    )
    answer = subprocess.run(
        [sys.executable, str(copy / "guanjun"), "roster", "x.csv"],
        capture_output=True,
        text=True,
        env={**clean(), "PYTHONPATH": str(hide)},
        check=False,
    )
    assert answer.returncode == 1
    assert answer.stderr.count("\n") == 1
    assert "lacks the module venv" in answer.stderr
    assert not (copy / ".venv").exists()


def test_every_requirement_is_pinned_once() -> None:
    """An unpinned line would never be refreshed, and differ from machine to machine."""
    lines = [
        line
        for file in requirement_files("requirements-dev.txt")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith(("#", "-r "))
    ]
    names = [line.split("==")[0].lower().replace("_", "-") for line in lines]
    assert len(lines) > 60
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)] == []
    assert sorted(names) == sorted(set(names))
