"""The settings of an event in words: what pages and the printed rules call them.

Which settings have an effect on a kind stands in its row (``kinds.py``); a test keeps the two in step.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Setting(NamedTuple):
    """One setting: its code, and its name on Chinese and English pages."""

    code: str
    chinese: str
    english: str


_ROWS: Final = (
    Setting("rounds", "比赛总轮数", "Number of rounds"),
    Setting("boards_per_round", "每轮计副数", "Boards per round"),
    Setting("minutes_per_round", "每轮时间（分钟）", "Minutes per round"),
    Setting("stop_drawing_minutes", "几分钟停止抓牌", "No new board in the last minutes"),
    Setting("criteria", "排名依据", "Ranking criteria"),
    Setting("points", "场分设定", "Match points"),
    Setting("bye", "轮空得分", "Score of a bye"),
    Setting("walkover", "对手弃权得分", "Score of a walkover"),
    Setting("absent", "缺席得分", "Score of an absence"),
    Setting("seed", "随机种子", "Random seed"),
    Setting("club_ranking", "开启团体排名", "Club ranking"),
    Setting("ranking_after_submission_only", "仅提交后修改实时排名", "Only submitted results move the live ranking"),
    Setting("double_submission", "需要双提交", "Both sides submit"),
    Setting("knockout", "是否为淘汰赛", "Knock-out"),
    Setting("third_place_match", "三四名决赛", "Third-place match"),
    Setting("failures_at_a", "打A三次不过", "After three failures at A"),
    Setting("method", "编排方法", "Pairing method"),
    Setting("order", "同分对阵次序", "Order within a score group"),
    Setting("first_round", "首轮编排", "First round"),
    Setting("club_rule", "同团体相遇", "Club-mates"),
    Setting("club_until_round", "同团体回避至第几轮", "Club rule up to round"),
    Setting("partners", "搭档方式", "Partners"),
    Setting("cycles", "循环次数", "Cycles"),
    Setting("groups", "分组", "Groups"),
    Setting("match_days", "比赛日", "Match days"),
    Setting("rotation_points", "团团转每副积分", "Points of a board"),
    Setting("duplicate_scale", "是否为5分制（关闭则为6分制）", "Scale of 5 (off: 6)"),
    Setting("presets", "级牌与首领出牌者", "Levels and leaders"),
    Setting("hand_records", "复式派牌", "Hand records"),
    Setting("median_field", "中位数取值范围", "Field of the median"),
    Setting("mitchell_ranking", "南北、东西分别排名", "NS and EW ranked together or apart"),
    Setting("mitchell_movement", "米切尔移位方式", "Mitchell movement"),
    Setting("meets_by", "对阵方式", "How teams meet"),
)

SETTINGS: Final[dict[str, Setting]] = {row.code: row for row in _ROWS}
