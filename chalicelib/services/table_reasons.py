"""Why a table is what it is, as its own players may read it.

The drawing's reason of round N tells ranks and scores after round N-1. Where the public may not know these, it keeps
only what tells of no rank: by which method, and how the seats were given.
"""

from __future__ import annotations

from typing import Any

from chalicelib.rules.pairing.result import LOWEST_RANK, PassedOverBecause
from chalicelib.services.settings import Settings
from chalicelib.services.standings.places import frozen_from_of
from chalicelib.services.views.players import PassedOverView, TableReason
from chalicelib.store.events import RoundHeader
from chalicelib.store.standings import Pointer


def ranks_are_told(pointer: Pointer | None, settings: Settings, number: int) -> bool:
    """May players read the ranks by which round ``number`` was drawn? They are those after the round before it: not
    public once the standings are frozen from there, and none of a player's business while 一码通显示分数 is off."""
    frozen_from = frozen_from_of(pointer)
    return settings.show_own_score and (frozen_from is None or number <= frozen_from)


def reason_of(why: dict[str, Any], told: bool, encrypted: bool) -> TableReason:
    """A table's stored ``why``, ``told`` with its ranks and scores or without them.

    Of an ``encrypted`` event nobody learns who belongs to one 团体: who was passed over for that is only counted.
    """
    design, seat, ranks = why["design"], why.get("seat"), why.get("ranks")
    if not told:
        return TableReason(design, seat, None, None, None, [], 0, ranks is not None)
    passed = [PassedOverView(_numbers(one["entry"]), one["because"]) for one in why.get("passed_over", ())]
    named = [one for one in passed if not (encrypted and one.because == PassedOverBecause.CLUB)]
    more = why.get("more_passed_over", 0) + len(passed) - len(named)
    return TableReason(design, seat, ranks, why.get("group"), why.get("gap"), named, more, False)


def reason_of_bye(header: RoundHeader, number: int, told: bool) -> TableReason | None:
    """Why an entry has the bye in a round; None where the movement laid it down, or nothing is known.

    While ranks are not told one by rank has none: it says who was last.
    """
    design = dict(zip(header.byes or (), header.bye_reasons or (), strict=False)).get(number)
    if not design or (design == LOWEST_RANK and not told):
        return None
    return TableReason(design, None, None, None, None, [], 0, False)


def _numbers(entry: int | list[int]) -> list[int]:
    return entry if isinstance(entry, list) else [entry]
