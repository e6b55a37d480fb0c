"""Two settlements of one round at the same moment: neither lets a word in that the other did not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from chalicelib.services import rounds, standings
from chalicelib.services.finding import drawn_round
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import settling
from chalicelib.services.stored.tables import of_round
from chalicelib.services.world import use
from chalicelib.store.events import find_event
from infra.local.engine.hook import plugged_in
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.interruptions import Stage


@contextmanager
def a_played_round(directory: Path) -> Iterator[tuple[Stage, Hall]]:
    """Six pairs whose first round is played and still to be settled; somebody may act in between any two writes."""
    directory.mkdir()
    stage = Stage(directory)
    with plugged_in(stage.engine):
        use(stage.world)
        hall = open_hall(stage.world, 6, rounds=3)
        hall.play(1)
        for table in (1, 2, 3):
            hall.confirm(1, table, "A", "9")
        yield stage, hall
    use(None)
    stage.engine.close()


def settle(hall: Hall) -> None:
    with suppress(Problem):
        hall.settle(1)


def draw(hall: Hall) -> None:
    with suppress(Problem):
        hall.draw()


def held(hall: Hall) -> list[int]:
    header = drawn_round(hall.event_id, 1)
    return [table.held_until for table in of_round(hall.event_id, 1, header.generation)]


@pytest.mark.parametrize("act", [settle, draw])
def test_whoever_settles_too_late_does_not_let_words_in(tmp_path: Path, act: Callable[[Hall], None]) -> None:
    """A word sets out, then two settle at once: the slower one is refused after the faster one has settled. The word
    arrives last of all, and must not change what was settled."""
    write, last = 0, False
    while not last:
        with a_played_round(tmp_path / f"{write}") as (stage, hall):
            writes = []

            def both(stage: Stage = stage, hall: Hall = hall, write: int = write, writes: list[int] = writes) -> None:
                stage.executioner.call_at(write, lambda: act(hall))
                act(hall)
                writes.append(stage.executioner.writes)
                stage.executioner.kill_at(None)

            # The phone is known with the first write; the second is its word.
            stage.executioner.call_at(1, both)
            with suppress(Problem):
                hall.submit(1, 1, "ns", "A", "5")
            last = writes[0] <= write
            if drawn_round(hall.event_id, 1).phase != "settled":
                settle(hall)
                stage.world.time.advance(minutes=2)
                settle(hall)
            Pump(stage.engine).run()
            assert drawn_round(hall.event_id, 1).phase == "settled", write
            assert hall.table(1, 1).state == "confirmed", write
            assert standings.compare(hall.world, hall.event_id).equal, write
        write += 1
    assert write > 3


def test_a_refused_settlement_leaves_the_hold_of_another_as_it_is(tmp_path: Path) -> None:
    with a_played_round(tmp_path / "hall") as (_, hall):
        header, settings = drawn_round(hall.event_id, 1), hall.settings()
        first = settling.held_and_finished(hall.world, header, settings)
        second = settling.held_and_finished(hall.world, header, settings)
        until = held(hall)
        assert len(set(until)) == 1
        second.release()
        first.release()
        assert held(hall) == until
        # Both may go on to settle; the hold ends by itself.
        settle(hall)
        assert rounds.read(hall.world, hall.event_id, 1).phase == "settled"


def test_what_a_settlement_held_is_let_go_when_the_round_is_opened_again(tmp_path: Path) -> None:
    with a_played_round(tmp_path / "hall") as (_, hall):
        settle(hall)
        assert all(until > hall.world.now() for until in held(hall))
        rounds.reopen(hall.world, hall.event_id, 1, "再看一次", ORGANIZER, hall.keys.fresh())
        assert held(hall) == [0, 0, 0]
        assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"


def test_a_settlement_that_meets_another_at_the_first_table_holds_nothing_longer(tmp_path: Path) -> None:
    """It is told that somebody else is at it, and what it held itself is free again."""
    with a_played_round(tmp_path / "hall") as (stage, hall):
        header = drawn_round(hall.event_id, 1)
        found = of_round(hall.event_id, 1, header.generation)
        other = settling.hold(stage.world, header, found[2:])
        with pytest.raises(Problem) as refusal:
            settling.hold(stage.world, header, found)
        assert refusal.value.code == "busy"
        assert held(hall) == [0, 0, other.until]
        event = find_event(hall.event_id)
        assert event is not None
        assert int(event.last_round) == 1
