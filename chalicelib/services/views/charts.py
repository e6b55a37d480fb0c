"""What charts are drawn from, as the API and the public snapshot say it."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.events import Labelled


class RankLine(msgspec.Struct, frozen=True):
    """One entry's rank after each round, None where it had none yet (or where a large field is too long to tell)."""

    entry: int
    name: str
    by_round: list[int | None]


class LevelRange(msgspec.Struct, frozen=True):
    """How many results (both sides of every table) had so many 级差分, both ends counted."""

    from_: int = msgspec.field(name="from")
    to: int = 0
    count: int = 0


class ValueRange(msgspec.Struct, frozen=True):
    """How many entries have a value from ``from`` on and below ``below``."""

    from_: int = msgspec.field(name="from")
    below: int = 0
    count: int = 0


class Spread(msgspec.Struct, frozen=True):
    """How the entries are spread over what they rank by first. ``whole``: all values are whole numbers."""

    criterion: Labelled
    whole: bool
    ranges: list[ValueRange]


class Progress(msgspec.Struct, frozen=True):
    """Tables with a result at the end of each minute of the round's clock."""

    round: int
    tables: int
    by_minute: list[int]


class Charts(msgspec.Struct, frozen=True):
    """Ranks over the finished rounds, the spread of level points by result (level kinds) or of what the entries rank by
    first (kinds that play boards), the progress of the round in play."""

    ranks: list[RankLine]
    level_points: list[LevelRange]
    progress: Progress | None
    spread: Spread | None = None
