"""What settings an event can be run with, and what is said about the others."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.rules.kinds import KINDS
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, available, defaults, kind_of, validate


def settings(**changes: Any) -> Settings:
    return msgspec.structs.replace(defaults("周三夜赛", kind_of("pairs"), "1"), **changes)


def refused(changed: Settings) -> Problem:
    with pytest.raises(Problem) as refusal:
        validate(changed)
    for language in ("zh", "en"):
        assert "{" not in refusal.value.sentence(language)
    return refusal.value


@pytest.mark.parametrize("code", [code for code, kind in KINDS.items() if available(kind)])
def test_the_defaults_of_a_kind_can_be_run(code: str) -> None:
    kind = KINDS[code]
    made = validate(defaults("甲", kind, "1"))
    assert made.criteria == list(kind.default_criteria)
    assert made.club_ranking.on is kind.club_ranking


def test_fixed_pairs_by_swiss_are_what_this_version_runs() -> None:
    assert [code for code, kind in KINDS.items() if available(kind)] == ["pairs", "clubs"]


@pytest.mark.parametrize("code", [code for code, kind in KINDS.items() if not available(kind)])
def test_a_kind_that_is_not_there_yet_is_refused_by_name(code: str) -> None:
    problem = refused(msgspec.structs.replace(settings(), kind=code))
    assert (problem.code, problem.field) == ("kind_not_available", "settings.kind")
    assert KINDS[code].chinese in problem.sentence("zh")


def test_an_unknown_kind_is_refused() -> None:
    assert refused(settings(kind="chess")).code == "kind_unknown"


@pytest.mark.parametrize(
    ("criteria", "code", "field"),
    [
        (["match_points", "match_points"], "settings_inconsistent", "settings.criteria[1]"),
        (["match_points", "rotation_points"], "setting_not_offered", "settings.criteria[1]"),
        (["nonsense"], "setting_not_offered", "settings.criteria[0]"),
        (["high_rounds", "match_points"], "settings_inconsistent", "settings.criteria[0]"),
        (["lot"], "settings_inconsistent", "settings.criteria[0]"),
        (["head_to_head", "match_points"], "settings_inconsistent", "settings.criteria[0]"),
        (["head_to_head_two", "match_points"], "settings_inconsistent", "settings.criteria[0]"),
    ],
)
def test_criteria_that_cannot_be(criteria: list[str], code: str, field: str) -> None:
    problem = refused(settings(criteria=criteria))
    assert (problem.code, problem.field) == (code, field)


def test_whatever_cannot_stand_first_may_stand_later() -> None:
    validate(settings(criteria=["match_points", "head_to_head", "high_rounds", "lot"]))


def test_no_criterion_at_all_means_the_defaults_of_the_kind() -> None:
    assert validate(settings(criteria=[])).criteria == list(KINDS["pairs"].default_criteria)


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "Europe/Berlin", "UTC"])
def test_zones_of_the_world(zone: str) -> None:
    assert validate(settings(time_zone=zone)).time_zone == zone


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "/etc/passwd", "Asia", "Asia/", "北京"])
def test_zones_of_no_world(zone: str) -> None:
    problem = refused(settings(time_zone=zone))
    assert (problem.code, problem.field) == ("time_zone_unknown", "settings.time_zone")


def test_nobody_can_stop_dealing_before_the_round_begins() -> None:
    problem = refused(settings(minutes_per_round=20, stop_drawing_minutes=20))
    assert (problem.code, problem.field) == ("settings_inconsistent", "settings.stop_drawing_minutes")
    validate(settings(minutes_per_round=20, stop_drawing_minutes=19))


def test_a_club_stands_in_the_list_once() -> None:
    problem = refused(settings(clubs=["市南", "崂山", " 市 南 "]))
    assert (problem.code, problem.field) == ("settings_inconsistent", "settings.clubs[2]")
