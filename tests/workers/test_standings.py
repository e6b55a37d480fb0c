"""The standings function: batches in any order, one version after the other, files that follow the pointer."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from chalicelib.rules.levels import LEVELS
from chalicelib.services import pulse, scoring, standings
from chalicelib.services.settings import ClubRanking
from chalicelib.services.standings import pages
from chalicelib.services.standings.refreshing import current_content, publish, take_ticket
from chalicelib.store.events import EventHeader
from chalicelib.store.standings import POINTER, Pointer
from infra.local.engine import Engine
from tests.support.hall import Hall, Pump, batches, open_hall
from tests.support.stored_standings import pure_bytes, stored_bytes
from tests.support.world import TestWorld


def say_everything(hall: Hall, number: int) -> None:
    """Words, disputes, corrections and rulings at every table of a round."""
    for view in scoring.grid(hall.world, hall.event_id, number).tables:
        hall.submit(number, view.table, "ns", "A", "9")
        hall.submit(number, view.table, "ew", "A", "10")
        if view.table % 2:
            hall.submit(number, view.table, "ns", "A", "10")
        else:
            hall.rule(number, view.table, "K", "A+", "核对")


class TestBatches:
    @pytest.mark.parametrize("seed", range(6))
    def test_repeated_shuffled_and_split(self, world: TestWorld, engine: Engine, seed: int) -> None:
        chance = random.Random(seed)
        hall = open_hall(world, 7)
        pump = Pump(engine)
        for number in (1, 2):
            hall.play(number)
            say_everything(hall, number)
            records = pump.waiting("standings")
            again = chance.choices(records, k=len(records) // 2) + records
            chance.shuffle(again)
            for batch in batches(again, chance.choice((1, 3, 17, 100))):
                if chance.random() < 0.5:
                    assert pump.hand("standings", batch) == []
            assert pump.hand("standings", again[:1]) == []
        assert stored_bytes(hall) == pure_bytes(hall)
        assert standings.compare(world, hall.event_id).equal

    def test_one_bad_record_does_not_block_a_batch(self, world: TestWorld, engine: Engine) -> None:
        hall = open_hall(world, 4)
        pump = Pump(engine)
        hall.play(1)
        say_everything(hall, 1)
        good = pump.waiting("standings")
        bad: list[dict[str, Any]] = [
            {"eventID": "x", "dynamodb": {"SequenceNumber": "1"}},
            record_of("no-such-event#001", "2"),
            {"eventID": "z"},
        ]
        assert pump.hand("standings", [*bad, *good]) == []
        assert stored_bytes(hall) == pure_bytes(hall)

    def test_a_broken_event_fails_alone(self, world: TestWorld, engine: Engine) -> None:
        broken, hall = open_hall(world, 4), open_hall(world, 4)
        pump = Pump(engine)
        pump.waiting("standings")
        hall.play(1)
        say_everything(hall, 1)
        good = pump.waiting("standings")
        EventHeader(broken.event_id, "EVENT").update([EventHeader.settings.set({"kind": "pairs"})])
        failed = pump.hand("standings", [record_of(broken.event_id, "77"), *good, record_of(broken.event_id, "78")])
        assert failed == ["77", "78"]
        assert stored_bytes(hall) == pure_bytes(hall)


def record_of(pk: str, sequence_number: str) -> dict[str, Any]:
    """A stream record as far as the function looks at it."""
    return {
        "eventID": sequence_number,
        "dynamodb": {
            "Keys": {"pk": {"S": pk}, "sk": {"S": "DIRTY"}},
            "NewImage": {"wakes": {"N": "1"}},
            "SequenceNumber": sequence_number,
            "ApproximateCreationDateTime": 1,
            "SizeBytes": 1,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    }


class TestPublishing:
    def test_a_stale_run_never_overwrites_a_fresh_one(self, world: TestWorld) -> None:
        hall = open_hall(world, 4)
        hall.play(1)
        early = take_ticket(world, hall.event_id)
        old = current_content(world, hall.event_id)
        hall.confirm(1, 1, "A", "9")
        late = take_ticket(world, hall.event_id)
        assert publish(world, hall.event_id, late, current_content(world, hall.event_id))
        before = stored_bytes(hall)
        files = world.files.list_prefix("pub/")
        assert not publish(world, hall.event_id, early, old)
        assert stored_bytes(hall) == before == pure_bytes(hall)
        assert world.files.list_prefix("pub/") == files

    def test_equal_standings_make_no_new_version(self, world: TestWorld) -> None:
        hall = open_hall(world, 4)
        hall.play(1)
        standings.refresh(world, hall.event_id)
        before = hall.pointer()
        hall.submit(1, 1, "ns", "A", "9")
        standings.refresh(world, hall.event_id)
        after = hall.pointer()
        assert (after.standings, after.pulse) == (before.standings, before.pulse)
        assert after.ticket > before.ticket

    def test_only_the_last_few_versions_are_kept(self, world: TestWorld) -> None:
        hall = open_hall(world, 8)
        hall.play(1)
        for level in LEVELS[:10]:
            hall.rule(1, 1, "A", level, "更正")
            standings.refresh(world, hall.event_id)
        names = {key.split("/")[3] for key in world.files.list_prefix(f"pub/{hall.event_id}/standings/")}
        kept = [row[0] for row in hall.pointer().kept or ()]
        assert names == set(kept)
        assert len(kept) == 5
        assert kept[-1] == hall.pointer().standings

    def test_public_pages_hold_no_phone_and_only_what_they_should(self, world: TestWorld, engine: Engine) -> None:
        hall = open_hall(world, 4, club_ranking=ClubRanking(on=True))
        hall.play_out(1)
        Pump(engine).run()
        name = hall.pointer().standings
        stored = world.files.get(f"pub/{hall.event_id}/standings/{name}/1.json")
        assert stored is not None
        page = msgspec.json.decode(stored.body)
        assert f"{page['v']}-" == name[: len(str(page["v"])) + 1]
        assert set(page["rows"][0]) == set(pages.PUBLIC_FIELDS)
        clubs = world.files.get(f"pub/{hall.event_id}/clubs/{name}/1.json")
        assert clubs is not None
        for key in world.files.list_prefix("pub/"):
            file = world.files.get(key)
            assert file is not None
            assert b"138" not in file.body

    def test_the_pulse_is_healed_by_the_pointers_stream(self, world: TestWorld, engine: Engine) -> None:
        hall = open_hall(world, 4)
        pump = Pump(engine)
        pump.run()
        key = pulse.key_of(hall.event_id)
        # A process that died after changing the pointer.
        Pointer(hall.event_id, POINTER).update([Pointer.pulse.add(1), Pointer.name.set("改名")])
        pump.run()
        stored = world.files.get(key)
        assert stored is not None
        assert msgspec.json.decode(stored.body)["name"] == "改名"

    def test_an_older_pulse_never_replaces_a_newer_one(self, world: TestWorld) -> None:
        hall = open_hall(world, 4)
        key = pulse.key_of(hall.event_id)
        newer = {"v": int(hall.pointer().pulse) + 5}
        world.files.put(key, msgspec.json.encode(newer), pulse.JSON_TYPE, pulse.CACHE_PULSE)
        pulse.publish(world, hall.event_id)
        stored = world.files.get(key)
        assert stored is not None
        assert msgspec.json.decode(stored.body) == newer

    def test_healing_finds_lost_standings(self, world: TestWorld) -> None:
        hall = open_hall(world, 4)
        hall.play_out(1)
        # Nothing came through the stream at all.
        assert not standings.compare(world, hall.event_id).equal
        assert standings.heal(world) == 1
        assert standings.compare(world, hall.event_id).equal
        assert standings.heal(world) == 0

    def test_healing_leaves_alone_what_is_on_its_way(self, world: TestWorld, engine: Engine) -> None:
        """The hourly sweep met the end of a round, healed what the stream was about to bring, and rang an alarm."""
        hall = open_hall(world, 4)
        hall.play_out(1)
        waited: list[float] = []

        def meanwhile(seconds: float) -> None:
            waited.append(seconds)
            Pump(engine).run()

        assert standings.heal(replace(world, sleep=meanwhile)) == 0
        assert len(waited) == 1
        assert standings.compare(world, hall.event_id).equal
