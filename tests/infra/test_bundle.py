"""The archive for a hall without internet: nothing of this working copy's own in it, and it starts with no network."""

import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from infra.launcher.environment import clean
from infra.launcher.node import ensure_pages
from infra.launcher.paths import ROOT
from infra.packaging.bundle import MACHINES, Interpreter, build_bundle, contents

# Nothing listens there: who asks the network gets an error at once.
NOWHERE = "http://127.0.0.1:9"
NO_NETWORK = {
    "PIP_INDEX_URL": NOWHERE,
    "PIP_FIND_LINKS": NOWHERE,
    "HTTP_PROXY": NOWHERE,
    "HTTPS_PROXY": NOWHERE,
    "npm_config_registry": NOWHERE,
    "NO_PROXY": "127.0.0.1",
}
LISTENING = re.compile(r"(http://127\.0\.0\.1:\d+)")


def test_neither_data_nor_environments_nor_compiled_files_go_into_it(tmp_path: Path) -> None:
    (tmp_path / "some-1.0-py3-none-any.whl").touch()
    names = [name for name, _ in contents(tmp_path)]
    assert {"guanjun", "app.py", "chalicelib/__init__.py", "web/package.json", "wheels/some-1.0-py3-none-any.whl"} <= {
        *names
    }
    assert len(names) == len(set(names))
    kept_here = ("data/", "build/", ".venv", ".git/", "web/node_modules/", ".chalice/deployments/")
    assert [name for name in names if name.startswith(kept_here) or name.endswith(".pyc")] == []


@pytest.mark.parametrize("machine", sorted(MACHINES))
def test_pip_is_told_machine_and_version(machine: str) -> None:
    options = Interpreter(machine, "3.12").pip_options()
    assert options[-2:] == ["--python-version", "3.12"]
    assert options.count("--platform") == len(MACHINES[machine])


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="there the launcher starts the server as a child, which would outlive it")
def test_it_starts_and_serves_where_there_is_no_network(tmp_path: Path) -> None:
    ensure_pages()
    archive = build_bundle([Interpreter()], tmp_path / "made")
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path)
    hall = tmp_path / "guanjun"
    environment = clean({**NO_NETWORK, "PORT": "0", "DATA": str(tmp_path / "data")})
    served = subprocess.Popen(
        [sys.executable, str(hall / "guanjun"), "run"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said = []
        assert served.stdout is not None
        for line in served.stdout:
            said.append(line)
            if address := LISTENING.search(line):
                break
        else:
            raise AssertionError("".join(said))
        with urllib.request.urlopen(f"{address[1]}/") as page:
            assert b"<html" in page.read()
        with urllib.request.urlopen(f"{address[1]}/api/time") as time:
            assert b"now" in time.read()
    finally:
        served.terminate()
        served.wait(30)
    assert not (hall / "web" / "node_modules").exists()
    assert (hall / ".venv").is_dir()
    assert ROOT not in hall.parents
