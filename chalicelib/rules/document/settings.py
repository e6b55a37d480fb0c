"""The ``event`` object of a document: the settings, each with its kind's default (``rules.md``, ``event-json.md``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from chalicelib.rules.criteria import CRITERIA, can_make_score_groups
from chalicelib.rules.document.reader import Reader
from chalicelib.rules.faults import FaultCode, Path
from chalicelib.rules.kinds import KINDS, Kind, Meeting, meeting_of
from chalicelib.rules.model import (
    DEFAULT_ABSENT,
    DEFAULT_BYE,
    DEFAULT_WALKOVER,
    PAR,
    BoardPoints,
    CandidateOrder,
    ClubRanking,
    ClubRule,
    Event,
    FirstRound,
    KindCode,
    MatchPoints,
    MedianField,
    MeetsBy,
    MitchellRanking,
    PairingMethod,
    PairingSettings,
    Partners,
    Unearned,
)

PATH: Final[Path] = ("event",)
MOST_ROUNDS: Final = 100
EVENT_FIELDS: Final = frozenset(
    [
        "name",
        "kind",
        "knockout",
        "rounds",
        "time_zone",
        "criteria",
        "points",
        "bye",
        "walkover",
        "absent",
        "pairing",
        "partners",
        "meets_by",
        "duplicate_scale",
        "rotation_points",
        "mitchell_ranking",
        "median_field",
        "club_ranking",
        "third_place_match",
    ]
)
POINTS_FIELDS: Final = frozenset({"win", "draw", "loss", "no_show"})
UNEARNED_FIELDS: Final = frozenset({"match_points", "level_points", "upgrades", "board_points"})
PAIRING_FIELDS: Final = frozenset({"method", "order", "first_round", "club_rule", "club_until_round", "seed"})
CLUB_RANKING_FIELDS: Final = frozenset({"on", "best"})
DEFAULT_ROTATION_POINTS: Final = (Fraction(3), Fraction(2), Fraction(1))
DUPLICATE_SCALES: Final = (6, 5)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings read: an event without entries and rounds; ``kind`` is None when the document names no kind."""

    kind: Kind | None
    event: Event


def read_settings(reader: Reader, top: Mapping[str, Any]) -> Settings:
    """Read the ``event`` object of the document ``top``; faults go to the reader, wrong values become defaults."""
    fields: Mapping[str, Any] = {}
    if reader.required(top, "event", ()):
        found = reader.fields(top["event"], PATH, EVENT_FIELDS)
        if found is None:
            return Settings(None, Event("", KindCode.PAIRS, 1, ()))
        fields = found
        for name in ("name", "kind", "rounds"):
            reader.required(fields, name, PATH)
    code = reader.chosen(fields["kind"], (*PATH, "kind"), KindCode) if "kind" in fields else None
    kind = KINDS[code or KindCode.PAIRS]
    rounds = reader.whole(fields["rounds"], (*PATH, "rounds"), 1, MOST_ROUNDS) if "rounds" in fields else 1
    points = _points(reader, fields)
    event = Event(
        name=reader.text(fields, "name", PATH),
        kind=kind.code,
        rounds=rounds or 1,
        criteria=_criteria(reader, fields, kind, judge=code is not None),
        knockout=reader.switch(fields, "knockout", PATH),
        third_place_match=reader.switch(fields, "third_place_match", PATH),
        time_zone=reader.text(fields, "time_zone", PATH, "Asia/Shanghai"),
        points=points,
        bye=_unearned(reader, fields, "bye", DEFAULT_BYE, points.win),
        walkover=_unearned(reader, fields, "walkover", DEFAULT_WALKOVER, points.win),
        absent=_unearned(reader, fields, "absent", DEFAULT_ABSENT, Fraction(0)),
        pairing=_pairing(reader, fields),
        partners=reader.choice(fields, "partners", PATH, Partners, Partners.DRAWN_ONCE),
        meets_by=reader.choice(fields, "meets_by", PATH, MeetsBy, MeetsBy.SWISS),
        duplicate_scale=_duplicate_scale(reader, fields),
        rotation_points=_rotation_points(reader, fields),
        mitchell_ranking=reader.choice(fields, "mitchell_ranking", PATH, MitchellRanking, MitchellRanking.TOGETHER),
        median_field=reader.choice(fields, "median_field", PATH, MedianField, MedianField.DIRECTION),
        club_ranking=_club_ranking(reader, fields, kind),
    )
    if code is None:
        return Settings(None, event)
    _judge_against_kind(reader, fields, event, kind)
    return Settings(kind, event)


def _criteria(reader: Reader, fields: Mapping[str, Any], kind: Kind, *, judge: bool) -> tuple[str, ...]:
    if "criteria" not in fields:
        return kind.default_criteria
    path = (*PATH, "criteria")
    value = fields["criteria"]
    if isinstance(value, list) and not value:
        reader.fault(path, FaultCode.OUT_OF_RANGE, "at least one criterion must be chosen")
    chosen: list[str] = []
    for position, code in enumerate(reader.array(fields, "criteria", PATH)):
        here = (*path, position)
        if not isinstance(code, str):
            reader.fault(here, FaultCode.WRONG_TYPE, "must be text")
        elif code not in CRITERIA:
            reader.fault(here, FaultCode.OUT_OF_RANGE, "there is no such criterion")
        elif code in chosen:
            reader.fault(here, FaultCode.DUPLICATE, "this criterion is chosen twice")
        elif judge and code not in kind.criteria:
            reader.fault(here, FaultCode.NOT_OFFERED, f"{kind.english} events do not offer this criterion")
        else:
            chosen.append(code)
    return tuple(chosen) or kind.default_criteria


