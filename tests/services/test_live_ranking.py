"""仅提交后修改实时排名, both ways: off, running scores and one side's word move the live ranking, marked as such; never
the settled one, never pairing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.services import documents, scoring, standings, submissions
from chalicelib.services.views.scoring import Score
from chalicelib.services.views.standings import StandingRow
from infra.local.engine import Engine
from tests.support.hall import Hall, Pump, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def pump(engine: Engine) -> Pump:
    return Pump(engine)


def hall_of(world: TestWorld, *, only_submitted: bool) -> Hall:
    hall = open_hall(world, 4, ranking_after_submission_only=only_submitted, criteria=["match_points", "level_points"])
    hall.play(1)
    return hall


def run(hall: Hall, table: int, ns_level: str, ew_level: str) -> None:
    """The running score, entered by side NS."""
    device = hall.device(hall.table(1, table).ns.number)
    score = Score("played", ns_level, ew_level)
    submissions.save_running(hall.world, hall.event_id, 1, table, device, score, hall.keys.fresh())


def rows(hall: Hall, pump: Pump) -> dict[int, StandingRow]:
    pump.run()
    assert standings.compare(hall.world, hall.event_id).equal
    return {row.number: row for row in standings.read(hall.world, hall.event_id).rows}


def public(hall: Hall) -> Any:
    name = hall.pointer().standings
    file = hall.world.files.get(f"pub/{hall.event_id}/standings/{name}/1.json")
    assert file is not None
    return msgspec.json.decode(file.body)


def exported(hall: Hall) -> Any:
    return msgspec.json.decode(documents.export(hall.world, hall.event_id)[0])["rounds"][0]["tables"]


def test_off_every_change_moves_the_live_ranking_and_is_marked(world: TestWorld, pump: Pump) -> None:
    hall = hall_of(world, only_submitted=False)
    ns, ew = (hall.table(1, 1).ns.number, hall.table(1, 1).ew.number)
    run(hall, 1, "5", "9")
    found = rows(hall, pump)
    assert (found[ew].rank, found[ew].values, found[ew].provisional) == (1, ["2", "17"], True)
    assert {number for number, row in found.items() if row.provisional} == {ns, ew}
    assert public(hall)["provisional"] is True
    assert {row["no"] for row in public(hall)["rows"] if row["provisional"]} == {ns, ew}

    hall.submit(1, 1, "ns", "A", "9")
    found = rows(hall, pump)
    assert (found[ns].rank, found[ns].values, found[ns].provisional) == (1, ["2", "18"], True)

    hall.submit(1, 1, "ew", "A", "9")
    found = rows(hall, pump)
    assert (found[ns].rank, found[ns].provisional) == (1, False)
    assert public(hall)["provisional"] is False


def test_on_only_effective_results_move_it(world: TestWorld, pump: Pump) -> None:
    hall = hall_of(world, only_submitted=True)
    before = rows(hall, pump)
    run(hall, 1, "5", "9")
    hall.submit(1, 1, "ns", "A", "9")
    assert rows(hall, pump) == before
    assert public(hall)["provisional"] is False
    hall.submit(1, 1, "ew", "A", "9")
    assert rows(hall, pump) != before


def test_switching_it_moves_the_ranking_at_once(world: TestWorld, pump: Pump) -> None:
    hall = hall_of(world, only_submitted=True)
    run(hall, 1, "5", "9")
    before = rows(hall, pump)
    hall.configure(ranking_after_submission_only=False)
    live = rows(hall, pump)
    assert live != before
    hall.configure(ranking_after_submission_only=True)
    assert rows(hall, pump) == before


def test_a_dispute_shows_what_was_running(world: TestWorld, pump: Pump) -> None:
    hall = hall_of(world, only_submitted=False)
    ns, ew = (hall.table(1, 1).ns.number, hall.table(1, 1).ew.number)
    run(hall, 1, "K", "9")
    hall.submit(1, 1, "ns", "A", "9")
    hall.submit(1, 1, "ew", "8", "9")
    found = rows(hall, pump)
    assert (found[ns].values, found[ew].values) == (["2", "17"], ["0", "9"])
    assert hall.table(1, 1).state == "disputed"


def test_neither_the_settled_ranking_nor_the_pairing_nor_the_document_knows_it(world: TestWorld, pump: Pump) -> None:
    hall = hall_of(world, only_submitted=False)
    ns, ew = (hall.table(1, 1).ns.number, hall.table(1, 1).ew.number)
    run(hall, 1, "5", "9")
    assert {table["outcome"] for table in exported(hall)} == {"unplayed"}
    hall.confirm(1, 2, "A", "9")
    version = hall.table(1, 1).version
    scoring.postpone(hall.world, hall.event_id, 1, 1, version, True, "改期", "referee", hall.keys.fresh())
    assert rows(hall, pump)[ew].values == ["2", "17"]
    hall.settle(1)
    settled = rows(hall, pump)
    assert (settled[ns].values, settled[ew].values) == (["0", "0"], ["0", "0"])
    assert not any(row.provisional for row in settled.values())
    drawn = hall.draw()
    winner = hall.table(1, 2).ns.number
    assert winner in (drawn.tables[0].ns.number, drawn.tables[0].ew.number)
