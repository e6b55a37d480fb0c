"""An event's settings: one validated document per event, in the manual's groups and words.

What a kind offers, and its defaults, come from ``rules.kinds``; impossible combinations are refused with the reason
and the way out (:func:`validate`).
"""

from chalicelib.services.settings.model import (
    Absence,
    Award,
    ClubRanking,
    Fees,
    PairingSettings,
    Points,
    Prize,
    RotationPoints,
    Settings,
)
from chalicelib.services.settings.validation import clubs_fit, defaults, kind_of, validate
from chalicelib.services.settings.values import (
    Fen,
    Half,
    Line,
    Milliseconds,
    Name,
    Place,
    Reason,
    Text,
    Version,
    VersionOrZero,
)

__all__ = [
    "Absence",
    "Award",
    "ClubRanking",
    "Fees",
    "Fen",
    "Half",
    "Line",
    "Milliseconds",
    "Name",
    "PairingSettings",
    "Place",
    "Points",
    "Prize",
    "Reason",
    "RotationPoints",
    "Settings",
    "Text",
    "Version",
    "VersionOrZero",
    "clubs_fit",
    "defaults",
    "kind_of",
    "validate",
]
