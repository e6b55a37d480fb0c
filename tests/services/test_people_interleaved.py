"""Substitutions, phones and line-ups that meet in the one bad moment: the second commits before the first writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chalicelib.services import devices, entries, forfeits, substitutes, team_line_ups
from chalicelib.services.views.entries import PlayerView
from infra.local.engine.hook import plugged_in
from tests.support import kinds
from tests.support.crowd import CrowdedEngine
from tests.support.hall import ORGANIZER, Hall, open_hall
from tests.support.refusals import refused, refused_as
from tests.support.tables import create_tables
from tests.support.world import TestWorld


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[CrowdedEngine]:
    """The engine of this test's world."""
    engine = CrowdedEngine(tmp_path / "crowded.sqlite")
    create_tables(engine)
    with plugged_in(engine):
        yield engine
    engine.close()


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Four pairs who have finished round 1."""
    hall = open_hall(world, 4)
    hall.play(1)
    hall.confirm(1, 1, "A", "9")
    hall.confirm(1, 2, "A", "9")
    return hall


@pytest.mark.parametrize("act", ["substitute", "respell"])
def test_a_phone_that_identifies_while_another_player_takes_the_place(
    hall: Hall, engine: CrowdedEngine, act: str
) -> None:
    """Whichever comes first: who left has no phone that speaks for the place."""
    was = substitutes.listed(hall.world, hall.event_id, 1).players[0]

    def replace() -> None:
        if act == "substitute":
            wanted = substitutes.Substitute(0, was.person, "丙", "", "伤病")
            substitutes.substitute(hall.world, hall.event_id, 1, wanted, "referee", hall.keys.fresh(status=201))
            return
        seen = next(each for each in entries.roster(hall.world, hall.event_id).entries if each.number == 1)
        typed = entries.TypedEntry("", "", [PlayerView("丙", ""), seen.players[1]])
        entries.change(hall.world, hall.event_id, 1, typed, seen.version, ORGANIZER, hall.keys.fresh())

    def identify() -> None:
        devices.identify(hall.world, hall.event_id, 1, 0, was.name, "手机", "browser")

    engine.before_next("TransactWriteItems", identify)
    replace()
    assert engine.met
    assert all(one.revoked_at is not None for one in devices.listed(hall.world, hall.event_id, 1).devices)


def test_a_substitution_and_the_publishing_of_its_round(hall: Hall, engine: CrowdedEngine) -> None:
    """The public pairings name who plays."""
    drawn = hall.draw()
    was = substitutes.listed(hall.world, hall.event_id, 1).players[0]
    wanted = substitutes.Substitute(0, was.person, "丙", "", "伤病")
    engine.before_next("TransactWriteItems", lambda: hall.publish(drawn.number))
    made = substitutes.substitute(hall.world, hall.event_id, 1, wanted, "referee", hall.keys.fresh(status=201))
    assert engine.met
    assert made.round == drawn.number
    keys = hall.world.files.list_prefix(f"pub/{hall.event_id}/pairings/{drawn.number}-")
    files = [hall.world.files.get(key) for key in keys]
    assert all(file is not None and was.name not in file.body.decode() for file in files)
    assert files


def test_a_forfeit_and_the_agreeing_word_of_the_other_side(hall: Hall, engine: CrowdedEngine) -> None:
    hall.configure(self_forfeit=True)
    hall.play(2)
    table = hall.submit(2, 1, "ns", "A", "9")
    device = hall.device(table.ns.number)

    def give_up() -> None:
        key = hall.keys.fresh("device")
        forfeits.give_up(hall.world, hall.event_id, 2, 1, device, 1, hall.world.now(), key)

    engine.before_next("TransactWriteItems", lambda: hall.submit(2, 1, "ew", "A", "9"))
    refused_as("stale_version", give_up)
    assert engine.met
    refused_as("result_agreed", give_up)
    assert hall.table(2, 1).state == "confirmed"


@pytest.mark.parametrize(("published", "code"), [(False, "stale_version"), (True, "line_up_given")])
def test_two_phones_of_one_team_give_a_line_up(
    world: TestWorld, engine: CrowdedEngine, published: bool, code: str
) -> None:
    """The slower one is told what stands by now."""
    teams = kinds.open_way(world, kinds.Way("team_of_four", 2, 5))
    if published:
        teams.draw()
        teams.publish(1)

    def give(player: int, rooms: list[list[int]]) -> None:
        device, key = teams.device(1, player), teams.keys.fresh(f"device:{player}")
        team_line_ups.give(world, teams.event_id, 1, rooms, 0, device, key)

    engine.before_next("TransactWriteItems", lambda: give(1, [[1, 2], [3, 4]]))
    refusal = refused(give, 0, [[0, 1], [2, 3]])
    assert engine.met
    assert refusal.code == code
    assert refusal.current["rooms"] == [[1, 2], [3, 4]]


def test_a_line_up_is_not_given_once_the_clock_has_started(world: TestWorld, engine: CrowdedEngine) -> None:
    """From the start on the other team's is seen."""
    teams = kinds.open_way(world, kinds.Way("team_of_four", 2, 5))
    teams.draw()
    teams.publish(1)
    device, key = teams.device(1), teams.keys.fresh("device:1")
    engine.before_next("TransactWriteItems", lambda: teams.command("start"))
    refused_as("line_up_closed", team_line_ups.give, world, teams.event_id, 1, [[0, 1], [2, 3]], 0, device, key)
    assert engine.met
    assert all(view.line_up is None for view in kinds.tables_of(teams, 1))


def test_a_place_that_changes_hands_while_a_phone_identifies(hall: Hall, engine: CrowdedEngine) -> None:
    was = substitutes.listed(hall.world, hall.event_id, 1).players[0]

    def replace() -> None:
        wanted = substitutes.Substitute(0, was.person, "丙", "", "伤病")
        substitutes.substitute(hall.world, hall.event_id, 1, wanted, "referee", hall.keys.fresh(status=201))

    engine.before_next("TransactWriteItems", replace)
    refused_as("nobody_found", devices.identify, hall.world, hall.event_id, 1, 0, was.name, "手机", "browser")
    assert engine.met
    assert all(one.revoked_at is not None for one in devices.listed(hall.world, hall.event_id, 1).devices)
