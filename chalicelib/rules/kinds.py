"""The ten kinds of event as data (section 4): who enters, how they meet, what is scored, what may rank.

Adding a kind is adding a row to ``KINDS``. Everything that differs between kinds is asked of the row; no other file
compares kind codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from chalicelib.rules.criteria import ADJUSTABLE
from chalicelib.rules.model import Event, KindCode, MeetsBy


class Entrants(StrEnum):
    """Who stands behind one entry number."""

    PAIR = "pair"
    PERSON = "person"
    PAIR_OR_PERSON = "pair_or_person"
    PAIR_OR_TEAM = "pair_or_team"
    TEAM_OF_TWO_PAIRS = "team_of_two_pairs"


class Meeting(StrEnum):
    """How opponents are found."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    ROTATION = "rotation"
    MITCHELL = "mitchell"
    KNOCKOUT = "knockout"


class Scoring(StrEnum):
    """What a table's record is, and which measures come of it."""

    LEVELS = "levels"
    ROTATION_BOARDS = "rotation_boards"
    TEAM_BOARDS = "team_boards"
    PAIR_BOARDS = "pair_boards"


MEASURES: Final[dict[Scoring, tuple[str, ...]]] = {
    Scoring.LEVELS: ("match_points", "rounds_won", "level_points", "upgrades", "net_levels"),
    Scoring.ROTATION_BOARDS: ("match_points", "rounds_won", "rotation_points"),
    Scoring.TEAM_BOARDS: ("match_points", "rounds_won", "duplicate_points"),
    Scoring.PAIR_BOARDS: (
        "match_points",
        "rounds_won",
        "duplicate_points",
        "datum_deviation",
        "datum_match_points",
        "median_deviation",
        "median_match_points",
        "median_band_points",
    ),
}
"""The numbers every round gives, in the order in which a round's score holds them."""

ROUND_SCORE: Final[dict[Scoring, str]] = {
    Scoring.LEVELS: "level_points",
    Scoring.ROTATION_BOARDS: "rotation_points",
    Scoring.TEAM_BOARDS: "duplicate_points",
    Scoring.PAIR_BOARDS: "duplicate_points",
}
"""The measure that 轮高分 lists."""

LEVEL_CRITERIA: Final = (
    "match_points",
    "rounds_won",
    "level_points",
    "upgrades",
    "opponents_level_points",
    "opponents_match_points",
    "high_rounds",
    "head_to_head",
    "head_to_head_two",
    "net_levels",
    "lot",
)
ROTATION_CRITERIA: Final = (
    "rotation_points",
    "match_points",
    "rounds_won",
    "opponents_match_points",
    "high_rounds",
    "lot",
)
TEAM_CRITERIA: Final = (
    "match_points",
    "rounds_won",
    "duplicate_points",
    "opponents_match_points",
    "high_rounds",
    "head_to_head",
    "head_to_head_two",
    "lot",
)
MITCHELL_CRITERIA: Final = (
    "duplicate_points",
    "datum_deviation",
    "datum_match_points",
    "median_deviation",
    "median_match_points",
    "median_band_points",
    "high_rounds",
    "lot",
)
SWISS_DEVIATION_CRITERIA: Final = (*MITCHELL_CRITERIA, "match_points", "rounds_won", "opponents_match_points")

