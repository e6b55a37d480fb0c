"""Players' phones without a page: what a test needs said by a player whose screen is not its subject."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from playwright.sync_api import APIRequestContext, BrowserContext


@dataclass
class Device:
    """One phone, identified and checked in."""

    request: APIRequestContext
    event_id: str
    csrf: str = ""

    def send(self, method: str, path: str, body: object) -> Any:
        """Send a request below the event; returns what came."""
        headers = {"X-Guanjun-As": "player", "Idempotency-Key": uuid4().hex, "X-CSRF-Token": self.csrf}
        reply = self.request.fetch(f"/api/events/{self.event_id}{path}", method=method, headers=headers, data=body)
        assert reply.ok, f"{method} {path}: {reply.status} {reply.text()}"
        return reply.json()

    def submit(self, table: Any, **score: object) -> Any:
        """Submit the side's first word for a table."""
        word = {"base_version": 0, "tapped_at": int(time.time() * 1000), **score}
        return self.send("POST", f"/rounds/{table['round']}/tables/{table['table']}/submissions", word)

    def submit_boards(self, table: Any, results: list[int]) -> Any:
        """Submit the results of the table's boards, in their order, as 南北 sees them."""
        played = zip(table["to_play"], results, strict=True)
        return self.submit(table, boards=[{"board": one["board"], "result": result} for one, result in played])

    def call(self, table: Any, kind: str = "call", message: str = "") -> Any:
        """Call a referee to a table, or ask for a correction."""
        path = f"/rounds/{table['round']}/tables/{table['table']}/calls"
        return self.send("POST", path, {"kind": kind, "message": message})


def device_of(new_context: Callable[..., BrowserContext], event_id: str, seat: Any) -> Device:
    """The phone of the first player of a team, checked in."""
    device = Device(new_context().request, event_id)
    who = {"number": seat["number"], "player": 0, "text": seat["players"][0]}
    device.csrf = device.send("POST", "/devices", who)["csrf"]
    device.send("PUT", "/me/check-in", {})
    return device
