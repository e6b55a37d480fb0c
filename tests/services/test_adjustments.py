"""罚分: given and removed by officials, counted everywhere, noticed by a drawing under way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chalicelib.rules.standings import standings as ranked
from chalicelib.services import adjustments, rounds
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from infra.local.engine import Engine
from tests.support import hall as direct
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world, rounds=3)
    hall.enter(4)
    hall.start_round()
    return hall


def adjust(hall: Hall, entry: int = 1, **changes: Any) -> Any:
    body = {"entry": entry, "round": 1, "criterion": "match_points", "amount": -1.5, "reason": "迟到", **changes}
    return hall.by_link("referee").post(hall.path("/adjustments"), body)


def totals(hall: Hall) -> dict[int, Any]:
    header, settings = known_event(hall.event_id)
    rows = ranked(event_of(hall.world, header, settings)).rows
    return {row.entry: row.values["match_points"] for row in rows}


def test_a_referee_takes_points_and_takes_that_back(world: TestWorld, engine: Engine, hall: Hall) -> None:
    made = adjust(hall)
    assert made.status == 201, made.json
    assert (made.json["entry"], made.json["amount"], made.json["actor"]) == (1, -1.5, "referee")
    assert made.json["name"] == "选手100 / 选手101"
    listed = hall.owner.get(hall.path("/adjustments")).json
    assert listed["adjustments"] == [made.json]
    assert [row["code"] for row in listed["criteria"]] == ["match_points", "level_points", "upgrades"]
    assert totals(hall)[1] == "-1.5"
    Pump(engine).run()
    rows = hall.owner.get(hall.path("/standings")).json["rows"]
    assert next(row for row in rows if row["number"] == 1)["rank"] == 4
    opened = hall.owner.get(hall.path("/standings/1")).json["addends"]["match_points"]
    assert opened[-1] == {"round": 1, "value": "-1.50", "why": "adjustment: 迟到"}

    path = hall.path(f"/adjustments/{made.json['id']}/removal")
    assert hall.owner.post(path, {"reason": " "}).code == "reason_missing"
    world.time.advance(seconds=1)
    assert hall.owner.post(path, {"reason": "误判"}).status == 200
    assert hall.owner.post(path, {"reason": "误判"}).code == "adjustment_not_found"
    assert hall.owner.get(hall.path("/adjustments")).json["adjustments"] == []
    assert totals(hall)[1] == "0"
    actions = [line["action"] for line in hall.owner.get(hall.path("/audit")).json["lines"]]
    assert actions[0] == "entry.unadjust"
    assert actions.count("entry.adjust") == 1


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"amount": 0.3}, "bad_value"),
        ({"amount": 0}, "bad_value"),
        ({"amount": 1000.5}, "bad_value"),
        ({"criterion": "duplicate_points"}, "not_adjustable"),
        ({"criterion": "lot"}, "not_adjustable"),
        ({"round": 2}, "round_not_found"),
        ({"entry": 99}, "entry_not_found"),
        ({"reason": "  "}, "reason_missing"),
    ],
)
def test_what_cannot_be_given(hall: Hall, changes: dict[str, Any], code: str) -> None:
    refused = adjust(hall, **changes)
    assert refused.code == code, refused.json
    assert hall.owner.get(hall.path("/adjustments")).json["adjustments"] == []


def test_a_draft_takes_none(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(4)
    hall.owner.post(hall.path("/rounds"), {})
    assert adjust(hall).code == "round_not_found"


def test_twenty_at_once_are_twenty_and_one_key_is_one(hall: Hall) -> None:
    referee = hall.by_link("referee")
    body = {"entry": 1, "round": 1, "criterion": "match_points", "amount": -0.5, "reason": "迟到"}
    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(lambda _: referee.post(hall.path("/adjustments"), body).status, range(20)))
    assert done == [201] * 20
    assert totals(hall)[1] == "-10"
    with ThreadPoolExecutor(8) as threads:
        same = list(threads.map(lambda _: referee.post(hall.path("/adjustments"), body, key="penalty-1"), range(9)))
    assert len({reply.body for reply in same}) == 1
    assert totals(hall)[1] == "-10.5"


def test_a_deleted_round_takes_its_adjustments_with_it(world: TestWorld) -> None:
    hall = direct.open_hall(world, 4)
    hall.play_out(1)
    hall.play_out(2)
    for number in (1, 2):
        given = adjustments.Given(1, number, "level_points", 3, "补分")
        adjustments.give(world, hall.event_id, given, "referee", hall.keys.fresh("referee", 201))
    rounds.delete(world, hall.event_id, 2, "重排", direct.ORGANIZER, hall.keys.fresh())
    assert [each.round for each in adjustments.listed(world, hall.event_id).adjustments] == [1]
