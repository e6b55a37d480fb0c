"""The public lines of a number over HTTP: what was taken away is not told for another twenty seconds, and whoever asks
for strange things or too often gets a plain answer."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from chalicelib.services.privacy.purge import purge_due
from infra.local.engine import Engine
from tests.services.test_encryption import encrypt
from tests.services.test_freezing import freeze, play
from tests.support.client import Browser, Reply
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

NAMES = [f"选手{number:03d}" for number in range(100, 108)]


@pytest.fixture
def hall(world: TestWorld, engine: Engine) -> Hall:
    """Four pairs after a round; what everybody may see was asked for this very second, and is kept."""
    hall = open_hall(world, rounds=3)
    hall.enter(4)
    play(hall, 1, lower="9")
    Pump(engine).run()
    assert len(named(ask(hall))) == 4
    return hall


def ask(hall: Hall, number: Any = 1, **more: Any) -> Reply:
    return Browser().get(hall.path(f"/public-standings/{number}"), **more)


def named(reply: Reply) -> set[str]:
    assert reply.status == 200, reply.json
    return {name for name in NAMES if name in reply.body.decode()}


def test_who_was_erased_is_named_no_more_at_once(hall: Hall) -> None:
    before = ask(hall)
    (other,) = before.json["others"]
    path = hall.path(f"/entries/{other['number']}/players/1/erasure")
    assert hall.owner.post(path, {}).status == 200
    assert named(before) - named(ask(hall)) == {other["name"].partition(" / ")[0]}


def test_after_a_purge_nobody_is_named_at_once(hall: Hall, world: TestWorld) -> None:
    hall.configure(purge_at=world.now() + 1000)
    assert len(named(ask(hall))) == 4
    world.time.advance(seconds=2)
    assert purge_due(world) == 1
    assert named(ask(hall)) == set()


def test_an_event_that_is_encrypted_names_nobody_at_once(hall: Hall) -> None:
    assert encrypt(hall).status == 200
    reply = ask(hall)
    assert named(reply) == set()
    assert [other["name"] for other in reply.json["others"]] == [f"#{reply.json['others'][0]['number']}"]


def test_a_deleted_event_is_gone_at_once_and_back_when_it_is(hall: Hall) -> None:
    before = ask(hall).json
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "周三夜赛"}).status == 200
    assert ask(hall).code == "event_not_found"
    assert hall.owner.post(hall.path("/deletion"), {"deleted": False, "name": ""}).status == 200
    assert ask(hall).json == before


def test_an_old_etag_brings_nothing_back_that_is_frozen_since(hall: Hall, engine: Engine) -> None:
    shown = ask(hall)
    etag = shown.headers["etag"]
    assert ask(hall, headers={"if-none-match": etag}).status == 304
    assert "no-cache" in shown.headers["cache-control"]
    assert freeze(hall, 1).status == 200
    frozen = ask(hall, headers={"if-none-match": etag})
    assert (frozen.status, frozen.json["round"], frozen.json["others"]) == (200, 0, [])
    assert set(frozen.json["values"]) == {"0"}
    assert not any(frozen.json["addends"].values())
    # Moved by one round within the same second, and shown again.
    play(hall, 2, lower="5")
    Pump(engine).run()
    assert freeze(hall, 2).status == 200
    assert ask(hall).json["round"] == 1
    assert freeze(hall, None).status == 200
    assert ask(hall).json["round"] == 2


def test_who_left_and_an_event_that_ended_can_be_opened_still(hall: Hall, engine: Engine) -> None:
    play(hall, 2, lower="5")
    Pump(engine).run()
    assert hall.owner.post(hall.path("/entries/2/withdrawal"), {"withdrawn": True, "reason": "家里有事"}).status == 200
    assert hall.owner.post(hall.path("/ending"), {"ended": True}).status == 200
    Pump(engine).run()
    reply = ask(hall, 2)
    assert reply.status == 200
    assert "家里有事" not in reply.body.decode()


@pytest.mark.parametrize(
    "number", ["0", "-1", "+1", "00", "1.0", "1e0", "1000000000000000000", "abc", "%D9%A1", "1%00", "%F0%9F%80%84", ""]
)
def test_what_is_no_number_of_an_entry_is_plainly_refused(hall: Hall, number: str) -> None:
    reply = ask(hall, number)
    assert 400 <= reply.status < 500, reply.body
    assert reply.code


def test_numbers_that_nobody_has_are_refused_and_strange_languages_are_answered(hall: Hall) -> None:
    for number in (5, 100_000):
        assert ask(hall, number).code == "entry_not_found"
    for language in ("", "xx", ";;;q=9", "en" * 500, "zh-Hans-CN-x-\u00e9"):
        assert ask(hall, headers={"accept-language": language}).status == 200


def test_a_hall_that_taps_in_one_second_is_read_for_once(hall: Hall, engine: Engine, world: TestWorld) -> None:
    """Each phone that asked before the first was answered made the whole ranking anew."""
    world.time.advance(minutes=1)
    play(hall, 2, lower="5")
    Pump(engine).run()
    world.time.advance(minutes=1)
    engine.recorder.clear()
    assert ask(hall).status == 200
    alone = sum(engine.recorder.requests().values())
    assert ask(hall).status == 200
    kept = sum(engine.recorder.requests().values()) - alone
    play(hall, 3, lower="5")
    Pump(engine).run()
    world.time.advance(minutes=1)
    engine.recorder.clear()
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(ask(hall).status)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 12
    # Who waited looks once more at the freeze.
    assert sum(engine.recorder.requests().values()) <= alone + 2 + 11 * (kept + 1)
