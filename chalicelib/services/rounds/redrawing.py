"""Rounds that were drawn from results which were corrected afterwards: whoever decides is told to draw again.

Every correction of a settled round raises the event's ``corrections``, on condition that no round was drawn or deleted
meanwhile; a drawing commits on condition that ``corrections`` is what it read before it looked at any result. So of a
correction and a drawing that run beside each other the later one notices: the drawing is refused, or the correction
looks again and finds the draft. In a knock-out the round that follows keeps the tables whose correction lets others go
on than it seats: it is not published, and once it is published everybody in charge is told.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pynamodb.expressions.condition import Condition

from chalicelib.rules.kinds import Meeting
from chalicelib.rules.model import Side
from chalicelib.rules.pairing.scheme import winner_of
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import records, tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.table_views import Surroundings
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, find_round
from chalicelib.store.transaction import Transaction


class RoundsMoved(Exception):
    """A round was drawn, published or deleted while a correction looked at the rounds: it has to look again."""


class Following(msgspec.Struct, frozen=True):
    """The round after a corrected one, and which tables' corrections let others go on than it seats."""

    header: RoundHeader | None = None
    outdated_by: tuple[int, ...] = ()
    redraw: int | None = None
    """Its number if this correction is why it has to be drawn again."""

    def keep(self, work: Transaction) -> None:
        """Keep that with the round, in the correction's transaction. Lets it fail with RoundsMoved when the round is no
        longer what was looked at."""
        if self.header is None:
            return
        same = (RoundHeader.version == self.header.version) & (RoundHeader.generation == self.header.generation)
        if self.outdated_by == tuple(self.header.outdated_by or ()):
            work.check(self.header, same, _moved)
            return
        actions = [RoundHeader.outdated_by.set(list(self.outdated_by)), RoundHeader.version.add(1)]
        work.update(self.header, actions, same, _moved)


def following(world: World, seen: Surroundings, corrected: StoredTable) -> Following:
    """The round that follows from a table of a knock-out, which now stands as ``corrected``."""
    header = find_round(seen.event.event_id, corrected.round + 1) if seen.settings.knockout else None
    if header is None or corrected.third_place:
        return Following()
    (drawn,) = drafts.read(world, [header])
    result = tables.state_of(corrected, seen.double_submission).effective
    (record,) = records.records([(corrected, result)])
    sides = {Side.NS: set(corrected.ns), Side.EW: set(corrected.ew)}
    through = sides.pop(winner, set()) if (winner := winner_of(record)) is not None else set()
    out = set().union(*sides.values())
    going_on = {number for table in drawn if not table.third_place for number in (*table.ns, *table.ew)}
    going_on.update(header.byes or ())
    fits = through <= going_on and not out & going_on
    others = set(header.outdated_by or ()) - {corrected.match}
    outdated_by = tuple(sorted(others if fits else {*others, corrected.match}))
    return Following(header, outdated_by, None if fits else int(header.number))


def count_correction(work: Transaction, event: EventHeader) -> None:
    """Let drawings under way know that ``work`` changes a result of a settled round."""
    work.update(
        EventHeader(event.event_id, "EVENT"),
        [EventHeader.corrections.add(1)],
        (EventHeader.phase == "open") & (EventHeader.last_round == event.last_round),
        lambda old: Problem("event_ended") if _phase(old) == "ended" else RoundsMoved(),
    )


def uncorrected(seen: EventHeader) -> Condition:
    """The condition on an event's header that no result was corrected since ``seen`` was read."""
    same = EventHeader.corrections == seen.corrections
    return same if seen.corrections else same | EventHeader.corrections.does_not_exist()


def refusal(seen: EventHeader, old: dict[str, Any] | None) -> Problem:
    """Why a drawing that began at ``seen`` cannot be kept: results_changed, or stale_version for everything else."""
    now = 0 if old is None else int(old.get("corrections", {"N": "0"})["N"])
    return Problem("stale_version" if now == seen.corrections else "results_changed")


def changed_since(settings: Settings, header: RoundHeader, event: EventHeader | None) -> bool:
    """Whether a draft was drawn before a result was corrected from which it follows (not from a design)."""
    follows = settings.knockout or (kind_of(settings.kind).meeting is Meeting.SWISS and settings.meets_by == "swiss")
    if event is None or header.phase != "draft" or not follows:
        return False
    return int(header.corrections) < int(event.corrections)


def refuse_outdated(settings: Settings, header: RoundHeader) -> None:
    """Raise draft_outdated for a draft of a knock-out that seats who is out by now."""
    if settings.knockout and header.outdated_by:
        found = ", ".join(map(str, header.outdated_by))
        raise Problem("draft_outdated", current={"tables": list(header.outdated_by)}, tables=found)


def _moved(old: object) -> RoundsMoved:
    return RoundsMoved()


def _phase(old: dict[str, Any] | None) -> str:
    return "" if old is None else str(old["phase"]["S"])
