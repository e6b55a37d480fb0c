"""What has changed at the tables of a round, as the API answers it."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.calls import CallView
from chalicelib.services.views.events import ClockView
from chalicelib.services.views.scoring import TableView


class ChangedTables(msgspec.Struct, frozen=True):
    """``tables``: those that changed since the asked number, or, where ``whole``, all of the round. ``changes``: the
    number up to which this answer knows everything. Phase, clock, calls and ``outdated_by`` as in a ``TableGrid``."""

    round: int
    phase: str
    clock: ClockView
    changes: int
    whole: bool
    tables: list[TableView]
    calls: list[CallView]
    outdated_by: list[int]
