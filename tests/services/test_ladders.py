"""天梯: an event counts for the ladders it is switched to when it ends, and no longer when it is opened again."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from app import app
from chalicelib.services.finding import known_event
from chalicelib.services.ladders.facts import facts_of
from infra.local.engine import Engine
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.support.client import Browser
from tests.support.ladders import ELO, chief, end, history, laddered, of_event, play, points, run, table
from tests.support.people import phone
from tests.support.world import TestWorld

DAY = 86_400_000
WINNERS = {"选手100", "选手101"}


def test_two_ladders_exist_from_the_start(world: TestWorld) -> None:
    found = Browser().get("/ladders").json["ladders"]
    assert [(each["ladder_id"], each["name"], each["name_en"]) for each in found] == [
        ("qingdao", "青岛系列", "Qingdao series"),
        ("platform", "平台天梯", "Platform ladder"),
    ]
    assert table("qingdao")["rows"] == []


def test_an_event_is_posted_when_it_ends_and_taken_back_when_it_is_reopened(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "qingdao", "platform")
    play(hall)
    run(engine)
    assert points("qingdao") == {}
    assert {line["state"] for line in of_event(hall).values()} == {"waiting"}
    end(hall)
    assert of_event(hall)["qingdao"]["state"] == "working"
    run(engine)
    assert points("qingdao") == points("platform")
    assert sum(points("qingdao").values()) == 2 * 600
    assert len(points("qingdao")) == 8
    line = of_event(hall)["qingdao"]
    assert (line["state"], line["players"], line["without_phone"], line["season"]) == ("posted", 8, 0, 1)
    end(hall, ended=False)
    run(engine)
    assert points("qingdao") == points("platform") == {}
    assert of_event(hall)["qingdao"]["state"] == "waiting"
    end(hall)
    run(engine)
    assert sum(points("platform").values()) == 2 * 600


def test_points_of_one_person_add_up_over_events(world: TestWorld, engine: Engine) -> None:
    """Known by the phone, whatever the name; the latest name is shown."""
    for _ in range(3):
        hall = laddered(world, "platform", pairs=2)
        play(hall, ("A", "9"))
        world.time.advance(seconds=60)
        end(hall)
        run(engine)
    assert sum(points("platform").values()) == 3 * 2 * 200
    for name, total in points("platform").items():
        events = history("platform", name)
        assert len(events) == 3
        assert sum(each["change"] for each in events) == total == events[0]["points"]
        assert events[0]["event_id"] == hall.event_id
        assert {each["entries"] for each in events} == {2}


def test_same_names_are_two_people(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=1)
    players = [{"name": "选手100", "phone": phone(300)}, {"name": "选手101", "phone": phone(301)}]
    assert hall.owner.post(hall.path("/entries"), {"club": "市南", "players": players}).status == 201
    play(hall)
    end(hall)
    run(engine)
    rows = table("platform")["rows"]
    assert sorted(row["name"] for row in rows) == ["选手100", "选手100", "选手101", "选手101"]
    assert len({row["person"] for row in rows}) == 4
    assert sorted(row["club"] for row in rows) == ["", "", "市南", "市南"]


def test_who_has_no_phone_is_counted_and_not_listed(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=1)
    players = [{"name": "甲", "phone": phone(300)}, {"name": "乙", "phone": ""}]
    assert hall.owner.post(hall.path("/entries"), {"club": "", "players": players}).status == 201
    play(hall)
    end(hall)
    run(engine)
    assert points("platform").keys() == {"选手100", "选手101", "甲"}
    line = of_event(hall)["platform"]
    assert (line["players"], line["without_phone"]) == (3, 1)


def test_an_elo_follows_the_order_of_posting_and_starts_anew_without_the_event_that_was_taken_back(
    world: TestWorld, engine: Engine
) -> None:
    admin = chief(world)
    ladder = admin.post("/platform/ladders", {"name": "高手", "season": "2026", "parameters": ELO}).json["ladder_id"]
    halls = []
    for ended in range(3):
        hall = laddered(world, ladder, pairs=2)
        play(hall, [("A", "9"), ("5", "A"), ("A", "2")][ended])
        world.time.advance(seconds=60)
        end(hall)
        run(engine)
        halls.append(hall)
    before = points(ladder)
    assert sum(before.values()) == 4 * 150_000
    end(halls[0], ended=False)
    run(engine)
    assert all(len(history(ladder, name)) == 2 for name in before)
    first_alone = history(ladder, "选手100")[-1]
    assert first_alone["points"] == 150_000 + first_alone["change"]
    world.time.advance(seconds=60)
    end(halls[0])
    run(engine)
    assert [each["event_id"] for each in history(ladder, "选手100")] == [
        halls[0].event_id,
        halls[2].event_id,
        halls[1].event_id,
    ]
    assert sum(points(ladder).values()) == 4 * 150_000


def test_an_idle_event_is_posted_by_the_schedule(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    world.time.now += 7 * DAY
    assert invoke(app, "end_idle_events", scheduled_event("end_idle_events", datetime.now(UTC))) == 1
    run(engine)
    assert sum(points("platform").values()) == 2 * 200
    assert hall.owner.get(hall.path("/ladders")).json["ended_by"] == "system"


def test_a_test_event_never_counts(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    event = hall.owner.get(hall.path()).json
    body = {"version": event["version"], "settings": {**event["settings"], "test": True}, "confirmed": True}
    assert hall.owner.put(hall.path("/settings"), body).code == "settings_inconsistent"
    hall.configure(test=True, ladders=[])
    end(hall)
    run(engine)
    assert points("platform") == {}


def test_frozen_places_are_not_told_by_a_ladder(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    freeze = {"version": hall.version(), "round": 1}
    assert hall.owner.put(hall.path("/freeze"), freeze).status == 200
    end(hall)
    run(engine)
    assert points("platform") == {}
    assert of_event(hall)["platform"]["reason"] == "frozen"
    assert hall.owner.put(hall.path("/freeze"), {"version": hall.version(), "round": None}).status == 200
    run(engine)
    assert len(points("platform")) == 4


def test_an_encrypted_event_counts_for_no_ladder(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    end(hall)
    run(engine)
    assert len(points("platform")) == 4
    digits = {"x-guanjun-new-digits": "201938475610"}
    assert hall.owner.post(hall.path("/encryption"), {}, headers=digits).status == 200
    run(engine)
    assert points("platform") == {}
    event = hall.owner.get(hall.path()).json
    assert event["settings"]["ladders"] == []
    body = {"version": event["version"], "settings": {**event["settings"], "ladders": ["platform"]}, "confirmed": True}
    refused = hall.owner.put(hall.path("/settings"), body)
    assert (refused.code, refused.json["field"]) == ("settings_inconsistent", "settings.ladders")


def test_an_event_without_a_result_posts_nothing(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    end(hall)
    run(engine)
    assert points("platform") == {}
    assert of_event(hall)["platform"]["reason"] == "no_results"


def test_a_ladder_that_is_not_there_cannot_be_chosen(world: TestWorld) -> None:
    hall = laddered(world, "platform")
    event = hall.owner.get(hall.path()).json
    for ladders in (["nowhere"], ["platform", "platform"]):
        body = {"version": event["version"], "settings": {**event["settings"], "ladders": ladders}, "confirmed": True}
        refused = hall.owner.put(hall.path("/settings"), body)
        assert (refused.status, refused.json["field"]) == (400, "settings.ladders")


def test_an_event_is_taken_back_while_it_is_deleted(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    end(hall)
    run(engine)
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    run(engine)
    assert points("platform") == {}
    assert hall.owner.post(hall.path("/deletion"), {"deleted": False}).status == 200
    run(engine)
    assert len(points("platform")) == 4


def test_ladders_can_be_chosen_and_left_after_the_end(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    end(hall)
    run(engine)
    hall.configure(ladders=["qingdao"])
    run(engine)
    assert (len(points("platform")), len(points("qingdao"))) == (0, 4)


def test_a_private_event_is_not_named(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2, private=True)
    play(hall)
    end(hall)
    run(engine)
    (event,) = history("platform", "选手100")
    assert (event["event_id"], event["name"], event["starts_at"]) == (None, "", None)
    hall.configure(private=False)
    run(engine)
    (event,) = history("platform", "选手100")
    assert (event["event_id"], event["name"]) == (hall.event_id, "周三夜赛")


def test_a_table_is_rated_by_its_level_points(world: TestWorld) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall, ("A", "9"))
    facts = facts_of(world, *known_event(hall.event_id))
    assert facts is not None
    assert [points for tables in facts.rounds for *_, points in tables] == [18]


@pytest.mark.parametrize("wanted", ["选手101", " 选手１０１ ", "101"])
def test_the_table_is_searched_by_name(world: TestWorld, engine: Engine, wanted: str) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    end(hall)
    run(engine)
    assert points("platform", text=quote(wanted)).keys() == {"选手101"}
    assert points("platform", text=quote("无此人")) == {}


def test_no_answer_about_a_ladder_holds_a_phone(world: TestWorld, engine: Engine) -> None:
    hall = laddered(world, "platform", pairs=2)
    play(hall)
    end(hall)
    run(engine)
    person = table("platform")["rows"][0]["person"]
    for path in ("/ladders", "/ladders/platform", f"/ladders/platform/people/{person}"):
        body = Browser().get(path).body.decode()
        assert "1380013" not in body
        assert "138****" not in body
