"""Officials and phones ask only for what has changed, and miss nothing by that."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.services import changed_tables, deletion, entries, scoring, table_changes
from chalicelib.services.problems import Problem
from chalicelib.services.pulse import key_of as pulse_key
from chalicelib.services.table_changes import Seen
from infra.local.engine import Engine
from tests.support.hall import ORGANIZER, Hall, Pump, levels_between, open_hall
from tests.support.people import open_hall as open_people
from tests.support.world import TestWorld


@pytest.fixture
def pump(engine: Engine) -> Pump:
    return Pump(engine)


@pytest.fixture
def hall(world: TestWorld, pump: Pump) -> Hall:
    hall = open_hall(world, 8)
    hall.play(1)
    pump.run()
    return hall


def pulse_of(hall: Hall) -> dict[str, Any]:
    stored = hall.world.files.get(pulse_key(hall.event_id))
    assert stored is not None
    found: dict[str, Any] = msgspec.json.decode(stored.body)
    return found


def numbers(hall: Hall, since: int, number: int = 1) -> list[int]:
    found = changed_tables.changed(hall.world, hall.event_id, number, since)
    assert not found.whole
    return [table.table for table in found.tables]


def test_a_first_word_moves_the_pulse_and_names_its_table(hall: Hall, pump: Pump) -> None:
    known = scoring.current_grid(hall.world, hall.event_id).changes
    standings = pulse_of(hall)["standings"]
    hall.submit(1, 3, "ns", "A", "9")
    pump.run()
    pulse = pulse_of(hall)
    assert pulse["changes"] == known + 1
    assert pulse["standings"] == standings
    assert numbers(hall, known) == [3]
    assert numbers(hall, pulse["changes"]) == []


def test_a_table_that_changed_twice_is_named_once_and_later_ones_alone(hall: Hall, pump: Pump) -> None:
    known = pulse_of(hall)["changes"]
    hall.confirm(1, 3, "A", "9")
    pump.run()
    between = pulse_of(hall)["changes"]
    hall.rule(1, 1, "A", "5")
    pump.run()
    assert numbers(hall, known) == [1, 3]
    assert numbers(hall, between) == [1]


def test_the_pulse_itself_names_the_tables_that_changed_last(hall: Hall, pump: Pump) -> None:
    known = pulse_of(hall)["changes"]
    hall.confirm(1, 3, "A", "9")
    pump.run()
    hall.rule(1, 1, "A", "5")
    pump.run()
    pulse = pulse_of(hall)
    assert pulse["recent"]["from"] <= known
    assert [pulse["recent"]["tables"][table] > known for table in ("1", "3")] == [True, True]
    assert pulse["recent"]["tables"]["1"] == pulse["changes"]


@given(st.dictionaries(st.integers(1, 3000), st.integers(1, 12), max_size=120), st.integers(0, 12))
def test_what_the_pulse_tells_is_all_that_changed_since(tables: dict[int, int], known: int) -> None:
    changes = table_changes.Changes(12, 3, 5, tables)
    recent = changes.recent()
    assert len(recent["tables"]) <= table_changes.MOST_RECENT
    assert recent["all"] == 5
    if known >= recent["from"]:
        assert sorted(int(table) for table, n in recent["tables"].items() if n > known) == changes.since(known)
    if len(tables) <= table_changes.MOST_RECENT:
        assert recent["from"] == 0


def test_of_a_file_that_is_gone_the_pulse_claims_nothing() -> None:
    assert table_changes.Changes(7).recent() == {"from": 7, "all": 0, "tables": {}}


def test_what_is_not_known_any_more_is_answered_with_the_whole_round(hall: Hall, pump: Pump) -> None:
    hall.submit(1, 3, "ns", "A", "9")
    pump.run()
    newest = pulse_of(hall)["changes"]
    for since in (0, newest + 5):
        found = changed_tables.changed(hall.world, hall.event_id, 1, since)
        assert (found.whole, len(found.tables), found.changes) == (True, 4, newest)
    hall.submit(1, 2, "ns", "A", "9")
    pump.run()
    hall.world.files.delete(table_changes.key_of(hall.event_id, newest + 1))
    assert changed_tables.changed(hall.world, hall.event_id, 1, newest).whole


def test_an_earlier_round_is_answered_whole_and_a_draft_not_at_all(hall: Hall, pump: Pump) -> None:
    for table in (1, 2, 3, 4):
        hall.confirm(1, table, "A", "9")
    pump.run()
    known = pulse_of(hall)["changes"]
    hall.draw()
    with pytest.raises(Problem, match="round_not_found"):
        changed_tables.changed(hall.world, hall.event_id, 2, known)
    hall.publish(2)
    hall.command("start")
    pump.run()
    hall.submit(2, 2, "ew", "A", "9")
    pump.run()
    assert changed_tables.changed(hall.world, hall.event_id, 1, known).whole
    assert numbers(hall, known, 2) == [2]


def test_whoever_follows_the_changes_knows_what_a_full_look_shows(hall: Hall, pump: Pump) -> None:
    chance = random.Random(7)
    followed = {table.table: table for table in scoring.current_grid(hall.world, hall.event_id).tables}
    known = 0
    acts = [(table, side) for table in (1, 2, 3, 4) for side in ("ns", "ew")] * 3
    chance.shuffle(acts)
    for table, side in acts:
        view = hall.table(1, table)
        hall.submit(1, table, side, *levels_between(view.ns.number, view.ew.number, chance.randrange(3)))
        if chance.random() < 0.6:
            pump.run()
        if chance.random() < 0.6:
            found = changed_tables.changed(hall.world, hall.event_id, 1, known)
            followed.update((table.table, table) for table in found.tables)
            known = found.changes
    pump.run()
    found = changed_tables.changed(hall.world, hall.event_id, 1, known)
    followed.update((table.table, table) for table in found.tables)
    assert list(followed.values()) == scoring.current_grid(hall.world, hall.event_id).tables


def test_tellers_at_the_same_time_lose_nothing(hall: Hall) -> None:
    known = pulse_of(hall)["changes"]

    def tell(table: int) -> None:
        table_changes.tell(hall.world, hall.event_id, Seen({(1, table)}))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(tell, (1, 2, 3, 4)))
    pulse = pulse_of(hall)
    assert pulse["changes"] == known + 4
    assert numbers(hall, known) == [1, 2, 3, 4]


def test_what_a_teller_left_behind_is_told_by_the_next(hall: Hall) -> None:
    known = pulse_of(hall)["changes"]
    left = table_changes.Changes(known + 1, 1, 0, {2: known + 1})
    key = table_changes.key_of(hall.event_id, known + 1)
    hall.world.files.put(key, msgspec.json.encode(left), "application/json", "max-age=1")
    table_changes.tell(hall.world, hall.event_id, Seen({(1, 3)}))
    assert numbers(hall, known) == [2, 3]


def test_a_file_of_changes_holds_numbers_only_and_old_ones_go(hall: Hall, pump: Pump) -> None:
    for n in range(table_changes.KEPT + 5):
        table_changes.tell(hall.world, hall.event_id, Seen({(1, 1 + n % 4)}))
    kept = hall.world.files.list_prefix(f"pub/{hall.event_id}/changes/")
    assert len(kept) == table_changes.KEPT
    for key in kept:
        stored = hall.world.files.get(key)
        assert stored is not None
        content = msgspec.json.decode(stored.body)
        assert set(content) == {"n", "round", "all", "tables"}
        assert all(isinstance(last, int) and table.isdigit() for table, last in content["tables"].items())


@dataclass
class DeletedMeanwhile:
    """The files, while the owner deletes the event just after a file of changes was written."""

    files: Any
    delete_event: Callable[[], object]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.files, name)

    def put_if_match(self, key: str, *rest: Any) -> str:
        etag: str = self.files.put_if_match(key, *rest)
        if "/changes/" in key:
            self.delete_event()
        return etag


def test_an_event_that_is_deleted_meanwhile_leaves_no_file(hall: Hall) -> None:
    def delete_event() -> None:
        deletion.delete(hall.world, hall.event_id, hall.settings().name, ORGANIZER, hall.keys.fresh())

    world = dataclasses.replace(hall.world, files=DeletedMeanwhile(hall.world.files, delete_event))
    table_changes.tell(world, hall.event_id, Seen({(1, 1)}))
    assert hall.world.files.list_prefix(f"pub/{hall.event_id}/") == []
    with pytest.raises(Problem, match="event_not_found"):
        table_changes.tell(hall.world, hall.event_id, Seen({(1, 1)}))
    assert hall.world.files.list_prefix(f"pub/{hall.event_id}/") == []


def test_what_shows_on_every_phone_is_told_to_all(hall: Hall, pump: Pump) -> None:
    before = table_changes.read(hall.world, hall.event_id, pulse_of(hall)["changes"])
    hall.submit(1, 1, "ns", "A", "9")
    pump.run()
    between = table_changes.read(hall.world, hall.event_id, pulse_of(hall)["changes"])
    assert between.all == before.all
    entries.withdraw(hall.world, hall.event_id, 5, True, "", ORGANIZER, hall.keys.fresh())
    pump.run()
    after = table_changes.read(hall.world, hall.event_id, pulse_of(hall)["changes"])
    assert after.all == after.n > between.n
    assert after.tables == between.tables


def test_calls_move_the_pulse_at_once_and_come_with_the_changes(world: TestWorld) -> None:
    people = open_people(world, rounds=3)
    people.enter(6)
    people.start_round()
    referee = people.by_link("referee")
    seen = referee.get(people.path("/current-tables")).json
    row = seen["tables"][0]
    phone = people.player(row["ns"]["number"], 0)

    def calls() -> int:
        stored = world.files.get(pulse_key(people.event_id))
        assert stored is not None
        return int(msgspec.json.decode(stored.body)["calls"])

    moved = [calls()]
    made = phone.post(people.path("/rounds/1/tables/1/calls"), {"kind": "call", "message": "有争议"}).json
    moved.append(calls())
    changed = referee.get(people.path(f"/rounds/1/changed-tables?since={seen['changes']}")).json
    assert [(call["table"], call["name"]) for call in changed["calls"]] == [(1, row["ns"]["name"])]
    for act in ("taking", "closing", "returning"):
        referee.post(people.path(f"/calls/{made['call']}/{act}"), {})
        moved.append(calls())
    assert moved == sorted(set(moved))


@pytest.mark.parametrize("since", ["-1", "1.5", "x", "9" * 16])
def test_a_number_that_is_none_is_refused(world: TestWorld, since: str) -> None:
    people = open_people(world, rounds=3)
    people.enter(4)
    people.start_round()
    refused = people.by_link("referee").get(people.path(f"/rounds/1/changed-tables?since={since}"))
    assert (refused.status, refused.code) == (400, "bad_value")