_COMMON: Final = (
    "rounds",
    "criteria",
    "points",
    "bye",
    "walkover",
    "absent",
    "seed",
    "club_ranking",
    "boards_per_round",
    "minutes_per_round",
    "stop_drawing_minutes",
    "ranking_after_submission_only",
    "double_submission",
)
_LEVELS: Final = ("knockout", "third_place_match", "failures_at_a")
_SWISS: Final = ("method", "order", "first_round", "club_rule", "club_until_round")
_CYCLES: Final = ("cycles", "groups")
_DUPLICATE: Final = ("duplicate_scale", "presets", "hand_records")
_FIELDS: Final = ("median_field",)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of event.

    ``criteria`` are those it offers, ``default_criteria`` those it begins with; ``settings`` are the codes of
    ``settings.SETTINGS`` that have an effect on it and are therefore shown. ``players`` is the least and the greatest
    number of names an entry usually has (what the forms offer, not a rule for documents).
    """

    code: KindCode
    chinese: str
    english: str
    entrants: Entrants
    players: tuple[int, int]
    meeting: Meeting
    scoring: Scoring
    criteria: tuple[str, ...]
    default_criteria: tuple[str, ...]
    settings: tuple[str, ...]
    knockout: bool = False
    sit_outs: bool = False
    chooses_meeting: bool = False
    laps: bool = False
    club_ranking: bool = False

    @property
    def measures(self) -> tuple[str, ...]:
        """The numbers one round gives to one entry."""
        return MEASURES[self.scoring]

    @property
    def round_score(self) -> str:
        """The measure that 轮高分 lists."""
        return ROUND_SCORE[self.scoring]

    @property
    def scored_by_levels(self) -> bool:
        """True when a played table needs levels, False when it needs boards."""
        return self.scoring is Scoring.LEVELS

    @property
    def duplicate(self) -> bool:
        """True when the same boards are played at several tables (复式)."""
        return self.scoring in (Scoring.TEAM_BOARDS, Scoring.PAIR_BOARDS)

    @property
    def adjustable(self) -> tuple[str, ...]:
        """The criteria a referee may adjust in this kind."""
        return tuple(code for code in ADJUSTABLE if code in self.criteria)


_LEVEL_DEFAULT: Final = ("match_points", "level_points", "opponents_match_points", "upgrades")
_CYCLE_DEFAULT: Final = ("match_points", "level_points", "upgrades")

_ROWS: Final = (
    Kind(
        KindCode.PAIRS,
        "组队赛",
        "Pairs",
        Entrants.PAIR,
        (2, 2),
        Meeting.SWISS,
        Scoring.LEVELS,
        LEVEL_CRITERIA,
        _LEVEL_DEFAULT,
        (*_COMMON, *_LEVELS, *_SWISS),
        knockout=True,
    ),
    Kind(
        KindCode.INDIVIDUAL,
        "单人赛",
        "Individual",
        Entrants.PERSON,
        (1, 1),
        Meeting.SWISS,
        Scoring.LEVELS,
        LEVEL_CRITERIA,
        _LEVEL_DEFAULT,
        (*_COMMON, *_LEVELS, *_SWISS, "partners"),
        knockout=True,
    ),
    Kind(
        KindCode.ROUND_ROBIN,
        "循环赛",
        "Round robin",
        Entrants.PAIR,
        (2, 2),
        Meeting.ROUND_ROBIN,
        Scoring.LEVELS,
        LEVEL_CRITERIA,
        _CYCLE_DEFAULT,
        (*_COMMON, *_LEVELS, *_CYCLES),
        knockout=True,
    ),
    Kind(
        KindCode.ROTATION,
        "团团转",
        "Rotation",
        Entrants.PAIR_OR_PERSON,
        (1, 2),
        Meeting.ROTATION,
        Scoring.ROTATION_BOARDS,
        ROTATION_CRITERIA,
        ("rotation_points", "high_rounds"),
        (*_COMMON, "rotation_points"),
        sit_outs=True,
    ),
    Kind(
        KindCode.OPEN_ENDED,
        "超分赛",
        "Open-ended",
        Entrants.PAIR,
        (2, 2),
        Meeting.SWISS,
        Scoring.LEVELS,
        LEVEL_CRITERIA,
        ("upgrades", "match_points", "level_points"),
        (*_COMMON, *_LEVELS, *_SWISS),
        knockout=True,
        laps=True,
    ),
    Kind(
        KindCode.LEAGUE,
        "联赛",
        "League",
        Entrants.PAIR_OR_TEAM,
        (2, 8),
        Meeting.ROUND_ROBIN,
        Scoring.LEVELS,
        LEVEL_CRITERIA,
        _CYCLE_DEFAULT,
        (*_COMMON, *_LEVELS, *_CYCLES, "match_days"),
        knockout=True,
    ),
    Kind(
        KindCode.CLUBS,
        "团体赛",
        "Clubs",
        Entrants.PAIR,
        (2, 2),
        Meeting.SWISS,
        Scoring.LEVELS,
        LEVEL_CRITERIA,
        _LEVEL_DEFAULT,
        (*_COMMON, *_LEVELS, *_SWISS),
        knockout=True,
        club_ranking=True,
    ),
    Kind(
        KindCode.TEAM_OF_FOUR,
        "四人队式开闭室复式赛",
        "Teams of four",
        Entrants.TEAM_OF_TWO_PAIRS,
        (4, 8),
        Meeting.SWISS,
        Scoring.TEAM_BOARDS,
        TEAM_CRITERIA,
        ("match_points", "duplicate_points", "opponents_match_points"),
        (*_COMMON, *_SWISS, *_CYCLES, *_DUPLICATE, "meets_by"),
        chooses_meeting=True,
    ),
    Kind(
        KindCode.MITCHELL,
        "米切尔复式赛",
        "Mitchell duplicate",
        Entrants.PAIR,
        (2, 2),
        Meeting.MITCHELL,
        Scoring.PAIR_BOARDS,
        MITCHELL_CRITERIA,
        ("datum_deviation", "duplicate_points"),
        (*_COMMON, *_DUPLICATE, *_FIELDS, "mitchell_ranking", "mitchell_movement"),
        sit_outs=True,
    ),
    Kind(
        KindCode.SWISS_DEVIATION,
        "瑞士偏差分复式赛",
        "Swiss deviation duplicate",
        Entrants.PAIR,
        (2, 2),
        Meeting.SWISS,
        Scoring.PAIR_BOARDS,
        SWISS_DEVIATION_CRITERIA,
        ("datum_match_points", "datum_deviation", "duplicate_points"),
        (*_COMMON, *_SWISS, *_DUPLICATE, *_FIELDS),
    ),
)

KINDS: Final[dict[str, Kind]] = {row.code.value: row for row in _ROWS}


def kind_of(event: Event) -> Kind:
    """The row of the event's kind."""
    return KINDS[event.kind]


def meeting_of(event: Event) -> Meeting:
    """How this event finds opponents: a knock-out is drawn as a bracket, teams of four may meet in a round robin."""
    kind = kind_of(event)
    if event.knockout:
        return Meeting.KNOCKOUT
    if kind.chooses_meeting and event.meets_by is MeetsBy.ROUND_ROBIN:
        return Meeting.ROUND_ROBIN
    return kind.meeting
