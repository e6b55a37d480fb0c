"""天梯管理 and what becomes of people: seasons, methods, lists, archive; erasure, purge and an event's end."""

from __future__ import annotations

import base64
import zlib
from datetime import UTC, datetime
from typing import Any

import pytest

from app import app
from chalicelib.services import deletion
from chalicelib.services.ladders.facts import Facts
from chalicelib.store.ladders import bodies, opened, season_key, sort_keys
from infra.local.engine import Engine
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.support.client import Browser
from tests.support.ladders import (
    ELO,
    PARAMETERS,
    chief,
    end,
    history,
    laddered,
    of_event,
    play,
    points,
    run,
    table,
)
from tests.support.people import Hall, phone
from tests.support.spreadsheets import xlsx
from tests.support.world import TestWorld

DAY = 86_400_000


@pytest.fixture
def admin(world: TestWorld) -> Browser:
    return chief(world)


def ladder(browser: Browser, ladder_id: str = "platform") -> dict[str, Any]:
    found: dict[str, Any] = browser.get(f"/ladders/{ladder_id}").json["ladder"]
    return found


def new_ladder(admin: Browser, **changes: Any) -> str:
    body = {"name": "高手", "name_en": "Masters", "season": "2026", "parameters": PARAMETERS, **changes}
    made = admin.post("/platform/ladders", body)
    assert made.status == 201, made.json
    return str(made.json["ladder_id"])


def posted(world: TestWorld, engine: Engine, *ladders: str, **settings: Any) -> Hall:
    hall = laddered(world, *ladders, pairs=2, **settings)
    play(hall)
    end(hall)
    run(engine)
    return hall


def purge() -> Any:
    return invoke(app, "purge_personal_data", scheduled_event("purge_personal_data", datetime.now(UTC)))


def import_list(admin: Browser, ladder_id: str, text: str, *, commit: bool = True) -> Any:
    body = {
        "content": base64.b64encode(text.encode()).decode(),
        "commit": commit,
        "version": ladder(admin, ladder_id)["version"],
    }
    return admin.post(f"/platform/ladders/{ladder_id}/member-imports", body)


def test_a_ladder_is_made_renamed_archived_and_brought_back_and_all_of_it_is_logged(admin: Browser) -> None:
    made = new_ladder(admin)
    body = {"version": 1, "name": "高手榜", "name_en": "Top", "parameters": PARAMETERS}
    assert admin.put(f"/platform/ladders/{made}", body).json["name"] == "高手榜"
    assert admin.put(f"/platform/ladders/{made}", body).code == "stale_version"
    assert admin.put(f"/platform/ladders/{made}/archive", {"version": 2, "archived": True}).json["archived"]
    again = {"version": 3, "name": "2027", "parameters": PARAMETERS}
    assert admin.post(f"/platform/ladders/{made}/seasons", again).code == "ladder_archived"
    assert not admin.put(f"/platform/ladders/{made}/archive", {"version": 3, "archived": False}).json["archived"]
    actions = [line["action"] for line in admin.get("/platform/audit").json["lines"]]
    assert {each for each in actions if each.startswith("ladder.")} == {
        "ladder.bring_back",
        "ladder.archive",
        "ladder.rename",
        "ladder.create",
    }
    assert [each["ladder_id"] for each in Browser().get("/ladders").json["ladders"]] == ["qingdao", "platform", made]


def test_a_ladder_of_the_start_can_be_changed_like_any_other(admin: Browser) -> None:
    body = {"version": 0, "name": "青岛系列赛", "name_en": "Qingdao", "parameters": None}
    assert admin.put("/platform/ladders/qingdao", body).json["version"] == 1
    assert ladder(admin, "qingdao")["name"] == "青岛系列赛"
    assert len(Browser().get("/ladders").json["ladders"]) == 2


def test_an_archived_ladder_cannot_be_chosen_and_keeps_what_it_has(
    world: TestWorld, engine: Engine, admin: Browser
) -> None:
    hall = posted(world, engine, "platform")
    assert admin.put("/platform/ladders/platform/archive", {"version": 0, "archived": True}).status == 200
    assert len(points("platform")) == 4
    hall.configure(name="改名")  # it was chosen before
    other = laddered(world, pairs=2)
    event = other.owner.get(other.path()).json
    body = {"version": event["version"], "settings": {**event["settings"], "ladders": ["platform"]}, "confirmed": True}
    assert other.owner.put(other.path("/settings"), body).status == 400
    end(hall, ended=False)
    run(engine)
    assert points("platform") == {}
    end(hall)
    run(engine)
    assert (points("platform"), of_event(hall)["platform"]["reason"]) == ({}, "archived")


