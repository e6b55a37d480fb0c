"""Freezing the public standings: from the results of a round on nobody but organizers and referees sees a later rank.

The pointer holds the round, so that a run of the standings that began before cannot publish what it read: its flip of
the pointer demands the same freeze. The standings function, woken by the same transaction, then makes both rankings.
"""

from __future__ import annotations

import msgspec

from chalicelib.services import audit, edge_copies, pulse, rank_changes
from chalicelib.services.event_frames import Frame, view
from chalicelib.services.ladders.following import follow
from chalicelib.services.once import Once, transaction
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.standings.places import frozen_from_of
from chalicelib.services.views.events import EventView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader
from chalicelib.store.standings import Pointer
from chalicelib.store.transaction import Transaction


def freeze(
    world: World,
    event_id: str,
    version: int,
    number: int | None,
    actor: str,
    roles: frozenset[Role],
    once: Once,
) -> EventView:
    """Keep the results of round ``number`` and later ones from the public, or (None) show everything again.

    Possible after the end of the event, too: winners are often revealed then. Raises stale_version when the settings
    are not those that the caller saw, bad_value for a round that the event does not have.
    """
    frame = Frame.read(world, event_id)
    if int(frame.header.version) != version:
        raise Problem("stale_version", current={"version": int(frame.header.version)})
    if number is not None and number > frame.settings.rounds:
        raise Problem("bad_value", "round", why=f"1 – {frame.settings.rounds}")
    frozen = frame.frozen(number)
    reply = view(world, frozen, roles)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.check(frame.header, EventHeader.version == version, lambda old: Problem("stale_version"))
    _change_pointer(work, frame.pointer, frozen.pointer, event_id)
    rank_changes.mark(work, event_id, "standings.freeze")
    if frame.settings.ladders:
        # A ladder would tell what is frozen.
        follow(work, world, event_id, actor)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="standings.unfreeze" if number is None else "standings.freeze",
        subject=f"event:{event_id}" if number is None else f"round:{number}",
    )
    work.commit()
    pulse.publish(world, event_id)
    if number is not None:
        edge_copies.forget(world, event_id)
    return reply


def _change_pointer(work: Transaction, before: Pointer | None, after: Pointer | None, event_id: str) -> None:
    number = frozen_from_of(after)
    change = Pointer.frozen_from.remove() if number is None else Pointer.frozen_from.set(number)
    shown = None if before is None else before.display
    if before is None or after is None or after.display == shown:
        pulse.change(work, event_id, change)
        return
    pulse.change(
        work,
        event_id,
        change,
        Pointer.display.set(after.display),
        condition=Pointer.display == shown,
        otherwise=lambda old: Problem("stale_version"),
    )
