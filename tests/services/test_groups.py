"""分组 of a round robin: by lot with club-mates spread, or like a snake by seed."""

from __future__ import annotations

from chalicelib.rules.document import parse
from chalicelib.services import documents, entries, groups, standings
from chalicelib.services.views.entries import PlayerView
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump
from tests.support.kinds import Way, confirm, open_way, tables_of
from tests.support.refusals import refused
from tests.support.world import TestWorld


def assign(hall: Hall, count: int, method: groups.Method = "lot") -> dict[str, list[int]]:
    view = groups.assign(hall.world, hall.event_id, count, method, ORGANIZER, hall.keys.fresh())
    assert view == groups.read(hall.world, hall.event_id)
    return {group.name: [entry.number for entry in group.entries] for group in view.groups}


def test_groups_by_lot_keep_club_mates_apart_and_play_side_by_side(world: TestWorld, engine: Engine) -> None:
    hall = open_way(world, Way("round_robin", 9))
    found = assign(hall, 3)
    assert sorted(map(len, found.values())) == [3, 3, 3]
    # 团体 of a made-up entry is its number modulo three.
    assert all(sorted(number % 3 for number in group) == [0, 1, 2] for group in found.values())
    assert assign(hall, 3) == found
    for number in (1, 2, 3):
        hall.play(number)
        for table in tables_of(hall, number):
            confirm(hall, table)
            assert any({table.ns.number, table.ew.number} <= set(group) for group in found.values())
    hall.settle(3)
    Pump(engine).run()
    rows = standings.read(world, hall.event_id).rows
    assert [row.group for row in rows] == ["A"] * 3 + ["B"] * 3 + ["C"] * 3
    assert standings.compare(world, hall.event_id).equal
    event = parse(documents.export(world, hall.event_id)[0])
    assert {entry.number: entry.group for entry in event.entries} == {
        number: name for name, group in found.items() for number in group
    }


def test_a_snake_follows_the_seeds(world: TestWorld) -> None:
    hall = open_way(world, Way("league", 0, 3))
    for number in range(1, 8):
        players = [PlayerView(f"选手{number}{place}", "") for place in range(3)]
        typed = entries.TypedEntry(f"第{number}队", "", players, seed=8 - number)
        entries.add(world, hall.event_id, typed, ORGANIZER, hall.keys.fresh())
    # By seed: 7 6 5 4 3 2 1, dealt like a snake.
    assert assign(hall, 2, "snake") == {"A": [3, 4, 7], "B": [1, 2, 5, 6]}
    assert assign(hall, 1) == {}


def test_groups_have_two_entries_at_least_and_are_fixed_with_the_first_round(world: TestWorld) -> None:
    hall = open_way(world, Way("round_robin", 7))
    assert refused(assign, hall, 4).code == "groups_too_many"
    assert set(assign(hall, 3)) == {"A", "B", "C"}
    hall.draw()
    assert refused(assign, hall, 2).code == "groups_fixed"


def test_only_a_round_robin_has_groups(world: TestWorld) -> None:
    assert refused(assign, open_way(world, Way("pairs", 8)), 2).code == "setting_not_offered"
    knockout = open_way(world, Way("round_robin", 8, settings={"knockout": True}))
    assert refused(assign, knockout, 2).code == "setting_not_offered"
    teams = open_way(world, Way("team_of_four", 4, 4, {"meets_by": "round_robin"}))
    assert set(assign(teams, 2)) == {"A", "B"}


def test_many_entries_are_grouped_in_several_transactions(world: TestWorld) -> None:
    hall = open_way(world, Way("round_robin", 100))
    found = assign(hall, 10)
    assert sorted(map(len, found.values())) == [10] * 10
