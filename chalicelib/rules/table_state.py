"""The state of a table, derived from what was said of it (section 2); it is stored nowhere.

Each side has one word, whoever of its players gave it; a referee's ruling stands above both.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from chalicelib.rules.model import Outcome, Side


class TableState(StrEnum):
    OPEN = "open"
    ONE_SIDED = "one_sided"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    RULED = "ruled"


class Result(NamedTuple):
    """How a table ended: outcome, level indices of both sides if it was played, a winner where levels do not say."""

    outcome: Outcome
    ns_level: int | None = None
    ew_level: int | None = None
    winner: Side | None = None


def settle(
    ns_word: Result | None, ew_word: Result | None, ruling: Result | None, *, double_submission: bool
) -> tuple[TableState, Result | None]:
    """The table's state and its effective result (None while it has none).

    With ``double_submission`` (需要双提交) a result takes effect when both sides say the same; without it the first
    side's word does, and the other side objects by saying something else.
    """
    if ruling is not None:
        return TableState.RULED, ruling
    if ns_word is not None and ew_word is not None:
        return (TableState.CONFIRMED, ns_word) if ns_word == ew_word else (TableState.DISPUTED, None)
    only = ns_word if ns_word is not None else ew_word
    if only is None:
        return TableState.OPEN, None
    return (TableState.ONE_SIDED, None) if double_submission else (TableState.CONFIRMED, only)
