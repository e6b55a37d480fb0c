"""Section 4: the kinds as data say what the table of kinds says, and hang together."""

import pytest

from chalicelib.rules.criteria import CRITERIA, HeadToHead, OfOpponents, Summed, can_make_score_groups
from chalicelib.rules.kinds import KINDS, Meeting, kind_of, meeting_of
from chalicelib.rules.model import KindCode
from chalicelib.rules.settings import SETTINGS
from tests.rules.building import document, event

DEFAULTS = {
    "pairs": "场分 级差分 对手场分 升级数",
    "individual": "场分 级差分 对手场分 升级数",
    "round_robin": "场分 级差分 升级数",
    "rotation": "团团转积分 轮高分",
    "open_ended": "升级数 场分 级差分",
    "league": "场分 级差分 升级数",
    "clubs": "场分 级差分 对手场分 升级数",
    "team_of_four": "场分 复式积分 对手场分",
    "mitchell": "科学偏差分 复式积分",
    "swiss_deviation": "科学场分 科学偏差分 复式积分",
}
LEVEL = "场分 胜轮次 级差分 升级数 对手级差分 对手场分 轮高分 相互胜负 两队相互胜负 净级差 抽签"
MITCHELL = "复式积分 科学偏差分 科学场分 中位数偏差分 中位数场分 中位5段场分 轮高分 抽签"
OFFERED = {
    **dict.fromkeys(["pairs", "individual", "round_robin", "open_ended", "league", "clubs"], LEVEL),
    "rotation": "团团转积分 场分 胜轮次 对手场分 轮高分 抽签",
    "team_of_four": "场分 胜轮次 复式积分 对手场分 轮高分 相互胜负 两队相互胜负 抽签",
    "mitchell": MITCHELL,
    "swiss_deviation": MITCHELL + " 场分 胜轮次 对手场分",
}
NAMES = "组队赛 单人赛 循环赛 团团转 超分赛 联赛 团体赛 四人队式开闭室复式赛 米切尔复式赛 瑞士偏差分复式赛"


def words(codes):
    return [CRITERIA[code].chinese for code in codes]


def test_the_ten_kinds():
    assert [kind.chinese for kind in KINDS.values()] == NAMES.split()
    assert set(KINDS) == set(KindCode)


@pytest.mark.parametrize("code", KINDS)
def test_criteria_of_each_kind(code):
    kind = KINDS[code]
    assert words(kind.default_criteria) == DEFAULTS[code].split()
    assert set(words(kind.criteria)) == set(OFFERED[code].split())
    assert len(set(kind.criteria)) == len(kind.criteria)
    assert kind_of(event(document(code, 0))).default_criteria == event(document(code, 0)).criteria


def test_eighteen_criteria_with_words():
    assert len(CRITERIA) == 18
    assert {code for kind in KINDS.values() for code in kind.criteria} == set(CRITERIA)
    for words_of in ([row.chinese for row in CRITERIA.values()], [row.english for row in CRITERIA.values()]):
        assert len(set(words_of)) == len(words_of)


@pytest.mark.parametrize("code", KINDS)
def test_every_criterion_of_a_kind_has_its_measures(code):
    kind = KINDS[code]
    assert kind.round_score in kind.measures
    for criterion in map(CRITERIA.__getitem__, kind.criteria):
        match criterion:
            case Summed():
                assert criterion.code in kind.measures
            case OfOpponents():
                assert criterion.measure in kind.measures
            case HeadToHead():
                assert "match_points" in kind.measures


def test_settings_have_words_and_an_effect_somewhere():
    used = {code for kind in KINDS.values() for code in kind.settings}
    assert used == set(SETTINGS)
    for kind in KINDS.values():
        assert len(set(kind.settings)) == len(kind.settings)
        assert ("knockout" in kind.settings) == kind.knockout
        assert ("method" in kind.settings) == (kind.meeting is Meeting.SWISS)
        assert ("duplicate_scale" in kind.settings) == kind.duplicate


def test_what_a_referee_may_adjust():
    assert KINDS["pairs"].adjustable == ("match_points", "level_points", "upgrades")
    assert KINDS["rotation"].adjustable == ("match_points", "rotation_points")
    assert KINDS["mitchell"].adjustable == ("duplicate_points",)
    assert KINDS["swiss_deviation"].adjustable == ("match_points", "duplicate_points")


def test_how_an_event_meets():
    expected = {
        "pairs": Meeting.SWISS,
        "individual": Meeting.SWISS,
        "round_robin": Meeting.ROUND_ROBIN,
        "rotation": Meeting.ROTATION,
        "open_ended": Meeting.SWISS,
        "league": Meeting.ROUND_ROBIN,
        "clubs": Meeting.SWISS,
        "team_of_four": Meeting.SWISS,
        "mitchell": Meeting.MITCHELL,
        "swiss_deviation": Meeting.SWISS,
    }
    assert {code: meeting_of(event(document(code, 0))) for code in KINDS} == expected
    assert meeting_of(event(document("league", 0, knockout=True))) is Meeting.KNOCKOUT
    assert meeting_of(event(document("team_of_four", 0, meets_by="round_robin"))) is Meeting.ROUND_ROBIN


def test_score_groups_are_made_of_sums():
    assert [code for code in CRITERIA if not can_make_score_groups(code)] == [
        "high_rounds",
        "head_to_head",
        "head_to_head_two",
        "lot",
    ]
