"""结算: a round is settled once every table is confirmed, ruled or postponed; it can be opened again with a reason.

The tables are held for a moment before they are looked at, so that no word can change between looking and settling.
A hold ends by itself: if this process dies, players can go on two minutes later and the settlement can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from chalicelib.services import audit, backups, pulse, rank_changes
from chalicelib.services.finding import IN_PLAY, drawn_round, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts, holding, large, under_way
from chalicelib.services.rounds.holding import Hold, released_when_refused, stale_round
from chalicelib.services.rounds.viewing import round_view
from chalicelib.services.settings import Settings
from chalicelib.services.stored import packs, records, tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.views.rounds import RoundView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader
from chalicelib.store.standings import Pointer, find_pointer
from chalicelib.store.transaction import Transaction


def open_tables(found: Sequence[StoredTable], settings: Settings) -> list[int]:
    """Numbers of the tables that keep a round from being settled."""
    return records.open_numbers(found, settings.double_submission)


def refuse_open(numbers: list[int]) -> None:
    """Raise open_tables with the numbers, if there are any."""
    if numbers:
        raise Problem("open_tables", current={"tables": numbers}, tables=", ".join(map(str, numbers)))


def finished_tables(header: RoundHeader, settings: Settings) -> list[int]:
    """Numbers of the round's tables. Raises open_tables unless all are finished."""
    found = tables.of_round(header.pk, int(header.number), header.generation)
    refuse_open(open_tables(found, settings))
    return [table.table for table in found]


def held_and_finished(world: World, header: RoundHeader, settings: Settings) -> Hold:
    """Hold the round's tables once all are finished, and put a copy of the event aside.

    Raises open_tables, and nothing is held then.
    """
    numbers = finished_tables(header, settings)
    held = holding.begin(world, header)
    for _ in held.take(numbers):
        pass
    look_again(held, settings)
    return held


def look_again(held: Hold, settings: Settings) -> None:
    """Once all tables are held: see that no word came before, and put a copy of the event aside.

    Raises open_tables, and nothing is held then.
    """
    with released_when_refused(held):
        finished_tables(held.header, settings)
    backups.keep(held.world, held.header.pk, int(held.header.number), int(held.header.version))


def add_settlement(work: Transaction, held: Hold, settings: Settings) -> None:
    """The steps that settle a held round: its header, its pack, the pointer stays to the caller."""
    world, header = held.world, held.header
    work.update(
        header,
        [
            RoundHeader.phase.set("settled"),
            RoundHeader.settled_at.set(world.now()),
            RoundHeader.double_submission.set(settings.double_submission),
            RoundHeader.version.add(1),
            RoundHeader.job.remove(),
        ],
        condition=held.unbroken() & (RoundHeader.version == header.version) & RoundHeader.phase.is_in(*IN_PLAY),
        otherwise=stale_round,
    )
    packs.outdate(work, header.pk, int(header.number))
    if not settings.ranking_after_submission_only:
        # What was counted provisionally at a postponed table counts no more.
        rank_changes.mark(work, header.pk, f"round.settle:{int(header.number)}")


def to_be_settled(world: World, event_id: str, number: int, version: int) -> tuple[EventHeader, Settings, RoundHeader]:
    """The event and a round in play that was seen at ``version``. Raises event_ended, round_phase, stale_version."""
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if header.phase not in IN_PLAY:
        raise Problem("round_phase", phase=header.phase)
    if header.version != version:
        raise Problem("stale_version")
    return event, settings, header


def settle(
    world: World, event_id: str, number: int, version: int, actor: str, once: Once, *, reply: Any = None
) -> RoundView:
    """Settle a round in play, seen at ``version``. ``reply``: what a repeated request is answered, if not the round.

    Raises open_tables with their numbers, round_phase, stale_version, busy if holding the tables took too long, and
    round_large where a job has to do it.
    """
    event, settings, header = to_be_settled(world, event_id, number, version)
    large.refuse(world, settings, header)
    under_way.refuse(header)
    held = held_and_finished(world, header, settings)
    return settle_held(held, event, settings, actor, once, reply=reply)


def settle_held(
    held: Hold,
    event: EventHeader,
    settings: Settings,
    actor: str,
    once: Once,
    *,
    reply: Any = None,
    within: Callable[[Transaction], None] = lambda work: None,
) -> RoundView:
    """Settle a round whose tables are held and finished, or release them. ``within`` adds what is to happen with it or
    not at all. Raises as :func:`settle`."""
    world, header = held.world, held.header
    event_id, number = header.pk, int(header.number)
    with released_when_refused(held):
        (drawn,) = drafts.read(world, [header])
        settled = RoundHeader(**header.attribute_values)
        settled.phase, settled.settled_at, settled.version = "settled", world.now(), int(header.version) + 1
        view = round_view(world, settings, settled, drawn, find_pointer(event_id))
        work = transaction(world)
        once.record(work, msgspec.to_builtins(view) if reply is None else reply, world)
        add_settlement(work, held, settings)
        work.update(
            event,
            [EventHeader.last_act_at.set(world.now())],
            condition=(EventHeader.phase == "open") & (EventHeader.last_round == number),
            otherwise=lambda old: Problem("event_ended"),
        )
        pulse.change(work, event_id, Pointer.phase.set("settled"))
        audit.record(
            work,
            world,
            event_id=event_id,
            actor=actor,
            action="round.settle",
            subject=f"round:{number}",
            details={"double_submission": settings.double_submission},
        )
        within(work)
        if not held.still_good():
            raise Problem("busy")
        work.commit()
    pulse.publish(world, event_id)
    return view


def reopen(world: World, event_id: str, number: int, reason: str, actor: str, once: Once) -> RoundView:
    """Open the last round again after its settlement; sides may speak if the clock allows.

    Raises reason_missing, round_phase when it is not settled, later_round when the next one is drawn already.
    """
    if not reason.strip():
        raise Problem("reason_missing", "reason")
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if event.last_round != number:
        raise Problem("later_round", round=int(event.last_round))
    if header.phase != "settled":
        raise Problem("round_phase", phase=header.phase)
    pointer = find_pointer(event_id)
    started = pointer is not None and (pointer.clock or {"state": "idle"})["state"] != "idle"
    phase = "playing" if started else "published"
    (drawn,) = drafts.read(world, [header])
    reopened = RoundHeader(**header.attribute_values)
    reopened.phase, reopened.settled_at, reopened.version = phase, None, header.version + 1
    reply = round_view(world, settings, reopened, drawn, pointer)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        header,
        [
            RoundHeader.phase.set(phase),
            RoundHeader.settled_at.remove(),
            RoundHeader.double_submission.remove(),
            RoundHeader.version.add(1),
            # What the settlement held, so that players need not wait for its end.
            RoundHeader.released.set(int(header.hold)),
        ],
        condition=(RoundHeader.version == header.version) & (RoundHeader.phase == "settled"),
        otherwise=stale_round,
    )
    work.update(
        event,
        [EventHeader.corrections.add(1)],
        (EventHeader.phase == "open") & (EventHeader.last_round == number),
        lambda old: Problem("stale_version"),
    )
    packs.outdate(work, event_id, number)
    if not settings.ranking_after_submission_only:
        rank_changes.mark(work, event_id, f"round.reopen:{number}")
    pulse.change(work, event_id, Pointer.phase.set(phase))
    audit.record(
        work, world, event_id=event_id, actor=actor, action="round.reopen", subject=f"round:{number}", reason=reason
    )
    work.commit()
    pulse.publish(world, event_id)
    return reply
