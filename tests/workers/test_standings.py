"""The standings function and its stream: whatever order things happen in, the end is the pure function's ranking."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from chalicelib.rules.document import parse
from chalicelib.rules.levels import LEVELS
from chalicelib.services import documents, entries, pulse, rounds, scoring, standings, submissions
from chalicelib.services.problems import Problem
from chalicelib.services.settings import ClubRanking
from chalicelib.services.standings import pages
from chalicelib.services.standings.content import Content, content_of
from chalicelib.services.standings.refreshing import current_content, publish, take_ticket
from chalicelib.services.views.scoring import Score
from chalicelib.services.world import use
from chalicelib.store.events import EventHeader
from chalicelib.store.standings import POINTER, Pointer
from infra.local.engine import Engine, Faults
from infra.local.engine.faults import Fault
from infra.local.engine.hook import plugged_in
from infra.local.files import LocalFiles
from tests.support.hall import ORGANIZER, Hall, Pump, batches, open_hall
from tests.support.tables import create_tables
from tests.support.world import SECRET, FakeClock, Outbox, SeededRandomness, TestWorld


def stored_bytes(hall: Hall) -> bytes:
    """The stored standings as bytes."""
    pointer = hall.pointer()
    assert pointer.standings is not None
    whole = pages.read(hall.world, hall.event_id, pointer.standings, int(pointer.standings_pages))
    assert whole is not None
    clubs = pages.read_clubs(hall.world, hall.event_id, pointer.standings)
    assert clubs is not None
    return Content(int(pointer.standings_round), whole.criteria, whole.rows, clubs, False).encoded()


def pure_bytes(hall: Hall) -> bytes:
    """What the rules make of the exported document, as bytes."""
    exported, _ = documents.export(hall.world, hall.event_id)
    return content_of(parse(exported)).encoded()


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


class TestWaking:
    """Which writes wake the standings function, and which do not."""

    @pytest.fixture
    def hall(self, world: TestWorld) -> Hall:
        return open_hall(world, 5)

    @pytest.fixture
    def pump(self, engine: Engine) -> Pump:
        return Pump(engine)

    def woken(self, pump: Pump) -> bool:
        return bool(pump.waiting("standings"))

    def test_what_moves_ranks_wakes(self, hall: Hall, pump: Pump) -> None:
        assert self.woken(pump)  # entries
        hall.draw()
        assert not self.woken(pump)
        hall.publish(1)
        assert self.woken(pump)  # byes and absences
        hall.command("start")
        assert not self.woken(pump)
        hall.submit(1, 1, "ns", "A", "9")
        assert self.woken(pump)
        hall.rule(1, 2, "A", "9")
        assert self.woken(pump)
        version = hall.table(1, 2).version
        scoring.lift(hall.world, hall.event_id, 1, 2, version, "", "referee", hall.keys.fresh())
        assert self.woken(pump)
        hall.rule(1, 2, "A", "9")
        hall.submit(1, 1, "ew", "A", "9")
        pump.waiting("standings")
        hall.settle(1)
        assert not self.woken(pump)
        hall.rule(1, 1, "A", "10", "更正")
        assert self.woken(pump)  # a correction
        hall.configure(criteria=["match_points", "upgrades"])
        assert self.woken(pump)
        hall.configure(rounds=3)
        assert self.woken(pump)
        entries.withdraw(hall.world, hall.event_id, 5, True, "", ORGANIZER, hall.keys.fresh())
        assert self.woken(pump)
        rounds.delete(hall.world, hall.event_id, 1, "有误", ORGANIZER, hall.keys.fresh())
        assert self.woken(pump)

    def test_what_moves_no_rank_does_not(self, hall: Hall, pump: Pump) -> None:
        hall.play(1)
        pump.waiting("standings")
        view = hall.table(1, 1)
        submissions.save_running(
            hall.world,
            hall.event_id,
            1,
            1,
            hall.device(view.ns.number),
            Score("played", "5", "9"),
            hall.keys.fresh(),
        )
        assert not self.woken(pump)
        scoring.postpone(hall.world, hall.event_id, 1, 1, view.version, True, "改期", "referee", hall.keys.fresh())
        scoring.give_extra_time(hall.world, hall.event_id, 1, 1, view.version + 1, 5, "referee", hall.keys.fresh())
        hall.command("pause")
        hall.configure(rules_text="规则")
        assert not self.woken(pump)

    def test_a_running_score_wakes_a_live_ranking(self, hall: Hall, pump: Pump) -> None:
        hall.configure(ranking_after_submission_only=False)
        hall.play(1)
        pump.waiting("standings")
        view = hall.table(1, 1)
        submissions.save_running(
            hall.world,
            hall.event_id,
            1,
            1,
            hall.device(view.ns.number),
            Score("played", "5", "9"),
            hall.keys.fresh(),
        )
        pump.run()
        shown = standings.read(hall.world, hall.event_id)
        assert shown.provisional
        values = {row.number: row.values[0] for row in shown.rows}
        assert values[view.ew.number] == "2"
        # Provisional only: a drawing does not count it.
        assert scoring.current_grid(hall.world, hall.event_id).counts["open"] == 2


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


def make_world(path: Path, engine: Engine) -> TestWorld:
    """A world on an engine, without fixtures."""
    time, outbox = FakeClock(), Outbox()
    create_tables(engine)
    return TestWorld(
        secret=SECRET,
        files=LocalFiles(path / "files", SECRET),
        sms=outbox,
        clock=time,
        random=SeededRandomness(),
        sleep=lambda seconds: None,
        time=time,
        outbox=outbox,
    )


class Racing(RuleBasedStateMachine):
    """Runs of the standings function in any interleaving with results, corrections, settlements and withdrawals."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        path = Path(self.folder.name)
        self.engine = Engine(path / "store.sqlite")
        self.plug = plugged_in(self.engine)
        self.plug.__enter__()
        self.world = make_world(path, self.engine)
        use(self.world)
        self.runs: list[tuple[int, Content | None]] = []
        self.read_under: dict[int, Content] = {}
        self.highest = 0

    @initialize()
    def begin(self) -> None:
        self.hall = open_hall(self.world, 5, double_submission=False)
        self.hall.play(1)

    @property
    def number(self) -> int:
        return int(self.hall.pointer().round)

    @rule(table=st.integers(1, 2), side=st.sampled_from(["ns", "ew"]), level=st.sampled_from(LEVELS[:12]))
    def say(self, table: int, side: str, level: str) -> None:
        with suppress(Problem):
            self.hall.submit(self.number, self.seat(self.number, table), side, "A", level)

    @rule(table=st.integers(1, 2), level=st.sampled_from(LEVELS[:12]), old=st.booleans())
    def correct(self, table: int, level: str, old: bool) -> None:
        number = 1 if old else self.number
        self.hall.rule(number, self.seat(number, table), level, "A", "更正")

    def seat(self, number: int, table: int) -> int:
        """A table that this round has."""
        return min(table, len(scoring.grid(self.world, self.hall.event_id, number).tables))

    @precondition(lambda self: self.number < 4)
    @rule()
    def go_on(self) -> None:
        for view in scoring.grid(self.world, self.hall.event_id, self.number).tables:
            if view.result is None:
                self.hall.rule(self.number, view.table, "A", "5", "裁定")
        # With many gone nobody may be left to play; a refusal changes nothing.
        with suppress(Problem):
            self.hall.play(self.number + 1)

    @rule(number=st.integers(1, 5), gone=st.booleans())
    def withdraw(self, number: int, gone: bool) -> None:
        with suppress(Problem):
            entries.withdraw(self.world, self.hall.event_id, number, gone, "", ORGANIZER, self.hall.keys.fresh())

    @rule()
    def take(self) -> None:
        self.runs.append((take_ticket(self.world, self.hall.event_id), None))

    @precondition(lambda self: any(content is None for _, content in self.runs))
    @rule(data=st.data())
    def read(self, data: st.DataObject) -> None:
        waiting = [index for index, (_, content) in enumerate(self.runs) if content is None]
        index = data.draw(st.sampled_from(waiting))
        ticket, _ = self.runs[index]
        self.read_under[ticket] = current_content(self.world, self.hall.event_id)
        self.runs[index] = (ticket, self.read_under[ticket])

    @precondition(lambda self: any(content is not None for _, content in self.runs))
    @rule(data=st.data())
    def write(self, data: st.DataObject) -> None:
        waiting = [index for index, (_, content) in enumerate(self.runs) if content is not None]
        ticket, content = self.runs.pop(data.draw(st.sampled_from(waiting)))
        assert content is not None
        assert publish(self.world, self.hall.event_id, ticket, content) == (ticket > self.highest)
        self.highest = max(self.highest, ticket)

    @invariant()
    def the_highest_ticket_stands(self) -> None:
        if self.highest:
            assert int(self.hall.pointer().ticket) == self.highest
            assert stored_bytes(self.hall) == self.read_under[self.highest].encoded()

    def teardown(self) -> None:
        try:
            if hasattr(self, "hall"):
                # The stream wakes one more run after the last write, whatever the others still do.
                standings.refresh(self.world, self.hall.event_id)
                for ticket, content in self.runs:
                    if content is not None:
                        publish(self.world, self.hall.event_id, ticket, content)
                assert stored_bytes(self.hall) == pure_bytes(self.hall)
                assert standings.compare(self.world, self.hall.event_id).equal
        finally:
            self.plug.__exit__(None, None, None)
            self.engine.close()
            self.folder.cleanup()
            use(None)


