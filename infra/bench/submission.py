"""Q3: one score submission from HTTP event to response: requests to the store, and the program's own time.

The store is a stub at the HTTP layer: it repeats the answers that the local engine gave to the first submission, so
all of the program runs, boto3 and PynamoDB included, and nothing else.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

from chalice.app import Chalice

from chalicelib.services import links
from chalicelib.services.device_tokens import DeviceToken, write_token
from chalicelib.services.world import World
from chalicelib.store.entries import Device
from infra.bench import national
from infra.bench.row import BenchRow
from infra.local.engine import Engine

CALLS = 400
MOST_REQUESTS = 3
TARGET_MILLISECONDS = 3.0
TABLE = 2


class _Repeater(Engine):
    """An engine that, once told to, repeats its last answers in their order and carries out nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._kept: list[tuple[int, bytes]] = []
        self._next = 0
        self._repeating = False

    def listen(self) -> None:
        """Keep the answers from now on."""
        self._kept.clear()

    def repeat(self) -> int:
        """Give the kept answers again and again; returns how many they are."""
        self._repeating = True
        return len(self._kept)

    def answer(self, operation: str, body: bytes) -> tuple[int, bytes]:
        """What the engine says, or said."""
        if not self._repeating:
            self._kept.append(super().answer(operation, body))
            return self._kept[-1]
        reply = self._kept[self._next % len(self._kept)]
        self._next += 1
        return reply


def rows() -> list[BenchRow]:
    """Requests of a submission, and its time beside that of an empty Chalice route."""
    import app as application

    with national.store(_Repeater) as (engine, world):
        national.write_event(world, settled=0)
        event = _submission(world)
        engine.listen()
        _expect(application.app, event, 201)
        requests = engine.repeat()
        own = _median(application.app, event, 201)
    empty = _median(_empty(), _event("POST", "/nothing", {}, {}), 200)
    return [
        BenchRow("Q3", "score submission: requests to DynamoDB", requests, "requests", target=MOST_REQUESTS),
        BenchRow(
            "Q3",
            "score submission: program's own time, store stubbed",
            own,
            "ms",
            target=TARGET_MILLISECONDS,
            reference=empty,
            reference_name="an empty Chalice route",
        ),
    ]


def _submission(world: World) -> dict[str, Any]:
    """The HTTP event of one side's word at a table that nobody spoke of."""
    ns = 3
    device = DeviceToken(national.EVENT, ns, 0, "bench-phone")
    _, pk, sk = device.keys
    Device(pk, sk, number=ns, player=0, created_at=national.NOW).save()
    token = write_token(world, device)
    headers = {
        "cookie": f"guanjun_player_{national.EVENT}={token}",
        "x-csrf-token": links.csrf_of(world, token),
        "idempotency-key": "bench-0001",
    }
    body = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": national.NOW}
    parameters = {"event_id": national.EVENT, "number": "1", "table": str(TABLE)}
    path = "/events/{event_id}/rounds/{number}/tables/{table}/submissions"
    return _event("POST", path, parameters, headers, body)


def _event(
    method: str, path: str, parameters: dict[str, str], headers: dict[str, str], body: dict[str, Any] | None = None
) -> dict[str, Any]:
    """An event of API Gateway's proxy integration, as far as Chalice reads it."""
    return {
        "resource": path,
        "path": path.format(**parameters),
        "httpMethod": method,
        "headers": {"content-type": "application/json", **headers},
        "multiValueHeaders": {},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": parameters or None,
        "stageVariables": None,
        "requestContext": {"httpMethod": method, "resourcePath": path, "identity": {"sourceIp": "192.0.2.1"}},
        "body": json.dumps(body or {}),
        "isBase64Encoded": False,
    }


def _empty() -> Any:
    application = Chalice(app_name="nothing")

    @application.route("/nothing", methods=["POST"])
    def nothing() -> dict[str, str]:
        return {}

    return application


def _expect(application: Any, event: dict[str, Any], status: int) -> None:
    answer = application(event, None)
    if answer["statusCode"] != status:
        raise RuntimeError(f"expected {status}, got {answer}")


def _median(application: Any, event: dict[str, Any], status: int) -> float:
    """Median CPU milliseconds of a call."""
    times = []
    for _ in range(CALLS):
        begun = time.process_time()
        _expect(application, event, status)
        times.append(1000 * (time.process_time() - begun))
    return statistics.median(times)
