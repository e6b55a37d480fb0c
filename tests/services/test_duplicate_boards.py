"""复式设置 and 复式派牌: the same seed gives the same boards; hands must be one deal; the rotation's own rules."""

from __future__ import annotations

from typing import Any

import pytest

from chalicelib.services import duplicate
from tests.support.client import Browser
from tests.support.kinds import Way, confirm, open_way, tables_of
from tests.support.people import Hall, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    hall = open_hall(world, kind="mitchell", rounds=2)
    hall.configure(boards_per_round=4, preset_seed="2026")
    return hall


def hands_of(hall: Hall, board: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = hall.owner.get(hall.path(f"/boards/1/{board}/hands")).json
    return found


def test_one_seed_sets_level_and_leader_of_every_board(hall: Hall) -> None:
    plan = hall.owner.get(hall.path("/boards")).json
    assert plan["seed"] == "2026"
    assert [(each["round"], each["board"]) for each in plan["boards"]] == [(r, b) for r in (1, 2) for b in (1, 2, 3, 4)]
    assert [each["leader"] for each in plan["boards"][:4]] == ["N", "E", "S", "W"]
    assert hall.owner.get(hall.path("/boards")).json == plan
    hall.configure(preset_seed="2027")
    assert [each["level"] for each in hall.owner.get(hall.path("/boards")).json["boards"]] != [
        each["level"] for each in plan["boards"]
    ]
    hall.configure(preset_seed="")
    assert hall.owner.get(hall.path("/boards")).json == {"seed": "", "boards": [], "sets": 2}


def test_hands_are_proposed_recorded_and_kept(hall: Hall) -> None:
    proposed = hands_of(hall)
    assert proposed["recorded"] is False
    assert sorted(len(hand) for hand in proposed["hands"].values()) == [27] * 4
    turned = dict(zip("NESW", (proposed["hands"][seat] for seat in "ESWN"), strict=True))
    reply = hall.owner.put(hall.path("/boards/1/1/hands"), {"hands": turned})
    assert (reply.status, reply.json["recorded"]) == (200, True)
    assert hands_of(hall) == {"round": 1, "board": 1, "recorded": True, "hands": turned}
    assert hands_of(hall, 2)["recorded"] is False


def test_what_is_not_one_deal_is_refused_with_the_reason(hall: Hall) -> None:
    dealt = hands_of(hall)["hands"]
    short = {**dealt, "N": dealt["N"][1:]}
    wrong = {**dealt, "E": ["X9", *dealt["E"][1:]]}
    twice = {**dealt, "S": [dealt["S"][0]] * 3 + dealt["S"][3:]}
    for hands, why in ((short, "26"), (wrong, "X9"), (twice, dealt["S"][0])):
        reply = hall.owner.put(hall.path("/boards/1/1/hands"), {"hands": hands})
        assert reply.code == "hands_wrong"
        assert why in reply.json["detail_zh"]
    assert hands_of(hall)["recorded"] is False


def test_only_boards_that_are_played_have_hands(hall: Hall, world: TestWorld) -> None:
    for place in ("3/1", "1/5"):
        assert hall.owner.get(hall.path(f"/boards/{place}/hands")).code == "board_not_found"
    reply = hall.owner.post("/events", {"name": "周四夜赛", "kind": "pairs"})
    assert hall.owner.get(f"/events/{reply.json['event_id']}/boards").code == "setting_not_offered"


def test_the_rules_of_the_rotation_come_from_its_settings(world: TestWorld) -> None:
    hall = open_hall(world, kind="rotation", rounds=6)
    hall.configure(
        rotation_rules=True, rotation_points={"three": 5, "two": 2.5, "one": 1}, rules_text="# 其他\n请准时。"
    )
    text = Browser().get(hall.path("/public")).json["rules_text"]
    assert "赢三级得 5 分，赢两级得 2.5 分" in text
    assert "6 rounds of 8 boards" in text
    assert text.endswith("# 其他\n请准时。")
    hall.configure(rotation_rules=False)
    assert Browser().get(hall.path("/public")).json["rules_text"] == "# 其他\n请准时。"


def test_a_mitchell_has_a_set_of_boards_for_every_table_and_the_relay(world: TestWorld) -> None:
    hall = open_way(world, Way("mitchell", 9, settings={"preset_seed": "2026"}))
    # Five tables, and a sixth set in case that an even number of tables shares and relays; four rounds.
    plan = duplicate.plan(world, hall.event_id)
    assert plan.sets == 6
    assert {each.round for each in plan.boards} == set(range(1, 7))
    hall.play(1)
    played = {table.board_set for table in tables_of(hall, 1)}
    assert played <= {str(number) for number in range(1, plan.sets + 1)}
    assert duplicate.hands(world, hall.event_id, 6, 1).round == 6
    assert refused(duplicate.hands, world, hall.event_id, 7, 1).code == "board_not_found"


def test_a_movement_that_is_over_says_so(world: TestWorld) -> None:
    hall = open_way(world, Way("mitchell", 4))
    for number in (1, 2):
        hall.play(number)
        for table in tables_of(hall, number):
            confirm(hall, table)
    problem = refused(hall.draw, accept_proposal=True)
    assert problem.code == "movement_over"
