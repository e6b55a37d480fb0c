"""The API fuzzed from its own description: whatever schemathesis thinks of, no answer is a 5xx.

Each operation is asked by somebody who may do it, about an event in play, with sound and unsound values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from chalicelib.api.framework import Route
from chalicelib.api.openapi import document
from tests.api.routes import all_routes
from tests.support.client import Browser, new_key
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld
from tests.support.wsgi import application


class _Asked:
    """The application, counting what it answers; ``answer`` can be another one."""

    def __init__(self) -> None:
        self.answer: Any = application
        self.statuses: Counter[int] = Counter()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        def started(status: str, headers: list[tuple[str, str]]) -> Any:
            self.statuses[int(status[:3])] += 1
            return start_response(status, headers)

        return self.answer(environ, started)


ASKED = _Asked()
SCHEMA = schemathesis.openapi.from_dict(msgspec.json.decode(document()))
ROUTES = {f"{route.method} /api{route.path}": route for route in all_routes()}
MODES = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world)
    hall.enter(5)
    hall.start_round()
    return hall


def who_may(route: Route, hall: Hall) -> Browser:
    return hall.player(1) if route.action.startswith("player.s") else hall.owner


def headers_of(browser: Browser) -> dict[str, str]:
    return {
        "x-csrf-token": browser.csrf or "",
        "x-guanjun-as": browser.speaks_as or "",
        "idempotency-key": new_key(),
        "content-type": "application/json",
    }


def fuzz(name: str, hall: Hall, examples: int) -> list[tuple[int, Any]]:
    """Send ``examples`` generated requests for one route; returns status and body of every 5xx."""
    route = ROUTES[name]
    method, _, path = name.partition(" ")
    operation = SCHEMA[path][method]
    found: list[tuple[int, Any]] = []
    strategies = [operation.as_strategy(generation_mode=mode) for mode in MODES]

    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.one_of(*strategies), own=st.sampled_from([True, True, True, False]))
    def ask(case: Any, own: bool) -> None:
        browser = who_may(route, hall) if own or not route.action.startswith("player.s") else hall.owner
        if own and "event_id" in (case.path_parameters or {}):
            case.path_parameters["event_id"] = hall.event_id
        case.headers = headers_of(browser)
        case.cookies = dict(browser.cookies)
        response = case.call(app=ASKED)
        if response.status_code >= 500:
            found.append((response.status_code, case.as_curl_command()))

    ask()
    return found


@pytest.mark.parametrize("name", sorted(ROUTES))
def test_no_request_is_answered_with_5xx(world: TestWorld, hall: Hall, name: str) -> None:
    assert fuzz(name, hall, 8) == []


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(ROUTES))
def test_no_request_is_answered_with_5xx_at_length(world: TestWorld, hall: Hall, name: str) -> None:
    assert fuzz(name, hall, 300) == []


def test_a_5xx_would_be_seen(world: TestWorld, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The net has no hole: a route that fails is caught."""

    def failing(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("500 Internal Server Error", [("content-type", "application/json")])
        yield b"{}"

    monkeypatch.setattr(ASKED, "answer", failing)
    assert fuzz("GET /api/kinds", hall, 1)


def test_sound_requests_are_among_those_sent(world: TestWorld, hall: Hall) -> None:
    for name, status in (
        ("GET /api/events/{event_id}", 200),
        ("PUT /api/events/{event_id}/display", 200),
        ("POST /api/events/{event_id}/ending", 200),
    ):
        ASKED.statuses.clear()
        fuzz(name, hall, 40)
        assert ASKED.statuses[status] > 0, (name, ASKED.statuses)
        assert any(400 <= other < 500 for other in ASKED.statuses), (name, ASKED.statuses)