Racing.TestCase.settings = settings(
    max_examples=6, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestRacing = Racing.TestCase


@pytest.mark.full
class TestRacingLonger(Racing.TestCase):  # type: ignore[misc]
    """The same for an hour of a national event."""

    settings = settings(
        max_examples=100, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
    )


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[tuple[TestWorld, Engine]]:
    """A world whose store meets conflicts, throttling, unprocessed items and lost replies."""
    engine = Engine(tmp_path / "store.sqlite")
    world = make_world(tmp_path, engine)
    with plugged_in(engine):
        use(world)
        yield world, engine
    engine.close()
    use(None)


@pytest.mark.parametrize("seed", range(3))
def test_workers_in_threads_on_a_store_with_faults(faulty: tuple[TestWorld, Engine], seed: int) -> None:
    """Phones, referee and four workers at once, every request at risk: nothing lost, nothing twice."""
    world, engine = faulty
    hall = open_hall(world, 8)
    hall.play_out(1)
    hall.play(2)
    pump = Pump(engine)
    pump.waiting("standings")
    rates = {
        Fault.TRANSACTION_CONFLICT: 0.1,
        Fault.WRITE_CONFLICT: 0.05,
        Fault.UNPROCESSED: 0.1,
        Fault.LOST_REPLY: 0.03,
    }
    engine.faults = Faults(seed, rates)
    stop = threading.Event()
    trouble: list[BaseException] = []

    def work() -> None:
        while not stop.is_set():
            try:
                standings.refresh(world, hall.event_id)
            except Exception as error:
                trouble.append(error)
                return

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    try:
        for view in scoring.grid(world, hall.event_id, 2).tables:
            hall.confirm(2, view.table, "A", str(2 + view.table))
        hall.rule(1, 1, "A", "2", "更正")
    finally:
        stop.set()
        for worker in workers:
            worker.join()
    assert trouble == []
    assert engine.faults.injected.total() > 0
    pump.run()
    assert stored_bytes(hall) == pure_bytes(hall)
    assert {view.state for view in scoring.grid(world, hall.event_id, 2).tables} == {"confirmed"}
