"""Let botocore ask an engine instead of the network, so that boto3 and PynamoDB run unchanged and without HTTP.

botocore emits ``before-send`` with the finished HTTP request; a handler that returns a response is the network.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import botocore.handlers
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ConnectionClosedError

from infra.local.engine.engine import Engine
from infra.local.engine.errors import ReplyLostError

_EVENTS = ("before-send.dynamodb", "before-send.dynamodb-streams")


class _Body(io.BytesIO):
    """The part of urllib3's response that botocore reads."""

    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()


def answer(engine: Engine, request: AWSPreparedRequest) -> AWSResponse:
    """Answer one of botocore's DynamoDB requests; a lost reply is a connection that closed."""
    target = request.headers["X-Amz-Target"]
    operation = (target.decode() if isinstance(target, bytes) else str(target)).rsplit(".", 1)[1]
    body = request.body if isinstance(request.body, bytes) else str(request.body or "").encode()
    try:
        status, content = engine.answer(operation, body)
    except ReplyLostError:
        raise ConnectionClosedError(endpoint_url=request.url) from None
    headers = HTTPHeaders()
    headers["x-amzn-RequestId"] = uuid.uuid4().hex
    headers["Content-Type"] = "application/x-amz-json-1.0"
    return AWSResponse(request.url, status, headers, _Body(content))


class _Switch:
    """The handler every botocore session gets; answers only while an engine is plugged in."""

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self.installed = False

    def __call__(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        return answer(self.engine, request) if self.engine is not None else None


_switch = _Switch()


def plug_in(engine: Engine | None) -> None:
    """From now on this engine answers every DynamoDB client of the process; None gives the network back.

    Only sessions made after the first call are reached, so plug in before any client is made.
    """
    if not _switch.installed:
        botocore.handlers.BUILTIN_HANDLERS.extend((event, _switch) for event in _EVENTS)
        _switch.installed = True
    _switch.engine = engine


@contextmanager
def plugged_in(engine: Engine) -> Iterator[Engine]:
    """Plug an engine in for a block, then what was there before."""
    before = _switch.engine
    plug_in(engine)
    try:
        yield engine
    finally:
        plug_in(before)


def connect(client: Any, engine: Engine) -> None:
    """Let one boto3 client (``dynamodb`` or ``dynamodbstreams``) ask this engine, whatever the others do."""

    def handler(request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        return answer(engine, request)

    for event in _EVENTS:
        client.meta.events.register_first(event, handler)