def test_an_event_counts_in_the_season_that_is_open_and_is_taken_back_from_where_it_stands(
    world: TestWorld, engine: Engine, admin: Browser
) -> None:
    first = posted(world, engine, "platform")
    closed = admin.post("/platform/ladders/platform/season-end", {"version": 0})
    assert closed.json["seasons"][0]["closed_at"] == world.now()
    assert admin.post("/platform/ladders/platform/season-end", {"version": 1}).code == "season_closed"
    between = posted(world, engine, "platform")
    assert of_event(between)["platform"]["reason"] == "no_season"
    body = {"version": 1, "name": "2027", "parameters": ELO}
    assert admin.post("/platform/ladders/platform/seasons", body).status == 201
    assert admin.post("/platform/ladders/platform/seasons", {**body, "version": 2}).code == "season_open"
    second = posted(world, engine, "platform")
    assert sum(points("platform", season=1).values()) == 2 * 200
    assert sum(points("platform").values()) == 4 * 150_000
    end(first, ended=False)
    run(engine)
    assert points("platform", season=1) == {}
    assert len(points("platform")) == 4
    end(first)
    run(engine)
    assert of_event(first)["platform"]["season"] == of_event(second)["platform"]["season"] == 2
    assert Browser().get("/ladders/platform?season=3").code == "season_not_found"


def test_another_method_counts_the_open_season_anew(world: TestWorld, engine: Engine, admin: Browser) -> None:
    for _ in range(2):
        posted(world, engine, "platform")
    additive = points("platform")
    body = {"version": 0, "name": "平台天梯", "name_en": "", "parameters": ELO}
    assert admin.put("/platform/ladders/platform", body).status == 200
    run(engine)
    assert sum(points("platform").values()) == 4 * 150_000
    back = {**body, "version": 1, "parameters": PARAMETERS}
    assert admin.put("/platform/ladders/platform", back).status == 200
    run(engine)
    assert points("platform") == additive


def test_only_members_of_the_list_are_listed(world: TestWorld, engine: Engine, admin: Browser) -> None:
    made = new_ladder(admin, parameters=ELO)
    text = f"姓名,手机\n甲,{phone(100)}\n从未参赛,{phone(999)}\n"
    dry = import_list(admin, made, text, commit=False)
    assert (dry.status, dry.json["wrong"], len(dry.json["members"])) == (200, 0, 2)
    assert import_list(admin, made, text).json["committed"]
    hall = posted(world, engine, made)
    # The list's name, and who has not played yet stands where everybody begins.
    assert points(made).keys() == {"甲", "从未参赛"}
    assert points(made)["从未参赛"] == 150_000
    assert of_event(hall)[made]["players"] == 4
    (event,) = history(made, "甲")
    assert points(made)["甲"] == 150_000 + event["change"]
    added = admin.post(f"/platform/ladders/{made}/members", {"name": "乙", "phone": phone(101)})
    assert added.status == 201
    run(engine)
    assert points(made).keys() == {"甲", "乙", "从未参赛"}
    members = admin.get(f"/platform/ladders/{made}/members").json["members"]
    assert [each["phone_masked"] for each in members] == ["138****0100", "138****0999", "138****0101"]
    gone = admin.delete(f"/platform/ladders/{made}/members/{members[0]['person']}")
    assert gone.json["members"] == 2
    run(engine)
    assert points(made).keys() == {"乙", "从未参赛"}
    restriction = {"version": gone.json["version"], "restricted": False}
    assert not admin.put(f"/platform/ladders/{made}/restriction", restriction).json["restricted"]


def test_nobody_outside_the_list_is_named_in_the_ledger(world: TestWorld, engine: Engine, admin: Browser) -> None:
    made = new_ladder(admin)
    import_list(admin, made, f"姓名,手机\n甲,{phone(100)}\n")
    hall = posted(world, engine, made)
    key = season_key(made, 1)
    keys = sort_keys(key, f"LINES#{hall.event_id}#")
    (body,) = bodies(key, keys, world.sleep, world.random.fraction)
    assert body is not None
    assert {person.name for person in opened(body, Facts).people} == {"选手100", ""}


def test_a_list_with_faults_is_refused_with_their_rows(admin: Browser) -> None:
    made = new_ladder(admin)
    text = f"姓名,手机\n甲,{phone(100)}\n乙,\n丙,{phone(100)}\n丁,1.38E+10\n"
    refused = import_list(admin, made, text)
    assert refused.code == "roster_faults"
    assert {fault["row"] for fault in refused.json["current"]["faults"]} == {2, 3, 4, 5}
    assert admin.get(f"/platform/ladders/{made}/members").json["members"] == []
    assert admin.post(f"/platform/ladders/{made}/members", {"name": "甲", "phone": "12345"}).code == "bad_phone"
    assert admin.delete(f"/platform/ladders/{made}/members/nobody").code == "ladder_member_not_found"


