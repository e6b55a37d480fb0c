"""What every change of an entry has in common: the round it joins, and who has to hear of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pynamodb.expressions.condition import Condition

from chalicelib.services import rank_changes
from chalicelib.services.problems import Problem
from chalicelib.store.events import EventHeader, find_round
from chalicelib.store.transaction import Busy, Transaction

ATTEMPTS = 8
Reply = TypeVar("Reply")


class Moved(Exception):
    """What was read a moment ago is not so any more: read again."""


def persistently(act: Callable[[], Reply]) -> Reply:
    """What ``act`` returns, done again from its reading while others move what it read. Raises :class:`Busy` when that
    does not end."""
    for _ in range(ATTEMPTS):
        try:
            return act()
        except Moved:
            continue
    raise Busy


def joins_round(header: EventHeader) -> int:
    """The round from which a new entry may be drawn: a draft can still be drawn anew with it."""
    last = int(header.last_round)
    if last == 0:
        return 1
    drawn = find_round(header.event_id, last)
    return last if drawn is not None and drawn.phase == "draft" else last + 1


def _same_keys(header: EventHeader) -> Condition:
    """Whether names are sealed, and to which key, is as it was read."""
    if header.sealing is None:
        unsealed: Condition = EventHeader.sealing.does_not_exist()
        return unsealed
    same: Condition = EventHeader.sealing == header.sealing
    return same


def touch(change: Transaction, header: EventHeader, reason: str) -> None:
    """Tell the event that its entries changed: standings, packed roster, and an import that may be under way.

    The transaction raises event_ended, and :class:`Moved` when a round was drawn or the
    event encrypted meanwhile.
    """
    change.update(
        header,
        [EventHeader.entries_version.add(1)],
        (EventHeader.phase == "open") & (EventHeader.last_round == header.last_round) & _same_keys(header),
        lambda raw: Problem("event_ended") if raw and raw["phase"]["S"] == "ended" else Moved(),
    )
    rank_changes.mark(change, header.event_id, reason, roster=True)
