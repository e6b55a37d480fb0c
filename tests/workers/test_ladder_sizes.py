"""Ladders of many events: nothing that grows with a season outgrows an item, and what is read by itself is whole."""

from __future__ import annotations

import random

import pytest

from chalicelib.services.ladders import kept
from chalicelib.services.ladders.kept import Included, Row
from chalicelib.services.ladders.known import Parameters, known_ladder
from chalicelib.services.ladders.managing import change
from chalicelib.services.ladders.reading import member, table
from chalicelib.store import ladders as store
from chalicelib.store.ladders import find_table, season_key
from infra.local.engine import Engine
from tests.support import ladders as people
from tests.support.hall import ORGANIZER
from tests.support.ladder_jobs import LADDER, elo, end, everything, expected, leftovers, played, totals
from tests.support.world import TestWorld

EVENTS = 5000
"""Of a season."""


@pytest.mark.parametrize("each", [1, 60, 400])
def test_the_rows_of_people_who_play_every_day_stay_whole(each: int) -> None:
    """Cut at 290 KB the page of the 500 best could not be opened any more once each of them had some 300 events."""
    chance = random.Random(each)
    rows = [
        Row(place, f"{chance.getrandbits(96):024x}", f"选手{place:03d}", "团体", 100 * place, played)
        for place in range(1, 502)
        for played in [sorted(chance.sample(range(EVENTS), each))]
    ]
    size, pages = kept.in_pages(rows)
    assert size == {1: 500, 60: 500, 400: 250}[each]
    assert max(map(len, pages)) <= store.PART_BYTES
    assert [row for page in pages for row in store.opened(page, list[Row])] == rows


def test_what_is_read_by_itself_is_never_cut() -> None:
    noise = random.Random(1).randbytes(store.PART_BYTES + 1).hex()
    with pytest.raises(ValueError, match="too many values"):
        kept.in_one(noise)


def test_a_season_of_many_events_is_kept_in_parts(
    world: TestWorld, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of a season's events was one item, with those that a new table drops a second time: it outgrew 400 KB
    before 5,000 events, and the table could never be made again. Here an item holds 300 bytes."""
    monkeypatch.setattr(store, "PART_BYTES", 300)
    ladder = elo(world)
    halls = []
    for first in range(6):
        halls.append(played(world, ladder, pairs=2, first=100 + 3 * first))
        end(halls[-1])
        people.run(engine)
        world.time.advance(seconds=60)
    found = find_table(ladder, 1)
    assert (int(found.events), int(found.included_parts) > 1, int(found.pages) > 1) == (6, True, True)
    assert totals(world, ladder) == expected(world, ladder)
    assert leftovers(ladder) == []
    before = everything(world, ladder)

    # All of it anew: the changes of six runs are dropped.
    item = known_ladder(ladder)
    change(world, ladder, int(item.version), "高手", "", Parameters("elo", factor=40), ORGANIZER, halls[0].keys.fresh())
    people.run(engine)
    assert totals(world, ladder) == expected(world, ladder)
    assert leftovers(ladder) == []
    after = everything(world, ladder)
    assert after != before
    assert [len(history) for _, history in after] == [len(history) for _, history in before]
    # Each page goes on where the one before ended, however small they are.
    rows = table(world, ladder, None, "", None).rows
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    for row in rows:
        assert member(world, ladder, row.person, None).events


def test_a_table_that_was_kept_in_its_own_item_goes_on(world: TestWorld, engine: Engine) -> None:
    first, second = played(world, LADDER, pairs=2), played(world, LADDER, pairs=2, first=102)
    end(first)
    people.run(engine)
    found = find_table(LADDER, 1)
    (only,) = kept.included_in(world, found) or ()
    found.update(
        actions=[
            store.Table.included.set([[only.event_id, only.generation, only.run, only.buckets]]),
            store.Table.included_parts.set(0),
            store.Table.events.set(0),
            store.Table.rows_of_a_page.remove(),
        ]
    )
    assert table(world, LADDER, None, "", None).events == 1
    old = everything(world, LADDER)
    world.time.advance(seconds=60)
    end(second)
    people.run(engine)
    assert totals(world, LADDER) == expected(world, LADDER)
    assert len(everything(world, LADDER)) > len(old)
    # It went on from there: the first event's changes are those of its own run.
    now = kept.included_in(world, find_table(LADDER, 1)) or ()
    assert [each.event_id for each in now] == [first.event_id, second.event_id]
    assert isinstance(now[0], Included)
    assert now[0].run == only.run
    assert leftovers(LADDER) == []
    assert season_key(LADDER, 1) == found.pk
