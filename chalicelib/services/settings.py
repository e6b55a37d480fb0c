"""An event's settings: one validated document per event, in the manual's groups and words.

The document is stored as it is and guarded by the event's version. What a kind offers, and its defaults, come
from ``rules.kinds``; impossible combinations are refused with the reason and the way out (:func:`validate`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Line = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One line of text, up to 200 characters."""
Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
"""A name: 1 to 60 characters, not blank."""
Text = Annotated[str, Meta(max_length=20_000)]
"""Several lines of text."""
Half = Annotated[float, Meta(ge=-1000, le=1000, multiple_of=0.5)]
"""Points: multiples of a half."""
Milliseconds = Annotated[int, Meta(ge=0, le=4_102_444_800_000)]
"""Since 1970-01-01 UTC, up to the year 2100."""


class Points(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """场分 of a win, a draw, a loss and a no-show."""

    win: Half = 2
    draw: Half = 1
    loss: Half = 0
    no_show: Half = 0


class Award(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a bye or a walkover earns. ``match_points`` None: a win's."""

    match_points: Half | None = None
    level_points: Half = 13
    upgrades: Half = 0


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
    pairing: PairingSettings = PairingSettings()
    clubs: Annotated[list[Name], Meta(max_length=2000)] = []
    # 签到/记分设置
    search_by_phone_only: bool = False
    prompt_phone: bool = True
    score_any_time: bool = False
    # 报名设置
    registration_closed: bool = False
    registration_deadline: Milliseconds | None = None
    # 赛事奖品
    club_ranking: ClubRanking = ClubRanking()
    # VIP 专区
    double_submission: bool = True
    ranking_after_submission_only: bool = True
    show_own_score: bool = True
    rules_text: Text = ""
