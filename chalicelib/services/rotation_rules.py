"""团团转规则: the built-in text of the rotation's rules, written from the event's own settings, in both languages."""

from __future__ import annotations

from chalicelib.services.settings import Settings


def text_of(settings: Settings) -> str:
    """Headings begin with ``#``, every other line is a paragraph, as in 规则文书."""
    points = settings.rotation_points
    three, two, one = (f"{value:g}" for value in (points.three, points.two, points.one))
    lines = (
        "# 团团转规则",
        f"共 {settings.rounds} 轮，每轮 {settings.boards_per_round} 副，每轮 {settings.minutes_per_round} 分钟；"
        f"剩余 {settings.stop_drawing_minutes} 分钟时停止抓牌。",
        "每轮按编排换桌、换对手；每副牌独立计分，不累计级数。",
        f"一副牌赢三级得 {three} 分，赢两级得 {two} 分，赢一级得 {one} 分；负方不得分。",
        "名次按各轮团团转积分之和排列，相同时依次比较其他排名依据。",
        "# Rules of the rotation",
        f"{settings.rounds} rounds of {settings.boards_per_round} boards, {settings.minutes_per_round} minutes each; "
        f"no new board in the last {settings.stop_drawing_minutes} minutes.",
        "Tables and opponents change every round as drawn. Every board counts by itself; levels do not add up.",
        f"Winning a board by three levels earns {three}, by two {two}, by one {one} points; the losers earn none.",
        "Ranks follow the sum of these points over all rounds, then the event's other criteria.",
    )
    return "\n".join(lines)


def rules_of(settings: Settings) -> str:
    """规则文书 as it is shown: the built-in text first where it is switched on."""
    if not settings.rotation_rules:
        return settings.rules_text
    return "\n".join(part for part in (text_of(settings), settings.rules_text) if part)
