"""One person's data to take along and to erase, and the date on which everybody's go: ranks stay what they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chalicelib.services.privacy import persons
from chalicelib.services.privacy.purge import purge_due
from chalicelib.store.due import REWRITING, Due
from infra.local.engine import Engine
from tests.services.test_encryption import DIGITS, GONE_IN_TIME, UNLOCKED, encrypt, everybody, play_a_round, typed
from tests.support.calls import a_call
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, phone
from tests.support.traces import found
from tests.support.world import TestWorld

HOUR = 3_600_000


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


@pytest.fixture
def played(hall: Hall, engine: Engine) -> Hall:
    """Four pairs after a round; the first is called by its players' names, and one of them has identified a phone."""
    hall.enter(4, club="市南")
    first = {"players": typed(100), "name": "选手100与选手101", "club": "市南", "seed": None, "version": 1}
    assert hall.owner.put(hall.path("/entries/1"), first).status == 200
    hall.player(1)
    play_a_round(hall, engine)
    return hall


def ranks(hall: Hall) -> list[tuple[Any, ...]]:
    rows = hall.owner.get(hall.path("/standings")).json["rows"]
    return [(row["rank"], row["tied"], row["number"], row["values"]) for row in rows]


def data_of(hall: Hall, number: int, player: int, **headers: str) -> Any:
    return hall.owner.get(hall.path(f"/entries/{number}/players/{player}/data"), headers=headers).json


def erase(hall: Hall, number: int, player: int) -> Any:
    reply = hall.owner.post(hall.path(f"/entries/{number}/players/{player}/erasure"), {})
    assert reply.status == 200, reply.json
    return reply.json


def left_of(folder: Path, *texts: str) -> set[str]:
    return {where for where, _ in found(folder, *texts)} - GONE_IN_TIME


def test_an_export_holds_what_is_stored_of_the_person(played: Hall) -> None:
    data = data_of(played, 1, 1)
    assert data["person"]["name"] == "选手100"
    assert data["person"]["phone"] == phone(100)
    assert data["entry"]["club"] == "市南"
    assert [device["revoked_at"] for device in data["devices"]] == [None]
    assert [(table["round"], 1 in table["entries"]) for table in data["tables"]] == [(1, True)]
    assert {line["action"] for line in data["log"]} == {"entry.add", "entry.change", "device.identify"}
    assert data_of(played, 1, 2)["devices"] == []
    assert data_of(played, 1, 3)["code"] == "entry_not_found"


def test_an_export_of_an_encrypted_event_needs_the_digits(hall: Hall) -> None:
    encrypt(hall)
    hall.enter(1)
    shut, opened = data_of(hall, 1, 1), data_of(hall, 1, 1, **UNLOCKED)
    assert (shut["sealed"], shut["person"]["name"], shut["person"]["phone"]) == (True, "#1-1", "")
    assert (opened["sealed"], opened["person"]["name"], opened["person"]["phone"]) == (False, "选手100", phone(100))


def test_an_erased_person_stands_nowhere_and_nothing_else_changes(
    played: Hall, engine: Engine, world: TestWorld, tmp_path: Path
) -> None:
    before, log = ranks(played), len(played.owner.get(played.path("/audit")).json["lines"])
    assert left_of(tmp_path, "选手100", phone(100))
    assert erase(played, 1, 1) == {"number": 1, "player": 1, "name": "#1-1"}
    Pump(engine).run()
    assert left_of(tmp_path, "选手100", phone(100)) == set()
    assert ranks(played) == before
    entry = played.owner.get(played.path("/entries")).json["entries"][0]
    assert (entry["name"], entry["players"]) == ("", [{"name": "#1-1", "phone": ""}, typed(100)[1]])
    assert data_of(played, 1, 1)["devices"] == []
    assert Browser().post(played.path("/searches"), {"text": phone(100)}).code == "nobody_found"
    # Again: nothing more happens.
    erase(played, 1, 1)
    assert len(played.owner.get(played.path("/audit")).json["lines"]) == log + 1


