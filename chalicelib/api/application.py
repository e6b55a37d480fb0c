"""The Chalice application with one more promise: whatever goes wrong is answered by a problem document.

Chalice makes some refusals itself (403, 404, 405, 413, 415) with bodies of its own; here they get ours.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from chalice.app import Chalice

from chalicelib.api import features
from chalicelib.api.framework import GZIP, OCTETS, PROBLEM_TYPE, XLSX
from chalicelib.services.problems import Problem
from chalicelib.services.world import World, current

EDGE_HEADER = "x-origin-secret"

_CODES = {
    400: "bad_json",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
}


class Application(Chalice):
    """Chalice whose every error response is a problem document (RFC 9457), and whose workbooks stay bytes."""

    def __init__(self, app_name: str, on_demand: Mapping[str, tuple[str, ...]]) -> None:
        """``on_demand``: path -> the features that are registered with the first request for it."""
        super().__init__(app_name)
        # A body of any other type leaves the function as text.
        self.api.binary_types = [XLSX, GZIP, OCTETS]
        self._loaded: set[str] = set()
        self._on_demand = on_demand

    def _load(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self._loaded:
                self.register_blueprint(features.blueprint_of(name))
                self._loaded.add(name)

    def __call__(self, event: Any, context: Any) -> Any:
        """Answer one API Gateway event."""
        if not came_through_edge(current(), event):
            return _refusal(403)
        self._load(self._on_demand.get(event.get("requestContext", {}).get("resourcePath"), ()))
        answer = super().__call__(_accepting_anything(event), context)
        status = int(answer.get("statusCode", 200))
        if status < 400:
            return answer
        headers = {name.lower(): value for name, value in (answer.get("headers") or {}).items()}
        many = {name.lower(): value for name, value in (answer.get("multiValueHeaders") or {}).items()}
        kind = headers.get("content-type") or (many.get("content-type") or [""])[0]
        if kind.startswith(PROBLEM_TYPE):
            return answer
        return _refusal(status)


def _accepting_anything(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with an Accept header that accepts everything.

    Chalice sends bytes only to who asks for them by name; a browser that saves a link asks for nothing at all.
    """
    kept = {name: value for name, value in (event.get("headers") or {}).items() if name.lower() != "accept"}
    return {**event, "headers": {**kept, "accept": "*/*"}}


def came_through_edge(world: World, event: Mapping[str, Any]) -> bool:
    """Whether the edge sent this request: it shows a secret that nobody else knows.

    Else the API's own address would be a way around the edge's firewall and its limits. Without an edge (a laptop)
    everything is welcome.
    """
    if not world.edge_secrets:
        return True
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    shown = str(headers.get(EDGE_HEADER, "")).encode()
    return any(hmac.compare_digest(shown, secret) for secret in world.edge_secrets)


def _refusal(status: int) -> dict[str, Any]:
    problem = Problem(_CODES.get(status, "internal"), limit="6 MB")
    return {
        "isBase64Encoded": False,
        "statusCode": status if status in _CODES else 500,
        "headers": {"Content-Type": PROBLEM_TYPE, "Cache-Control": "no-store"},
        "multiValueHeaders": {},
        "body": msgspec.json.encode(problem.document()).decode(),
    }
