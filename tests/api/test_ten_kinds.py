"""A round of every kind through the API alone: entering, drawing, scoring by phone, settling, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from chalicelib.rules.kinds import KINDS
from tests.support.client import Browser
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld

RESULTS = (3, -1, 2, -3, 1, -2)
SETTINGS: dict[str, dict[str, Any]] = {
    "league": {"knockout": True},
    "mitchell": {"boards_per_round": 3, "preset_seed": "2026"},
    "rotation": {"boards_per_round": 2},
    "swiss_deviation": {"boards_per_round": 3},
    "team_of_four": {"boards_per_round": 2, "preset_seed": "2026"},
}
TO_PLAY = {"mitchell": 3, "rotation": 2, "swiss_deviation": 3, "team_of_four": 2}


@pytest.fixture
def hall(world: TestWorld, kind: str) -> Hall:
    """Eight entries of a kind, round 1 in play."""
    hall = open_hall(world, kind=kind)
    hall.configure(double_submission=True, **SETTINGS.get(kind, {}))
    players = KINDS[kind].players[0] if kind != "rotation" else 2
    for number in range(1, 9):
        people = [{"name": f"选手{number}{place}", "phone": phone(10 * number + place)} for place in range(players)]
        body = {"club": "市南" if number % 2 else "市北", "players": people}
        reply = hall.owner.post(hall.path("/entries"), body)
        assert reply.status == 201, reply.json
    hall.start_round()
    return hall


def phone_of(hall: Hall, number: int) -> Browser:
    return hall.player(number, text=phone(10 * number))


def score(kind: str, table: dict[str, Any]) -> dict[str, Any]:
    if table["to_play"]:
        boards = [
            {"board": each["board"], "result": RESULTS[place % len(RESULTS)]}
            for place, each in enumerate(table["to_play"])
        ]
        return {"boards": boards}
    if kind == "open_ended":
        return {"ns_level": "3", "ns_lap": 2, "ew_level": "A"}
    return (
        {"ns_level": "K", "ew_level": "K", "winner": "ew"} if kind == "league" else {"ns_level": "A", "ew_level": "9"}
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_of_the_kind_is_played_by_phone(hall: Hall, kind: str) -> None:
    grid = hall.owner.get(hall.path("/rounds/1/tables")).json
    for table in grid["tables"]:
        body = {**score(kind, table), "base_version": 0, "tapped_at": hall.world.now()}
        path = hall.path(f"/rounds/1/tables/{table['table']}")
        assert len(table["to_play"]) == TO_PLAY.get(kind, 0)
        for side, state in (("ns", "one_sided"), ("ew", "confirmed")):
            player = phone_of(hall, table[side]["numbers"][0])
            assert player.put(f"{path}/running", score(kind, table)).status == 200
            reply = player.post(f"{path}/submissions", body)
            assert (reply.status, reply.json["state"]) == (201, state), reply.json
        result = reply.json["result"]
        assert {name: result[name] for name in score(kind, table)} == score(kind, table)
        me = player.get(hall.path("/me")).json
        assert reply.json["table"] in [each["table"] for each in me["tables"]]
    version = hall.owner.get(hall.path("/rounds/1")).json["version"]
    assert hall.owner.post(hall.path("/rounds/1/settlement"), {"version": version}).status == 200
    document = hall.owner.get(hall.path("/document"))
    assert document.status == 200
    assert {table["outcome"] for table in document.json["rounds"][0]["tables"]} == {"played"}


BAD: dict[str, list[tuple[dict[str, Any], str, str]]] = {
    "mitchell": [
        ({"ns_level": "A", "ew_level": "9"}, "levels_not_offered", "ns_level"),
        ({"boards": []}, "boards_wrong", "boards"),
        ({}, "boards_wrong", "boards"),
        ({"boards": [{"board": 1, "result": 0}]}, "bad_value", "boards[0].result"),
        ({"boards": [{"board": 1, "result": 4}]}, "bad_value", "boards[0].result"),
        ({"boards": [{"board": 0, "result": 3}]}, "bad_value", "boards[0].board"),
        ({"boards": [{"board": 1, "result": 3, "level": "5"}]}, "bad_value", "boards[0]"),
        ({"boards": [{"board": 1, "result": 3}] * 101}, "bad_value", "boards"),
    ],
    "league": [
        ({"ns_level": "K", "ew_level": "K"}, "winner_missing", "winner"),
        ({"ns_level": "A", "ew_level": "K", "winner": "ew"}, "winner_refused", "winner"),
        ({"ns_level": "A", "ew_level": "K", "winner": "north"}, "bad_value", "winner"),
        ({"ns_level": "3", "ew_level": "K", "ns_lap": 2}, "lap_not_offered", "ns_lap"),
        ({"ns_level": "3", "ew_level": "K", "ns_lap": 0}, "bad_value", "ns_lap"),
    ],
    "open_ended": [({"ns_level": "3", "ew_level": "K", "ns_lap": 100}, "bad_value", "ns_lap")],
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_result_of_the_kind_is_refused(hall: Hall, kind: str) -> None:
    table = hall.owner.get(hall.path("/rounds/1/tables")).json["tables"][0]
    player = phone_of(hall, table["ns"]["number"])
    for score_body, code, field in BAD[kind]:
        body = {**score_body, "base_version": 0, "tapped_at": hall.world.now()}
        reply = player.post(hall.path(f"/rounds/1/tables/{table['table']}/submissions"), body)
        assert (reply.status, reply.json["code"]) == (400, code), (score_body, reply.json)
        assert field in reply.json["field"]
    assert hall.owner.get(hall.path("/rounds/1/tables")).json["tables"][0]["state"] == "open"


@pytest.mark.parametrize("kind", ["team_of_four"])
def test_line_ups_are_said_by_officials_and_seen_by_players(hall: Hall, kind: str) -> None:
    assert KINDS[kind].players[0] == 4
    path = hall.path("/rounds/1/tables/50001")
    table = next(each for each in hall.owner.get(hall.path("/current-tables")).json["tables"] if each["table"] == 50001)
    player = phone_of(hall, table["ns"]["number"])
    body = {"version": table["version"], "ns": [0, 1], "ew": [2, 3]}
    assert player.put(f"{path}/line-up", body).status == 403
    said = hall.by_link("referee").put(f"{path}/line-up", body)
    assert said.status == 200, said.json
    closed = player.get(hall.path("/me")).json["tables"][1]
    names = {"ns": table["ns"]["players"][:2], "ew": table["ew"]["players"][2:]}
    assert closed["line_up"] == {**names, "ns_places": [0, 1], "ew_places": [2, 3]}


@pytest.mark.parametrize("kind", ["pairs"])
def test_bracket_and_calendar_are_for_the_house(hall: Hall, kind: str) -> None:
    assert hall.owner.get(hall.path("/bracket")).json == {"rounds": []}
    assert hall.owner.get(hall.path("/calendar")).json == {"days": []}
    # A projection reads the public files, which hold nothing that is frozen or not published.
    assert hall.by_link("display").get(hall.path("/calendar")).status == 403
    assert Browser().get(hall.path("/bracket")).status == 401
    assert not KINDS[kind].duplicate
