"""Whatever is sent, the answer is a problem document with a 4xx status, and nothing is half-written."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from chalicelib.api.framework import MOST_BODY, Route
from chalicelib.services import accounts
from chalicelib.services.problems import CATALOGUE
from infra.local.engine import Engine
from tests.api.routes import BODIES, all_routes, concrete
from tests.support.client import Browser, Reply
from tests.support.people import OWNER_PHONE, Hall, open_hall
from tests.support.world import TestWorld

WITH_BODY = [route for route in all_routes() if route.body is not None]
NUMBERED = [route for route in all_routes() if "{number}" in route.path or "{table}" in route.path]
PATHS = [route for route in all_routes() if "{" in route.path]
CONTENT = ("events", "entries", "matches", "standings", "audit")


def name_of(route: Route) -> str:
    return route.name


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world)
    hall.enter(4)
    hall.start_round()
    return hall


def who_may(route: Route, hall: Hall) -> Browser:
    if route.action == "platform.manage":
        accounts.make_administrator(hall.world, OWNER_PHONE)
    return hall.player(1) if route.action.startswith(("player.s", "player.line_up")) else hall.owner


def stored(engine: Engine) -> str:
    return str([engine.call("Scan", {"TableName": f"guanjun-local-{table}"}) for table in CONTENT])


def assert_problem(reply: Reply, *codes: str) -> None:
    assert 400 <= reply.status < 500, reply
    assert reply.headers["content-type"] == "application/problem+json"
    problem = reply.json
    assert problem["status"] == reply.status == CATALOGUE[problem["code"]][0]
    assert problem["type"] == f"urn:guanjun:problem:{problem['code']}"
    for sentence in ("title", "detail_zh", "detail_en"):
        assert problem[sentence]
        assert not re.search(r"\{[a-z_]+\}", problem[sentence]), "a word was not filled in"
    if codes:
        assert problem["code"] in codes, problem


def test_every_route_with_a_body_has_a_sound_example() -> None:
    assert sorted(BODIES) == sorted(route.name for route in WITH_BODY)
    for route in WITH_BODY:
        msgspec.convert(BODIES[route.name], route.body)


BROKEN = [
    b"",
    b"{",
    b"nonsense",
    b"\xff\xfe",
    b'{"a": NaN}',
    b'{"a": 1e999}',
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"\\ud800": 1}',
    b"\x00",
]


@pytest.mark.parametrize("route", WITH_BODY, ids=name_of)
def test_what_is_no_json(world: TestWorld, hall: Hall, engine: Engine, route: Route) -> None:
    browser = who_may(route, hall)
    before = stored(engine)
    for raw in BROKEN:
        reply = browser.send(route.method, concrete(route, hall.event_id), raw=raw)
        assert_problem(reply, "bad_json", "bad_value", "bad_characters")
    for value in ([], "text", 1, None, True, [BODIES[route.name]]):
        reply = browser.send(route.method, concrete(route, hall.event_id), raw=msgspec.json.encode(value))
        assert_problem(reply, "bad_value")
    assert stored(engine) == before


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values within a body."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def changed(body: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The body with another value at a path."""
    result = copy.deepcopy(body)
    inner: Any = result
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return result


@pytest.mark.parametrize("route", WITH_BODY, ids=name_of)
def test_a_wrong_type_anywhere(world: TestWorld, hall: Hall, engine: Engine, route: Route) -> None:
    browser, body = who_may(route, hall), BODIES[route.name]
    before = stored(engine)
    for path in places(body):
        for wrong in ({"an": "object"}, [["a list"]], 1.5):
            if isinstance(wrong, float) and (route.name, path) == ("adjust_entry", ("amount",)):
                continue  # the one number that may be a half
            reply = browser.send(route.method, concrete(route, hall.event_id), changed(body, path, wrong))
            assert_problem(reply, "bad_value")
            assert str(path[0]) in reply.json["field"]
    assert stored(engine) == before


