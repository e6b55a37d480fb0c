"""VIP levels: quotas that parallel requests cannot exceed, options, 临时VIP, the platform's administrators."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from chalicelib.services import administration, configuring, deletion, events, vip
from chalicelib.services.administration import Standing
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.events import EventView
from chalicelib.store.accounts import Account
from chalicelib.store.audit import entries as audit_entries
from infra.local.engine import Engine
from tests.support.calls import a_call
from tests.support.refusals import refused_as
from tests.support.world import TestWorld

OWNER = frozenset({Role.ACCOUNT, Role.OWNER})
DAY = 86_400_000
FREE = vip.LEVELS[0].events


@pytest.fixture
def account(world: TestWorld) -> str:
    Account("ACCOUNT#me", "PROFILE", account_id="me", phone="13800130001", created_at=world.now()).save()
    return "me"


def create(world: TestWorld, **draft: Any) -> EventView:
    return events.create(world, "me", events.Draft(**{"name": "周三夜赛", "kind": "pairs", **draft}), a_call())


def configure(world: TestWorld, event: EventView, **changes: Any) -> EventView:
    now = events.read(world, event.event_id, OWNER)
    new: Settings = msgspec.structs.replace(now.settings, **changes)
    return configuring.change_settings(world, event.event_id, now.version, new, "account:me", OWNER, a_call())


def owned() -> int:
    return int(Account.get("ACCOUNT#me", "PROFILE", consistent_read=True).events_owned)


def set_level(world: TestWorld, level: int, trial: int | None = None, until: int | None = None) -> None:
    administration.change(world, "me", Standing(level, trial, until, False), "chief", a_call())


def test_the_quota_holds_for_parallel_requests_too(world: TestWorld, account: str, engine: Engine) -> None:
    for _ in range(FREE - 2):
        create(world)

    def one_more(_: int) -> str:
        try:
            create(world)
        except Problem as refusal:
            return refusal.code
        return "created"

    with ThreadPoolExecutor(6) as threads:
        outcomes = list(threads.map(one_more, range(6)))
    assert sorted(outcomes) == ["created"] * 2 + ["event_quota"] * 4
    assert owned() == FREE == len(events.mine(world, "me").events)


def test_test_events_do_not_count_until_they_become_real(world: TestWorld, account: str) -> None:
    trial = create(world, test=True)
    assert owned() == 0
    for _ in range(FREE):
        create(world)
    create(world, test=True)
    assert refused_as("event_quota", configure, world, trial, test=False).words["limit"] == FREE
    first = events.mine(world, "me").events[-1]
    assert first.event_id != trial.event_id or len(events.mine(world, "me").events) == FREE + 2


def test_switching_between_test_and_real_moves_the_count(world: TestWorld, account: str) -> None:
    event = create(world)
    configure(world, event, test=True)
    assert owned() == 0
    configure(world, event, test=False)
    assert owned() == 1


def test_deleting_gives_the_place_back_and_restoring_takes_it(world: TestWorld, account: str) -> None:
    made = [create(world) for _ in range(FREE)]
    refused_as("event_quota", create, world)
    deletion.delete(world, made[0].event_id, "周三夜赛", "account:me", a_call())
    create(world)
    refused_as("event_quota", deletion.restore, world, made[0].event_id, "account:me", a_call())
    set_level(world, 1)
    deletion.restore(world, made[0].event_id, "account:me", a_call())
    assert owned() == FREE + 1


def test_the_higher_of_own_level_and_trial_counts_while_the_trial_lasts(world: TestWorld, account: str) -> None:
    until = world.now() + DAY
    for own, trial, counts, later in ((0, 2, 2, 0), (2, 1, 2, 2), (1, 3, 3, 1)):
        set_level(world, own, trial, until)
        me = Account.get("ACCOUNT#me", "PROFILE", consistent_read=True)
        assert vip.level_of(me, until - 1).number == counts
        assert vip.level_of(me, until).number == later


def test_options_open_with_the_level_and_stay_when_it_goes(world: TestWorld, account: str) -> None:
    event = create(world)
    refusal = refused_as("vip_needed", configure, world, event, no_advertisement=True)
    assert (refusal.field, refusal.words["level"]) == ("settings.no_advertisement", 1)
    set_level(world, 1)
    configure(world, event, no_advertisement=True)
    set_level(world, 0)
    configure(world, event, rounds=7)
    configure(world, event, no_advertisement=False)
    refused_as("vip_needed", configure, world, event, no_advertisement=True)


def test_entries_per_account_are_bounded_by_the_owners_level(world: TestWorld, account: str) -> None:
    event = create(world)
    cap = vip.LEVELS[0].entries_per_account
    configure(world, event, entries_per_account=cap)
    refusal = refused_as("vip_needed", configure, world, event, entries_per_account=cap + 1)
    assert refusal.field == "settings.entries_per_account"
    set_level(world, 1)
    configure(world, event, entries_per_account=cap + 1)


def test_what_an_administrator_does_is_in_the_platforms_log(world: TestWorld, account: str) -> None:
    set_level(world, 1, 2, world.now() + DAY)
    (line,) = [line for line in audit_entries(None) if line.action == "account.manage"]
    assert (line.actor, line.subject) == ("account:chief", "account:me")
    assert line.details["vip_level"] == 1
    assert "13800130001" not in str(line.attribute_values)


def test_nobody_takes_his_own_administration_away(world: TestWorld, account: str) -> None:
    refused_as(
        "administrator_stays", administration.change, world, "me", Standing(0, None, None, False), "me", a_call()
    )


def test_a_trial_needs_an_end_that_is_still_to_come(world: TestWorld, account: str) -> None:
    for level, until in ((1, None), (None, world.now() + DAY), (1, world.now())):
        refused_as("bad_value", set_level, world, 0, level, until)


def test_the_table_names_settings_that_there_are_and_opens_more_with_every_level() -> None:
    assert set(vip.OPTIONS) <= set(Settings.__struct_fields__)
    for lower, higher in itertools.pairwise(vip.LEVELS):
        assert lower.options <= higher.options
        assert (lower.events, lower.entries_per_account) < (higher.events, higher.entries_per_account)
    assert vip.LEVELS[-1].options == set(vip.OPTIONS)


def test_any_setting_of_the_table_can_be_kept_for_a_level(
    world: TestWorld, account: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which level opens what is data: nothing else need change."""
    event = create(world)
    closed = msgspec.structs.replace(vip.LEVELS[0], options=frozenset())
    monkeypatch.setattr(vip, "LEVELS", (closed, *vip.LEVELS[1:]))
    refusal = refused_as("vip_needed", configure, world, event, private=True)
    assert (refusal.field, refusal.words["setting_zh"]) == ("settings.private", "是否私人赛")
    refused_as("vip_needed", create, world, test=True)
    configure(world, event, double_submission=True, rounds=6)  # what an event begins with needs no level
    assert {each.setting for each in vip.of_owner(event.event_id, world.now()).closed} == set(vip.OPTIONS)


def test_the_console_is_told_what_the_owners_level_does_not_open(world: TestWorld, account: str) -> None:
    event = create(world)
    seen = vip.of_owner(event.event_id, world.now())
    assert {(each.setting, each.level) for each in seen.closed} == {("no_advertisement", 1), ("ladders", 1)}
    assert (seen.level, seen.most_entries_per_account) == (0, vip.LEVELS[0].entries_per_account)
    set_level(world, 1)
    assert vip.of_owner(event.event_id, world.now()).closed == []