def _points(reader: Reader, fields: Mapping[str, Any]) -> MatchPoints:
    path = (*PATH, "points")
    given = reader.fields(fields.get("points", {}), path, POINTS_FIELDS) or {}
    default = MatchPoints()
    return MatchPoints(
        reader.number(given, "win", path, default.win),
        reader.number(given, "draw", path, default.draw),
        reader.number(given, "loss", path, default.loss),
        reader.number(given, "no_show", path, default.no_show),
    )


def _unearned(
    reader: Reader, fields: Mapping[str, Any], name: str, default: Unearned, match_points: Fraction
) -> Unearned:
    path = (*PATH, name)
    given = reader.fields(fields.get(name, {}), path, UNEARNED_FIELDS) or {}
    board_points: BoardPoints = default.board_points
    if "board_points" in given:
        stated = given["board_points"]
        here = (*path, "board_points")
        if stated == PAR:
            board_points = PAR
        elif isinstance(stated, str):
            reader.fault(here, FaultCode.OUT_OF_RANGE, f'must be a number or "{PAR}"')
        else:
            amount = reader.amount(stated, here)
            board_points = board_points if amount is None else amount
    return Unearned(
        reader.number(given, "match_points", path, match_points),
        reader.number(given, "level_points", path, default.level_points),
        reader.number(given, "upgrades", path, default.upgrades),
        board_points,
    )


def _pairing(reader: Reader, fields: Mapping[str, Any]) -> PairingSettings:
    path = (*PATH, "pairing")
    given = reader.fields(fields.get("pairing", {}), path, PAIRING_FIELDS) or {}
    default = PairingSettings()
    return PairingSettings(
        reader.choice(given, "method", path, PairingMethod, default.method),
        reader.choice(given, "order", path, CandidateOrder, default.order),
        reader.choice(given, "first_round", path, FirstRound, default.first_round),
        reader.choice(given, "club_rule", path, ClubRule, default.club_rule),
        reader.optional_integer(given, "club_until_round", path),
        reader.text(given, "seed", path, default.seed),
    )


def _duplicate_scale(reader: Reader, fields: Mapping[str, Any]) -> int:
    path = (*PATH, "duplicate_scale")
    default = DUPLICATE_SCALES[0]
    value = fields.get("duplicate_scale", default)
    if type(value) is not int:
        reader.fault(path, FaultCode.WRONG_TYPE, "must be an integer")
    elif value not in DUPLICATE_SCALES:
        reader.fault(path, FaultCode.OUT_OF_RANGE, "must be 5 or 6")
    else:
        return value
    return default


def _rotation_points(reader: Reader, fields: Mapping[str, Any]) -> tuple[Fraction, Fraction, Fraction]:
    path = (*PATH, "rotation_points")
    if "rotation_points" not in fields:
        return DEFAULT_ROTATION_POINTS
    stated = reader.array(fields, "rotation_points", PATH)
    if isinstance(fields["rotation_points"], list) and len(stated) != len(DEFAULT_ROTATION_POINTS):
        reader.fault(path, FaultCode.OUT_OF_RANGE, "must be three numbers: for +3, +2 and +1")
        return DEFAULT_ROTATION_POINTS
    amounts = [reader.amount(value, (*path, position)) for position, value in enumerate(stated)]
    sound = [amount for amount in amounts if amount is not None]
    if len(sound) != len(DEFAULT_ROTATION_POINTS):
        return DEFAULT_ROTATION_POINTS
    return sound[0], sound[1], sound[2]


def _club_ranking(reader: Reader, fields: Mapping[str, Any], kind: Kind) -> ClubRanking:
    path = (*PATH, "club_ranking")
    given = reader.fields(fields.get("club_ranking", {}), path, CLUB_RANKING_FIELDS) or {}
    default = ClubRanking(on=kind.club_ranking)
    best = reader.whole(given["best"], (*path, "best")) if "best" in given else default.best
    return ClubRanking(reader.switch(given, "on", path, default.on), best or default.best)


def _judge_against_kind(reader: Reader, fields: Mapping[str, Any], event: Event, kind: Kind) -> None:
    """Settings that are right in themselves but that this kind of event does not have."""
    if event.knockout and not kind.knockout:
        message = "only level-scored kinds can be a knock-out"
        reader.fault((*PATH, "knockout"), FaultCode.NOT_OFFERED, message)
    elif event.third_place_match and not event.knockout:
        message = "a third-place match belongs to a knock-out"
        reader.fault((*PATH, "third_place_match"), FaultCode.NOT_OFFERED, message)
    if event.meets_by is MeetsBy.ROUND_ROBIN and not kind.chooses_meeting:
        message = "only team_of_four events choose how they meet"
        reader.fault((*PATH, "meets_by"), FaultCode.NOT_OFFERED, message)
    first = event.criteria[0]
    chosen = fields.get("criteria")
    stands_first = not isinstance(chosen, list) or chosen[:1] == [first]
    if stands_first and meeting_of(event) is Meeting.SWISS and not can_make_score_groups(first):
        message = "a Swiss event cannot make score groups of this criterion, so it may not stand first"
        reader.fault((*PATH, "criteria", 0), FaultCode.INCONSISTENT, message)