@pytest.mark.parametrize("route", WITH_BODY, ids=name_of)
def test_unknown_and_missing_fields(world: TestWorld, hall: Hall, engine: Engine, route: Route) -> None:
    browser, body = who_may(route, hall), BODIES[route.name]
    before = stored(engine)
    reply = browser.send(route.method, concrete(route, hall.event_id), {**body, "surprise": 1})
    assert_problem(reply, "bad_value")
    required = [field for field in msgspec.structs.fields(route.body) if field.required]
    for field in required:
        less = {name: value for name, value in body.items() if name != field.name}
        assert_problem(browser.send(route.method, concrete(route, hall.event_id), less), "bad_value")
    assert stored(engine) == before


@pytest.mark.parametrize("route", WITH_BODY, ids=name_of)
def test_control_characters_and_lone_surrogates_in_any_text(
    world: TestWorld, hall: Hall, engine: Engine, route: Route
) -> None:
    browser, body = who_may(route, hall), BODIES[route.name]
    before = stored(engine)
    texts = [path for path in places(body) if isinstance(at(body, path), str)]
    for path in texts:
        for character in ("\x00", "\x1b", "\x7f", "\x85", "\ue000"):
            bad = changed(body, path, f"a{character}b")
            reply = browser.send(route.method, concrete(route, hall.event_id), bad)
            assert_problem(reply, "bad_characters", "bad_value")
        raw = msgspec.json.encode(changed(body, path, "SURROGATE")).replace(b"SURROGATE", b"\\udc80")
        assert_problem(browser.send(route.method, concrete(route, hall.event_id), raw=raw))
    assert stored(engine) == before


