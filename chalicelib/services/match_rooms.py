"""Both rooms of a match of teams of four: what is ruled of the match as a whole stands in both of them.

A forfeit ends the match, not a room. The ruling in the other room is marked as a copy (``match``), so that it goes
when the ruling that it came with goes.
"""

from __future__ import annotations

from typing import Any

from pynamodb.expressions.update import Action

from chalicelib.rules.model import Outcome, Room
from chalicelib.services import audit, audit_facts
from chalicelib.services.problems import Problem
from chalicelib.services.stored import tables
from chalicelib.services.stored.records import FORFEITS
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.table_views import Surroundings, look
from chalicelib.services.world import World
from chalicelib.store.matches import Match, closed_room, partition, table_key
from chalicelib.store.transaction import Transaction


def other_room(world: World, seen: Surroundings) -> StoredTable | None:
    """The match's other room; None for a table that is no room."""
    table = seen.table
    if table.room is None:
        return None
    address = closed_room(table.match) if table.room == Room.OPEN else table.match
    return look(world, seen.event.event_id, table.round, address).table


def follow(
    work: Transaction,
    world: World,
    seen: Surroundings,
    other: StoredTable,
    ruling: dict[str, Any] | None,
    before: dict[str, Any] | None,
    actor: str,
) -> None:
    """Let the other room follow a ruling (None: it was lifted) of this one, in the same transaction; ``before`` is the
    ruling that stood here.

    A forfeit is copied there; anything else takes away what an earlier forfeit of this room left there, and where a
    copy stood here the forfeit that it came from: whichever room the referee corrects, the match is not given up. What
    had been ruled there before the copy came stands again.
    """
    at = world.now()
    forfeit = ruling is not None and Outcome(ruling["outcome"]) in FORFEITS
    together = _is_copy(other.ruling) or (_is_copy(before) and other.ruling is not None)
    if not forfeit and not together:
        return
    actions: list[Action] = [Match.wakes.set(1), Match.version.set(other.version + 1)]
    after: dict[str, Any] | None = None
    if forfeit and ruling is not None:
        after = {**ruling, "match": True}
    elif _is_copy(other.ruling) and (again := _ruled_before_copies(other)) is not None:
        after = {**again, "at": at}
    if other.ruling is not None:
        lifting = [] if forfeit else [{**other.ruling, "lifted": True, "at": at}]
        actions.append(Match.rulings.set([*other.rulings, other.ruling, *lifting]))
    actions.append(Match.ruling.remove() if after is None else Match.ruling.set(after))
    if forfeit and other.postponed is not None:
        actions.append(Match.postponed.remove())
    condition = (Match.version == other.version) & (Match.generation == other.generation)
    work.update(
        Match(partition(seen.event.event_id, other.round), table_key(other.table)),
        actions,
        condition,
        lambda old: Problem("busy"),
    )
    values = {} if after is None else {"values": tables.values_of(tables.result_of(after))}
    audit.record(
        work,
        world,
        event_id=seen.event.event_id,
        actor=actor,
        action="table.lift" if after is None else "table.rule",
        subject=f"table:{other.round}.{other.table}",
        details={**values, **audit_facts.of_table(other), "version": other.version + 1},
    )


def _ruled_before_copies(other: StoredTable) -> dict[str, Any] | None:
    """The ruling that stood in a room when the forfeit of the other one was copied there; None without one, or where
    it was a forfeit itself."""
    for ruling in reversed(other.rulings):
        if ruling.get("lifted"):
            return None
        if not _is_copy(ruling):
            return None if Outcome(ruling["outcome"]) in FORFEITS else ruling
    return None


def _is_copy(ruling: dict[str, Any] | None) -> bool:
    return ruling is not None and bool(ruling.get("match", False))


def said_there(other: StoredTable) -> list[dict[str, Any]]:
    """What was said in the other room, which a forfeit of the match overrules; its own copies are no words."""
    said = [word.values for word in other.words.values()]
    if other.ruling is not None and not other.ruling.get("match", False):
        said.append(other.ruling)
    return said
