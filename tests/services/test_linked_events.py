"""关联赛事: one symmetric set, one QR for all of it; ended ones drop out; only own events can be linked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.client import Browser
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld

NAME = "同名选手"


@pytest.fixture
def halls(world: TestWorld) -> list[Hall]:
    first = open_hall(world, name="甲组")
    found = [first]
    for name in ("乙组", "丙组"):
        reply = first.owner.post("/events", {"name": name, "kind": "pairs"})
        found.append(Hall(world, first.owner, reply.json["event_id"]))
    return found


def link(hall: Hall, *others: Hall) -> Any:
    return hall.owner.put(hall.path("/linked-events"), {"events": [other.event_id for other in others]})


def linked(hall: Hall) -> list[str]:
    return [event["name"] for event in hall.owner.get(hall.path("/linked-events")).json["events"]]


def enter(hall: Hall, name: str, number: int) -> None:
    players = [{"name": name, "phone": phone(number)}, {"name": "乙", "phone": ""}]
    assert hall.owner.post(hall.path("/entries"), {"players": players}).status == 201


def found(hall: Hall, text: str) -> list[tuple[str, int]]:
    reply = Browser(speaks_as="player").post(hall.path("/searches"), {"text": text})
    if reply.code == "nobody_found":
        return []
    return [(each["event_name"], each["number"]) for each in reply.json["candidates"]]


def test_every_event_of_a_set_shows_the_others(halls: list[Hall]) -> None:
    first, second, third = halls
    assert [event["name"] for event in link(first, second, third).json["events"]] == ["丙组", "乙组"]
    assert [linked(hall) for hall in halls] == [["丙组", "乙组"], ["丙组", "甲组"], ["乙组", "甲组"]]
    link(second, first)
    assert [linked(hall) for hall in halls] == [["乙组"], ["甲组"], []]
    link(first)
    assert [linked(hall) for hall in halls] == [[], [], []]


def test_who_moves_to_another_set_leaves_the_rest_together(halls: list[Hall]) -> None:
    first, second, third = halls
    reply = first.owner.post("/events", {"name": "丁组", "kind": "pairs"})
    fourth = Hall(first.world, first.owner, reply.json["event_id"])
    link(first, second, third)
    link(fourth, third)
    assert [linked(hall) for hall in (*halls, fourth)] == [["乙组"], ["甲组"], ["丁组"], ["丙组"]]


def test_one_code_finds_a_person_in_every_event_of_the_set(halls: list[Hall]) -> None:
    first, second, third = halls
    link(first, second, third)
    enter(second, NAME, 701)
    enter(third, NAME, 701)
    enter(third, NAME, 702)
    expected = [("丙组", 1), ("丙组", 2), ("乙组", 1)]
    assert [sorted(found(hall, NAME)) for hall in halls] == [expected] * 3
    assert sorted(found(first, phone(701))) == [("丙组", 1), ("乙组", 1)]
    link(first)
    assert found(first, NAME) == []


def test_the_chosen_event_identifies_the_phone(halls: list[Hall]) -> None:
    first, second, _ = halls
    link(first, second)
    enter(second, NAME, 701)
    browser = Browser(speaks_as="player")
    candidate = browser.post(first.path("/searches"), {"text": NAME}).json["candidates"][0]
    choice = {"number": candidate["number"], "player": candidate["player"], "text": NAME}
    assert browser.post(first.path("/devices"), choice).code == "nobody_found"
    assert browser.post(f"/events/{candidate['event_id']}/devices", choice).json["event_name"] == "乙组"


def test_an_event_that_wants_phones_is_not_searched_by_name_through_another(halls: list[Hall]) -> None:
    first, second, _ = halls
    link(first, second)
    enter(second, NAME, 701)
    second.configure(search_by_phone_only=True)
    assert found(first, NAME) == []
    assert found(first, phone(701)) == [("乙组", 1)]


def test_an_ended_event_drops_out(world: TestWorld, halls: list[Hall]) -> None:
    first, second, third = halls
    link(first, second, third)
    enter(second, NAME, 701)
    second.owner.post(second.path("/ending"), {"ended": True})
    assert linked(first) == ["丙组"]
    assert found(first, NAME) == []
    refused = link(first, second)
    assert (refused.code, "“乙组”" in refused.json["detail_zh"]) == ("not_linkable", True)
    world.time.advance(days=8)
    assert linked(first) == []


def test_only_own_events_can_be_linked_and_nothing_tells_which_there_are(world: TestWorld, halls: list[Hall]) -> None:
    other = open_hall(world, phone(999), name="别人的")
    nobody = Hall(world, other.owner, "no-such-event")
    refusals = [link(halls[0], hall) for hall in (other, nobody)]
    assert [refusal.code for refusal in refusals] == ["not_linkable"] * 2
    assert [linked(hall) for hall in (halls[0], other)] == [[], []]


def test_a_set_has_an_end(halls: list[Hall]) -> None:
    body = {"events": [f"event-{number}" for number in range(10)]}
    assert halls[0].owner.put(halls[0].path("/linked-events"), body).code == "bad_value"
