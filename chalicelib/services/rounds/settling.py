"""结算: a round is settled once every table is confirmed, ruled or postponed; it can be opened again with a reason.

The tables are held for a moment before they are looked at, so that no word can change between looking and settling.
A hold ends by itself: if this process dies, players can go on two minutes later and the settlement can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec
from botocore.exceptions import BotoCoreError
from pynamodb.exceptions import PynamoDBException
from pynamodb.expressions.update import Action

from chalicelib.services import audit, backups, pulse, rank_changes
from chalicelib.services.finding import IN_PLAY, drawn_round, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts
from chalicelib.services.rounds.viewing import round_view
from chalicelib.services.settings import Settings
from chalicelib.services.stored import packs, records, tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.views.rounds import RoundView
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader
from chalicelib.store.matches import Match, partition, table_key
from chalicelib.store.pace import paced
from chalicelib.store.standings import Pointer, find_pointer
from chalicelib.store.transaction import Transaction

PORTION = 25
TRANSACTED = 2
"""Tables that are held in one transaction, and the write units of each in it."""
HOLD = 120_000
"""How long tables are held, in milliseconds."""
TIME_TO_SETTLE = 60_000
"""The settlement itself must follow within half of it: a word that was under way when the hold began is refused by
the hold, one that sets out later sees the settled round."""


def open_tables(found: Sequence[StoredTable], settings: Settings) -> list[int]:
    """Numbers of the tables that keep a round from being settled."""
    return records.open_numbers(found, settings.double_submission)


def refuse_open(numbers: list[int]) -> None:
    """Raise open_tables with the numbers, if there are any."""
    if numbers:
        raise Problem("open_tables", current={"tables": numbers}, tables=", ".join(map(str, numbers)))


class Hold(msgspec.Struct, frozen=True):
    """Tables of a round that take no words until the hold is over or released.

    ``alone``: none of them was held when it began. Else somebody else settles too (or died doing so), and it is not
    for this one to let anybody speak: the other may have settled, and rely on the hold against words under way.
    """

    world: World
    header: RoundHeader
    tables: list[int]
    began: int
    until: int
    alone: bool

    def still_good(self) -> bool:
        """Whether there is time left to settle under this hold."""
        return self.world.now() < self.began + TIME_TO_SETTLE

    def release(self) -> None:
        """Let the tables take words again, but for those that somebody else holds by now."""
        if self.alone:
            _let_go(self.world, self.header, dict.fromkeys(self.tables, self.until))


class _HeldByAnother(Exception):
    """A table is not held as it was when it was looked at."""


def hold(world: World, header: RoundHeader, found: Sequence[StoredTable]) -> Hold:
    """Hold these tables of the round. Raises busy, and holds none of them, if somebody else holds them since they were
    looked at."""
    began = world.now()
    before = {table.table: table.held_until for table in found}
    latest = max(before.values(), default=0)
    # Whoever holds a table that was held ends later, so that a hold is known by its end.
    until = max(began + HOLD, latest + 1)
    mine: list[int] = []
    held = Hold(world, header, mine, began, until, latest <= began)
    try:
        for portion in _portions(world, before):
            _hold_until(world, header, portion, until)
            mine += portion
    except _HeldByAnother as error:
        held.release()
        raise Problem("busy") from error
    return held


def _let_go(world: World, header: RoundHeader, held: Mapping[int, int]) -> None:
    """End the hold of the tables that are held exactly until then."""
    for portion in _portions(world, held):
        try:
            _hold_until(world, header, portion, 0)
        except _HeldByAnother:
            for table, until in portion.items():
                with suppress(_HeldByAnother):
                    _hold_until(world, header, {table: until}, 0)


def _portions(world: World, held: Mapping[int, int]) -> Iterator[dict[int, int]]:
    tables = list(held.items())
    return (dict(tables[portion]) for portion in paced(len(tables), PORTION, TRANSACTED, world.sleep))


def _hold_until(world: World, header: RoundHeader, before: Mapping[int, int], until: int) -> None:
    """Hold a portion of tables; ``before``: until when each is held now."""
    pk = partition(header.pk, int(header.number))

    def refusal(old: dict[str, Any] | None) -> Exception:
        same = old is not None and old["generation"]["S"] == header.generation
        return _HeldByAnother() if same else Problem("round_not_found")

    work = transaction(world)
    for table, seen in before.items():
        # A hold moves no rank, so it must not wake the standings.
        actions: list[Action] = [Match.held_until.set(until), Match.wakes.set(0)]
        same = (Match.generation == header.generation) & (Match.held_until == seen)
        work.update(Match(pk, table_key(table)), actions, same, refusal)
    work.commit()


def held_and_finished(world: World, header: RoundHeader, settings: Settings) -> Hold:
    """Hold the round's tables once all are finished, and put a copy of the event aside.

    Raises open_tables, and nothing is held then.
    """
    found = tables.of_round(header.pk, int(header.number), header.generation)
    refuse_open(open_tables(found, settings))
    held = hold(world, header, found)
    try:
        refuse_open(open_tables(tables.of_round(header.pk, int(header.number), header.generation), settings))
    except Problem:
        held.release()
        raise
    backups.keep(world, header.pk, int(header.number), int(header.version))
    return held


@contextmanager
def released_when_refused(held: Hold | None) -> Iterator[None]:
    """Around what follows a hold: if that is refused, players need not wait for the end of the hold."""
    try:
        yield
    except (PynamoDBException, BotoCoreError):
        # Whether it was written is not known; if it was, a word that sets out now must not slip in.
        raise
    except Exception:
        if held is not None:
            held.release()
        raise


def add_settlement(work: Transaction, world: World, header: RoundHeader, settings: Settings) -> None:
    """The steps that settle a held round: its header, its pack, the pointer stays to the caller."""
    work.update(
        header,
        [
            RoundHeader.phase.set("settled"),
            RoundHeader.settled_at.set(world.now()),
            RoundHeader.double_submission.set(settings.double_submission),
            RoundHeader.version.add(1),
        ],
        condition=(RoundHeader.generation == header.generation)
        & (RoundHeader.version == header.version)
        & RoundHeader.phase.is_in(*IN_PLAY),
        otherwise=stale_round,
    )
    packs.outdate(work, header.pk, int(header.number))
    if not settings.ranking_after_submission_only:
        # What was counted provisionally at a postponed table counts no more.
        rank_changes.mark(work, header.pk, f"round.settle:{int(header.number)}")


def stale_round(old: object) -> Problem:
    """Somebody else changed the round's header first."""
    return Problem("stale_version")


def settle(world: World, event_id: str, number: int, version: int, actor: str, once: Once) -> RoundView:
    """Settle a round in play, seen at ``version``.

    Raises open_tables with their numbers, round_phase, stale_version, and busy if holding the tables took too long.
    """
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if header.phase not in IN_PLAY:
        raise Problem("round_phase", phase=header.phase)
    if header.version != version:
        raise Problem("stale_version")
    held = held_and_finished(world, header, settings)
    with released_when_refused(held):
        (drawn,) = drafts.read(world, [header])
        settled = RoundHeader(**header.attribute_values)
        settled.phase, settled.settled_at, settled.version = "settled", world.now(), version + 1
        reply = round_view(world, settings, settled, drawn, find_pointer(event_id))
        work = transaction(world)
        once.record(work, msgspec.to_builtins(reply), world)
        add_settlement(work, world, header, settings)
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
        if not held.still_good():
            raise Problem("busy")
        work.commit()
    pulse.publish(world, event_id)
    return reply


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
    found = tables.of_round(event_id, number, header.generation)
    work.commit()
    # What the settlement held, so that players need not wait for its end.
    _let_go(world, header, {table.table: table.held_until for table in found if table.held_until > world.now()})
    pulse.publish(world, event_id)
    return reply
