"""Rounds are deleted only from the last backwards, with a reason once players have seen them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pynamodb.expressions.update import Action

from chalicelib.services import adjustments, audit, clock, pulse, rank_changes
from chalicelib.services.finding import drawn_round, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts, large, under_way
from chalicelib.services.rounds.holding import stale_round
from chalicelib.services.stored import packs
from chalicelib.services.views.accounts import Done
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, find_round
from chalicelib.store.guarded import Guard, Patience, delete_items
from chalicelib.store.matches import TABLE, keys_of_round
from chalicelib.store.standings import Pointer


def delete(world: World, event_id: str, number: int, reason: str, actor: str, once: Once) -> Done:
    """Delete the last round and everything said of it; the log keeps its results.

    What a large round leaves at its tables (nobody reads it) goes when the next drawing of it is published: that is a
    job, and has the time. Raises not_last_round, reason_missing for a published round, round_under_way.
    """
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if event.last_round != number:
        raise Problem("not_last_round")
    seen = header.phase != "draft"
    if seen and not reason.strip():
        raise Problem("reason_missing", "reason")
    under_way.refuse(header)
    work = transaction(world)
    once.record(work, {"done": True}, world)
    work.delete(
        header,
        (RoundHeader.version == header.version)
        & (RoundHeader.phase == header.phase)
        & (RoundHeader.generation == header.generation),
        stale_round,
    )
    work.update(
        event,
        [EventHeader.last_round.set(number - 1)],
        condition=(EventHeader.phase == "open") & (EventHeader.last_round == number),
        otherwise=stale_round,
    )
    details: dict[str, Any] = {"phase": header.phase}
    if seen:
        details["results"] = [
            [table.number, table.ns, table.ew, table.outcome.value, table.ns_level, table.ew_level]
            for table in packs.tables_of(header, double_submission=settings.double_submission)
        ]
        pulse.change(work, event_id, *_pointer_without(event_id, number))
        packs.outdate(work, event_id, number)
        rank_changes.mark(work, event_id, f"round.delete:{number}")
        details["adjustments"] = adjustments.remove_with_round(work, event_id, number)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="round.delete",
        subject=f"round:{number}",
        reason=reason or None,
        details=details,
    )
    work.commit()
    if seen:
        pulse.publish(world, event_id)
    if seen and not large.is_large(world, settings, header):
        _clear(world, header)
    drafts.discard(world, header)
    return Done()


class _DrawnAgain(Exception):
    """There is a round of that number again."""


def _clear(world: World, header: RoundHeader) -> None:
    """Remove what lies at the tables of a round that is gone, unless it is drawn again by now: then its publication
    does."""
    gone = Guard(RoundHeader.Meta.table_name, header.pk, header.sk, None, _DrawnAgain)
    patience = Patience(world.sleep, world.random.fraction, lambda: world.random.token(24))
    with suppress(_DrawnAgain):
        delete_items(TABLE, list(keys_of_round(header.pk, int(header.number))), [gone], patience)


def _pointer_without(event_id: str, number: int) -> list[Action]:
    """What the public sees once the round is gone: the one before, without a clock."""
    before = find_round(event_id, number - 1) if number > 1 else None
    actions: list[Action] = [
        Pointer.round.set(number - 1),
        Pointer.phase.set("draft" if before is None else before.phase),
        Pointer.clock.set(clock.IDLE),
        Pointer.clock_version.add(1),
    ]
    if before is None or before.pairings is None:
        return [*actions, Pointer.pairings.remove()]
    return [*actions, Pointer.pairings.set(before.pairings)]
