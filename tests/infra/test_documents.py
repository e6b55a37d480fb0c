"""`standings`, `pair` and `check FILE` when standard input, output or the file itself is not what it should be."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from infra.launcher.environment import clean
from infra.launcher.paths import ROOT
from tests.rules.building import document


def answer(shell: str, *words: str | bytes) -> subprocess.CompletedProcess[str]:
    """Run ``$@`` (the launcher with ``words``) with the redirections that a shell is told."""
    command = ["sh", "-c", f'"$@" {shell}', "sh", sys.executable, str(ROOT / "guanjun"), *words]
    return subprocess.run(command, capture_output=True, text=True, errors="backslashreplace", env=clean(), check=False)


@pytest.fixture
def sound(tmp_path: Path) -> str:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(document(entries=2)), encoding="utf-8")
    return str(path)


def test_a_closed_standard_input_is_an_empty_document() -> None:
    found = answer("<&-", "check", "-")
    assert found.returncode == 2
    assert found.stderr.startswith("/ not_json ")
    assert len(found.stderr.splitlines()) == 1


def test_a_file_name_that_is_no_text_is_answered_in_one_line(tmp_path: Path) -> None:
    found = answer("", "check", str(tmp_path).encode() + b"/none\xff\n.json")
    assert found.returncode == 2
    assert found.stderr.startswith("/ not_json the file ")
    assert len(found.stderr.splitlines()) == 1


def test_a_closed_standard_output_leaves_the_exit_status(sound: str) -> None:
    found = answer(">&-", "standings", sound)
    assert (found.returncode, found.stderr) == (0, "")


def test_a_full_disk_is_told_in_one_line(sound: str) -> None:
    found = answer(">/dev/full", "standings", sound)
    assert found.returncode == 1
    assert found.stderr.startswith("guanjun: the answer cannot be written")
    assert len(found.stderr.splitlines()) == 1
