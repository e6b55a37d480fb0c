"""Two acts that meet in the one bad moment: the second commits after the first has looked and before it writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chalicelib.services import (
    adjustments,
    entries,
    rounds,
    scoring,
    standings,
    submissions,
)
from chalicelib.services.standings.refreshing import current_content, publish, take_ticket
from chalicelib.services.views.rounds import RoundView
from chalicelib.services.views.scoring import Score, TableView
from chalicelib.store.events import rounds as drawn_rounds
from chalicelib.store.matches import Match, Word, partition, table_key, word_key
from infra.local.engine import Engine
from infra.local.engine.hook import plugged_in
from tests.support import kinds
from tests.support.crowd import CrowdedEngine
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.refusals import refused
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


def sound(hall: Hall, engine: Engine) -> bool:
    """Whether standings, packs and tables agree once the streams are through."""
    Pump(engine).run()
    return standings.compare(hall.world, hall.event_id).equal


def test_a_penalty_and_a_drawing(hall: Hall, engine: CrowdedEngine) -> None:
    given = adjustments.Given(1, 1, "match_points", -2, "迟到")

    def give() -> None:
        adjustments.give(hall.world, hall.event_id, given, "referee", hall.keys.fresh("referee", 201))

    # The first transaction of a drawing holds the tables, the second one writes the round.
    engine.before_next("TransactWriteItems", lambda: engine.before_next("TransactWriteItems", give))
    assert refused(hall.draw).code == "stale_version"
    assert engine.met
    assert hall.draw().number == 2
    assert sound(hall, engine)


def test_a_word_and_a_settlement(hall: Hall, engine: CrowdedEngine) -> None:
    device = hall.device(hall.table(1, 1).ns.number)
    engine.before_next("TransactWriteItems", lambda: hall.settle(1))
    assert refused(say, hall, device).code == "table_locked"
    assert engine.met
    assert hall.table(1, 1).state == "confirmed"
    assert sound(hall, engine)


def say(hall: Hall, device: Any, level: str = "5") -> Any:
    """A second word of the first table's NS side."""
    return submissions.submit(
        hall.world,
        hall.event_id,
        1,
        1,
        device,
        Score("played", "A", level),
        1,
        hall.world.now(),
        hall.keys.fresh("phone", 201),
    )


def test_a_word_and_a_ruling(hall: Hall, engine: CrowdedEngine) -> None:
    device = hall.device(hall.table(1, 1).ns.number)
    engine.before_next("TransactWriteItems", lambda: hall.rule(1, 1, "A", "K", "核对"))
    assert refused(say, hall, device).code == "table_ruled"
    assert engine.met


def test_a_word_and_a_newer_word_of_the_same_side(hall: Hall, engine: CrowdedEngine) -> None:
    device = hall.device(hall.table(1, 1).ns.number)
    engine.before_next("TransactWriteItems", lambda: say(hall, device, "6"))
    problem = refused(say, hall, device)
    assert problem.code == "stale_version"
    assert problem.current["word_ns"]["score"]["ew_level"] == "6"
    assert problem.current["word_ns"]["version"] == 2


def test_a_word_and_a_new_drawing_of_the_round(hall: Hall, engine: CrowdedEngine) -> None:
    device = hall.device(hall.table(1, 1).ns.number)

    def draw_anew() -> None:
        rounds.delete(hall.world, hall.event_id, 1, "有误", ORGANIZER, hall.keys.fresh())
        hall.play(1)

    engine.before_next("TransactWriteItems", draw_anew)
    # The new round's table has no word yet, so the old version is stale, or the table is another one.
    assert refused(say, hall, device).code in ("stale_version", "busy", "table_not_found")
    assert {view.state for view in scoring.grid(hall.world, hall.event_id, 1).tables} == {"open"}


def test_a_first_word_and_a_new_drawing_of_the_round(hall: Hall, engine: CrowdedEngine) -> None:
    hall.draw()
    hall.publish(2)
    hall.command("start")

    def draw_anew() -> None:
        rounds.delete(hall.world, hall.event_id, 2, "有误", ORGANIZER, hall.keys.fresh())
        hall.play(2)

    seen = hall.table(2, 1)
    hall.device(seen.ns.number)
    engine.before_next("TransactWriteItems", draw_anew)
    refused(hall.submit, 2, 1, "ns", "A", "5", base=0)
    assert engine.met
    assert {view.state for view in scoring.grid(hall.world, hall.event_id, 2).tables} == {"open"}


