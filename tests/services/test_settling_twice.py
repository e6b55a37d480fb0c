"""Two settlements of one round at the same moment: neither lets a word in that the other did not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from chalicelib.services import rounds, scoring, standings
from chalicelib.services.finding import drawn_round
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import holding, settling
from chalicelib.services.world import use
from chalicelib.store.events import find_event
from infra.local.engine.hook import plugged_in
from tests.support.hall import ORGANIZER, Hall, Pump, open_hall
from tests.support.interruptions import Stage
from tests.support.refusals import refused


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
    """The tables that take no words."""
    return [view.table for view in scoring.grid(hall.world, hall.event_id, 1).tables if view.locked]


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
        settings = hall.settings()
        first = settling.held_and_finished(hall.world, drawn_round(hall.event_id, 1), settings)
        second = settling.held_and_finished(hall.world, drawn_round(hall.event_id, 1), settings)
        first.release()
        assert held(hall) == [1, 2, 3]
        # Nothing is settled under a hold that was taken over, and it goes no further.
        event = find_event(hall.event_id)
        assert event is not None
        late = refused(settling.settle_held, first, event, settings, ORGANIZER, hall.keys.fresh())
        assert late.code == "stale_version"
        assert refused(lambda: list(first.take([1, 2, 3]))).code == "stale_version"
        assert held(hall) == [1, 2, 3]
        settling.settle_held(second, event, settings, ORGANIZER, hall.keys.fresh())
        assert drawn_round(hall.event_id, 1).phase == "settled"


def test_nothing_is_settled_under_a_hold_that_was_given_up(tmp_path: Path) -> None:
    with a_played_round(tmp_path / "hall") as (_, hall):
        given_up = settling.held_and_finished(hall.world, drawn_round(hall.event_id, 1), hall.settings())
        given_up.release()
        assert held(hall) == []
        assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"
        event = find_event(hall.event_id)
        assert event is not None
        act = partial(settling.settle_held, given_up, event, hall.settings(), ORGANIZER, hall.keys.fresh())
        assert refused(act).code == "stale_version"
        assert drawn_round(hall.event_id, 1).phase == "playing"


def test_two_that_read_the_round_at_once_do_not_both_hold_it(tmp_path: Path) -> None:
    with a_played_round(tmp_path / "hall") as (stage, hall):
        header = drawn_round(hall.event_id, 1)
        first = holding.begin(stage.world, header)
        stage.world.time.advance(seconds=1)
        assert refused(holding.begin, stage.world, header).code == "stale_version"
        assert [first.until] == [int(drawn_round(hall.event_id, 1).hold)]


def test_what_a_settlement_held_is_let_go_when_the_round_is_opened_again(tmp_path: Path) -> None:
    with a_played_round(tmp_path / "hall") as (stage, hall):
        settle(hall)
        assert held(hall) == [1, 2, 3]
        stage.executioner.kill_at(None)
        rounds.reopen(hall.world, hall.event_id, 1, "再看一次", ORGANIZER, hall.keys.fresh())
        # The round's transaction and its pulse, however many tables there are.
        assert stage.executioner.writes == 2
        assert held(hall) == []
        assert hall.submit(1, 1, "ns", "A", "5").state == "disputed"
        assert hall.submit(1, 1, "ns", "A", "9", base=2).state == "confirmed"
        # The next settlement holds them anew.
        again = settling.held_and_finished(hall.world, drawn_round(hall.event_id, 1), hall.settings())
        assert held(hall) == [1, 2, 3]
        again.release()
        assert held(hall) == []
