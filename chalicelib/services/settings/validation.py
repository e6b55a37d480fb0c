"""Which settings an event can be run with: impossible combinations are refused with the reason and the way out."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from chalicelib.rules.criteria import CRITERIA, can_make_score_groups
from chalicelib.rules.kinds import KINDS, Kind, Meeting, Scoring
from chalicelib.services.names import comparable
from chalicelib.services.problems import Problem
from chalicelib.services.settings.combinations import check_combinations, inconsistent
from chalicelib.services.settings.model import ClubRanking, PairingSettings, Settings
from chalicelib.services.settings.offers import check_offered

CLUB_LIST_BYTES = 200_000
"""Of the names of all 团体 together in UTF-8: they stand in the event's header, which holds 400 kB with everything."""
BOARDS_PER_ROUND = 8
"""What kinds that are scored by the board begin with."""


def kind_of(code: str) -> Kind:
    """The kind of event with that code. Raises kind_unknown."""
    if code not in KINDS:
        raise Problem("kind_unknown", "kind", kind=code)
    return KINDS[code]


def defaults(name: str, kind: Kind, seed: str) -> Settings:
    """The settings a new event of this kind begins with; ``seed`` decides its lots."""
    by_boards = kind.scoring is not Scoring.LEVELS
    return Settings(
        name=name,
        kind=kind.code.value,
        criteria=list(kind.default_criteria),
        pairing=PairingSettings(seed=seed),
        club_ranking=ClubRanking(on=kind.club_ranking),
        allow_empty_club=not kind.club_ranking,
        boards_per_round=BOARDS_PER_ROUND if by_boards else 0,
    )


def clubs_fit(names: Iterable[str]) -> bool:
    """Whether the names of all 团体 are short enough together to be kept with the event."""
    return sum(len(name.encode()) for name in names) <= CLUB_LIST_BYTES


def validate(settings: Settings, prefix: str = "settings.") -> Settings:
    """The settings, complete, if an event can be run with them. ``prefix``: of a field's path in the request.

    Raises kind_unknown, time_zone_unknown, setting_not_offered, settings_inconsistent: an impossible combination is
    refused when it is saved, with the reason and the way out.
    """
    kind = kind_of(settings.kind)
    if not settings.criteria:
        settings = msgspec.structs.replace(settings, criteria=list(kind.default_criteria))
    check_offered(settings, kind, prefix)
    _check_criteria(settings, kind, f"{prefix}criteria")
    _check_zone(settings.time_zone, f"{prefix}time_zone")
    _check_once(settings.clubs, "团体", "club", f"{prefix}clubs")
    if not clubs_fit(settings.clubs):
        raise inconsistent(
            f"{prefix}clubs",
            ("团体名称合计过长", "the names of the clubs are too long together"),
            ("请减少团体或缩短名称", "Remove some clubs or shorten their names"),
        )
    _check_once([prize.name for prize in settings.prizes], "奖项", "prize", f"{prefix}prizes")
    check_combinations(settings, kind, prefix)
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
            raise inconsistent(
                place,
                (
                    f"排名依据“{CRITERIA[code].chinese}”出现了两次",
                    f"the criterion '{CRITERIA[code].english}' stands there twice",
                ),
                ("请去掉其中一个", "Remove one of them"),
            )
        seen.add(code)
    first = CRITERIA[settings.criteria[0]]
    if _meeting(settings, kind) is Meeting.SWISS and not can_make_score_groups(first.code):
        raise inconsistent(
            f"{field}[0]",
            (
                f"按积分编排时，“{first.chinese}”不能作为第一排名依据",
                f"rounds are drawn by score, and '{first.english}' makes no score groups",
            ),
            (
                "请把可以累加的依据（如场分）排在第一位",
                "Put a criterion that adds up, such as match points, first",
            ),
        )


def _check_zone(zone: str, field: str) -> None:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError) as error:
        # No such zone is a KeyError, a name with a path in it a ValueError, a directory of names an OSError.
        raise Problem("time_zone_unknown", field, zone=zone) from error


def _check_once(names: list[str], chinese: str, english: str, field: str) -> None:
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if first.setdefault(comparable(name), index) != index:
            raise inconsistent(
                f"{field}[{index}]",
                (f"{chinese}“{name}”出现了两次", f"the {english} '{name}' stands there twice"),
                ("请去掉其中一个", "Remove one of them"),
            )


def _meeting(settings: Settings, kind: Kind) -> Meeting:
    if settings.knockout:
        return Meeting.KNOCKOUT
    if kind.chooses_meeting and settings.meets_by == "round_robin":
        return Meeting.ROUND_ROBIN
    return kind.meeting