def test_a_ruling_and_a_settlement(hall: Hall, engine: CrowdedEngine) -> None:
    engine.before_next("TransactWriteItems", lambda: hall.settle(1))
    assert refused(hall.rule, 1, 1, "A", "K", "核对").code == "busy"
    assert engine.met
    assert sound(hall, engine)


def test_a_settlement_and_a_word_just_before_it_holds(hall: Hall, engine: CrowdedEngine) -> None:
    device = hall.device(hall.table(1, 1).ns.number)
    engine.before_next("TransactWriteItems", lambda: say(hall, device))
    assert refused(hall.settle, 1).current == {"tables": [1]}
    # And the hold is gone again.
    assert hall.submit(1, 1, "ns", "A", "9").state == "confirmed"


def test_a_drawing_and_a_withdrawal(hall: Hall, engine: CrowdedEngine) -> None:
    hall.settle(1)
    engine.before_next(
        "TransactWriteItems",
        lambda: entries.withdraw(hall.world, hall.event_id, 4, True, "", ORGANIZER, hall.keys.fresh()),
    )
    assert refused(hall.draw).code == "stale_version"
    assert len(hall.draw().byes) == 1


def test_a_drawing_and_new_settings(hall: Hall, engine: CrowdedEngine) -> None:
    hall.settle(1)
    engine.before_next("TransactWriteItems", lambda: hall.configure(rounds=1))
    assert refused(hall.draw).code == "stale_version"


def test_two_drawings(hall: Hall, engine: CrowdedEngine) -> None:
    hall.settle(1)
    engine.before_next("TransactWriteItems", hall.draw)
    assert refused(hall.draw).code == "stale_version"
    assert [header.number for header in drawn_rounds(hall.event_id)] == [1, 2]


def test_a_packing_and_a_correction(hall: Hall, engine: CrowdedEngine) -> None:
    hall.settle(1)
    Pump(engine).run()
    hall.rule(1, 2, "A", "3", "更正")
    # The run that packs round 1 anew has read it when another correction comes.
    engine.before_next("BatchWriteItem", lambda: hall.rule(1, 1, "3", "A", "更正"))
    standings.refresh(hall.world, hall.event_id)
    assert engine.met
    assert not standings.compare(hall.world, hall.event_id).equal
    assert sound(hall, engine)


def test_two_runs_of_the_standings(hall: Hall, engine: CrowdedEngine) -> None:
    Pump(engine).run()
    world, event_id = hall.world, hall.event_id
    early = take_ticket(world, event_id)
    hall.rule(1, 1, "A", "3", "更正")
    old = current_content(world, event_id)
    hall.rule(1, 1, "3", "A", "更正")

    def later_run() -> None:
        late = take_ticket(world, event_id)
        assert publish(world, event_id, late, current_content(world, event_id))

    # The pointer's update is the next one: the early run has read the pointer and written its pages.
    engine.before_next("UpdateItem", later_run)
    assert not publish(world, event_id, early, old)
    assert engine.met
    assert standings.compare(world, event_id).equal
    kept = [row[0] for row in hall.pointer().kept or ()]
    names = {key.split("/")[3] for key in world.files.list_prefix(f"pub/{event_id}/standings/")}
    assert names == set(kept)


def test_what_a_deletion_that_died_left_behind_is_not_heard(hall: Hall, engine: CrowdedEngine) -> None:
    hall.draw()
    pk = partition(hall.event_id, 2)
    Match(pk, table_key(3), generation="old", event_id=hall.event_id, round=2, table=3, ns=[1], ew=[2]).save()
    for side in ("ns", "ew"):
        values = {"outcome": "played", "ns_level": 12, "ew_level": 3}
        Word(pk, word_key(1, side), values=values, version=1, at=1, actor="device:old").save()
    hall.publish(2)
    assert [view.state for view in scoring.grid(hall.world, hall.event_id, 2).tables] == ["open", "open"]
    assert sound(hall, engine)


