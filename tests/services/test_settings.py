"""What settings an event can be run with, and what is said about the others."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chalicelib.rules.kinds import KINDS
from chalicelib.services.documents import model_of
from chalicelib.services.problems import Problem
from chalicelib.services.settings import (
    Absence,
    Award,
    Points,
    Prize,
    RotationPoints,
    Settings,
    defaults,
    kind_of,
    validate,
)
from chalicelib.services.settings.from_document import settings_from


def settings(**changes: Any) -> Settings:
    return msgspec.structs.replace(defaults("周三夜赛", kind_of("pairs"), "1"), **changes)


def refused(changed: Settings) -> Problem:
    with pytest.raises(Problem) as refusal:
        validate(changed)
    for language in ("zh", "en"):
        assert "{" not in refusal.value.sentence(language)
    return refusal.value


@pytest.mark.parametrize("code", KINDS)
def test_the_defaults_of_a_kind_can_be_saved(code: str) -> None:
    kind = KINDS[code]
    made = validate(defaults("甲", kind, "1"))
    assert made.criteria == list(kind.default_criteria)
    assert made.club_ranking.on is kind.club_ranking


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


def of_kind(code: str, **changes: Any) -> Settings:
    return msgspec.structs.replace(defaults("周三夜赛", kind_of(code), "1"), **changes)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        (settings(points=Points(win=1, draw=2)), "points.draw"),
        (settings(points=Points(draw=0, loss=1)), "points.draw"),
        (of_kind("mitchell", boards_per_round=0), "boards_per_round"),
        (of_kind("rotation", boards_per_round=0), "boards_per_round"),
        (settings(third_place_match=True), "third_place_match"),
        (of_kind("individual", allow_single=True), "allow_single"),
        (of_kind("clubs", allow_empty_club=True), "allow_empty_club"),
        (settings(test=True, ladders=["platform"]), "ladders"),
        (settings(prizes=[Prize("一等奖"), Prize(" 一等奖 ")]), "prizes[1]"),
    ],
)
def test_what_cannot_be_had_together_is_refused_with_the_way_out(changed: Settings, field: str) -> None:
    problem = refused(changed)
    assert (problem.code, problem.field) == ("settings_inconsistent", f"settings.{field}")
    assert problem.words["way_out_zh"] in problem.sentence("zh")
    assert problem.words["way_out_en"] in problem.sentence("en")


@pytest.mark.parametrize(
    ("code", "field", "value"),
    [
        ("mitchell", "knockout", True),
        ("pairs", "partners", "new_each_round"),
        ("pairs", "meets_by", "round_robin"),
        ("pairs", "duplicate_scale", 5),
        ("team_of_four", "median_field", "all"),
        ("swiss_deviation", "mitchell_ranking", "apart"),
        ("pairs", "rotation_rules", True),
        ("pairs", "preset_seed", "1"),
        ("mitchell", "failures_at_a", "lose"),
    ],
)
def test_a_kind_is_not_given_what_would_never_act_on_it(code: str, field: str, value: Any) -> None:
    problem = refused(of_kind(code, **{field: value}))
    assert (problem.code, problem.field) == ("setting_not_offered", f"settings.{field}")


def test_the_same_settings_are_taken_where_they_act() -> None:
    validate(settings(knockout=True, third_place_match=True, failures_at_a="lose"))
    validate(of_kind("individual", partners="new_each_round"))
    validate(of_kind("team_of_four", meets_by="round_robin", criteria=["lot", "match_points"], duplicate_scale=5))
    validate(of_kind("mitchell", mitchell_ranking="apart", median_field="all"))
    validate(of_kind("round_robin", criteria=["head_to_head", "match_points"]))


def test_every_field_reaches_the_rules_and_comes_back_from_them() -> None:
    """What is stored, what ranks, and what a document brings back are one thing, for every kind."""
    for code, kind in KINDS.items():
        own = {
            "knockout": {"knockout": True, "third_place_match": True},
            "partners": {"partners": "new_each_round"},
            "meets_by": {"meets_by": "round_robin"},
            "rotation_points": {"rotation_points": RotationPoints(5, 3, 1.5)},
            "duplicate_scale": {"duplicate_scale": 5},
            "median_field": {"median_field": "all"},
            "mitchell_ranking": {"mitchell_ranking": "apart"},
        }
        changes: dict[str, Any] = {
            "points": Points(3, 1, 0.5, -1),
            "bye": Award(1.5, 12, 2, 0.5),
            "walkover": Award(2.5, 19, 1, 1.5),
            "absent": Absence(0.5, 1, 2, 3),
        }
        for setting in own:
            if setting in kind.settings:
                changes |= own[setting]
        given = validate(of_kind(code, **changes))
        event = model_of(given, (), ())
        back = settings_from(event)
        assert {name: getattr(back, name) for name in changes} == changes
        assert model_of(back, (), ()) == event


@pytest.mark.parametrize(
    ("code", "field", "changes"),
    [
        ("pairs", "purge_at", {"starts_at": 2_000, "purge_at": 2_000}),
        ("pairs", "third_place_match", {"knockout": True, "third_place_match": True, "rounds": 1}),
        ("pairs", "third_place_match", {"third_place_match": True}),
        ("team_of_four", "allow_single", {"allow_single": True}),
        ("individual", "allow_single", {"allow_single": True}),
        ("league", "match_days", {"match_days": [5, 9, 5]}),
        ("league", "stop_drawing_minutes", {"minutes_per_round": 20, "stop_drawing_minutes": 20}),
    ],
)
def test_a_kind_refuses_what_cannot_be_had_together(code: str, field: str, changes: dict[str, Any]) -> None:
    problem = refused(of_kind(code, **changes))
    assert (problem.code, problem.field) == ("settings_inconsistent", f"settings.{field}")
    assert problem.words["way_out_zh"]
    assert problem.words["way_out_en"]


def test_neighbours_of_what_is_refused_are_taken() -> None:
    validate(settings(starts_at=2_000, purge_at=2_001))
    validate(settings(purge_at=2_000))
    validate(settings(knockout=True, third_place_match=True, rounds=2))
    validate(settings(allow_single=True))
    validate(of_kind("league", match_days=[5, 9]))
