"""Events: created, configured, ended; what their organizers and anybody else see."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from chalicelib.services import configuring, events
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.events import EventView
from chalicelib.store.accounts import Account
from chalicelib.store.audit import entries as audit_entries
from chalicelib.store.matches import Dirty
from infra.local.engine import Engine
from tests.support.calls import a_call
from tests.support.client import Reply
from tests.support.people import open_hall
from tests.support.world import TestWorld

OWNER = frozenset({Role.ACCOUNT, Role.OWNER})
HOUR = 3_600_000


@pytest.fixture
def account(world: TestWorld) -> str:
    Account("ACCOUNT#me", "PROFILE", account_id="me", phone="13800130001", created_at=world.now()).save()
    return "me"


def create(world: TestWorld, account: str, **draft: Any) -> EventView:
    made = events.Draft(**{"name": "周三夜赛", "kind": "pairs", **draft})
    return events.create(world, account, made, a_call())


def configure(world: TestWorld, event: EventView, **changes: Any) -> EventView:
    now = events.read(world, event.event_id, OWNER)
    new = msgspec.structs.replace(now.settings, **changes)
    return configuring.change_settings(world, event.event_id, now.version, new, "account:me", OWNER, a_call())


def touched(event_id: str) -> int:
    try:
        return int(Dirty.get(event_id, "DIRTY").touched)
    except Dirty.DoesNotExist:
        return 0


def test_a_new_event_has_the_defaults_and_says_what_comes_next(world: TestWorld, account: str) -> None:
    event = create(world, account, rounds=4, minutes_per_round=3)
    assert event == events.read(world, event.event_id, OWNER)
    assert (event.settings.rounds, event.settings.minutes_per_round, event.settings.stop_drawing_minutes) == (4, 3, 2)
    assert (event.phase, event.role, event.last_round, event.next_step) == ("open", "owner", 0, "import_entries")
    assert [line.event_id for line in events.mine(world, account).events] == [event.event_id]
    assert [line.action for line in events.audit_log(world, event.event_id, None).lines] == ["event.create"]


def test_every_event_draws_its_own_lots(world: TestWorld, account: str) -> None:
    first, second = create(world, account), create(world, account)
    assert first.settings.pairing.seed != second.settings.pairing.seed


def test_my_events_are_mine_and_the_newest_comes_first(world: TestWorld, account: str) -> None:
    first = create(world, account)
    world.time.advance(minutes=1)
    second = create(world, account, name="周四夜赛")
    assert [line.name for line in events.mine(world, account).events] == ["周四夜赛", "周三夜赛"]
    assert events.mine(world, "other").events == []
    configure(world, first, name="改名", starts_at=world.now())
    renamed = next(line for line in events.mine(world, account).events if line.event_id == first.event_id)
    assert (renamed.name, renamed.starts_at) == ("改名", world.now())
    assert second.event_id != first.event_id


def test_a_clone_takes_the_settings_but_not_the_day(world: TestWorld, account: str) -> None:
    old = create(world, account)
    configure(world, old, criteria=["level_points"], clubs=["市南"], registration_closed=True, registration_deadline=5)
    new = create(world, account, name="周四夜赛", clone_of=old.event_id, starts_at=HOUR)
    assert (new.settings.criteria, new.settings.clubs) == (["level_points"], ["市南"])
    assert (new.settings.name, new.settings.starts_at) == ("周四夜赛", HOUR)
    assert (new.settings.registration_closed, new.settings.registration_deadline) == (False, None)
    assert new.settings.pairing.seed != old.settings.pairing.seed


def test_nobody_clones_the_event_of_another(world: TestWorld, account: str) -> None:
    theirs = open_hall(world, "13800130009").event_id
    for event_id in (theirs, "no-event"):
        with pytest.raises(Problem) as refusal:
            create(world, account, clone_of=event_id)
        assert refusal.value.code == "event_not_found"


def test_two_organizers_cannot_overwrite_each_other(world: TestWorld, account: str) -> None:
    event = create(world, account)

    def save(rounds: int) -> tuple[str, int]:
        new = msgspec.structs.replace(event.settings, rounds=rounds)
        try:
            configuring.change_settings(world, event.event_id, event.version, new, "account:me", OWNER, a_call())
        except Problem as problem:
            shown = msgspec.convert(problem.current["settings"], Settings)
            return f"{problem.code} {problem.current['version']}", shown.rounds
        return "saved", rounds

    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(save, range(6, 14)))
    assert sorted(outcome for outcome, _ in outcomes) == ["saved"] + 7 * ["stale_version 2"]
    now = events.read(world, event.event_id, OWNER)
    # Who was refused is shown the winner's settings, and they stand.
    assert {rounds for _, rounds in outcomes} == {now.settings.rounds}


def test_the_kind_stays(world: TestWorld, account: str) -> None:
    event = create(world, account)
    with pytest.raises(Problem) as refusal:
        configure(world, event, kind="clubs")
    assert (refusal.value.code, refusal.value.field) == ("settings_inconsistent", "settings.kind")


@pytest.mark.parametrize(
    ("change", "wakes"),
    [
        ({"rounds": 7}, True),
        ({"criteria": ["level_points"]}, True),
        ({"clubs": ["市南"]}, True),
        ({"double_submission": False}, True),
        ({"ranking_after_submission_only": False}, True),
        ({"name": "改名"}, False),
        ({"minutes_per_round": 40}, False),
        ({"registration_closed": True}, False),
        ({"rules_text": "团团转"}, False),
        ({}, False),
    ],
)
def test_what_moves_ranks_wakes_the_standings_and_nothing_else_does(
    world: TestWorld, account: str, change: dict[str, Any], wakes: bool
) -> None:
    event = create(world, account)
    before = touched(event.event_id)
    configure(world, event, **change)
    assert (touched(event.event_id) > before) is wakes


def test_the_log_tells_what_was_changed_and_in_which_round(world: TestWorld, account: str) -> None:
    event = create(world, account)
    world.time.advance(seconds=1)
    configure(world, event, rounds=7, name="改名")
    line = list(audit_entries(event.event_id))[-1]
    assert (line.action, line.actor) == ("event.configure", "account:me")
    told = dict(line.details)
    assert (told["changed"], told["version"], told["round"]) == (["name", "rounds"], 2, 0)
    assert (told["document"]["event"]["rounds"], told["double_submission"]) == (7, True)


def test_an_ended_event_can_be_opened_again(world: TestWorld, account: str) -> None:
    event = create(world, account)
    for ended, phase in ((True, "ended"), (True, "ended"), (False, "open")):
        world.time.advance(seconds=1)
        reply = events.set_ended(world, event.event_id, ended, "散场", "account:me", OWNER, a_call())
        assert (reply.phase, events.read_public(world, event.event_id).phase) == (phase, phase)
    actions = [(line.action, line.reason) for line in events.audit_log(world, event.event_id, None).lines]
    assert actions == [("event.reopen", "散场"), ("event.end", "散场"), ("event.create", None)]


def test_reading_the_frame_is_one_request_before_the_first_round(
    world: TestWorld, account: str, engine: Engine
) -> None:
    event = create(world, account)
    engine.recorder.clear()
    events.read(world, event.event_id, OWNER)
    assert sum(engine.recorder.requests().values()) == 1


def test_anybody_may_know_this_and_no_more(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(3)
    public = events.read_public(world, hall.event_id)
    assert (public.name, public.kind_zh, public.entries, public.round) == ("周三夜赛", "组队赛", 3, 0)
    shown = msgspec.json.encode(public).decode()
    assert "选手" not in shown
    assert "1380013" not in shown


def test_the_log_is_read_page_by_page(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(1)
    for _ in range(60):
        for checked_in in (True, False):
            world.time.advance(seconds=1)
            hall.owner.put(hall.path("/entries/1/check-in"), {"checked_in": checked_in})
    first = events.audit_log(world, hall.event_id, None)
    second = events.audit_log(world, hall.event_id, first.next)
    assert (len(first.lines), len(second.lines), second.next) == (100, 22, None)
    times = [line.at for line in first.lines + second.lines]
    assert times == sorted(times, reverse=True)


def test_an_event_that_is_not_there(world: TestWorld) -> None:
    for act in (
        lambda: events.read(world, "no-event", OWNER),
        lambda: events.read_public(world, "no-event"),
        lambda: events.audit_log(world, "no-event", None),
        lambda: events.set_ended(world, "no-event", True, "", "account:me", OWNER, a_call()),
    ):
        with pytest.raises(Problem) as refusal:
            act()
        assert refusal.value.code == "event_not_found"


def test_rules_change_after_results_only_when_that_is_confirmed(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    hall.start_round()
    event = hall.owner.get(hall.path()).json

    def save(confirmed: bool, **changes: Any) -> Reply:
        body = {"version": hall.version(), "settings": {**event["settings"], **changes}, "confirmed": confirmed}
        return hall.owner.put(hall.path("/settings"), body)

    points = {**event["settings"]["points"], "win": 3}
    refusal = save(False, points=points)
    assert (refusal.code, refusal.json["field"]) == ("confirmation_needed", "settings.points")
    assert hall.owner.get(hall.path()).json["settings"] == event["settings"]
    assert save(False, minutes_per_round=40).status == 200
    assert save(True, points=points).status == 200
    (line,) = [each for each in audit_entries(hall.event_id) if "points" in (each.details or {}).get("changed", [])]
    assert line.details["round"] == 1


def test_a_clone_takes_the_settings_and_nothing_of_the_old_day(world: TestWorld, account: str) -> None:
    old = create(world, account)
    configure(
        world,
        old,
        rounds=7,
        registration_deadline=world.now() + HOUR,
        registration_closed=True,
        criteria=["level_points", "match_points"],
    )
    new = create(world, account, clone_of=old.event_id)
    assert (new.settings.rounds, new.settings.criteria) == (7, ["level_points", "match_points"])
    assert (new.settings.registration_deadline, new.settings.registration_closed) == (None, False)
    assert new.settings.pairing.seed != old.settings.pairing.seed
