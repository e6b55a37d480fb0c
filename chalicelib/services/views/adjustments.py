"""Adjustments 罚分 as the API answers them."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.events import Labelled


class AdjustmentView(msgspec.Struct, frozen=True):
    """Points given or taken by a referee. ``amount``: a multiple of 0.5, negative for a penalty; it counts with
    ``round``. ``entry``, ``name``: whose; ``actor``, ``at`` (milliseconds): by whom and when."""

    id: str
    entry: int
    name: str
    round: int
    criterion: str
    amount: float
    reason: str
    actor: str
    at: int


class Adjustments(msgspec.Struct, frozen=True):
    """All adjustments in force, oldest first, and the criteria that this kind of event lets adjust."""

    criteria: list[Labelled]
    adjustments: list[AdjustmentView]
