"""Which fields of the settings belong to which setting of ``rules.settings``, and so to which kinds.

A field whose setting a kind does not have must keep its default: nothing is stored that would never act.
"""

from __future__ import annotations

from typing import Final

from chalicelib.rules.kinds import Kind
from chalicelib.rules.settings import SETTINGS
from chalicelib.services.problems import Problem
from chalicelib.services.settings.model import PairingSettings, Settings

BY_KIND: Final[dict[str, str]] = {
    "knockout": "knockout",
    "third_place_match": "third_place_match",
    "failures_at_a": "failures_at_a",
    "partners": "partners",
    "meets_by": "meets_by",
    "rotation_points": "rotation_points",
    "rotation_rules": "rotation_points",
    "duplicate_scale": "duplicate_scale",
    "preset_seed": "presets",
    "median_field": "median_field",
    "mitchell_ranking": "mitchell_ranking",
    "match_days": "match_days",
}
"""Field -> code of the setting; fields that are not here belong to every kind."""
PAIRING_BY_KIND: Final = ("method", "order", "first_round", "club_rule", "club_until_round")
"""The same within ``pairing``, where field and code are one word."""


def check_offered(settings: Settings, kind: Kind, prefix: str) -> None:
    """Raises setting_not_offered for a value other than the default in a setting that this kind does not have."""
    untouched = Settings(name=settings.name, kind=settings.kind)
    for field, code in BY_KIND.items():
        if code not in kind.settings and getattr(settings, field) != getattr(untouched, field):
            raise _not_offered(kind, code, f"{prefix}{field}")
    pairing = PairingSettings()
    for code in PAIRING_BY_KIND:
        if code not in kind.settings and getattr(settings.pairing, code) != getattr(pairing, code):
            raise _not_offered(kind, code, f"{prefix}pairing.{code}")


def _not_offered(kind: Kind, code: str, field: str) -> Problem:
    setting = SETTINGS[code]
    return Problem(
        "setting_not_offered",
        field,
        kind_zh=kind.chinese,
        kind_en=kind.english,
        setting_zh=setting.chinese,
        setting_en=setting.english,
    )
