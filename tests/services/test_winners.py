"""Prizes given down the ranking, decided where they cannot be shared, and revealed step by step."""

from __future__ import annotations

import io
from typing import Any

import pytest
from openpyxl import load_workbook

from infra.local.engine import Engine
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

PRIZES = [{"name": "一等奖", "count": 1}, {"name": "二等奖", "count": 2}]


@pytest.fixture
def hall(world: TestWorld, engine: Engine) -> Hall:
    """Six pairs; three tables won alike, so that three share rank 1 and three rank 4."""
    hall = open_hall(world, rounds=2)
    hall.configure(prizes=PRIZES, criteria=["match_points"])
    hall.enter(6)
    hall.start_round()
    for table in hall.owner.get(hall.path("/current-tables")).json["tables"]:
        ruling = {"version": table["version"], "ns_level": "A", "ew_level": "9"}
        hall.owner.post(hall.path(f"/rounds/1/tables/{table['table']}/ruling"), ruling)
    Pump(engine).run()
    return hall


def winners(hall: Hall) -> Any:
    return hall.by_link("referee").get(hall.path("/winners")).json


def show(hall: Hall, step: int) -> Any:
    command = {"view": "winners", "page": None, "paused": False, "step": step, "picture": None}
    assert hall.owner.put(hall.path("/display"), command).status == 200
    screen = hall.by_link("display")
    return screen.get(hall.path("/winners/revealed")).json


def numbers(found: list[dict[str, Any]]) -> list[int]:
    return [each["entry"]["number"] for each in found]


def test_a_prize_that_ties_reach_over_is_undecided_until_the_organizer_decides(hall: Hall) -> None:
    first, second = winners(hall)["prizes"]
    tied = numbers(first["contested"])
    assert (first["undecided"], first["open_places"], first["winners"], len(tied)) == (True, 1, [], 3)
    assert (second["undecided"], second["open_places"], numbers(second["contested"])) == (True, 2, tied)
    assert (winners(hall)["total"], show(hall, 3)["step"]) == (0, 0)

    body = {"version": hall.version(), "entries": tied[::-1]}
    decided = hall.owner.put(hall.path("/winners/decision"), body)
    assert decided.status == 200, decided.json
    assert [numbers(prize["winners"]) for prize in decided.json["prizes"]] == [[tied[2]], [tied[1], tied[0]]]
    assert winners(hall) == decided.json
    assert {prize["undecided"] for prize in decided.json["prizes"]} == {False}
    ranks = {row["number"]: row["rank"] for row in hall.owner.get(hall.path("/standings")).json["rows"]}
    assert [ranks[number] for number in tied] == [1, 1, 1]
    for wrong in ([99], [tied[0], tied[0]]):
        body = {"version": hall.version(), "entries": wrong}
        assert hall.owner.put(hall.path("/winners/decision"), body).code == "bad_value"
    assert hall.owner.put(hall.path("/winners/decision"), {"version": 99, "entries": []}).code == "stale_version"


def test_winners_are_revealed_from_the_last_to_the_first_and_no_more_is_told(world: TestWorld, hall: Hall) -> None:
    tied = numbers(winners(hall)["prizes"][0]["contested"])
    hall.owner.put(hall.path("/winners/decision"), {"version": hall.version(), "entries": tied})
    seen = []
    for step in range(5):
        told = show(hall, step)
        assert (told["step"], told["total"]) == (min(step, 3), 3)
        seen.append([numbers(prize["winners"]) for prize in told["prizes"]])
        assert sum(prize["hidden"] for prize in told["prizes"]) == 3 - told["step"]
        assert (told["newest"] is None) is (step == 0)
    assert seen == [
        [[], []],
        [[], [tied[2]]],
        [[], [tied[1], tied[2]]],
        [[tied[0]], [tied[1], tied[2]]],
        [[tied[0]], [tied[1], tied[2]]],
    ]
    show(hall, 1)
    for key in world.files.list_prefix(f"pub/{hall.event_id}/"):
        file = world.files.get(key)
        assert file is not None
        assert "一等奖".encode() not in file.body, key
    assert Browser().get(hall.path("/winners/revealed")).code == "sign_in_required"
    assert hall.by_link("display").get(hall.path("/winners")).code == "forbidden"


def test_the_club_ranking_and_the_workbook_name_the_winners(world: TestWorld, engine: Engine, hall: Hall) -> None:
    tied = numbers(winners(hall)["prizes"][0]["contested"])
    hall.owner.put(hall.path("/winners/decision"), {"version": hall.version(), "entries": tied})
    reply = hall.owner.get(hall.path("/files/standings"))
    assert reply.status == 200
    rows = list(load_workbook(io.BytesIO(reply.body))["奖项"].values)
    assert [(row[0], row[2]) for row in rows[1:]] == [("一等奖", tied[0]), ("二等奖", tied[1]), ("二等奖", tied[2])]


def test_winners_that_were_revealed_tell_no_rank_of_after_a_freeze(hall: Hall) -> None:
    """The screen was left at the winners, or shows something else by now; only a new reveal tells the new ones."""
    tied = numbers(winners(hall)["prizes"][0]["contested"])
    hall.owner.put(hall.path("/winners/decision"), {"version": hall.version(), "entries": tied})
    assert show(hall, 3)["step"] == 3
    screen = hall.by_link("display")
    clock = {"view": "clock", "page": None, "paused": False, "step": 3, "picture": None}
    assert hall.owner.put(hall.path("/display"), clock).status == 200
    told = screen.get(hall.path("/winners/revealed")).json
    assert (told["step"], told["newest"], [prize["winners"] for prize in told["prizes"]]) == (0, None, [[], []])

    assert show(hall, 3)["step"] == 3
    frozen = hall.owner.put(hall.path("/freeze"), {"version": hall.version(), "round": 2})
    assert (frozen.status, frozen.json["display"]["step"]) == (200, 0)
    told = screen.get(hall.path("/winners/revealed")).json
    assert (told["step"], told["newest"], [prize["winners"] for prize in told["prizes"]]) == (0, None, [[], []])
    assert hall.owner.get(hall.path("")).json["display"]["step"] == 0
    # Winners may be revealed while the public standings stay frozen.
    assert show(hall, 1)["step"] == 1
