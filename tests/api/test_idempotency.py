"""One request, one effect: any number of retries and parallel posts with one key."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chalicelib.services import accounts
from tests.api.routes import BODIES, all_routes, concrete
from tests.support.client import Browser, Reply
from tests.support.people import OWNER_PHONE, Hall, open_hall, phone, sign_in
from tests.support.world import TestWorld

POSTS = 200


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world)
    hall.enter(4)
    return hall


def in_parallel(times: int, act: Callable[[], Reply]) -> list[Reply]:
    with ThreadPoolExecutor(8) as threads:
        return list(threads.map(lambda _: act(), range(times)))


def new_entry(hall: Hall, number: int = 900) -> dict[str, Any]:
    return {"players": [{"name": "甲", "phone": phone(number)}, {"name": "乙", "phone": ""}]}


def test_two_hundred_parallel_posts_with_one_key_have_one_effect_and_equal_replies(hall: Hall) -> None:
    replies = in_parallel(POSTS, lambda: hall.owner.post(hall.path("/entries"), new_entry(hall), key="parallel-key-1"))
    assert {(reply.status, reply.body) for reply in replies} == {(201, replies[0].body)}
    assert [reply.headers.get("idempotent-replay") for reply in replies].count(None) == 1
    roster = hall.owner.get(hall.path("/entries")).json["entries"]
    assert [entry["number"] for entry in roster] == [1, 2, 3, 4, 5]
    log = hall.owner.get(hall.path("/audit")).json["lines"]
    assert [line["action"] for line in log].count("entry.add") == 5


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("create_event", {}),
        ("withdraw_entry", {}),
        ("check_in_entry", {}),
        ("end_event", {}),
        ("renew_link", {}),
        ("change_profile", {}),
        ("draw_round", {}),
        ("control_display", {}),
        ("change_settings", {}),
    ],
)
def test_a_retry_of_any_change_gets_the_reply_it_got(hall: Hall, name: str, parameters: dict[str, Any]) -> None:
    route = next(route for route in all_routes() if route.name == name)
    path, body = concrete(route, hall.event_id, **parameters), BODIES[name]
    first = hall.owner.send(route.method, path, body, key="retry-key-1")
    assert first.status == route.status, first.json
    log = hall.owner.get(hall.path("/audit")).body
    hall.world.time.advance(minutes=3)
    again = in_parallel(10, lambda: hall.owner.send(route.method, path, body, key="retry-key-1"))
    assert {(reply.status, reply.body) for reply in again} == {(first.status, first.body)}
    assert {reply.headers.get("idempotent-replay") for reply in again} == {"true"}
    assert hall.owner.get(hall.path("/audit")).body == log


def test_the_same_key_for_something_else_is_refused(hall: Hall) -> None:
    owner = hall.owner
    owner.post(hall.path("/entries"), new_entry(hall), key="one-key-1")
    for path, body in (
        (hall.path("/entries"), new_entry(hall, 901)),
        (hall.path("/ending"), {"ended": True}),
        (hall.path("/entries/1/withdrawal"), {"withdrawn": True}),
    ):
        reply = owner.post(path, body, key="one-key-1")
        assert (reply.status, reply.code) == (422, "key_reused")
    assert owner.get(hall.path()).json["phase"] == "open"


def test_a_key_belongs_to_its_caller(world: TestWorld, hall: Hall) -> None:
    other = sign_in(world, "13800130009")
    first = hall.owner.post("/events", BODIES["create_event"], key="shared-key-1").json["event_id"]
    second = other.post("/events", BODIES["create_event"], key="shared-key-1").json["event_id"]
    assert first != second
    desk, administrator = hall.by_link("desk"), hall.administrator("13800130008")
    path = hall.path("/entries/1/check-in")
    assert desk.put(path, {"checked_in": True}, key="shared-key-2").status == 200
    assert administrator.put(path, {"checked_in": False}, key="shared-key-2").status == 200
    assert hall.owner.get(hall.path()).json["checked_in"] == 0


@pytest.mark.parametrize(
    ("key", "code"),
    [(None, "key_missing"), ("short", "key_invalid"), ("x" * 65, "key_invalid"), ("key with spaces", "key_invalid")],
)
def test_every_change_needs_a_key(hall: Hall, key: str | None, code: str) -> None:
    accounts.make_administrator(hall.world, OWNER_PHONE)
    for route in all_routes():
        if not route.keyed or route.action.startswith("player."):
            continue
        reply = hall.owner.send(route.method, concrete(route, hall.event_id), BODIES.get(route.name), key=key)
        assert (reply.status, reply.code) == (400, code), route.name


def test_a_refusal_is_not_kept(hall: Hall) -> None:
    taken = new_entry(hall, 100)
    assert hall.owner.post(hall.path("/entries"), taken, key="later-key-1").code == "phone_taken"
    freed = {"version": 1, "players": [{"name": "选手100", "phone": ""}, {"name": "选手101", "phone": ""}]}
    assert hall.owner.put(hall.path("/entries/1"), freed).status == 200
    assert hall.owner.post(hall.path("/entries"), taken, key="later-key-1").status == 201


def test_a_key_is_forgotten_after_two_days_not_before(world: TestWorld, hall: Hall) -> None:
    hall.owner.post(hall.path("/entries"), new_entry(hall), key="old-key-12")
    world.time.advance(hours=47)
    assert hall.owner.post(hall.path("/entries"), new_entry(hall), key="old-key-12").status == 201
    assert hall.owner.get(hall.path()).json["entries"] == 5


def test_fifty_words_of_one_side_on_one_version(world: TestWorld, hall: Hall) -> None:
    hall.start_round()
    grid = hall.owner.get(hall.path("/current-tables")).json
    player = hall.player(grid["tables"][0]["ns"]["number"])
    path = hall.path("/rounds/1/tables/1/submissions")
    word = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": world.now()}
    replies = in_parallel(50, lambda: player.post(path, word))
    statuses = [reply.status for reply in replies]
    assert (statuses.count(201), statuses.count(409)) == (1, 49)
    refused = [reply.json for reply in replies if reply.status == 409]
    assert {problem["code"] for problem in refused} == {"stale_version"}
    assert all(problem["current"]["word_ns"]["version"] == 1 for problem in refused)


def test_both_sides_at_the_same_moment(world: TestWorld, hall: Hall) -> None:
    hall.start_round()
    grid = hall.owner.get(hall.path("/current-tables")).json
    for table, ew_level, state in ((grid["tables"][0], "9", "confirmed"), (grid["tables"][1], "10", "disputed")):
        sides: list[tuple[Browser, str]] = [
            (hall.player(table["ns"]["number"]), "9"),
            (hall.player(table["ew"]["number"]), ew_level),
        ]
        path = hall.path(f"/rounds/1/tables/{table['table']}/submissions")

        def say(side: tuple[Browser, str], path: str = path) -> int:
            word = {"ns_level": "A", "ew_level": side[1], "base_version": 0, "tapped_at": world.now()}
            return side[0].post(path, word).status

        with ThreadPoolExecutor(2) as threads:
            assert list(threads.map(say, sides)) == [201, 201]
        now = hall.owner.get(hall.path("/current-tables")).json["tables"][table["table"] - 1]
        assert now["state"] == state
        assert (now["word_ns"]["score"]["ew_level"], now["word_ew"]["score"]["ew_level"]) == ("9", ew_level)
