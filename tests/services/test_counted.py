"""How much of its last round a ranking counts: told truly at each moment, in every place that names the round."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.services import scoring, standings
from chalicelib.services.settings.model import ClubRanking
from infra.local.engine import Engine
from tests.services.test_addends import CRITERIA, freeze
from tests.support.hall import Hall, Pump, open_hall
from tests.support.kinds import WAYS, Way, confirm, made_up, open_way, say, tables_of
from tests.support.stored_standings import pure_bytes, stored_bytes
from tests.support.world import TestWorld


def published(hall: Hall, kind: str) -> dict[str, Any]:
    """The newest public file of this kind."""
    found = []
    for key in hall.world.files.list_prefix(f"pub/{hall.event_id}/{kind}/"):
        file = hall.world.files.get(key)
        assert file is not None
        found.append(msgspec.json.decode(file.body))
    newest: dict[str, Any] = max(found, key=lambda page: page["v"])
    return newest


def told(hall: Hall, engine: Engine) -> tuple[int, str]:
    """The round and how much of it counts, as everybody is told; the same in the file and in an opened number."""
    Pump(engine).run()
    page = published(hall, "standings")
    hall.world.time.advance(seconds=20)
    opened = standings.public_addends(hall.world, hall.event_id, 1)
    assert (opened.round, opened.counts) == (page["round"], page["counts"])
    return page["round"], page["counts"]


def inside(hall: Hall) -> tuple[int, str]:
    view = standings.read(hall.world, hall.event_id)
    return view.round, view.counts


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_bye_of_the_round_in_play_does_not_make_the_round_count_as_over(
    world: TestWorld, engine: Engine, way: Way
) -> None:
    """ "n rounds counted" stood there as soon as round n was published."""
    hall = open_way(world, way)
    assert told(hall, engine) == (0, "all")
    hall.draw()
    assert told(hall, engine) == (0, "all")  # of a draft nothing is told
    drawn = hall.publish(1)
    resting = bool(drawn.byes or drawn.sit_outs)
    assert told(hall, engine) == (1, "part" if resting else "nothing")
    hall.command("start")
    tables = tables_of(hall, 1)
    for table in tables[:-1]:
        confirm(hall, table)
    assert told(hall, engine) == (1, "part")
    say(hall, tables[-1], "ns", made_up(hall, tables[-1]))
    Pump(engine).run()
    confirm(hall, tables[-1], turn=1)
    assert told(hall, engine) == inside(hall) == (1, "all")
    hall.settle(1)
    assert told(hall, engine) == (1, "all")
    if not hall.settings().knockout:
        assert stored_bytes(hall) == pure_bytes(hall)


def test_while_frozen_everybody_is_told_of_the_last_round_that_is_shown(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 5, criteria=CRITERIA)
    for table in hall.play(1).tables:
        hall.confirm(1, table.table, "A", "9")
    freeze(hall, 2)
    hall.play(2)
    assert told(hall, engine) == (1, "all")
    assert inside(hall) == (2, "part")
    freeze(hall, 1)
    assert told(hall, engine) == (0, "all")


def test_what_one_side_said_does_not_make_a_round_complete(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world, 4, ranking_after_submission_only=False, criteria=CRITERIA)
    hall.play(1)
    for table in tables_of(hall, 1):
        say(hall, table, "ns", made_up(hall, table))
    assert told(hall, engine) == (1, "part")
    for table in tables_of(hall, 1):
        confirm(hall, table)
    assert told(hall, engine) == (1, "all")


def test_a_table_that_was_put_off_keeps_no_round_open(world: TestWorld, engine: Engine) -> None:
    hall = open_way(world, Way("league", 4))
    hall.play(1)
    first, second = tables_of(hall, 1)
    confirm(hall, first)
    assert told(hall, engine) == (1, "part")
    version = hall.table(1, second.table).version
    scoring.postpone(world, hall.event_id, 1, second.table, version, True, "改期", "referee", hall.keys.fresh())
    assert told(hall, engine) == (1, "all")


def test_the_page_of_clubs_tells_how_much_it_counts(world: TestWorld, engine: Engine) -> None:
    hall = open_way(world, Way("clubs", 5))
    hall.configure(clubs=["团体0", "团体1", "团体2"], club_ranking=ClubRanking(on=True, best=2), allow_empty_club=False)
    hall.play(1)
    assert told(hall, engine) == (1, "part")
    assert published(hall, "clubs")["counts"] == "part"
    for table in tables_of(hall, 1):
        confirm(hall, table)
    assert told(hall, engine) == (1, "all")
    assert published(hall, "clubs")["counts"] == "all"
