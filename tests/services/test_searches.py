"""Finding yourself: same names are listed, phones stay masked, guessing is limited."""

from __future__ import annotations

import pytest

from chalicelib.services import searches
from chalicelib.services.problems import Problem
from tests.support.client import Browser
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld


def refused(world: TestWorld, event_id: str, text: str, browser_id: str = "browser") -> str:
    with pytest.raises(Problem) as refusal:
        searches.find(world, event_id, text, browser_id)
    return refusal.value.code


def enter(hall: Hall, *players: tuple[str, str], club: str = "") -> None:
    body = {"club": club, "players": [{"name": name, "phone": number} for name, number in players]}
    assert hall.owner.post(hall.path("/entries"), body).status == 201


def test_same_names_are_all_listed_with_masked_phones(world: TestWorld) -> None:
    hall = open_hall(world)
    enter(hall, ("甲", phone(1)), ("乙", phone(2)), club="市南")
    enter(hall, ("丙", phone(3)), ("甲", phone(4)))
    found = searches.find(world, hall.event_id, " 甲 ", "browser").candidates
    assert [(each.number, each.player, each.partners, each.phone_masked) for each in found] == [
        (1, 0, ["乙"], "138****0001"),
        (2, 1, ["丙"], "138****0004"),
    ]
    assert found[0].club == "市南"


def test_a_phone_finds_its_owner_however_it_is_typed(world: TestWorld) -> None:
    hall = open_hall(world)
    enter(hall, ("甲", phone(1)), ("乙", ""))
    for text in (phone(1), "138-0013-0001", "+86 13800130001", "１３８００１３０００１"):
        found = searches.find(world, hall.event_id, text, "browser").candidates
        assert [(each.number, each.player) for each in found] == [(1, 0)]


@pytest.mark.parametrize(("entered", "typed"), [("Ann Lee", "ann  lee"), ("ＡＮＮ", "ann"), ("欧阳 锋", "欧阳锋")])
def test_width_case_and_spaces_of_a_name_make_no_difference(world: TestWorld, entered: str, typed: str) -> None:
    hall = open_hall(world)
    enter(hall, (entered, ""), ("乙", ""))
    assert searches.find(world, hall.event_id, typed, "browser").candidates[0].name == entered


def test_part_of_a_name_or_phone_finds_nobody(world: TestWorld) -> None:
    hall = open_hall(world)
    enter(hall, ("选手001", phone(1)), ("乙", ""))
    for text in ("选手", "选手00", "1380013", phone(2), "0001", "　", "甲"):
        assert refused(world, hall.event_id, text) == "nobody_found"


def test_where_only_phones_are_asked_for_names_are_refused(world: TestWorld) -> None:
    hall = open_hall(world)
    enter(hall, ("甲", phone(1)), ("乙", ""))
    hall.configure(search_by_phone_only=True)
    assert refused(world, hall.event_id, "甲") == "search_by_phone_only"
    assert searches.find(world, hall.event_id, phone(1), "browser").candidates[0].name == "甲"


def test_other_events_are_not_searched(world: TestWorld) -> None:
    first, second = open_hall(world, "13800130001"), open_hall(world, "13800130002")
    enter(first, ("甲", phone(1)), ("乙", ""))
    assert refused(world, second.event_id, "甲") == "nobody_found"
    assert refused(world, second.event_id, phone(1)) == "nobody_found"
    assert refused(world, "no-event", "甲") == "event_not_found"


def test_a_changed_name_or_phone_is_found_and_the_old_one_is_not(world: TestWorld) -> None:
    hall = open_hall(world)
    enter(hall, ("甲", phone(1)), ("乙", phone(2)))
    body = {"version": 1, "players": [{"name": "丁", "phone": phone(9)}, {"name": "甲", "phone": phone(2)}]}
    assert hall.owner.put(hall.path("/entries/1"), body).status == 200
    assert [each.player for each in searches.find(world, hall.event_id, "甲", "browser").candidates] == [1]
    assert [each.player for each in searches.find(world, hall.event_id, phone(2), "browser").candidates] == [1]
    assert [each.player for each in searches.find(world, hall.event_id, phone(9), "browser").candidates] == [0]
    assert refused(world, hall.event_id, phone(1)) == "nobody_found"
    assert refused(world, hall.event_id, "乙") == "nobody_found"


def test_guessing_runs_into_the_limit_of_a_browser_and_honest_people_do_not(world: TestWorld) -> None:
    hall = open_hall(world)
    enter(hall, ("甲", phone(1)), ("乙", ""))
    for number in range(searches.MOST_MISSES_OF_ONE):
        searches.find(world, hall.event_id, "甲", "guesser")
        assert refused(world, hall.event_id, phone(1000 + number), "guesser") == "nobody_found"
    assert refused(world, hall.event_id, phone(9999), "guesser") == "too_many_tries"
    assert searches.find(world, hall.event_id, "甲", "somebody else").candidates
    world.time.advance(seconds=searches.MISS_WINDOW_SECONDS)
    assert searches.find(world, hall.event_id, "甲", "guesser").candidates


def test_guessing_with_ever_new_browsers_runs_into_the_limit_of_the_event(world: TestWorld) -> None:
    hall, other = open_hall(world), open_hall(world, "13800130002")
    for number in range(searches.MOST_MISSES):
        assert refused(world, hall.event_id, phone(1000 + number), f"browser-{number}") == "nobody_found"
    assert refused(world, hall.event_id, phone(9999), "one more") == "too_many_tries"
    assert refused(world, other.event_id, phone(9999), "one more") == "nobody_found"


def test_over_http_a_browser_is_known_from_its_first_miss(world: TestWorld) -> None:
    hall = open_hall(world)
    guesser = Browser()
    for _ in range(searches.MOST_MISSES_OF_ONE):
        assert guesser.post(hall.path("/searches"), {"text": "丙"}).code == "nobody_found"
    assert len(guesser.cookies) == 1
    limited = guesser.post(hall.path("/devices"), {"number": 1, "player": 0, "text": "丙"})
    assert (limited.status, limited.code) == (429, "too_many_tries")
    forged = Browser(cookies={"guanjun_browser": "x" + guesser.cookies["guanjun_browser"]})
    assert forged.post(hall.path("/searches"), {"text": "丙"}).code == "nobody_found"
    assert forged.cookies["guanjun_browser"] != "x" + guesser.cookies["guanjun_browser"]
