"""Freeze: after it nobody outside can read a later rank anywhere, while officials see everything."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.standings.content import content_of
from infra.local.engine import Engine
from tests.api.routes import BODIES, all_routes, concrete
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

NO_RANKS = frozenset({"read_qr", "read_my_qr"})
"""Routes that answer the public with something else than JSON: what they send holds no rank."""
CRITERIA = ["match_points", "level_points", "upgrades", "lot"]


@pytest.fixture
def hall(world: TestWorld, engine: Engine) -> Hall:
    """Six pairs of two clubs after round 1, with a strict ranking."""
    hall = open_hall(world, rounds=3)
    hall.configure(criteria=CRITERIA, club_ranking={"on": True, "best": 2}, prizes=[{"name": "一等奖", "count": 1}])
    hall.enter(3, club="市南")
    hall.enter(3, first=300, club="崂山")
    play(hall, 1, lower="9")
    Pump(engine).run()
    return hall


def play(hall: Hall, number: int, lower: str) -> None:
    """A round that side NS wins everywhere, confirmed by the referee."""
    assert hall.start_round() == number
    for table in hall.owner.get(hall.path("/current-tables")).json["tables"]:
        ruling = {"version": table["version"], "ns_level": "A+" if table["table"] % 2 else "J", "ew_level": lower}
        assert hall.owner.post(hall.path(f"/rounds/{number}/tables/{table['table']}/ruling"), ruling).status == 200


def freeze(hall: Hall, number: int | None, **more: Any) -> Any:
    return hall.owner.put(hall.path("/freeze"), {"version": hall.version(), "round": number}, **more)


def public_files(hall: Hall) -> dict[str, Any]:
    """Every public file of the event, decoded."""
    keys = hall.world.files.list_prefix(f"pub/{hall.event_id}/")
    found = {key: hall.world.files.get(key) for key in keys}
    return {key: msgspec.json.decode(file.body) for key, file in found.items() if file is not None}


def ranks_now(hall: Hall, through: int | None = None) -> dict[int, tuple[int, tuple[str, ...]]]:
    """Rank and values of every entry, by the pure function."""
    header, settings = known_event(hall.event_id)
    content = content_of(event_of(hall.world, header, settings, raw=True), through=through)
    return {row["no"]: (row["rank"], tuple(row["values"])) for row in content.rows}


def ranks_in(value: Any) -> list[tuple[int, int, tuple[str, ...]]]:
    """Every (entry, rank, values) that stands anywhere in a JSON value, whatever the fields around it are called."""
    found = []
    if isinstance(value, dict):
        number = value.get("no", value.get("number"))
        if number is None and isinstance(value.get("entry"), dict):
            number = value["entry"].get("number")
        if isinstance(number, int) and isinstance(value.get("rank"), int):
            found.append((number, value["rank"], tuple(value.get("values") or ())))
        for inner in value.values():
            found += ranks_in(inner)
    elif isinstance(value, list):
        for inner in value:
            found += ranks_in(inner)
    return found


def test_after_a_freeze_no_public_file_and_no_route_shows_a_later_rank(
    world: TestWorld, engine: Engine, hall: Hall
) -> None:
    before = ranks_now(hall)
    frozen = freeze(hall, 2)
    assert (frozen.status, frozen.json["frozen_from"]) == (200, 2)
    Pump(engine).run()
    play(hall, 2, lower="5")
    Pump(engine).run()
    play(hall, 3, lower="3")
    Pump(engine).run()
    now = ranks_now(hall)
    assert now != before
    assert ranks_now(hall, through=1) == before

    files = public_files(hall)
    assert files[f"pub/{hall.event_id}/pulse.json"]["frozen"] is True
    shown = {key: ranks_in(body) for key, body in files.items()}
    assert any(shown.values())
    for key, ranks in shown.items():
        for number, rank, values in ranks:
            assert (rank, values) == before[number], key
    assert {body["round"] for key, body in files.items() if "/standings/" in key or "/clubs/" in key} == {1}

    phone = hall.player(1)
    assert phone.get(hall.path("/me")).json["rank"]["rank"] == before[1][0]
    for browser, roles in ((Browser(), ()), (phone, ("player",)), (hall.by_link("display"), ("display",))):
        for route in all_routes():
            if route.method != "GET" or "{event_id}" not in route.path:
                continue
            reply = browser.get(concrete(route, hall.event_id))
            if reply.status != 200:
                continue
            if not reply.headers["content-type"].startswith("application/json"):
                # A workbook or a document would tell every rank; nobody outside may have one.
                assert route.name in NO_RANKS, (route.name, roles)
                continue
            for number, rank, values in ranks_in(reply.json):
                assert rank == before[number][0], (route.name, roles)
                assert not values or values == before[number][1], (route.name, roles)

    inside = hall.by_link("referee").get(hall.path("/standings")).json
    assert inside["frozen_from"] == 2
    assert {row["number"]: (row["rank"], tuple(row["values"])) for row in inside["rows"]} == now
    assert hall.owner.get(hall.path("/comparison")).json["equal"] is True

    assert freeze(hall, None).json["frozen_from"] is None
    Pump(engine).run()
    rows = {number: (rank, values) for body in public_files(hall).values() for number, rank, values in ranks_in(body)}
    assert rows == now
    assert phone.get(hall.path("/me")).json["rank"]["rank"] == now[1][0]


def test_ranks_that_were_shown_before_the_freeze_are_taken_away(world: TestWorld, engine: Engine, hall: Hall) -> None:
    for number, lower in ((2, "5"), (3, "3")):
        play(hall, number, lower)
        Pump(engine).run()
    freeze(hall, 3)
    Pump(engine).run()
    frozen = ranks_now(hall, through=2)
    for key, body in public_files(hall).items():
        for number, rank, values in ranks_in(body):
            assert (rank, values) == frozen[number], key


def test_before_the_first_round_and_from_the_first_round(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, rounds=2)
    hall.enter(4)
    assert freeze(hall, 1).status == 200
    play(hall, 1, lower="9")
    Pump(engine).run()
    (page,) = [body for key, body in public_files(hall).items() if "/standings/" in key]
    assert (page["round"], {row["rank"] for row in page["rows"]}) == (0, {1})
    assert len({row["rank"] for row in hall.owner.get(hall.path("/standings")).json["rows"]}) > 1


def test_a_run_that_began_before_the_freeze_publishes_nothing(world: TestWorld, engine: Engine, hall: Hall) -> None:
    from chalicelib.services.standings.refreshing import make, publish, take_ticket

    play(hall, 2, lower="5")
    ticket = take_ticket(world, hall.event_id)
    made = make(world, hall.event_id)
    freeze(hall, 2)
    assert publish(world, hall.event_id, ticket, made) is False
    before = ranks_now(hall, through=1)
    for key, body in public_files(hall).items():
        for number, rank, values in ranks_in(body):
            assert (rank, values) == before[number], key


def test_who_may_freeze_what(hall: Hall) -> None:
    assert hall.owner.put(hall.path("/freeze"), {"version": 99, "round": 2}).code == "stale_version"
    assert freeze(hall, 4).code == "bad_value"
    assert hall.by_link("referee").put(hall.path("/freeze"), BODIES["freeze_standings"]).code == "forbidden"
    with ThreadPoolExecutor(4) as threads:
        replies = list(threads.map(lambda _: freeze(hall, 2, key="freeze-key-1").body, range(6)))
    assert len(set(replies)) == 1
    hall.owner.post(hall.path("/ending"), {"ended": True})
    assert freeze(hall, None).status == 200


@pytest.mark.parametrize("path", ["/bracket", "/calendar"])
def test_what_tells_frozen_results_and_drafts_is_told_to_organizers_only(hall: Hall, path: str) -> None:
    assert hall.owner.get(hall.path(path)).status == 200
    for role in ("display", "desk", "referee"):
        assert hall.by_link(role).get(hall.path(path)).code == "forbidden", role


def unmoved(files: dict[str, Any]) -> list[str]:
    """The public files that say nothing of how the round in play goes on."""
    return [key for key in files if "/charts/" not in key and "/changes/" not in key]


def test_a_draft_stands_in_no_public_file_and_no_answer_to_others(world: TestWorld, engine: Engine, hall: Hall) -> None:
    files = public_files(hall)
    drawn = hall.owner.post(hall.path("/rounds"), {})
    assert drawn.status == 201
    Pump(engine).run()
    # Drawing settles the round before: its progress is told no longer, and that its tables changed; nothing else may.
    now = public_files(hall)
    assert unmoved(now) == unmoved(files)
    told = [body for key, body in now.items() if "/changes/" in key]
    assert {body["round"] for body in told} == {1}
    assert {int(table) for body in told for table in body["tables"]} <= {1, 2, 3}
    for browser in (Browser(), hall.player(1), hall.by_link("display"), hall.by_link("referee"), hall.by_link("desk")):
        for route in all_routes():
            if route.method != "GET" or "{number}" not in route.path or "/rounds/" not in route.path:
                continue
            reply = browser.get(concrete(route, hall.event_id, number=2))
            assert reply.status in (401, 403, 404), route.name
    assert hall.player(1).get(hall.path("/me")).json["round"] == 1
