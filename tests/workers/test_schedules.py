"""Registrations close at their deadline: by the schedule, and on read before it ran."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from chalicelib.services import deadlines, events
from chalicelib.store.events import EventHeader
from infra.local.engine import Engine, Fault, Faults
from infra.local.functions import invoke
from infra.local.ticker import scheduled_event
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

HOUR = 3_600_000


def closes_in(hall: Hall, milliseconds: int | None) -> None:
    """The deadline names the minute that ends so much later (the clock is set to a whole minute before)."""
    hall.world.time.now += -hall.world.now() % 60_000
    deadline = None if milliseconds is None else hall.world.now() + milliseconds - 60_000
    hall.configure(registration_deadline=deadline)


def open_for_all(hall: Hall) -> bool:
    return events.read_public(hall.world, hall.event_id).registration_open


def run() -> Any:
    from app import app

    return invoke(app, "close_registrations", scheduled_event("close_registrations", datetime.now(UTC)))


def test_registration_closes_to_the_millisecond_before_any_schedule_ran(world: TestWorld) -> None:
    hall = open_hall(world)
    closes_in(hall, HOUR)
    world.time.now += HOUR - 1
    assert open_for_all(hall)
    world.time.now += 1
    assert not open_for_all(hall)


def test_the_schedule_closes_what_is_due_once(world: TestWorld) -> None:
    due, later, never = (open_hall(world, f"1380013000{number}") for number in (1, 2, 3))
    closes_in(due, HOUR)
    closes_in(later, 2 * HOUR)
    assert run() == 0
    world.time.advance(hours=1)
    assert run() == 1
    assert run() == 0
    assert [open_for_all(hall) for hall in (due, later, never)] == [False, True, True]
    assert EventHeader.get(due.event_id, "EVENT").registration_closed_at == world.now()
    actions = [line.action for line in events.audit_log(world, due.event_id, None).lines]
    assert actions.count("registration.close") == 1


def test_a_new_deadline_opens_registration_again(world: TestWorld) -> None:
    hall = open_hall(world)
    closes_in(hall, HOUR)
    world.time.advance(hours=1)
    run()
    closes_in(hall, HOUR)
    assert open_for_all(hall)
    world.time.advance(hours=1)
    assert run() == 1


def test_a_deadline_taken_back_is_not_acted_on(world: TestWorld) -> None:
    hall = open_hall(world)
    closes_in(hall, HOUR)
    closes_in(hall, None)
    world.time.advance(hours=2)
    assert run() == 0
    assert open_for_all(hall)


def test_closing_by_hand_leaves_nothing_for_the_schedule(world: TestWorld) -> None:
    hall = open_hall(world)
    closes_in(hall, HOUR)
    hall.configure(registration_closed=True)
    world.time.advance(hours=2)
    assert run() == 0
    assert not open_for_all(hall)
    hall.configure(registration_closed=False, registration_deadline=None)
    assert open_for_all(hall)


def test_a_lagging_index_closes_nothing_that_was_put_off(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world)
    closes_in(hall, HOUR)
    stale = EventHeader.get(hall.event_id, "EVENT")
    closes_in(hall, 5 * HOUR)
    world.time.advance(hours=2)
    # What the index may still show: the event as it was before the deadline moved.
    assert deadlines.close_one(world, stale) is False
    assert open_for_all(hall)


def test_conflicts_leave_it_to_the_next_minute_at_worst(world: TestWorld, engine: Engine) -> None:
    hall = open_hall(world)
    closes_in(hall, HOUR)
    world.time.advance(hours=1)
    engine.faults = Faults(3, {Fault.TRANSACTION_CONFLICT: 0.9, Fault.STALE_INDEX: 0.5})
    closed = [run() for _ in range(8)]
    engine.faults = None
    assert sum(closed) == 1
    assert not open_for_all(hall)
