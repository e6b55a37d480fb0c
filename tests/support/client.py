"""A browser for tests: sends requests to the application as API Gateway would, keeps cookies, sends CSRF tokens.

It goes through the runner's own gateway (``infra/local/gateway.py``), so threads may send at the same time.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from http.cookies import SimpleCookie
from typing import Any

import msgspec

from infra.local.gateway import Gateway, GatewayResponses
from infra.local.templates import MERGE_TEMPLATE, read_template

PROBLEM = "application/problem+json"
_keys = itertools.count()


@cache
def gateway() -> Gateway:
    """The application behind the local gateway."""
    from app import app

    return Gateway(app, GatewayResponses(read_template(MERGE_TEMPLATE)))


def new_key() -> str:
    """An idempotency key not used before."""
    return f"test-key-{next(_keys):08d}"


@dataclass(frozen=True)
class Reply:
    """An answer: ``headers`` with lower-case names, the last of each; ``cookies``: all Set-Cookie headers."""

    status: int
    headers: dict[str, str]
    cookies: list[str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return msgspec.json.decode(self.body)

    @property
    def code(self) -> str | None:
        """The problem's code, None for an answer that is no problem document."""
        if not self.headers.get("content-type", "").startswith(PROBLEM):
            return None
        found: str = self.json["code"]
        return found


@dataclass
class Browser:
    """One person's browser. ``speaks_as`` goes into X-Guanjun-As, ``csrf`` into X-CSRF-Token."""

    csrf: str | None = None
    speaks_as: str | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def get(self, path: str, **more: Any) -> Reply:
        """GET ``path`` (without /api)."""
        return self.send("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Reply:
        """POST JSON."""
        return self.send("POST", path, body, **more)

    def put(self, path: str, body: Any = None, **more: Any) -> Reply:
        """PUT JSON."""
        return self.send("PUT", path, body, **more)

    def delete(self, path: str, **more: Any) -> Reply:
        """DELETE."""
        return self.send("DELETE", path, **more)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = "new",
        headers: Mapping[str, str | None] | None = None,
        raw: bytes | None = None,
    ) -> Reply:
        """Send one request. ``key``: the idempotency key, ``new`` for a fresh one, None for none; ``raw`` replaces the
        encoded ``body``; a header that is None is not sent."""
        sent = {"content-type": "application/json", "accept": "application/json", "host": "localhost"}
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if self.csrf is not None:
            sent["x-csrf-token"] = self.csrf
        if self.speaks_as is not None:
            sent["x-guanjun-as"] = self.speaks_as
        if method != "GET" and key is not None:
            sent["idempotency-key"] = new_key() if key == "new" else key
        for name, value in (headers or {}).items():
            sent.pop(name, None)
            if value is not None:
                sent[name] = value
        content = raw if raw is not None else b"" if body is None else msgspec.json.encode(body)
        answer = gateway().handle(method, path, sent, content)
        found = [value for name, value in answer.headers if name.lower() == "set-cookie"]
        self._keep(found)
        return Reply(answer.status, {name.lower(): value for name, value in answer.headers}, found, answer.body)

    def _keep(self, cookies: list[str]) -> None:
        with self._lock:
            for text in cookies:
                for name, morsel in SimpleCookie(text).items():
                    if morsel["max-age"] == "0":
                        self.cookies.pop(name, None)
                    else:
                        self.cookies[name] = morsel.value