def test_a_result_that_comes_while_an_old_one_of_a_knock_out_is_corrected(
    world: TestWorld, engine: CrowdedEngine
) -> None:
    hall = kinds.open_way(world, kinds.Way("pairs", 4, settings={"knockout": True}))
    hall.play(1)
    wins, loses = Score("played", "A", "9"), Score("played", "9", "A")
    for table in kinds.tables_of(hall, 1):
        kinds.say(hall, table, "ns", wins)
        kinds.say(hall, table, "ew", wins)
    hall.play(2)
    old, (final,) = kinds.tables_of(hall, 1)[0], kinds.tables_of(hall, 2)
    kinds.say(hall, final, "ns", wins)
    engine.before_next("TransactWriteItems", lambda: kinds.say(hall, final, "ew", wins))
    assert refused(kinds.rule, hall, old, loses, "录反了").code == "next_match_played"
    assert engine.met
    assert hall.table(1, old.table).result == wins
    assert sound(hall, engine)


@pytest.fixture
def finished(world: TestWorld, engine: CrowdedEngine) -> Hall:
    """A knock-out of four pairs whose first round is settled; nothing of the second is drawn."""
    hall = kinds.open_way(world, kinds.Way("pairs", 4, settings={"knockout": True}))
    hall.play(1)
    for table in kinds.tables_of(hall, 1):
        kinds.say(hall, table, "ns", NS_WINS)
        kinds.say(hall, table, "ew", NS_WINS)
    hall.settle(1)
    return hall


NS_WINS, EW_WINS = Score("played", "A", "9"), Score("played", "9", "A")


def seated(view: RoundView) -> set[int]:
    return {number for table in view.tables for side in (table.ns, table.ew) for number in side.numbers}


def test_a_correction_while_the_next_round_of_a_knock_out_is_drawn(finished: Hall, engine: CrowdedEngine) -> None:
    hall, old = finished, kinds.tables_of(finished, 1)[0]
    corrections: list[TableView] = []
    # The drawing has read the results and is about to write its round.
    engine.before_next("TransactWriteItems", lambda: corrections.append(kinds.rule(hall, old, EW_WINS, "录反了")))
    assert refused(hall.draw).code == "results_changed"
    assert engine.met
    assert [each.redraw for each in corrections] == [None]
    assert old.ew.number in seated(hall.draw())
    hall.publish(2)
    assert sound(hall, engine)


def test_a_drawing_while_a_result_of_the_round_before_is_corrected(finished: Hall, engine: CrowdedEngine) -> None:
    hall, old = finished, kinds.tables_of(finished, 1)[0]
    drafts: list[RoundView] = []
    # The correction has found no later round and is about to write.
    engine.before_next("TransactWriteItems", lambda: drafts.append(hall.draw()))
    assert kinds.rule(hall, old, EW_WINS, "录反了").redraw == 2
    assert engine.met
    assert old.ns.number in seated(drafts[0])
    assert refused(hall.publish, 2).code == "draft_outdated"
    rounds.delete(hall.world, hall.event_id, 2, "", ORGANIZER, hall.keys.fresh())
    assert old.ew.number in seated(hall.draw())
    hall.publish(2)
    assert sound(hall, engine)


def test_a_publication_while_a_result_it_follows_from_is_corrected(finished: Hall, engine: CrowdedEngine) -> None:
    hall, old = finished, kinds.tables_of(finished, 1)[0]
    hall.draw()
    # The correction has seen a draft; when it writes, players see the round.
    engine.before_next("TransactWriteItems", lambda: hall.publish(2))
    assert kinds.rule(hall, old, EW_WINS, "录反了").redraw == 2
    assert engine.met
    assert scoring.current_grid(hall.world, hall.event_id).outdated_by == [old.table]
    assert sound(hall, engine)


def test_a_correction_while_the_draft_that_follows_from_it_is_published(finished: Hall, engine: CrowdedEngine) -> None:
    hall, old = finished, kinds.tables_of(finished, 1)[0]
    hall.draw()
    engine.before_next("TransactWriteItems", lambda: kinds.rule(hall, old, EW_WINS, "录反了"))
    assert refused(hall.publish, 2).code == "stale_version"
    assert engine.met
    assert refused(hall.publish, 2).code == "draft_outdated"


def test_a_round_that_is_opened_again_while_the_next_one_is_drawn(finished: Hall, engine: CrowdedEngine) -> None:
    hall = finished

    def reopen() -> None:
        rounds.reopen(hall.world, hall.event_id, 1, "漏了一桌", ORGANIZER, hall.keys.fresh())

    engine.before_next("TransactWriteItems", reopen)
    assert refused(hall.draw).code == "results_changed"
    assert engine.met
    assert [int(each.number) for each in drawn_rounds(hall.event_id)] == [1]
