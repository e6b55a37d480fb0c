"""The application as WSGI, so that tools which speak it can send requests without a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from tests.support.client import gateway

PREFIX = "/api"
StartResponse = Callable[[str, list[tuple[str, str]]], Any]


def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Answer one WSGI request below /api."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read(length) if length else b""
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_") or name == "CONTENT_TYPE"
    }
    # WSGI hands the path over decoded; API Gateway hands it to the function in the same way.
    path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace").removeprefix(PREFIX) or "/"
    query = environ.get("QUERY_STRING", "")
    answer = gateway().handle(environ["REQUEST_METHOD"], f"{path}?{query}" if query else path, headers, body)
    start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", list(answer.headers))
    return [answer.body]
