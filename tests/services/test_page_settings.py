"""Settings that show on the pages of players: what they see before they have said who they are."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.client import Browser
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def registration(hall: Hall) -> dict[str, Any]:
    page: dict[str, Any] = Browser().get(hall.path("/registration")).json
    return page


def public(hall: Hall) -> dict[str, Any]:
    page: dict[str, Any] = Browser().get(hall.path("/public")).json
    return page


@pytest.mark.parametrize("on", [True, False])
def test_switches_of_the_phone_page(hall: Hall, on: bool) -> None:
    hall.configure(prompt_phone=on, search_by_phone_only=on, sign_in_required=on)
    page = public(hall)
    assert [page[name] for name in ("prompt_phone", "search_by_phone_only", "sign_in_required")] == [on] * 3


def test_a_fee_is_shown_and_free_is_the_default(hall: Hall) -> None:
    assert (registration(hall)["fee"], registration(hall)["extra_fee"]) == (0, 0)
    hall.configure(fees={"entry": 6000, "extra": 550})
    assert (registration(hall)["fee"], registration(hall)["extra_fee"]) == (6000, 550)


def test_texts_stand_on_the_registration_page(hall: Hall) -> None:
    hall.configure(registration_prompt="请带身份证。", consent_text="只用于本次比赛。", rules_text="# 规则")
    page = registration(hall)
    assert (page["prompt"], page["consent"], page["rules_text"]) == ("请带身份证。", "只用于本次比赛。", "# 规则")


def test_how_many_registered_is_said_only_where_it_is_switched_on(hall: Hall) -> None:
    hall.enter(3)
    hall.configure(show_entry_count=True)
    assert registration(hall)["teams"] == 3
    hall.configure(show_entry_count=False)
    assert (registration(hall)["teams"], registration(hall)["waiting"]) == (None, None)


def test_prizes_are_shown_before_anybody_registers(hall: Hall) -> None:
    assert registration(hall)["prizes"] == public(hall)["prizes"] == []
    hall.configure(prizes=[{"name": "一等奖", "count": 1}, {"name": "二等奖", "count": 2}])
    wanted = [{"name": "一等奖", "count": 1}, {"name": "二等奖", "count": 2}]
    assert registration(hall)["prizes"] == public(hall)["prizes"] == wanted
