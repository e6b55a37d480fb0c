"""删除比赛: by its typed name, hidden from everybody, undone for 30 days."""

from __future__ import annotations

import pytest

from chalicelib.services import deletion
from tests.support.client import Browser
from tests.support.people import OWNER_PHONE, Hall, open_hall, sign_in
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def deleted(hall: Hall, name: str = "周三夜赛") -> Hall:
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": name}).status == 200
    return hall


def test_the_name_must_be_typed(hall: Hall) -> None:
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周四"}).code == "name_differs"
    assert hall.owner.get(hall.path()).status == 200


def test_a_deleted_event_is_there_for_nobody(hall: Hall) -> None:
    administrator = hall.administrator("13800130803")
    referee = hall.by_link("referee")
    hall.enter(2)
    player = hall.player(1)
    deleted(hall)
    assert hall.owner.get(hall.path()).code == "event_not_found"
    assert Browser().get(hall.path("/public")).code == "event_not_found"
    assert administrator.get(hall.path("/entries")).code == "event_not_found"
    assert referee.get(hall.path("/standings")).code == "event_not_found"
    assert player.get(hall.path("/me")).code == "event_not_found"
    (line,) = hall.owner.get("/events").json["events"]
    assert line["deleted_at"] == hall.world.now()
    assert administrator.get("/events").json["events"] == []


def test_it_comes_back_as_it_was(hall: Hall) -> None:
    hall.configure(registration_deadline=hall.world.now() + 1000)
    before = hall.owner.get(hall.path()).json
    deleted(hall)
    assert hall.owner.post(hall.path("/deletion"), {"deleted": False}).status == 200
    assert hall.owner.get(hall.path()).json == before
    assert hall.owner.get("/events").json["events"][0]["deleted_at"] is None
    assert hall.owner.post(hall.path("/deletion"), {"deleted": False}).code == "not_deleted"


def test_thirty_days_are_the_end_of_it(hall: Hall) -> None:
    deleted(hall)
    hall.world.time.advance(days=deletion.RESTORABLE_DAYS)
    again = sign_in(hall.world, OWNER_PHONE)
    assert again.get("/events").json["events"] == []
    assert again.post(hall.path("/deletion"), {"deleted": False}).code == "restore_too_late"


def test_only_its_owner_deletes_it(hall: Hall) -> None:
    administrator = hall.administrator("13800130803")
    assert administrator.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).code == "forbidden"
