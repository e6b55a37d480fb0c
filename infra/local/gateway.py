"""From an HTTP request to the Chalice application and back, as API Gateway does it."""

from __future__ import annotations

import base64
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chalice.local import LambdaEventConverter, RouteMatcher

from infra.local.engine.recorder import calling
from infra.local.functions import context_of, make_thread_safe

API_FUNCTION = "api_handler"
MAX_ANSWER_BYTES = 6 * 1024 * 1024

logger = logging.getLogger("guanjun.local")


@dataclass(frozen=True)
class Answer:
    """An HTTP answer; a header may stand more than once."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class GatewayResponses:
    """What the gateway answers by itself, from ``GatewayResponses`` of ``infra/merge.yaml``."""

    def __init__(self, merge_template: Mapping[str, Any]) -> None:
        resources = merge_template.get("Resources", {})
        self._responses: dict[str, Any] = resources.get("RestAPI", {}).get("Properties", {}).get("GatewayResponses", {})

    def answer(self, kind: str, status: int) -> Answer:
        """The answer of a kind such as ``REQUEST_TOO_LARGE``; ``status`` is used where the template has none."""
        response = self._responses.get(kind, {})
        headers = response.get("ResponseParameters", {}).get("Headers", {})
        templates = response.get("ResponseTemplates", {})
        # In the template a constant is written in single quotes.
        pairs = tuple((name, str(value).strip("'")) for name, value in headers.items())
        return Answer(int(response.get("StatusCode", status)), pairs, templates.get("application/json", "").encode())


class Gateway:
    """Dispatches to the routes of one application. Paths come without the stage's prefix."""

    def __init__(self, app: Any, responses: GatewayResponses) -> None:
        make_thread_safe(app)
        self._app = app
        self._responses = responses
        self._converter = LambdaEventConverter(RouteMatcher(list(app.routes)), app.api.binary_types)

    def handle(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        """Answer one request; ``path`` includes the query, ``headers`` have lower-case names."""
        try:
            event = self._converter.create_lambda_event(method=method, path=path, headers=headers, body=body)
        except ValueError:
            # Chalice's matcher knows no such route.
            return self._responses.answer("MISSING_AUTHENTICATION_TOKEN", 404)
        route = event["requestContext"]["resourcePath"]
        try:
            with calling(f"{API_FUNCTION} {method} {route}"):
                result = self._app(event, context_of(API_FUNCTION))
            answer = _answer(result)
        except Exception:
            # A function that dies must not take the server along; the gateway answers for it.
            logger.exception("the application failed on %s %s", method, route)
            return self._responses.answer("INTEGRATION_FAILURE", 500)
        if len(answer.body) > MAX_ANSWER_BYTES:
            logger.error("the answer of %s %s is larger than Lambda can return", method, route)
            return self._responses.answer("INTEGRATION_FAILURE", 500)
        return answer


def _answer(result: Mapping[str, Any]) -> Answer:
    body = result.get("body") or ""
    content = base64.b64decode(body) if result.get("isBase64Encoded") else str(body).encode()
    headers = [(name, str(value)) for name, value in (result.get("headers") or {}).items()]
    for name, values in (result.get("multiValueHeaders") or {}).items():
        headers += [(name, str(value)) for value in values]
    return Answer(int(result["statusCode"]), tuple(headers), content)
