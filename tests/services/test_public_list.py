"""The public list: upcoming, running, finished; private and deleted events are not in it; a page is one query."""

from __future__ import annotations

from typing import Any

import pytest

from chalicelib.services import list_healing, public_list
from chalicelib.store.listings import LISTING, Listing
from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

DAY = 86_400_000


def listed(**query: str) -> list[str]:
    return [event["name"] for event in page(**query)["events"]]


def page(**query: str) -> Any:
    words = "&".join(f"{name}={value}" for name, value in query.items())
    reply = Browser().get(f"/public-events?{words}" if words else "/public-events")
    assert reply.status == 200, reply.json
    return reply.json


def where(hall: Hall) -> list[str]:
    return [
        state
        for state in public_list.STATES
        if any(event["event_id"] == hall.event_id for event in page(state=state)["events"])
    ]


def test_an_event_moves_from_upcoming_to_running_to_finished(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    assert where(hall) == ["upcoming"]
    drawn = hall.owner.post(hall.path("/rounds"), {}).json
    # No draft ever shows.
    hall.configure(rules_text="规则")
    assert where(hall) == ["upcoming"]
    hall.owner.post(hall.path("/rounds/1/publication"), {"version": drawn["version"]})
    assert where(hall) == ["running"]
    hall.configure(rules_text="新规则")
    assert where(hall) == ["running"]
    hall.owner.post(hall.path("/ending"), {"ended": True})
    assert where(hall) == ["finished"]
    hall.configure(name="周三夜赛（已结束）")
    assert (where(hall), listed(state="finished")) == (["finished"], ["周三夜赛（已结束）"])
    hall.owner.post(hall.path("/ending"), {"ended": False})
    assert where(hall) == ["running"]


def test_a_private_event_is_in_no_list_but_its_page_opens(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.configure(private=True)
    assert where(hall) == []
    assert Browser().get(hall.path("/public")).status == 200
    hall.enter(2)
    hall.start_round()
    hall.owner.post(hall.path("/ending"), {"ended": True})
    assert where(hall) == []
    hall.configure(private=False)
    assert where(hall) == ["finished"]


def test_a_deleted_event_leaves_the_list_and_comes_back_to_it(world: TestWorld) -> None:
    hall = open_hall(world)
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    assert where(hall) == []
    restored = hall.owner.post(hall.path("/deletion"), {"deleted": False, "name": ""})
    assert restored.status == 200, restored.json
    assert where(hall) == ["upcoming"]


def test_what_comes_next_is_first_and_what_ended_last(world: TestWorld) -> None:
    halls = {
        days: open_hall(world, f"1380013000{days}", name=f"第{days}天", starts_at=world.now() + days * DAY)
        for days in (3, 1, 2)
    }
    assert listed() == ["第1天", "第2天", "第3天"]
    for days in (2, 3, 1):
        world.time.advance(hours=1)
        halls[days].owner.post(halls[days].path("/ending"), {"ended": True})
    assert listed(state="finished") == ["第1天", "第3天", "第2天"]


def many(count: int) -> None:
    for number in range(count):
        Listing(
            f"event-{number:04d}",
            LISTING,
            listed_in="finished",
            listed_at=1_000 + number // 2,
            name=f"公开赛 {number:04d}",
            wanted_by=f"公开赛{number:04d}",
            kind="pairs",
            time_zone="Asia/Shanghai",
            rounds=5,
        ).save()


def test_pages_join_without_gap_or_repeat(world: TestWorld) -> None:
    many(120)
    found: list[str] = []
    after: dict[str, str] = {}
    for size in (50, 50, 20):
        part = page(state="finished", **after)
        assert len(part["events"]) == size
        found += [event["event_id"] for event in part["events"]]
        after = {"after": part["next"] or ""}
    assert len(found) == len(set(found)) == 120
    assert after == {"after": ""}


def test_a_name_is_found_by_any_part_of_it_however_it_is_typed(world: TestWorld) -> None:
    many(30)
    assert listed(state="finished", text="0017") == ["公开赛 0017"]
    assert listed(state="finished", text="开赛00 2９") == ["公开赛 0029"]
    assert listed(state="finished", text="联赛") == []


def test_a_page_is_one_query_however_many_events_there_are(world: TestWorld, engine: Engine) -> None:
    many(200)
    engine.recorder.clear()
    page(state="finished")
    ((_, operation),) = engine.recorder.requests()
    assert operation == "Query"
    assert sum(engine.recorder.requests().values()) == 1
    assert sum(used.items for used in engine.recorder.usage().values()) <= public_list.PAGE


@pytest.mark.parametrize("query", [{"state": "secret"}, {"after": "nowhere"}, {"after": "1.%2E%2E"}])
def test_what_is_no_part_and_no_place_is_refused(world: TestWorld, query: dict[str, str]) -> None:
    words = "&".join(f"{name}={value}" for name, value in query.items())
    assert Browser().get(f"/public-events?{words}").code == "bad_value"


def test_the_sweep_puts_a_line_right_that_two_changes_at_once_left_wrong(world: TestWorld) -> None:
    """Ended while somebody saved settings: the saved line was put later and says that the event is to come."""
    ended, hidden, gone = (open_hall(world, f"1380013000{number}") for number in (1, 2, 3))
    before = {hall.event_id: Listing.get(hall.event_id, LISTING) for hall in (ended, hidden, gone)}
    assert ended.owner.post(ended.path("/ending"), {"ended": True, "reason": ""}).status == 200
    hidden.configure(private=True)
    assert gone.owner.post(gone.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    for line in before.values():
        line.save()
    assert where(ended) == where(hidden) == where(gone) == [public_list.UPCOMING]
    assert list_healing.heal(world) == 3
    assert (where(ended), where(hidden), where(gone)) == ([public_list.FINISHED], [], [])
    assert list_healing.heal(world) == 0


def test_the_sweep_lists_an_event_in_play_that_has_no_line(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    hall.start_round()
    Listing(hall.event_id, LISTING).delete()
    assert where(hall) == []
    assert list_healing.heal(world) == 1
    assert where(hall) == [public_list.RUNNING]
