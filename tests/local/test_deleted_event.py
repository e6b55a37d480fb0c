"""A deleted event over real HTTP: what a browser reads of it in /pub before, while it is deleted, and afterwards."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from infra.launcher.environment import clean
from infra.launcher.paths import ROOT
from tests.e2e.test_killed import OWNER, Caller

# The server without its pages, which this test needs none of.
_SERVE = "from infra.local.runner import main; raise SystemExit(main())"
NAME = "周三夜赛"
PATIENCE = 30.0


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the product is served, with data of its own."""
    settings = {"HOST": "127.0.0.1", "PORT": "0", "DATA": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE], cwd=ROOT, env=clean(settings), stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found is not None
        yield urlsplit(found[0]).netloc
    finally:
        process.terminate()
        process.wait()


def get(address: str, path: str) -> tuple[int, Any]:
    """Status and JSON (None for what is not there) of a public file."""
    connection = http.client.HTTPConnection(address, timeout=10)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        content = reply.read()
        return reply.status, json.loads(content) if reply.status == 200 else None
    finally:
        connection.close()


def when(true: Callable[[], bool]) -> None:
    """Wait for what the workers do behind the requests."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def play_a_round(owner: Caller) -> str:
    """An event of four pairs after its first round; its id."""
    owner.done("POST", "/auth/codes", {"phone": OWNER})
    messages = owner.done("GET", "/local/outbox")["messages"]
    (code,) = re.findall(r"\b\d{6}\b", messages[0]["text"])
    owner.csrf = owner.done("POST", "/auth/session", {"phone": OWNER, "code": code})["csrf"]
    event_id: str = owner.done("POST", "/events", {"name": NAME, "kind": "pairs"})["event_id"]
    for number in range(1, 5):
        players = [{"name": f"选手{2 * number + seat:03d}", "phone": ""} for seat in (0, 1)]
        owner.done("POST", f"/events/{event_id}/entries", {"club": "", "players": players})
    drawn = owner.done("POST", f"/events/{event_id}/rounds", {})
    owner.done("POST", f"/events/{event_id}/rounds/1/publication", {"version": drawn["version"]})
    for table in owner.done("GET", f"/events/{event_id}/current-tables")["tables"]:
        ruling = {"version": table["version"], "ns_level": "A", "ew_level": "9", "reason": ""}
        owner.done("POST", f"/events/{event_id}/rounds/1/tables/{table['table']}/ruling", ruling)
    return event_id


def test_public_files_go_with_a_deleted_event_and_come_back_with_it(address: str) -> None:
    owner = Caller(address, "account")
    event_id = play_a_round(owner)

    def pulse() -> dict[str, Any]:
        told: dict[str, Any] = get(address, f"/pub/{event_id}/pulse.json")[1]
        return told

    def standings() -> list[dict[str, Any]]:
        status, page = get(address, f"/pub/{event_id}/standings/{pulse()['standings']}/1.json")
        assert status == 200
        rows: list[dict[str, Any]] = page["rows"]
        return rows

    when(lambda: pulse()["standings"] is not None and [row["rank"] for row in standings()] == [1, 1, 3, 3])
    before, told = standings(), pulse()
    public = [
        f"/pub/{event_id}/pulse.json",
        f"/pub/{event_id}/standings/{told['standings']}/1.json",
        f"/pub/{event_id}/pairings/{told['pairings']}/1.json",
        f"/pub/{event_id}/charts/{told['charts']}/1.json",
    ]
    assert [get(address, path)[0] for path in public] == [200] * len(public)
    owner.done("POST", f"/events/{event_id}/deletion", {"deleted": True, "name": NAME})
    assert [get(address, path)[0] for path in public] == [404] * len(public)
    owner.done("POST", f"/events/{event_id}/deletion", {"deleted": False})
    assert standings() == before
    assert pulse()["v"] > told["v"]
    assert get(address, f"/pub/{event_id}/pairings/{pulse()['pairings']}/1.json")[0] == 200
