"""Charts: the ranks after each round, the spread of level points, how a round comes in."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from chalicelib.rules.standings import standings as ranking
from chalicelib.services import charts, freezing
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.standings.content import content_of
from chalicelib.services.views.scoring import BoardResult, Score
from infra.local.engine import Engine
from tests.support.hall import OWNER, Hall, Pump, levels_between, open_hall
from tests.support.kinds import Way, open_way, rule, tables_of
from tests.support.world import TestWorld


def public(hall: Hall) -> Any:
    """The snapshot that the pulse names; it is the only one there."""
    pulse = hall.world.files.get(f"pub/{hall.event_id}/pulse.json")
    assert pulse is not None
    name = msgspec.json.decode(pulse.body)["charts"]
    assert hall.world.files.list_prefix(f"pub/{hall.event_id}/charts/") == [f"pub/{hall.event_id}/charts/{name}/1.json"]
    file = hall.world.files.get(f"pub/{hall.event_id}/charts/{name}/1.json")
    assert file is not None
    return msgspec.json.decode(file.body)


def test_ranks_after_each_finished_round(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 6)
    pump = Pump(engine)
    hall.play_out(1)
    hall.play_out(2)
    hall.enter(7)
    hall.play_out(3)
    hall.play(4)
    pump.run()
    found = charts.read(world, hall.event_id)
    header, settings = known_event(hall.event_id)
    event = event_of(world, header, settings)
    for number in (1, 2, 3):
        ranks = {row["no"]: row["rank"] for row in content_of(event, through=number).rows}
        for line in found.ranks:
            late = line.entry == 7 and number < 3
            assert line.by_round[number - 1] == (None if late else ranks[line.entry])
    assert {len(line.by_round) for line in found.ranks} == {3}
    assert [line.entry for line in found.ranks] == [row["no"] for row in content_of(event, through=3).rows]
    assert public(hall) == msgspec.to_builtins(found)


def test_a_correction_in_a_settled_round_moves_ranks_that_were_charted_before(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 6)
    pump = Pump(engine)
    hall.play_out(1)
    hall.play(2)
    pump.run()
    before = charts.read(world, hall.event_id)
    table = hall.table(1, 1)
    ns_level, ew_level = levels_between(table.ns.number, table.ew.number, 1)
    hall.rule(1, 1, ew_level, ns_level, "更正")
    pump.run()
    after = charts.read(world, hall.event_id)
    header, settings = known_event(hall.event_id)
    ranks = {row["no"]: row["rank"] for row in content_of(event_of(world, header, settings), through=1).rows}
    assert {line.entry: line.by_round[0] for line in after.ranks} == ranks
    assert after.ranks != before.ranks
    assert public(hall) == msgspec.to_builtins(after)


def test_the_spread_counts_both_sides_of_every_played_table(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4)
    hall.play(1)
    hall.confirm(1, 1, "A", "10")
    hall.rule(1, 2, "", "", "未到场", outcome="ew_forfeit")
    spread = {(each.from_, each.to): each.count for each in charts.read(world, hall.event_id).level_points}
    assert len(spread) == 9
    assert sum(spread.values()) == 2
    assert (spread[(15, 17)], spread[(9, 11)]) == (1, 1)


def test_the_progress_of_the_round_in_play_by_minutes_of_its_clock(world: TestWorld) -> None:
    hall = open_hall(world, 8)
    assert charts.read(world, hall.event_id).progress is None
    hall.draw()
    hall.publish(1)
    assert charts.read(world, hall.event_id).progress is None
    hall.command("start")
    now = charts.read(world, hall.event_id).progress
    assert now is not None
    assert (now.round, now.tables, now.by_minute) == (1, 4, [])
    world.time.advance(seconds=30)
    hall.rule(1, 1, "A", "9")
    world.time.advance(minutes=2)
    hall.submit(1, 2, "ns", "A", "9")
    world.time.advance(minutes=1)
    hall.submit(1, 2, "ew", "A", "9")
    now = charts.read(world, hall.event_id).progress
    assert now is not None
    assert now.by_minute == [1, 1, 1, 2]


def test_a_freeze_holds_for_charts(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4)
    pump = Pump(engine)
    hall.play_out(1)
    pump.run()
    before = public(hall)["ranks"]
    header, _ = known_event(hall.event_id)
    freezing.freeze(world, hall.event_id, int(header.version), 2, "account:organizer", OWNER, hall.keys.fresh())
    hall.play_out(2)
    pump.run()
    assert public(hall)["ranks"] == before
    assert {len(line.by_round) for line in charts.read(world, hall.event_id).ranks} == {2}


def test_a_large_field_tells_the_last_rounds(world: TestWorld, monkeypatch: Any) -> None:
    hall = open_hall(world, 4)
    for number in (1, 2, 3):
        hall.play_out(number)
    monkeypatch.setattr(charts, "MOST_RANKED", 8)
    for line in charts.read(world, hall.event_id).ranks:
        assert line.by_round[0] is None
        assert None not in line.by_round[1:]


def played(world: TestWorld, kind: str, entries: int, **settings: Any) -> Hall:
    """An event of a kind with one round played; no two tables end alike."""
    hall = open_way(world, Way(kind, entries, 4 if kind == "team_of_four" else 2, settings))
    hall.play(1)
    for place, table in enumerate(tables_of(hall, 1)):
        boards = [BoardResult(one.board, 3 if index <= place else -1) for index, one in enumerate(table.to_play)]
        rule(hall, table, Score("played", boards=boards))
    return hall


@pytest.mark.parametrize("kind", ["rotation", "team_of_four", "mitchell", "swiss_deviation"])
def test_kinds_of_boards_spread_their_entries_over_what_they_rank_by(world: TestWorld, kind: str) -> None:
    hall = played(world, kind, 8, boards_per_round=4, rounds=3)
    found = charts.read(world, hall.event_id)
    header, settings = known_event(hall.event_id)
    event = event_of(world, header, settings)
    spread = found.spread
    assert spread is not None
    assert found.level_points == []
    # The first that tells the entries apart: in a Mitchell whose boards were played once everybody is at the datum.
    rows = ranking(event).rows
    apart = [code for code in event.criteria if len({row.values[code] for row in rows}) > 1]
    assert spread.criterion.code == apart[0]
    values = [Fraction(str(row.values[apart[0]])) for row in rows]
    assert [each.count for each in spread.ranges] == [
        sum(each.from_ <= value < each.below for value in values) for each in spread.ranges
    ]
    assert sum(each.count for each in spread.ranges) == len(values)
    assert 2 <= len(spread.ranges) <= charts.MOST_RANGES
    assert [each.below for each in spread.ranges[:-1]] == [each.from_ for each in spread.ranges[1:]]
    assert spread.whole == all(value.denominator == 1 for value in values)


def test_nothing_is_spread_before_a_round_is_finished(world: TestWorld) -> None:
    hall = open_way(world, Way("mitchell", 8, settings={"boards_per_round": 4}))
    hall.play(1)
    assert charts.read(world, hall.event_id).spread is None
