"""The settings document of an event, in the manual's groups and words.

It is stored as it is and guarded by the event's version. Every field has a default, so that a document written before
a setting existed can still be read.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from chalicelib.services.settings.values import Fen, Half, Line, Milliseconds, Name, Text


class Points(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """场分 of a win, a draw, a loss and a no-show."""

    win: Half = 2
    draw: Half = 1
    loss: Half = 0
    no_show: Half = 0


class Award(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a bye or a walkover earns. ``match_points`` None: a win's; ``board_points`` None: the average, 平均分."""

    match_points: Half | None = None
    level_points: Half = 13
    upgrades: Half = 0
    board_points: Half | None = None


class Absence(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What an entry gets for a round in which it was entered but neither drawn nor given a bye."""

    match_points: Half = 0
    level_points: Half = 0
    upgrades: Half = 0
    board_points: Half = 0


class PairingSettings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How rounds are drawn (rules, section 7)."""

    method: Literal["rank_first", "min_total_gap"] = "rank_first"
    order: Literal["adjacent", "slide", "fold"] = "adjacent"
    first_round: Literal["random", "entry_order", "seeded"] = "random"
    club_rule: Literal["avoid", "never", "ignore"] = "avoid"
    club_until_round: Annotated[int, Meta(ge=1, le=100)] | None = None
    seed: Annotated[str, Meta(min_length=1, max_length=60)] = "0"


class ClubRanking(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """团体排名: on or off, and how many results of each club count (统计前几名)."""

    on: bool = False
    best: Annotated[int, Meta(ge=1, le=1000)] = 4


class Fees(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """收费设置: 报名费 and 附加费 of one team, 0 = free. ``online``: paid when registering, if the deployment can."""

    entry: Fen = 0
    extra: Fen = 0
    online: bool = False


class Prize(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One award (一等奖) and how many entries get it."""

    name: Name
    count: Annotated[int, Meta(ge=1, le=1000)] = 1


class RotationPoints(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """团团转: points of the winners of a board by +3 (双下), +2 and +1."""

    three: Half = 3
    two: Half = 2
    one: Half = 1


class Settings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """All settings of an event. Times in milliseconds since 1970 UTC; ``time_zone`` is an IANA name."""

    name: Name
    kind: str
    starts_at: Milliseconds | None = None
    time_zone: Annotated[str, Meta(max_length=60)] = "Asia/Shanghai"
    # 赛事基础
    rounds: Annotated[int, Meta(ge=1, le=100)] = 5
    boards_per_round: Annotated[int, Meta(ge=0, le=100)] = 0
    minutes_per_round: Annotated[int, Meta(ge=1, le=600)] = 50
    stop_drawing_minutes: Annotated[int, Meta(ge=0, le=120)] = 5
    criteria: Annotated[list[str], Meta(min_length=1, max_length=18)] = []
    points: Points = Points()
    bye: Award = Award()
    walkover: Award = Award(level_points=20)
    absent: Absence = Absence()
    pairing: PairingSettings = PairingSettings()
    partners: Literal["drawn_once", "new_each_round"] = "drawn_once"
    meets_by: Literal["swiss", "round_robin"] = "swiss"
    rotation_points: RotationPoints = RotationPoints()
    failures_at_a: Literal["none", "back_to_2", "lose"] = "back_to_2"
    clubs: Annotated[list[Name], Meta(max_length=2000)] = []
    match_days: Annotated[list[Milliseconds], Meta(max_length=100)] = []
    # 签到/记分设置
    search_by_phone_only: bool = False
    prompt_phone: bool = True
    sign_in_required: bool = False
    score_any_time: bool = False
    # 报名设置
    allow_empty_club: bool = True
    allow_wechat: bool = False
    allow_single: bool = False
    registration_closed: bool = False
    registration_deadline: Milliseconds | None = None
    entries_per_account: Annotated[int, Meta(ge=1, le=1000)] = 4
    capacity: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    # 收费设置
    fees: Fees = Fees()
    # 赛事奖品
    prizes: Annotated[list[Prize], Meta(max_length=30)] = []
    club_ranking: ClubRanking = ClubRanking()
    # VIP 专区
    no_advertisement: bool = False
    private: bool = False
    test: bool = False
    knockout: bool = False
    third_place_match: bool = False
    double_submission: bool = True
    self_forfeit: bool = False
    ranking_after_submission_only: bool = True
    show_own_score: bool = True
    ladders: Annotated[list[Annotated[str, Meta(min_length=1, max_length=30)]], Meta(max_length=20)] = []
    show_entry_count: bool = True
    rotation_rules: bool = False
    # 隐私
    consent_text: Annotated[str, Meta(max_length=4000)] = ""
    purge_at: Milliseconds | None = None
    # 页面文字
    registration_prompt: Annotated[str, Meta(max_length=2000)] = ""
    rules_text: Text = ""
    # 复式设置
    duplicate_scale: Literal[5, 6] = 6
    preset_seed: Line = ""
    mitchell_ranking: Literal["together", "apart"] = "together"
    median_field: Literal["direction", "all"] = "direction"
