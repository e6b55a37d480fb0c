"""What an event of any kind tells a ladder: places of those who play in the end, tables of those who sat at them."""

from __future__ import annotations

import pytest

from chalicelib.rules.kinds import KINDS
from chalicelib.rules.ladders import LadderRules, Method, event_changes
from chalicelib.services import entries, scoring, substitutes
from chalicelib.services.finding import known_event
from chalicelib.services.ladders.facts import NOBODY, Facts, facts_of
from chalicelib.services.phones import person_of
from chalicelib.services.substitutes import Substitute
from tests.support.hall import Hall
from tests.support.kinds import WAYS, Way, confirm, open_way, tables_of
from tests.support.world import TestWorld

PHONE = "13800138009"


def facts(hall: Hall) -> Facts:
    found = facts_of(hall.world, *known_event(hall.event_id))
    assert found is not None
    return found


def play(hall: Hall, number: int) -> None:
    hall.play(number)
    for view in tables_of(hall, number):
        confirm(hall, view)


def persons(hall: Hall, number: int) -> list[str]:
    """The ids by which the ladder would call the players of an entry, who have no phones."""
    found = substitutes.listed(hall.world, hall.event_id, number).players
    return [f"{NOBODY}{hall.event_id}.{player.person}" for player in found]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_every_kind_gives_places_and_those_with_levels_rated_tables(world: TestWorld, way: Way) -> None:
    hall = open_way(world, way)
    assert facts_of(world, *known_event(hall.event_id)) is None
    play(hall, 1)
    found = facts(hall)
    assert found.known() == 0
    assert found.unknown() == len({index for field in found.fields for _, who in field for index in who})
    assert bool(found.rounds) is KINDS[way.kind].scored_by_levels
    for field in found.fields:
        ranks = [rank for rank, _ in field]
        assert ranks[0] == 1
        assert ranks == sorted(ranks)
        assert all(rank <= place for place, rank in enumerate(ranks, start=1))
    played = found.played()
    additive = event_changes(played, LadderRules(), {})
    assert len(additive) == found.unknown()
    assert max(additive.values()) > 0
    assert sum(event_changes(played, LadderRules(Method.ELO), {}).values()) == 0


def test_who_came_in_gets_the_place_and_who_left_keeps_the_tables(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    play(hall, 1)
    hall.settle(1)
    left, stayed = persons(hall, 1)
    wanted = Substitute(0, left.rpartition(".")[2], "丙", PHONE, "伤病")
    substitutes.substitute(world, hall.event_id, 1, wanted, "referee", hall.keys.fresh(status=201))
    play(hall, 2)
    found = facts(hall)
    came = person_of(world, PHONE)
    called = [person.id for person in found.people]
    ranked = {called[index] for field in found.fields for _, who in field for index in who}
    assert came in ranked
    assert left not in ranked
    sat = [{called[index] for ns, ew, _ in tables for index in (*ns, *ew)} for tables in found.rounds]
    assert [left in people for people in sat] == [True, False]
    assert [came in people for people in sat] == [False, True]
    assert all(stayed in people for people in sat)
    assert found.known() == 1


def test_a_table_rates_those_of_a_large_team_who_sat_at_it(world: TestWorld) -> None:
    hall = open_way(world, Way("league", 2, 4))
    hall.play(1)
    (view,) = tables_of(hall, 1)
    scoring.set_line_up(world, hall.event_id, 1, view.table, view.version, [1, 3], [0, 2], "referee", hall.keys.fresh())
    (view,) = tables_of(hall, 1)
    confirm(hall, view)
    found = facts(hall)
    called = [person.id for person in found.people]
    (((ns, ew, _),),) = found.rounds
    home, away = persons(hall, view.ns.number), persons(hall, view.ew.number)
    assert [called[index] for index in ns] == [home[1], home[3]]
    assert [called[index] for index in ew] == [away[0], away[2]]
    assert found.unknown() == 8


def test_who_never_came_to_a_table_takes_no_place(world: TestWorld) -> None:
    hall = open_way(world, Way("pairs", 4))
    entries.withdraw(world, hall.event_id, 4, True, "有事", "referee", hall.keys.fresh())
    play(hall, 1)
    assert [[rank for rank, _ in field][-1:] for field in facts(hall).fields] != [[4]]
    assert sum(len(field) for field in facts(hall).fields) == 3
