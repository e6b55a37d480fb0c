"""Settings that are each right and cannot be had together: every refusal says why, and the way out."""

from __future__ import annotations

from chalicelib.rules.kinds import Entrants, Kind
from chalicelib.services.problems import Problem
from chalicelib.services.settings.model import Settings

Words = tuple[str, str]
"""Chinese and English."""


def inconsistent(field: str, why: Words, way_out: Words) -> Problem:
    """The refusal of a combination."""
    return Problem(
        "settings_inconsistent", field, why_zh=why[0], why_en=why[1], way_out_zh=way_out[0], way_out_en=way_out[1]
    )


def check_combinations(settings: Settings, kind: Kind, prefix: str) -> None:
    """Raises settings_inconsistent for the first combination that no event can be run with."""
    if settings.stop_drawing_minutes >= settings.minutes_per_round:
        raise inconsistent(
            f"{prefix}stop_drawing_minutes",
            (
                f"每轮只有 {settings.minutes_per_round} 分钟，却在结束前 {settings.stop_drawing_minutes} 分钟停止抓牌",
                f"a round has {settings.minutes_per_round} minutes and no board may be dealt in the last "
                f"{settings.stop_drawing_minutes}",
            ),
            ("请缩短停止抓牌的时间，或延长每轮时间", "Shorten the time without dealing, or lengthen the round"),
        )
    if not settings.points.win >= settings.points.draw >= settings.points.loss:
        raise inconsistent(
            f"{prefix}points.draw",
            ("场分须胜不低于平、平不低于负", "a win must not earn less than a draw, nor a draw less than a loss"),
            ("请调整胜、平、负的场分", "Change the match points of win, draw and loss"),
        )
    if not kind.scored_by_levels and settings.boards_per_round == 0:
        raise inconsistent(
            f"{prefix}boards_per_round",
            (f"“{kind.chinese}”按副记分，每轮计副数不能为 0", f"'{kind.english}' is scored by boards and has none"),
            ("请填写每轮打几副牌", "Say how many boards a round has"),
        )
    if settings.purge_at is not None and settings.starts_at is not None and settings.purge_at <= settings.starts_at:
        raise inconsistent(
            f"{prefix}purge_at",
            (
                "个人信息清除日期不晚于比赛开始时间，开赛前名单就没有了",
                "personal data would be gone before the event starts",
            ),
            ("请把清除日期改到比赛之后，或留空", "Set the purge date after the event, or leave it empty"),
        )
    if len(set(settings.match_days)) != len(settings.match_days):
        raise inconsistent(
            f"{prefix}match_days",
            ("比赛日里有两个相同的时间", "two match days are at the same time"),
            ("请去掉其中一个", "Remove one of them"),
        )
    if settings.third_place_match and settings.rounds == 1:
        raise inconsistent(
            f"{prefix}third_place_match",
            ("只有一轮的淘汰赛没有三四名决赛", "a knock-out of one round has no third-place match"),
            ("请增加总轮数，或关闭三四名决赛", "Add a round, or switch the third-place match off"),
        )
    if settings.third_place_match and not settings.knockout:
        raise inconsistent(
            f"{prefix}third_place_match",
            ("三四名决赛只有淘汰赛才有", "a third-place match belongs to a knock-out"),
            ("请打开“是否为淘汰赛”，或关闭三四名决赛", "Switch the knock-out on, or the third-place match off"),
        )
    if settings.allow_single and kind.entrants is Entrants.PERSON:
        raise inconsistent(
            f"{prefix}allow_single",
            ("单人赛本来就是单人报名", "an individual event takes single persons anyway"),
            ("请关闭“允许单人报名”", "Switch single registration off"),
        )
    if settings.allow_single and kind.players != (2, 2):
        raise inconsistent(
            f"{prefix}allow_single",
            (
                f"“{kind.chinese}”不是两人一队，单人报名后无法配对",
                f"'{kind.english}' has no teams of two to be matched",
            ),
            ("请关闭“允许单人报名”", "Switch single registration off"),
        )
    if settings.club_ranking.on and kind.club_ranking and settings.allow_empty_club:
        raise inconsistent(
            f"{prefix}allow_empty_club",
            ("团体赛按团体计分，队伍不能没有团体", "an event of clubs ranks clubs, so no entry can be without one"),
            ("请关闭“允许团体为空”，或关闭团体排名", "Demand a club, or switch the club ranking off"),
        )
    if settings.purge_at is not None and settings.starts_at is not None and settings.purge_at <= settings.starts_at:
        raise inconsistent(
            f"{prefix}purge_at",
            ("个人信息在比赛开始以前就会清除", "personal data would go before the event begins"),
            ("请选择比赛以后的日期，或留空", "Choose a date after the event, or none"),
        )
    if settings.test and settings.ladders:
        raise inconsistent(
            f"{prefix}ladders",
            ("测试赛不计天梯分", "a test event never counts for a ladder"),
            ("请关闭天梯，或关闭“是否测试赛”", "Switch the ladders off, or the test event"),
        )