def test_a_list_comes_from_a_workbook_too(admin: Browser) -> None:
    made = new_ladder(admin)
    content = base64.b64encode(xlsx([["姓名", "手机"], ["甲", 13800130100], ["甲", "138 0013 0101"]])).decode()
    body = {"content": content, "commit": True, "version": 1}
    assert admin.post(f"/platform/ladders/{made}/member-imports", body).json["committed"]
    # Two of the same name stay two.
    assert [each["name"] for each in admin.get(f"/platform/ladders/{made}/members").json["members"]] == ["甲", "甲"]


def test_the_list_goes_on_into_the_next_season(world: TestWorld, engine: Engine, admin: Browser) -> None:
    made = new_ladder(admin)
    import_list(admin, made, f"姓名,手机\n甲,{phone(100)}\n")
    version = ladder(admin, made)["version"]
    admin.post(f"/platform/ladders/{made}/season-end", {"version": version})
    closed = admin.post(f"/platform/ladders/{made}/members", {"name": "乙", "phone": phone(101)})
    assert closed.code == "season_closed"
    body = {"version": version + 1, "name": "2027", "parameters": PARAMETERS}
    assert admin.post(f"/platform/ladders/{made}/seasons", body).status == 201
    run(engine)
    assert points(made) == {"甲": 0}


def test_who_is_erased_from_an_event_loses_its_points_and_the_others_keep_theirs(
    world: TestWorld, engine: Engine
) -> None:
    first = posted(world, engine, "platform")
    before = points("platform")
    assert first.owner.post(first.path("/entries/1/players/1/erasure"), {}).status == 200
    run(engine)
    assert points("platform") == {name: value for name, value in before.items() if name != "选手100"}
    second = posted(world, engine, "platform")
    assert "选手100" in points("platform")
    assert [each["event_id"] for each in history("platform", "选手100")] == [second.event_id]


def test_a_purged_event_leaves_nobody_on_the_ladder(world: TestWorld, engine: Engine) -> None:
    hall = posted(world, engine, "platform", purge_at=world.now() + DAY)
    assert len(points("platform")) == 4
    world.time.now += DAY
    assert purge() == 1
    run(engine)
    assert points("platform") == {}
    assert of_event(hall)["platform"]["without_phone"] == 4
    assert named_in_store(engine, "选手10") == []


def named_in_store(engine: Engine, text: str) -> list[str]:
    """Keys of a ladder's items in which a name stands, opened."""
    found = []
    for item in engine.call("Scan", {"TableName": "guanjun-local-events"})["Items"]:
        body = item.get("body", {}).get("B")
        if item["pk"]["S"].startswith("LADDER#") and body is not None:
            data = base64.b64decode(body) if isinstance(body, str) else body
            if text in zlib.decompress(data).decode(errors="replace"):
                found.append(item["sk"]["S"])
    return found


def test_a_deleted_event_is_erased_only_after_the_ladders_gave_it_back(world: TestWorld, engine: Engine) -> None:
    hall = posted(world, engine, "platform")
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    world.time.advance(days=deletion.RESTORABLE_DAYS)
    # Its job has not run: the erasure waits, and queues nothing that leads back.
    purge()
    assert named_in_store(engine, "选手10") != []
    run(engine)
    world.time.advance(seconds=deletion.LOOKED_AT_AGAIN_AFTER // 1000)
    purge()
    assert named_in_store(engine, "选手10") == []
    assert points("platform") == {}
    scanned = engine.call("Scan", {"TableName": "guanjun-local-events"})["Items"]
    assert [item["sk"]["S"] for item in scanned if item["pk"]["S"] == hall.event_id] == []


def test_a_table_of_several_pages_goes_on_where_it_ended(world: TestWorld, engine: Engine, admin: Browser) -> None:
    made = new_ladder(admin)
    lines = "".join(f"选手{number:03d},{phone(number)}\n" for number in range(120))
    assert import_list(admin, made, f"姓名,手机\n{lines}").status == 200
    run(engine)
    names, after = [], None
    while True:
        page = table(made, **({} if after is None else {"after": after}))
        names += [row["name"] for row in page["rows"]]
        after = page["next"]
        if after is None:
            break
        assert len(page["rows"]) == 50
    assert len(names) == len(set(names)) == 120
    assert Browser().get(f"/ladders/{made}?after=x").code == "bad_value"