def at(body: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        body = body[step]
    return body


@pytest.mark.parametrize("route", WITH_BODY, ids=name_of)
def test_texts_and_numbers_without_measure(world: TestWorld, hall: Hall, engine: Engine, route: Route) -> None:
    browser, body = who_may(route, hall), BODIES[route.name]
    before = stored(engine)
    for path in places(body):
        old = at(body, path)
        if isinstance(old, bool) or not isinstance(old, str | int):
            continue
        huge: list[Any] = ["长" * 100_000] if isinstance(old, str) else [-1, 10**18, 10**400, -(10**400)]
        if path == ("content",):
            continue  # a file may be that long
        if path[-1] == "result":
            huge = huge[1:]  # -1 is what a board may end with
        for value in huge:
            raw = msgspec.json.encode(changed(body, path, "HUGE"))
            text = f'"{value}"' if isinstance(value, str) else str(value)
            reply = browser.send(
                route.method, concrete(route, hall.event_id), raw=raw.replace(b'"HUGE"', text.encode())
            )
            assert_problem(reply)
    assert stored(engine) == before


@pytest.mark.parametrize("route", WITH_BODY, ids=name_of)
def test_a_body_that_is_too_large(world: TestWorld, hall: Hall, engine: Engine, route: Route) -> None:
    browser = who_may(route, hall)
    before = stored(engine)
    raw = b'{"a": "' + b"x" * MOST_BODY + b'"}'
    reply = browser.send(route.method, concrete(route, hall.event_id), raw=raw)
    assert (reply.status, reply.code) == (413, "too_large")
    assert stored(engine) == before


def test_another_media_type(world: TestWorld, hall: Hall) -> None:
    for route in WITH_BODY:
        reply = hall.owner.send(
            route.method, concrete(route, hall.event_id), BODIES[route.name], headers={"content-type": "text/xml"}
        )
        assert (reply.status, reply.code) == (415, "unsupported_media_type"), route.name


@pytest.mark.parametrize("route", NUMBERED, ids=name_of)
def test_numbers_in_paths(world: TestWorld, hall: Hall, engine: Engine, route: Route) -> None:
    browser = who_may(route, hall)
    before = stored(engine)
    for value in ("0", "-1", "1.0", "1e3", "100001", "9" * 40, "x", "１", "%00", "1%20", "%0A"):
        for parameter in ("number", "table"):
            if f"{{{parameter}}}" in route.path:
                path = concrete(route, hall.event_id, **{parameter: value})
                assert_problem(browser.send(route.method, path, BODIES.get(route.name)))
    assert stored(engine) == before


@pytest.mark.parametrize("route", PATHS, ids=name_of)
def test_ids_in_paths(world: TestWorld, hall: Hall, engine: Engine, route: Route) -> None:
    browser = who_may(route, hall)
    before = stored(engine)
    for value in ("%00", "%0A", "a%23b", "..", "%2e%2e%2f", "a" * 65, "事件", "%E4%BA%8B", "'", "a b", "*"):
        for parameter in ("event_id", "name", "code", "role", "session_id"):
            if f"{{{parameter}}}" in route.path:
                path = concrete(route, **{"event_id": hall.event_id, parameter: value})
                assert_problem(browser.send(route.method, path, BODIES.get(route.name)))
    assert stored(engine) == before


@pytest.mark.parametrize("value", ["", "x" * 201, "%00", "%1b", "1#2", "9999999999999"])
def test_queries(world: TestWorld, hall: Hall, value: str) -> None:
    for route in all_routes():
        for name in route.query:
            path = concrete(route, hall.event_id).partition("?")[0]
            reply = hall.owner.send(route.method, f"{path}?{name}={value}")
            assert reply.status < 500, (route.name, reply)
            if reply.status >= 400:
                assert_problem(reply)


@pytest.mark.parametrize(
    "cookie",
    [
        "guanjun_session=",
        "guanjun_session=..",
        "guanjun_session=a.b.c",
        "guanjun_session=" + "x" * 5000,
        'guanjun_session="a\\"b"; guanjun_session=..',
        "\x00=\x01",
        "guanjun_session=é.é.é",
        ";;;===",
    ],
)
def test_cookies_of_any_kind_are_nobody(world: TestWorld, hall: Hall, cookie: str) -> None:
    stranger = Browser()
    for path in (hall.path(), hall.path("/me"), hall.path("/current-tables"), "/auth/session"):
        assert_problem(stranger.get(path, headers={"cookie": cookie}), "sign_in_required")
        own = cookie.replace("guanjun_session", f"guanjun_link_{hall.event_id}")
        assert_problem(stranger.get(path, headers={"cookie": own}), "sign_in_required")
        own = cookie.replace("guanjun_session", f"guanjun_player_{hall.event_id}")
        assert_problem(stranger.get(path, headers={"cookie": own}), "sign_in_required")


def test_paths_and_methods_that_do_not_exist(world: TestWorld, hall: Hall) -> None:
    for method, path in (
        ("GET", "/nothing"),
        ("GET", "/events/x/y/z"),
        ("PATCH", "/events"),
        ("DELETE", "/kinds"),
        ("POST", "/time"),
    ):
        assert_problem(hall.owner.send(method, path), "not_found", "method_not_allowed", "forbidden")


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "🀄🀄", "<script>", "'; DROP"])
def test_odd_but_honest_texts_come_back_as_they_were(world: TestWorld, hall: Hall, text: str) -> None:
    body = {"name": text, "players": [{"name": text, "phone": ""}, {"name": "乙", "phone": ""}]}
    entered = hall.owner.post(hall.path("/entries"), body)
    assert entered.status == 201
    assert (entered.json["name"], entered.json["players"][0]["name"]) == (text, text)
    found = Browser().post(hall.path("/searches"), {"text": text})
    assert found.json["candidates"][0]["name"] == text


def test_marks_that_nobody_sees_do_not_come_back(world: TestWorld, hall: Hall) -> None:
    """U+202E turns what follows it round: a name with it would read otherwise than it is spelled."""
    body = {"name": "a\u202eb", "players": [{"name": "a\u202eb", "phone": ""}, {"name": "乙", "phone": ""}]}
    entered = hall.owner.post(hall.path("/entries"), body)
    assert (entered.json["name"], entered.json["players"][0]["name"]) == ("ab", "ab")
