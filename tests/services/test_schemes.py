"""Brackets and calendars as the public sees them: snapshots that the pulse names, with nothing that is frozen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.rules.model import Side
from chalicelib.rules.pairing.scheme import bracket_of, planned_rounds
from chalicelib.services import freezing, pulse, schemes, scoring
from chalicelib.services.documents import event_of
from chalicelib.services.finding import known_event
from chalicelib.services.views.scoring import Score
from chalicelib.store.events import find_event
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, OWNER, Hall, Pump
from tests.support.kinds import Way, confirm, open_way, rule, say, tables_of
from tests.support.world import TestWorld

DAY = 86_400_000


def published(hall: Hall, what: str) -> Any:
    """The public snapshot that the pulse names, or None."""
    stored = hall.world.files.get(pulse.key_of(hall.event_id))
    assert stored is not None
    name = msgspec.json.decode(stored.body)[what]
    if name is None:
        return None
    page = hall.world.files.get(schemes.key_of(hall.event_id, what, name))
    assert page is not None
    return msgspec.json.decode(page.body)


def test_the_bracket_follows_results(world: TestWorld, engine: Engine) -> None:
    hall = open_way(world, Way("pairs", 4, settings={"knockout": True}))
    hall.draw()
    Pump(engine).run()
    hall.publish(1)
    hall.command("start")
    pump = Pump(engine)
    pump.run()
    final = published(hall, "bracket")["rounds"][1]["tables"][0]
    assert (final["ns"], final["ew"]) == (None, None)
    for table in tables_of(hall, 1):
        say(hall, table, "ns", Score("played", "A", "9"))
        say(hall, table, "ew", Score("played", "A", "9"))
    pump.run()
    winners = {table.ns.number for table in tables_of(hall, 1)}
    final = published(hall, "bracket")["rounds"][1]["tables"][0]
    assert {final["ns"]["number"], final["ew"]["number"]} == winners
    assert published(hall, "calendar") is None


def test_nothing_is_public_before_the_first_round_is(world: TestWorld, engine: Engine) -> None:
    hall = open_way(world, Way("round_robin", 4))
    hall.draw()
    hall.configure(name="改名")
    Pump(engine).run()
    assert world.files.list_prefix(f"pub/{hall.event_id}/calendar/") == []


def test_a_calendar_has_every_round_with_its_day(world: TestWorld, engine: Engine) -> None:
    days = [DAY, 2 * DAY]
    hall = open_way(world, Way("league", 4, 3, {"match_days": days, "rounds": 3}))
    hall.play(1)
    postponed, played = tables_of(hall, 1)
    scoring.postpone(world, hall.event_id, 1, postponed.table, 1, True, "停电", "referee", hall.keys.fresh())
    confirm(hall, played)
    Pump(engine).run()
    shown = published(hall, "calendar")["days"]
    assert [(day["round"], day["at"], day["drawn"]) for day in shown] == [
        (1, DAY, True),
        (2, DAY, False),
        (3, 2 * DAY, False),
    ]
    meetings = {frozenset((table["ns"]["number"], table["ew"]["number"])) for day in shown for table in day["tables"]}
    assert len(meetings) == 6
    first = shown[0]["tables"]
    assert [(table["result"] is None, table["postponed"]) for table in first] == [(True, True), (False, False)]
    # What the calendar promised is what is drawn.
    drawn = hall.draw()
    assert [(table.ns.number, table.ew.number) for table in drawn.tables] == [
        (table["ns"]["number"], table["ew"]["number"]) for table in shown[1]["tables"]
    ]
    # A postponed table is played later, and stands in its old round.
    rule(hall, postponed, Score("played", "A", "9"), "补赛")
    Pump(engine).run()
    assert published(hall, "calendar")["days"][0]["tables"][0]["result"]["ns_level"] == "A"


def freeze(hall: Hall, number: int | None) -> None:
    header = find_event(hall.event_id)
    assert header is not None
    freezing.freeze(hall.world, hall.event_id, int(header.version), number, ORGANIZER, OWNER, hall.keys.fresh())


def test_a_frozen_bracket_tells_no_later_winner(world: TestWorld, engine: Engine) -> None:
    hall = open_way(world, Way("pairs", 4, settings={"knockout": True}))
    hall.play(1)
    for table in tables_of(hall, 1):
        say(hall, table, "ns", Score("played", "A", "9"))
        say(hall, table, "ew", Score("played", "A", "9"))
    pump = Pump(engine)
    hall.play(2)
    pump.run()
    freeze(hall, 2)
    (final,) = tables_of(hall, 2)
    say(hall, final, "ns", Score("played", "A", "9"))
    say(hall, final, "ew", Score("played", "A", "9"))
    pump.run()
    shown = published(hall, "bracket")["rounds"]
    assert [table["winner"] for table in shown[0]["tables"]] == ["ns", "ns"]
    assert (shown[1]["tables"][0]["winner"], shown[1]["tables"][0]["result"]) == (None, None)
    assert schemes.read_bracket(world, hall.event_id).rounds[1].tables[0].winner == "ns"
    freeze(hall, None)
    pump.run()
    assert published(hall, "bracket")["rounds"][1]["tables"][0]["winner"] == "ns"


@pytest.mark.parametrize("pairs", [2, 3, 5, 6, 8, 11, 16])
def test_a_bracket_has_a_place_for_everybody(world: TestWorld, pairs: int) -> None:
    hall = open_way(world, Way("pairs", pairs, settings={"knockout": True}))
    header, settings = known_event(hall.event_id)
    event = event_of(world, header, settings)
    slots = bracket_of(event)
    assert [len(each) for each in slots] == [1 << place for place in reversed(range((pairs - 1).bit_length()))]
    first = [side for slot in slots[0] for side in (slot.ns, slot.ew) if side is not None]
    assert sorted(first) == [(number,) for number in range(1, pairs + 1)]
    assert all(slot.winner is Side.NS for slot in slots[0] if slot.ew is None)
    assert planned_rounds(event) == []
