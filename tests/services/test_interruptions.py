"""Every act dies at every one of its writes, before and after it, and is sent again with the same key.

Nothing is lost, nothing is doubled, and nothing half-done shows: what stands in the end is what stands after the
same act without an accident.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from chalicelib.services import clock, display, rounds, scoring, standings, submissions
from chalicelib.services.once import Once
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.views.events import DisplayView
from chalicelib.services.views.scoring import Score
from chalicelib.services.world import use
from chalicelib.store.audit import entries as audit_entries
from chalicelib.store.events import rounds as drawn_rounds
from infra.local.engine.hook import plugged_in
from tests.support.hall import ORGANIZER, Hall, Keys, Pump, open_hall, persistently
from tests.support.interruptions import Killed, Stage

Act = Callable[[Hall, Once], Any]


def draw(hall: Hall, key: Once) -> Any:
    return rounds.draw(hall.world, hall.event_id, False, ORGANIZER, key)


def swap(hall: Hall, key: Once) -> Any:
    seats = [DraftTable(1, (4,), (1,)), DraftTable(2, (3,), (2,))]
    return rounds.rearrange(hall.world, hall.event_id, 1, 1, seats, [5], [], ORGANIZER, key)


def publish(hall: Hall, key: Once) -> Any:
    return rounds.publish(hall.world, hall.event_id, 1, 1, ORGANIZER, key)


def start(hall: Hall, key: Once) -> Any:
    return clock.command(hall.world, hall.event_id, 1, "start", 1, 0, 0, ORGANIZER, key)


def submit(hall: Hall, key: Once) -> Any:
    view = hall.table(1, 1)
    return submissions.submit(
        hall.world,
        hall.event_id,
        1,
        1,
        hall.device(view.ns.number),
        Score("played", "A", "9"),
        0,
        hall.world.now(),
        key,
    )


def rule(hall: Hall, key: Once) -> Any:
    score = Score("played", "A", "9")
    return scoring.rule(hall.world, hall.event_id, 1, 1, 1, score, "x", "referee", key)


def settle(hall: Hall, key: Once) -> Any:
    return rounds.settle(hall.world, hall.event_id, 1, 2, ORGANIZER, key)


def reopen(hall: Hall, key: Once) -> Any:
    return rounds.reopen(hall.world, hall.event_id, 1, "漏记", ORGANIZER, key)


def delete(hall: Hall, key: Once) -> Any:
    return rounds.delete(hall.world, hall.event_id, 1, "有误", ORGANIZER, key)


def show(hall: Hall, key: Once) -> Any:
    return display.show(hall.world, hall.event_id, DisplayView("standings", 2, False), ORGANIZER, key)


def nothing(hall: Hall) -> None:
    """No round yet."""


def drawn(hall: Hall) -> None:
    hall.draw()


def published(hall: Hall) -> None:
    drawn(hall)
    hall.publish(1)


def playing(hall: Hall) -> None:
    published(hall)
    hall.command("start")


def played(hall: Hall) -> None:
    playing(hall)
    for table in scoring.grid(hall.world, hall.event_id, 1).tables:
        hall.confirm(1, table.table, "A", "9")


def settled(hall: Hall) -> None:
    played(hall)
    hall.settle(1)


def state(hall: Hall, pump: Pump) -> dict[str, Any]:
    """Everything that anybody can see of the event once the streams are through, without what is random."""
    pump.run()
    pump.run()
    views = [rounds.read(hall.world, hall.event_id, int(header.number)) for header in drawn_rounds(hall.event_id)]
    grid = msgspec.to_builtins(scoring.current_grid(hall.world, hall.event_id))
    stored = hall.world.files.get(f"pub/{hall.event_id}/pulse.json")
    assert stored is not None
    pulse = msgspec.json.decode(stored.body)
    pulse["standings"] = pulse["standings"] is not None
    pulse["pairings"] = pulse["pairings"] is not None
    del pulse["v"]
    comparison = standings.compare(hall.world, hall.event_id)
    rows = msgspec.to_builtins(standings.read(hall.world, hall.event_id).rows)
    log = [(entry.actor, entry.action, entry.subject) for entry in audit_entries(hall.event_id)]
    return {
        "rounds": msgspec.to_builtins(views),
        "grid": grid,
        "pulse": pulse,
        "equal": comparison.equal,
        "rows": rows,
        "log": sorted(log, key=str),
    }


ACTS: list[tuple[Callable[[Hall], None], Act]] = [
    (nothing, draw),
    (played, draw),
    (drawn, swap),
    (drawn, publish),
    (published, start),
    (playing, submit),
    (playing, rule),
    (settled, rule),
    (played, settle),
    (settled, reopen),
    (drawn, delete),
    (played, delete),
    (playing, show),
]


@pytest.mark.parametrize(("before", "act"), ACTS, ids=[f"{act.__name__}-{before.__name__}" for before, act in ACTS])
def test_killed_between_any_two_writes(stages: Callable[[], Stage], before: Callable[[Hall], None], act: Act) -> None:
    def key() -> Once:
        return Keys("caller").fresh()

    def perform(write: int | None, after: bool) -> tuple[dict[str, Any], Any, bool, int]:
        stage = stages()
        with plugged_in(stage.engine):
            use(stage.world)
            hall = open_hall(stage.world, 5)
            before(hall)
            stage.executioner.kill_at(write, after=after)
            died = False
            reply: Any = None
            try:
                reply = persistently(lambda: act(hall, key()), key())
            except Killed:
                died = True
            writes = stage.executioner.writes
            stage.executioner.kill_at(None)
            if died:
                reply = persistently(lambda: act(hall, key()), key())
            again = persistently(lambda: act(hall, key()), key())
            assert again == reply
            seen = state(hall, Pump(stage.engine))
            return seen, reply, died, writes

    expected, reply, _, writes = perform(None, False)
    assert expected["equal"]
    for write in range(writes):
        for after in (False, True):
            seen, replied, died, _ = perform(write, after)
            assert died
            assert seen == expected, (write, after)
            assert replied == reply, (write, after)
