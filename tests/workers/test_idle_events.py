"""比赛结束 by itself: a week without drawing or settling, counted from the latest of what the event still waits for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from chalicelib.services import idle, idle_events
from chalicelib.store.due import IDLE, Due, due
from chalicelib.store.events import EventHeader
from infra.local.engine import Engine, Fault, Faults
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.support.client import Browser
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld

DAY = 86_400_000


def run() -> Any:
    from app import app

    return invoke(app, "end_idle_events", scheduled_event("end_idle_events", datetime.now(UTC)))


def stored_phase(hall: Hall) -> str:
    return str(EventHeader.get(hall.event_id, "EVENT", consistent_read=True).phase)


def shown_phase(hall: Hall) -> str:
    return str(Browser().get(hall.path("/public")).json["phase"])


def end(hall: Hall, ended: bool) -> None:
    assert hall.owner.post(hall.path("/ending"), {"ended": ended}).status == 200


def actions(hall: Hall) -> list[str]:
    return [line["action"] for line in hall.owner.get(hall.path("/audit")).json["lines"]]


def test_an_event_idle_for_a_week_ends_and_can_be_undone(world: TestWorld) -> None:
    hall = open_hall(world)
    world.time.now += 7 * DAY - 1
    assert (run(), shown_phase(hall)) == (0, "open")
    world.time.now += 1
    assert (run(), stored_phase(hall)) == (1, "ended")
    assert (run(), actions(hall).count("event.end")) == (0, 1)
    end(hall, False)
    assert stored_phase(hall) == "open"
    # The undo counts as an act: another whole week.
    world.time.now += 7 * DAY - 1
    assert (run(), shown_phase(hall)) == (0, "open")
    world.time.now += 1
    assert run() == 1


def test_it_is_over_to_the_millisecond_before_any_schedule_ran(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    world.time.now += 7 * DAY
    assert (stored_phase(hall), shown_phase(hall)) == ("open", "ended")
    assert hall.owner.get(hall.path()).json["phase"] == "ended"
    assert hall.owner.post(hall.path("/rounds"), {}).code == "event_ended"
    end(hall, False)
    assert hall.owner.post(hall.path("/rounds"), {}).status == 201
    assert run() == 0


def test_an_event_created_eight_days_ahead_waits_for_its_start(world: TestWorld) -> None:
    start = world.now() + 8 * DAY
    hall = open_hall(world, starts_at=start)
    world.time.now = start
    assert (run(), shown_phase(hall)) == (0, "open")
    world.time.now = start + 7 * DAY - 1
    assert (run(), shown_phase(hall)) == (0, "open")
    world.time.now = start + 7 * DAY
    assert run() == 1


def test_a_league_with_fortnightly_days_goes_on_between_them(world: TestWorld) -> None:
    first = world.now() + DAY
    hall = open_hall(world, kind="league")
    hall.configure(match_days=[first + number * 14 * DAY for number in range(4)])
    for number in range(4):
        for days in (0, 6, 13):
            world.time.now = first + (number * 14 + days) * DAY
            if number < 3 or days < 7:
                assert (run(), shown_phase(hall)) == (0, "open"), (number, days)
    world.time.now = first + (3 * 14 + 7) * DAY
    assert run() == 1


def test_a_deadline_in_the_future_keeps_an_event_open(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.configure(registration_deadline=world.now() + 10 * DAY)
    world.time.advance(days=10)
    assert (run(), shown_phase(hall)) == (0, "open")
    world.time.advance(days=7)
    assert run() == 1


def test_drawing_and_settling_count_as_acts(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    world.time.advance(days=5)
    hall.start_round()
    world.time.advance(days=6)
    assert (run(), shown_phase(hall)) == (0, "open")
    table = hall.owner.get(hall.path("/current-tables")).json["tables"][0]
    ruling = {"outcome": "played", "ns_level": "A", "ew_level": "9", "winner": None, "reason": "赛果"}
    ruled = hall.owner.post(hall.path("/rounds/1/tables/1/ruling"), {"version": table["version"], **ruling})
    assert ruled.status == 200, ruled.json
    version = hall.owner.get(hall.path("/rounds/1")).json["version"]
    settled = hall.owner.post(hall.path("/rounds/1/settlement"), {"version": version})
    assert settled.status == 200, settled.json
    world.time.advance(days=6)
    assert (run(), shown_phase(hall)) == (0, "open")
    world.time.advance(days=1)
    assert run() == 1


def test_a_start_put_forward_is_not_waited_for(world: TestWorld) -> None:
    hall = open_hall(world, starts_at=world.now() + 300 * DAY)
    hall.configure(starts_at=world.now())
    world.time.advance(days=7)
    assert run() == 1


def test_an_event_ended_by_hand_is_left_alone(world: TestWorld) -> None:
    hall = open_hall(world)
    end(hall, True)
    world.time.advance(days=20)
    assert run() == 0
    assert actions(hall).count("event.end") == 1
    end(hall, False)
    assert (run(), shown_phase(hall)) == (0, "open")


def test_a_lagging_index_ends_nothing_that_goes_on(world: TestWorld) -> None:
    hall = open_hall(world)
    stale = due(hall.event_id, IDLE)
    stale.refresh(consistent_read=True)
    world.time.advance(days=6)
    hall.enter(2)
    hall.start_round()
    world.time.advance(days=1)
    # What the index may still show: the event as it was when it was created.
    assert idle_events.end_one(world, stale) is False
    assert stored_phase(hall) == "open"
    waiting = Due.get(hall.event_id, "DUE#idle", consistent_read=True)
    assert int(waiting.due_at) == world.now() - DAY + idle.IDLE_MILLISECONDS


def test_conflicts_leave_it_to_the_next_hour_at_worst(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world)
    world.time.advance(days=7)
    engine.faults = Faults(5, {Fault.TRANSACTION_CONFLICT: 0.8, Fault.STALE_INDEX: 0.5})
    ended = [run() for _ in range(10)]
    engine.faults = None
    assert sum(ended) == 1
    assert stored_phase(hall) == "ended"


def test_an_ended_event_refuses_every_act_of_the_day(world: TestWorld) -> None:
    hall = open_hall(world)
    first, second = hall.enter(2)
    player = hall.player(first)
    number = hall.start_round()
    version = hall.owner.get(hall.path(f"/rounds/{number}")).json["version"]
    clock = hall.owner.get(hall.path()).json["clock"]["version"]
    table = hall.owner.get(hall.path("/current-tables")).json["tables"][0]
    world.time.advance(days=7)
    pair = {"players": [{"name": "甲", "phone": phone(901)}, {"name": "乙", "phone": phone(902)}]}
    word = {"ns_level": "A", "ew_level": "9"}
    at_table = f"/rounds/{number}/tables/1"
    sent = [
        hall.owner.post(hall.path("/entries"), pair),
        hall.owner.put(hall.path(f"/entries/{second}/check-in"), {"checked_in": True}),
        player.put(hall.path("/me/check-in")),
        hall.owner.post(hall.path("/rounds"), {}),
        hall.owner.post(hall.path(f"/rounds/{number}/settlement"), {"version": version}),
        hall.owner.post(hall.path(f"/rounds/{number}/clock"), {"action": "pause", "version": clock}),
        player.post(hall.path(f"{at_table}/submissions"), {**word, "base_version": 0, "tapped_at": world.now()}),
        player.put(hall.path(f"{at_table}/running"), word),
        hall.owner.post(
            hall.path(f"{at_table}/ruling"),
            {**word, "version": table["version"], "outcome": "played", "winner": None, "reason": "赛果"},
        ),
    ]
    assert [reply.code for reply in sent] == ["event_ended"] * len(sent)
    assert player.get(hall.path("/me")).json["phase"] == "ended"
