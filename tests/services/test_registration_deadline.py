"""The deadline of registration: a minute of the event's zone, included to its last second, for every way in and out."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from chalicelib.services.registration import own, partners
from chalicelib.services.registration.forms import RegistrationForm
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.views.registration import RegistrationView
from tests.services.test_registration import pair, refused, register, seen, single
from tests.support.calls import a_call
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


@pytest.fixture(params=["UTC", "America/Los_Angeles", "Asia/Shanghai", "Pacific/Auckland"])
def server_zone(request: pytest.FixtureRequest) -> Iterator[str]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def test_the_minute_of_the_deadline_is_included_to_its_last_second(
    hall: Hall, world: TestWorld, server_zone: str
) -> None:
    deadline = at("2026-10-01T15:59:00")  # 23:59 in Shanghai
    hall.configure(registration_deadline=deadline, time_zone="Asia/Shanghai")
    world.time.now = at("2026-10-01T15:59:59")
    assert register(hall, pair(100)).state == "in"
    world.time.now = at("2026-10-01T15:59:59") + 999
    assert (seen(hall).open, seen(hall).closes_at) == (True, at("2026-10-01T16:00:00"))
    world.time.now = at("2026-10-01T16:00:00")
    assert refused(register, hall, pair(200)).code == "registration_closed"
    assert refused(own.withdraw, world, hall.event_id, ["browser:a"], 1, a_call()).code == "registration_closed"
    assert (seen(hall).open, seen(hall).closed_because) == (False, "deadline")


def test_the_deadline_holds_for_every_way_in_and_out(hall: Hall, world: TestWorld) -> None:
    hall.configure(allow_single=True, registration_deadline=at("2026-10-01T15:59:00"), time_zone="America/New_York")
    world.time.now = at("2026-10-01T15:59:59") + 998
    one, two = register(hall, single(100, "invited")), register(hall, single(101, "invited"))
    tokens = [str(each.invitation).partition("#")[2] for each in (one, two)]
    pair_in = register(hall, pair(200), "browser:b")

    def join(token: str, number: int) -> RegistrationView:
        partner = PlayerView(f"选手{number}", phone(number))
        return partners.join(world, hall.event_id, f"browser:{number}", token, partner, a_call())

    def change(version: int) -> RegistrationView:
        form = RegistrationForm([PlayerView("选手200", ""), PlayerView("选手201", "")], name=f"第{version}次")
        return own.change(world, hall.event_id, ["browser:b"], pair_in.number, form, version, a_call())

    assert join(tokens[0], 300).state == "in"
    assert change(1).version == 2
    assert partners.invitation(world, hall.event_id, tokens[1]).open
    world.time.now += 2
    assert world.time.now == at("2026-10-01T16:00:00")
    assert refused(join, tokens[1], 301).code == "registration_closed"
    assert refused(change, 2).code == "registration_closed"
    assert not partners.invitation(world, hall.event_id, tokens[1]).open
    assert seen(hall, "browser:b").mine[0].name == "第1次"
