"""What must not be seen: phones outside the organizers' pages, drafts by anybody else, anything personal in a file."""

from __future__ import annotations

import re

import pytest

from infra.local.engine import Engine
from tests.api.routes import all_routes, concrete
from tests.support.client import Browser
from tests.support.hall import Pump
from tests.support.people import OWNER_PHONE, Hall, open_hall
from tests.support.world import TestWorld

PHONE = re.compile(rb"1380013[0-9]{4}")
MASKED = re.compile(rb"138\*\*\*\*[0-9]{4}")


@pytest.fixture
def hall(world: TestWorld, engine: Engine) -> Hall:
    hall = open_hall(world)
    hall.enter(5, club="市南")
    hall.start_round()
    for number in range(1, 6):
        player = hall.player(number)
        me = player.get(hall.path("/me")).json
        if me["table"] is not None:
            word = {"ns_level": "A", "ew_level": "9", "base_version": 0, "tapped_at": world.now()}
            sent = player.post(hall.path(f"/rounds/1/tables/{me['table']['table']}/submissions"), word)
            assert sent.status == 201
    Pump(engine).run()
    return hall


def readers(hall: Hall) -> dict[str, Browser]:
    return {
        "anyone": Browser(),
        "player": hall.player(1),
        "referee": hall.by_link("referee"),
        "desk": hall.by_link("desk"),
        "display": hall.by_link("display"),
    }


def test_the_organizers_do_see_phones(hall: Hall) -> None:
    """Or the tests below would find nothing to look for."""
    assert PHONE.search(hall.owner.get(hall.path("/entries")).body)
    assert PHONE.search(hall.owner.get(hall.path("/document")).body)


def test_of_the_organizers_pages_only_the_roster_and_exports_hold_phones(hall: Hall) -> None:
    shown = {
        route.name
        for route in all_routes()
        if route.method == "GET" and PHONE.search(_without(hall.owner.get(concrete(route, hall.event_id)).body))
    }
    assert shown == {"list_entries", "export_document", "export_person"}


def _without(body: bytes) -> bytes:
    """A body without the owner's own phone."""
    return body.replace(OWNER_PHONE.encode(), b"")


def test_nobody_else_is_told_a_phone(hall: Hall) -> None:
    told = []
    answered = 0
    for role, browser in readers(hall).items():
        for route in all_routes():
            if route.method == "GET":
                reply = browser.get(concrete(route, hall.event_id))
                answered += reply.status == 200
                if PHONE.search(reply.body):
                    told.append((role, route.name))
        for text in ("选手100", "13800130100"):
            found = browser.post(hall.path("/searches"), {"text": text})
            assert found.status == 200
            if PHONE.search(found.body):
                told.append((role, "searches"))
    assert told == []
    assert answered > 30


def test_masked_phones_are_for_choosing_oneself_and_for_the_desk_only(hall: Hall) -> None:
    shown = {
        (role, route.name)
        for role, browser in readers(hall).items()
        for route in all_routes()
        if route.method == "GET" and MASKED.search(browser.get(concrete(route, hall.event_id)).body)
    }
    assert shown == {("referee", "list_entry_names"), ("desk", "list_entry_names")}


def test_no_public_file_holds_a_phone(world: TestWorld, hall: Hall) -> None:
    keys = world.files.list_prefix("pub/")
    assert any("standings" in key for key in keys)
    assert any("pairings" in key for key in keys)
    for key in keys:
        stored = world.files.get(key)
        assert stored is not None
        assert not PHONE.search(stored.body), key
        assert not MASKED.search(stored.body), key


def test_a_draft_shows_nowhere_but_on_the_organizers_pages(world: TestWorld, engine: Engine, hall: Hall) -> None:
    for table in hall.owner.get(hall.path("/current-tables")).json["tables"]:
        ruled = {"version": table["version"], "ns_level": "A", "ew_level": "9", "reason": "裁判"}
        assert hall.owner.post(hall.path(f"/rounds/1/tables/{table['table']}/ruling"), ruled).status == 200
    assert hall.owner.post(hall.path("/rounds"), {}).status == 201
    assert hall.owner.get(hall.path("/rounds/2")).json["phase"] == "draft"
    Pump(engine).run()
    for role, browser in readers(hall).items():
        for route in all_routes():
            if route.method != "GET" or "{number}" not in route.path or "standings" in route.path:
                continue
            reply = browser.get(concrete(route, hall.event_id, number=2))
            # Of an entry officials see from which round a substitute would play, and that is told before the draw, too.
            told = role == "referee" and route.name == "list_substitutions" and "table" not in reply.json
            assert told or reply.status in (401, 403, 404), (role, route.name)
        public = browser.get(hall.path("/public")).json
        assert public["round"] == 1
    assert hall.player(1).get(hall.path("/me")).json["round"] == 1
    assert hall.by_link("referee").get(hall.path("/current-tables")).json["round"] == 1
    for key in world.files.list_prefix("pub/"):
        stored = world.files.get(key)
        assert stored is not None
        assert b'"round":2' not in stored.body.replace(b" ", b""), key
