"""Check-in: once, said by whom and when, undone, counted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from chalicelib.services import check_in, events, links
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.store.entries import EntryRecord, partition, sort_key
from infra.local.engine import Engine
from tests.support.calls import a_call
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

OWNER = frozenset({Role.OWNER})


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world)
    hall.enter(3)
    return hall


def counted(hall: Hall) -> int:
    return events.read(hall.world, hall.event_id, OWNER).checked_in


def test_a_repeat_says_who_was_first_and_when(world: TestWorld, hall: Hall) -> None:
    first = check_in.at_desk(world, hall.event_id, 1, True, "desk", a_call())
    world.time.advance(minutes=5)
    again = check_in.at_desk(world, hall.event_id, 1, True, "account:x", a_call())
    assert again == first
    assert (again.checked_in_by, again.checked_in_at) == ("desk", world.now() - 300_000)
    assert counted(hall) == 1


def test_the_undo_and_its_repeat(world: TestWorld, hall: Hall) -> None:
    check_in.at_desk(world, hall.event_id, 1, True, "desk", a_call())
    for _ in range(2):
        undone = check_in.at_desk(world, hall.event_id, 1, False, "desk", a_call())
        assert (undone.checked_in_at, undone.checked_in_by) == (None, None)
        assert counted(hall) == 0


def test_many_desks_at_once_check_in_once(world: TestWorld, hall: Hall) -> None:
    def tap(index: int) -> int | None:
        return check_in.at_desk(world, hall.event_id, 1 + index % 3, True, f"desk-{index}", a_call()).checked_in_at

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(tap, range(24)))
    assert counted(hall) == 3
    log = events.audit_log(world, hall.event_id, None)
    assert [line.action for line in log.lines].count("entry.check_in") == 3


def test_a_player_checks_the_own_team_in(world: TestWorld, hall: Hall) -> None:
    mine = hall.player(2)
    for _ in range(2):
        assert mine.put(hall.path("/me/check-in")).json == {"number": 2, "checked_in_at": world.now()}
    assert counted(hall) == 1
    shown = hall.owner.get(hall.path("/entries")).json["entries"]
    assert [entry["checked_in_at"] is not None for entry in shown] == [False, True, False]
    assert shown[1]["checked_in_by"].startswith("device:")


def test_who_withdrew_is_not_checked_in_and_counts_no_more(world: TestWorld, hall: Hall) -> None:
    mine = hall.player(2)
    mine.put(hall.path("/me/check-in"))
    hall.owner.post(hall.path("/entries/2/withdrawal"), {"withdrawn": True})
    hall.owner.post(hall.path("/entries/1/withdrawal"), {"withdrawn": True})
    assert counted(hall) == 0
    with pytest.raises(Problem) as refusal:
        check_in.at_desk(world, hall.event_id, 1, True, "desk", a_call())
    assert refusal.value.code == "entry_withdrawn"
    assert mine.put(hall.path("/me/check-in")).code == "entry_withdrawn"
    hall.owner.post(hall.path("/entries/2/withdrawal"), {"withdrawn": False})
    assert counted(hall) == 1


def test_an_ended_event_checks_nobody_in(world: TestWorld, hall: Hall) -> None:
    mine = hall.player(2)
    hall.owner.post(hall.path("/ending"), {"ended": True})
    assert mine.put(hall.path("/me/check-in")).code == "event_ended"
    assert hall.owner.put(hall.path("/entries/1/check-in"), {"checked_in": True}).code == "event_ended"


def test_an_entry_that_is_not_there(world: TestWorld, hall: Hall) -> None:
    with pytest.raises(Problem) as refusal:
        check_in.at_desk(world, hall.event_id, 4, True, "desk", a_call())
    assert refusal.value.code == "entry_not_found"


@pytest.mark.parametrize("who", ["desk", "owner", "player"])
def test_a_check_in_takes_three_requests(world: TestWorld, hall: Hall, engine: Engine, who: str) -> None:
    if who == "player":
        browser, path, body = hall.player(2), hall.path("/me/check-in"), None
    else:
        browser = hall.owner if who == "owner" else hall.by_link("desk")
        path, body = hall.path("/entries/2/check-in"), {"checked_in": True}
    engine.recorder.clear()
    assert browser.put(path, body).status == 200
    assert sum(engine.recorder.requests().values()) <= 3, engine.recorder.requests()


def test_who_waits_for_a_place_is_not_checked_in(world: TestWorld, hall: Hall) -> None:
    record = EntryRecord(partition(hall.event_id, 1), sort_key(1))
    record.update([EntryRecord.state.set("waiting")])
    with pytest.raises(Problem) as refusal:
        check_in.at_desk(world, hall.event_id, 1, True, "desk", a_call())
    assert refusal.value.code == "entry_not_in"


def test_the_own_code_says_which_entry_it_is_and_nothing_else(world: TestWorld, hall: Hall) -> None:
    reply = hall.player(2).get(hall.path("/me/qr?origin=https://example.org"))
    assert (reply.status, reply.headers["content-type"]) == (200, "image/svg+xml")
    assert reply.body == links.entry_qr(hall.event_id, 2, "https://example.org")
    assert reply.body != links.entry_qr(hall.event_id, 1, "https://example.org")
