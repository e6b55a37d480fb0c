"""The product is killed while 500 phones submit at once: no acknowledged score is lost, none counts twice."""

from __future__ import annotations

import base64
import http.client
import io
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from chalicelib.rules import command_line
from tests.e2e.product import serving
from tests.support.spreadsheets import xlsx

pytestmark = pytest.mark.browser

TABLES = 250
KILL_AFTER = 200
OWNER = "13800139999"
SCORES = [("10", "6"), ("A", "A+"), ("5", "5"), ("J", "Q")]


@dataclass
class Caller:
    """A browser without a page: cookies, CSRF token and one connection."""

    address: str
    speaks_as: str
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def send(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
        """Status and JSON of one request; the connection's errors pass through."""
        headers = {"Content-Type": "application/json", "X-Guanjun-As": self.speaks_as, "X-CSRF-Token": self.csrf}
        headers["Idempotency-Key"] = key or uuid4().hex
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection(self.address, timeout=30)
        try:
            connection.request(method, f"/api{path}", None if body is None else json.dumps(body), headers)
            reply = connection.getresponse()
            content = json.loads(reply.read())
            for name, value in reply.getheaders():
                if name.lower() == "set-cookie":
                    pair = value.split(";")[0]
                    self.cookies[pair.split("=")[0]] = pair.split("=", 1)[1]
            return reply.status, content
        finally:
            connection.close()

    def done(self, method: str, path: str, body: Any = None) -> Any:
        """What a request answers that must succeed."""
        status, content = self.send(method, path, body)
        assert status < 300, (method, path, status, content)
        return content


@dataclass
class Submission:
    """One side's tap: who, where, what, under which key."""

    caller: Caller
    path: str
    body: dict[str, Any]
    key: str
    acknowledged: bool = False


def open_event(owner: Caller) -> str:
    """An event of 500 pairs whose first round is being played; returns its id."""
    owner.done("POST", "/auth/codes", {"phone": OWNER})
    messages = owner.done("GET", "/local/outbox")["messages"]
    digits = "".join(letter if letter.isdigit() else " " for letter in messages[0]["text"]).split()
    code = next(word for word in digits if len(word) == 6)
    owner.csrf = owner.done("POST", "/auth/session", {"phone": OWNER, "code": code})["csrf"]
    event = str(owner.done("POST", "/events", {"name": "断电之夜", "kind": "pairs"})["event_id"])
    rows = [["选手一", "手机号一", "选手二", "手机号二"]]
    rows += [
        [f"选手{2 * n:04d}", f"1380013{2 * n:04d}", f"选手{2 * n + 1:04d}", f"1380013{2 * n + 1:04d}"]
        for n in range(1, 2 * TABLES + 1)
    ]
    content = base64.b64encode(xlsx(rows)).decode()
    owner.done("POST", f"/events/{event}/imports", {"filename": "名单.xlsx", "content": content, "commit": True})
    draft = owner.done("POST", f"/events/{event}/rounds", {})
    job = owner.done("POST", f"/events/{event}/rounds/1/publishing", {"version": draft["version"]})
    while not job["over"]:
        time.sleep(0.2)
        job = owner.done("GET", f"/events/{event}/round-jobs/{job['job_id']}")
    assert job["phase"] == "done", job
    version = owner.done("GET", f"/events/{event}")["clock"]["version"]
    owner.done("POST", f"/events/{event}/rounds/1/clock", {"action": "start", "version": version})
    return event


def identified(address: str, event: str, seat: Any) -> Caller:
    """A phone in the hand of an entry's first player."""
    phone = Caller(address, "player")
    choice = {"number": seat["number"], "player": 0, "text": seat["players"][0]}
    phone.csrf = phone.done("POST", f"/events/{event}/devices", choice)["csrf"]
    return phone


def submissions_of(address: str, event: str, tables: list[Any]) -> list[Submission]:
    """Both sides of every table agree; every fifth table disagrees."""

    def one(place: tuple[Any, str]) -> Submission:
        table, side = place
        ns, ew = SCORES[table["table"] % len(SCORES)]
        if side == "ew" and table["table"] % 5 == 0:
            ns, ew = "9", "3"
        body = {"ns_level": ns, "ew_level": ew, "base_version": 0, "tapped_at": int(time.time() * 1000)}
        path = f"/events/{event}/rounds/1/tables/{table['table']}/submissions"
        return Submission(identified(address, event, table[side]), path, body, uuid4().hex)

    with ThreadPoolExecutor(8) as phones:
        return list(phones.map(one, [(table, side) for table in tables for side in ("ns", "ew")]))


def submit_until_killed(submissions: list[Submission], kill: threading.Event) -> None:
    """All at once; sets ``kill`` when enough are acknowledged, and goes on into the dead server."""
    count = threading.Lock()
    acknowledged = 0

    def one(submission: Submission) -> None:
        nonlocal acknowledged
        try:
            status, _ = submission.caller.send("POST", submission.path, submission.body, submission.key)
        except (http.client.HTTPException, OSError):
            return
        assert status == 201
        submission.acknowledged = True
        with count:
            acknowledged += 1
            if acknowledged == KILL_AFTER:
                kill.set()

    with ThreadPoolExecutor(32) as phones:
        list(phones.map(one, submissions))


def words_of(owner: Caller, event: str) -> dict[tuple[int, str], Any]:
    """Every side's word as the server has it."""
    tables = owner.done("GET", f"/events/{event}/rounds/1/tables")["tables"]
    return {(table["table"], side): table[f"word_{side}"] for table in tables for side in ("ns", "ew")}


def test_nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as product:
        owner = Caller(urlsplit(product.url).netloc, "account")
        event = open_event(owner)
        tables = owner.done("GET", f"/events/{event}/rounds/1/tables")["tables"]
        submissions = submissions_of(owner.address, event, tables)
        kill = threading.Event()
        storm = threading.Thread(target=submit_until_killed, args=(submissions, kill))
        storm.start()
        assert kill.wait(120)
        product.kill()
        storm.join()
    acknowledged = {one.path + one.caller.csrf for one in submissions if one.acknowledged}
    assert KILL_AFTER <= len(acknowledged) < len(submissions)

    with serving(data) as product:
        address = urlsplit(product.url).netloc
        owner.address = address
        words = words_of(owner, event)
        for index, submission in enumerate(submissions):
            table, side = tables[index // 2]["table"], ("ns", "ew")[index % 2]
            word = words[table, side]
            if submission.acknowledged:
                assert word is not None, (table, side)
            submission.caller.address = address
            # The phone's outbox sends what it holds again, acknowledged or not: one effect, whatever became of it.
            assert submission.caller.send("POST", submission.path, submission.body, submission.key)[0] == 201
        again = words_of(owner, event)
        assert {word["version"] for word in again.values()} == {1}
        deadline = time.monotonic() + 60
        while not owner.done("GET", f"/events/{event}/comparison")["equal"]:
            assert time.monotonic() < deadline
        shown = owner.done("GET", f"/events/{event}/standings")["rows"]
        document = owner.done("GET", f"/events/{event}/document")
    out = io.StringIO()
    assert command_line.run(["standings", "-"], io.StringIO(json.dumps(document)), out, io.StringIO()) == 0
    rows = json.loads(out.getvalue())["rows"]
    assert [(row["rank"], row["entry"]) for row in rows] == [(row["rank"], row["number"]) for row in shown]
