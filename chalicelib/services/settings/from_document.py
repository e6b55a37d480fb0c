"""The settings of an event that comes back from its document: the reverse of ``documents.model_of``."""

from __future__ import annotations

import msgspec

from chalicelib.rules.kinds import KINDS
from chalicelib.rules.model import PAR, Event, Unearned
from chalicelib.services.settings.model import (
    Absence,
    Award,
    ClubRanking,
    PairingSettings,
    Points,
    RotationPoints,
    Settings,
)
from chalicelib.services.settings.validation import defaults, validate


def settings_from(event: Event) -> Settings:
    """The settings under which an event would rank as the document says; what a document does not hold has the
    kind's defaults.

    ``absent.board_points`` must be a number. Raises what ``validate`` raises.
    """
    kind = KINDS[event.kind]
    base = defaults(event.name, kind, event.pairing.seed)
    pairing = event.pairing
    return validate(
        msgspec.structs.replace(
            base,
            time_zone=event.time_zone,
            rounds=event.rounds,
            criteria=list(event.criteria),
            points=Points(
                *(
                    float(each)
                    for each in (event.points.win, event.points.draw, event.points.loss, event.points.no_show)
                )
            ),
            knockout=event.knockout,
            third_place_match=event.third_place_match,
            bye=_award(event.bye),
            walkover=_award(event.walkover),
            absent=_absence(event.absent),
            pairing=PairingSettings(
                pairing.method.value,
                pairing.order.value,
                pairing.first_round.value,
                pairing.club_rule.value,
                pairing.club_until_round,
                pairing.seed,
            ),
            clubs=list(event.clubs),
            partners=event.partners.value,
            meets_by=event.meets_by.value,
            duplicate_scale=5 if event.duplicate_scale == 5 else 6,
            rotation_points=RotationPoints(*(float(each) for each in event.rotation_points)),
            mitchell_ranking=event.mitchell_ranking.value,
            median_field=event.median_field.value,
            club_ranking=ClubRanking(event.club_ranking.on, event.club_ranking.best),
            allow_empty_club=not event.club_ranking.on or base.allow_empty_club,
        )
    )


def _award(earned: Unearned) -> Award:
    return Award(
        float(earned.match_points),
        float(earned.level_points),
        float(earned.upgrades),
        None if earned.board_points == PAR else float(earned.board_points),
    )


def _absence(earned: Unearned) -> Absence:
    return Absence(
        float(earned.match_points), float(earned.level_points), float(earned.upgrades), float(earned.board_points)
    )
