"""Which settings an event can be run with: impossible combinations are refused with the reason and the way out."""

from __future__ import annotations

import msgspec

from chalicelib.rules.criteria import CRITERIA, can_make_score_groups
from chalicelib.rules.kinds import KINDS, Entrants, Kind, Meeting, Scoring
from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem
from chalicelib.services.settings.model import ClubRanking, PairingSettings, Settings


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
