"""Racing runs of the standings function, on a sound store and on one with faults: the end is always the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from chalicelib.rules.levels import LEVELS
from chalicelib.services import entries, scoring, standings
from chalicelib.services.problems import Problem
from chalicelib.services.standings.content import Content
from chalicelib.services.standings.refreshing import current_content, publish, take_ticket
from chalicelib.services.world import use
from infra.local.engine import Engine, Faults
from infra.local.engine.faults import Fault
from infra.local.engine.hook import plugged_in
from infra.local.files import LocalFiles
from tests.support.hall import ORGANIZER, Pump, open_hall
from tests.support.stored_standings import pure_bytes, stored_bytes
from tests.support.tables import create_tables
from tests.support.world import SECRET, FakeClock, Outbox, SeededRandomness, TestWorld


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


class Longer(Racing):
    """The same for an hour of a national event."""


Longer.TestCase.settings = settings(
    max_examples=100, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
)
TestRacingLonger = pytest.mark.full(Longer.TestCase)


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