def test_erasing_one_of_an_encrypted_pair_leaves_the_other_readable(hall: Hall) -> None:
    encrypt(hall)
    hall.enter(1)
    erase(hall, 1, 2)
    entries = hall.owner.get(hall.path("/entries"), headers=UNLOCKED).json["entries"]
    assert entries[0]["players"] == [typed(100)[0], {"name": "#1-2", "phone": ""}]
    assert Browser().post(hall.path("/searches"), {"text": phone(101)}).code == "nobody_found"


def test_what_an_interrupted_erasure_left_in_public_is_rewritten_by_the_schedule(
    played: Hall, world: TestWorld, tmp_path: Path
) -> None:
    persons._erase(world, played.event_id, 1, 1, "account:x", a_call())
    assert left_of(tmp_path / "files", "选手100")
    purge_due(world)
    assert left_of(tmp_path / "files", "选手100")
    world.time.advance(minutes=3)
    purge_due(world)
    assert left_of(tmp_path / "files", "选手100") == set()
    assert list(Due.due.query(REWRITING)) == []


def test_on_the_date_everybodys_data_go_and_ranks_stay(
    played: Hall, engine: Engine, world: TestWorld, tmp_path: Path
) -> None:
    before = ranks(played)
    people = [*everybody(100, 102, 104, 106), "选手100与选手101"]
    played.configure(purge_at=world.now() + HOUR)
    world.time.advance(minutes=59)
    assert purge_due(world) == 0
    assert left_of(tmp_path, *people)
    world.time.advance(minutes=1)
    assert purge_due(world) == 1
    Pump(engine).run()
    assert left_of(tmp_path, *people) == set()
    assert ranks(played) == before
    entries = played.owner.get(played.path("/entries")).json["entries"]
    assert [entry["name"] for entry in entries] == ["#1", "#2", "#3", "#4"]
    files = set(world.files.list_prefix("pub/"))
    assert purge_due(world) == 0
    assert set(world.files.list_prefix("pub/")) == files


def test_an_encrypted_event_is_purged_without_its_digits(hall: Hall, world: TestWorld) -> None:
    encrypt(hall)
    hall.enter(2)
    hall.configure(purge_at=world.now() + HOUR)
    world.time.advance(hours=1)
    assert purge_due(world) == 1
    entries = hall.owner.get(hall.path("/entries"), headers={"x-guanjun-digits": DIGITS}).json["entries"]
    assert [player["name"] for player in entries[0]["players"]] == ["#1-1", "#1-2"]
    assert Browser().post(hall.path("/searches"), {"text": phone(100)}).code == "nobody_found"


def test_a_date_that_was_moved_or_taken_back_purges_nothing(hall: Hall, world: TestWorld) -> None:
    hall.enter(1)
    hall.configure(purge_at=world.now() + HOUR)
    hall.configure(purge_at=world.now() + 2 * HOUR)
    world.time.advance(hours=1)
    assert purge_due(world) == 0
    hall.configure(purge_at=None)
    world.time.advance(hours=2)
    assert purge_due(world) == 0
    assert hall.owner.get(hall.path("/entries")).json["entries"][0]["players"] == typed(100)


def test_a_date_that_has_passed_or_comes_before_the_event_is_refused(hall: Hall, world: TestWorld) -> None:
    """Everybody's names would be gone within the minute."""
    hall.enter(1)
    event = hall.owner.get(hall.path()).json

    def save(**changes: Any) -> tuple[str | None, str | None]:
        body = {"version": event["version"], "settings": {**event["settings"], **changes}}
        reply = hall.owner.put(hall.path("/settings"), body)
        return reply.code, reply.json.get("field")

    refused = ("settings_inconsistent", "settings.purge_at")
    assert save(purge_at=world.now()) == refused
    assert save(purge_at=world.now() + HOUR, starts_at=world.now() + 2 * HOUR) == refused
    purge_due(world)
    assert hall.owner.get(hall.path("/entries")).json["entries"][0]["players"][0]["name"] == "选手100"
    assert save(purge_at=world.now() + 3 * HOUR, starts_at=world.now() + 2 * HOUR) == (None, None)
