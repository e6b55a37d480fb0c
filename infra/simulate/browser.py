"""Somebody's browser in a simulation: cookies, CSRF token, idempotency keys; an answer that is not wanted ends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

import msgspec

from infra.simulate.stage import Stage


class Refused(Exception):
    """The program answered otherwise than the day's plan foresees."""


@dataclass(frozen=True)
class Reply:
    """An answer: status, JSON value (None where there is none), ETag, and whether it was a stored one."""

    status: int
    json: Any
    etag: str
    replayed: bool


@dataclass
class Browser:
    """One browser. ``speaks_as`` goes into X-Guanjun-As; paths are written with ``{}`` for what differs."""

    stage: Stage
    event_id: str = ""
    speaks_as: str | None = None
    csrf: str | None = None
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, *values: object, etag: str = "", named: str = "") -> Reply:
        """Read. ``named`` is added to the kind under which it stands in the books."""
        more = {"if-none-match": etag} if etag else {}
        return self._send("GET", path, values, None, None, more, (200, 304), named)

    def change(
        self, method: str, path: str, *values: object, body: Any = None, key: str = "", wanted: tuple[int, ...] = ()
    ) -> Reply:
        """Change something; ``key`` names the request (default: a new one)."""
        return self._send(method, path, values, body, key or self.new_key(), {}, wanted or (200, 201, 202))

    def new_key(self) -> str:
        """A key that nobody has used."""
        return f"key-{next(self.stage.keys):010d}"

    def _send(
        self,
        method: str,
        path: str,
        values: tuple[object, ...],
        body: Any,
        key: str | None,
        more: Mapping[str, str],
        wanted: tuple[int, ...],
        named: str = "",
    ) -> Reply:
        filled = path.replace("{event}", self.event_id)
        for value in values:
            filled = filled.replace("{}", str(value), 1)
        headers = {"content-type": "application/json", "accept": "application/json", "host": "localhost", **more}
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if self.csrf is not None:
            headers["x-csrf-token"] = self.csrf
        if self.speaks_as is not None:
            headers["x-guanjun-as"] = self.speaks_as
        if key is not None:
            headers["idempotency-key"] = key
        content = b"" if body is None else msgspec.json.encode(body)
        answer, _ = self.stage.ask(f"{method} {path}{named}", method, filled, headers, content)
        if answer.status not in wanted:
            raise Refused(f"{method} {filled}: {answer.status} {answer.body[:400].decode(errors='replace')}")
        found = {name.lower(): value for name, value in answer.headers}
        for name, value in answer.headers:
            if name.lower() == "set-cookie":
                for cookie, morsel in SimpleCookie(value).items():
                    self.cookies[cookie] = morsel.value
        kind = found.get("content-type", "")
        value = msgspec.json.decode(answer.body) if answer.body and "json" in kind else None
        return Reply(answer.status, value, found.get("etag", ""), "idempotent-replay" in found)
