"""An event's settings: one validated document per event, in the manual's groups and words.

The document is stored as it is and guarded by the event's version. What a kind offers, and its defaults, come
from ``rules.kinds``; impossible combinations are refused with the reason and the way out (:func:`validate`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from chalicelib.rules.criteria import CRITERIA, can_make_score_groups
from chalicelib.rules.kinds import KINDS, Entrants, Kind, Meeting, Scoring
from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem

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
Version = Annotated[int, Meta(ge=1, le=1_000_000_000)]
"""The version of something as its reader saw it."""
VersionOrZero = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""The same; 0 for something that was not there yet."""


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


def kind_of(code: str) -> Kind:
    """The kind of event with that code. Raises kind_unknown."""
    if code not in KINDS:
        raise Problem("kind_unknown", "kind", kind=code)
    return KINDS[code]


def available(kind: Kind) -> bool:
    """Whether this version can run the kind from drawing to scoring: fixed pairs, Swiss, scored by levels up to A+."""
    return (
        kind.entrants is Entrants.PAIR
        and kind.meeting is Meeting.SWISS
        and kind.scoring is Scoring.LEVELS
        and not kind.laps
    )


def defaults(name: str, kind: Kind, seed: str) -> Settings:
    """The settings a new event of this kind begins with; ``seed`` decides its lots."""
    return Settings(
        name=name,
        kind=kind.code.value,
        criteria=list(kind.default_criteria),
        pairing=PairingSettings(seed=seed),
        club_ranking=ClubRanking(on=kind.club_ranking),
    )


def validate(settings: Settings, prefix: str = "settings.") -> Settings:
    """The settings, complete, if an event can be run with them. ``prefix``: of a field's path in the request.

    Raises kind_unknown, kind_not_available, time_zone_unknown, setting_not_offered, settings_inconsistent: an
    impossible combination is refused when it is saved, with the reason and the way out.
    """
    kind = kind_of(settings.kind)
    if not available(kind):
        raise Problem("kind_not_available", f"{prefix}kind", kind_zh=kind.chinese, kind_en=kind.english)
    if not settings.criteria:
        settings = msgspec.structs.replace(settings, criteria=list(kind.default_criteria))
    _check_criteria(settings, kind, f"{prefix}criteria")
    _check_zone(settings.time_zone, f"{prefix}time_zone")
    _check_clubs(settings.clubs, f"{prefix}clubs")
    if settings.stop_drawing_minutes >= settings.minutes_per_round:
        raise Problem(
            "settings_inconsistent",
            f"{prefix}stop_drawing_minutes",
            why_zh=f"每轮只有 {settings.minutes_per_round} 分钟，"
            f"却在结束前 {settings.stop_drawing_minutes} 分钟停止抓牌",
            why_en=f"a round has {settings.minutes_per_round} minutes and no board may be dealt in the last "
            f"{settings.stop_drawing_minutes}",
            way_out_zh="请缩短停止抓牌的时间，或延长每轮时间",
            way_out_en="Shorten the time without dealing, or lengthen the round",
        )
    return settings


def _check_criteria(settings: Settings, kind: Kind, field: str) -> None:
    seen: set[str] = set()
    for index, code in enumerate(settings.criteria):
        place = f"{field}[{index}]"
        if code not in kind.criteria:
            known = CRITERIA.get(code)
            raise Problem(
                "setting_not_offered",
                place,
                kind_zh=kind.chinese,
                kind_en=kind.english,
                setting_zh=known.chinese if known else code,
                setting_en=known.english if known else code,
            )
        if code in seen:
            raise Problem(
                "settings_inconsistent",
                place,
                why_zh=f"排名依据“{CRITERIA[code].chinese}”出现了两次",
                why_en=f"the criterion '{CRITERIA[code].english}' stands there twice",
                way_out_zh="请去掉其中一个",
                way_out_en="Remove one of them",
            )
        seen.add(code)
    first = CRITERIA[settings.criteria[0]]
    if kind.meeting is Meeting.SWISS and not can_make_score_groups(first.code):
        raise Problem(
            "settings_inconsistent",
            f"{field}[0]",
            why_zh=f"按积分编排时，“{first.chinese}”不能作为第一排名依据",
            why_en=f"rounds are drawn by score, and '{first.english}' makes no score groups",
            way_out_zh="请把可以累加的依据（如场分）排在第一位",
            way_out_en="Put a criterion that adds up, such as match points, first",
        )


def _check_zone(zone: str, field: str) -> None:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError) as error:
        # No such zone is a KeyError, a name with a path in it a ValueError, a directory of names an OSError.
        raise Problem("time_zone_unknown", field, zone=zone) from error


def _check_clubs(clubs: list[str], field: str) -> None:
    first: dict[str, int] = {}
    for index, club in enumerate(clubs):
        if first.setdefault(comparable(club), index) != index:
            raise Problem(
                "settings_inconsistent",
                f"{field}[{index}]",
                why_zh=f"团体“{club}”出现了两次",
                why_en=f"the club '{club}' stands there twice",
                way_out_zh="请去掉其中一个",
                way_out_en="Remove one of them",
            )
