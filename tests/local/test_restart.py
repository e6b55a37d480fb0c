"""The served product is killed in the middle of many requests and started again."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from infra.local.ministack import running as running_ministack
from infra.local.runner import running
from tests.local.toy_app import Toy, make_toy, write_templates

ROOT = Path(__file__).resolve().parents[2]
JSON = {"Content-Type": "application/json"}
NAMES = [f"table {number}".replace(" ", "-") for number in range(10)]


def start(directory: Path) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.local.serve_toy", str(directory)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, urlsplit(process.stdout.readline().strip()).netloc


def hits(connection: http.client.HTTPConnection, method: str, name: str) -> int:
    connection.request(method, f"/api/hits/{name}", b"{}" if method == "POST" else None, JSON)
    return int(json.loads(connection.getresponse().read())["hits"])


def test_a_killed_server_has_lost_nothing_it_acknowledged(tmp_path: Path) -> None:
    process, address = start(tmp_path)
    acknowledged: Counter[str] = Counter()
    attempted: Counter[str] = Counter()
    lock = threading.Lock()
    enough = threading.Event()

    def write(number: int) -> None:
        connection = http.client.HTTPConnection(address, timeout=10)
        for position in range(10_000):
            name = NAMES[(number + position) % len(NAMES)]
            with lock:
                attempted[name] += 1
            try:
                hits(connection, "POST", name)
            except (http.client.HTTPException, OSError):
                return
            with lock:
                acknowledged[name] += 1
                if acknowledged.total() >= 300:
                    enough.set()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    assert enough.wait(60)
    process.kill()
    process.wait()
    for thread in threads:
        thread.join()

    process, address = start(tmp_path)
    connection = http.client.HTTPConnection(address, timeout=10)
    # A hit of now tells how many were there before; in flight at the kill there was at most one of each thread.
    found = {name: hits(connection, "POST", name) - 1 for name in NAMES}
    for name in NAMES:
        assert acknowledged[name] <= found[name] <= attempted[name], name
    # The stream's side goes on from its checkpoint: it has seen every hit at least once.
    deadline = time.monotonic() + 20
    while any(hits(connection, "GET", name) < found[name] + 1 for name in NAMES):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    connection.close()
    process.terminate()
    process.wait()


def test_the_store_may_stand_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("TABLE_", "DYNAMODB_", "FILES_BUCKET", "SITE_BUCKET", "AWS_")):
            monkeypatch.delenv(name)
    for name in ("TABLE_MATCHES", "TABLE_STANDINGS", "FILES_BUCKET", "SITE_BUCKET", "AWS_DEFAULT_REGION",
                 "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_EC2_METADATA_DISABLED",
                 "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS"):  # fmt: skip
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    toys: list[Toy] = []

    def load() -> object:
        toys.append(make_toy())
        return toys[0].app

    with running_ministack(tmp_path / "ministack") as emulator:
        monkeypatch.setenv("DYNAMODB_ENDPOINT_URL", emulator.url)
        choices = write_templates(tmp_path)
        with running(tmp_path / "data", load, **choices) as server:
            assert server.stack.engine is None
            connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
            # One record is never dealt with; after its retries it is put aside and the others go on.
            toys[0].reported.add("poison")
            for name in ("first", "poison", "last"):
                hits(connection, "POST", name)
            deadline = time.monotonic() + 30
            letters = tmp_path / "data" / "dead-letters" / "standings"
            while hits(connection, "GET", "last") < 1 or not list(letters.glob("*.json")):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert hits(connection, "GET", "first") >= 1
            assert hits(connection, "GET", "poison") == 0
            connection.close()
