"""Submitting a result: each side has its own word with its own version, so the two sides never conflict.

Three requests to the store: one look at the table and all around it, the names for the reply, and one transaction.
"""

from __future__ import annotations

from typing import Any

import msgspec

from chalicelib.services import audit, audit_facts, clock
from chalicelib.services.device_tokens import DeviceToken, ensure_live, ensure_signed_in
from chalicelib.services.finding import IN_PLAY, free_at
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.results import Speaker, result_from
from chalicelib.services.stored import tables
from chalicelib.services.stored.tables import StoredWord
from chalicelib.services.table_views import Surroundings, look, names_at, table_view
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.scoring import Score, TableView
from chalicelib.services.world import World
from chalicelib.store.matches import Match, Running, Word, partition, running_key, table_key, word_key
from chalicelib.store.transaction import Transaction

GRACE = 10 * clock.MINUTE
"""How long after its end a round still takes what was tapped in time but arrived late (weak networks)."""


class Standing(msgspec.Struct, frozen=True):
    """Whether a side may speak now: a code of the problem catalogue says why not; ``late`` flags a late arrival."""

    why_not: str | None
    late: bool = False


def may_speak(seen: Surroundings, now: int, tapped_at: int) -> Standing:
    """Whether the table takes words at ``now`` that were tapped at ``tapped_at`` (both milliseconds)."""
    if seen.event.phase == "ended":
        return Standing("event_ended")
    if seen.round.phase not in IN_PLAY:
        return Standing("table_locked")
    if seen.table.ruling is not None:
        return Standing("table_ruled")
    if seen.table.held_until > free_at(seen.round, now):
        # A settlement is under way: in a moment the round is settled or the table free again.
        return Standing("busy")
    if seen.settings.score_any_time:
        return Standing(None)
    return _by_the_clock(seen, now, tapped_at)


def _by_the_clock(seen: Surroundings, now: int, tapped_at: int) -> Standing:
    pointer = seen.pointer
    stored = clock.IDLE if pointer is None or pointer.round != seen.round.number else pointer.clock or clock.IDLE
    state = clock.state_at(stored, now)
    if state in ("idle", "countdown"):
        return Standing("not_started")
    if state != "ended":
        return Standing(None)
    end = stored["ends_at"] + seen.table.extra_minutes * clock.MINUTE
    if now <= end:
        return Standing(None)
    in_time = tapped_at <= end and now <= end + GRACE
    return Standing(None, late=True) if in_time else Standing("round_closed")


def _look_as_player(
    world: World, event_id: str, number: int, table: int, device: DeviceToken
) -> tuple[Surroundings, str]:
    """The table and the side on which the device's entry sits. Raises identify_first, sign_in_required,
    not_your_table."""
    seen = look(world, event_id, number, table, (device.keys,), lambda extra: ensure_live(extra[0]))
    ensure_signed_in(seen.extra[0], seen.settings)
    side = seen.table.side_of(device.number)
    if side is None:
        raise Problem("not_your_table")
    return seen, side


def submit(
    world: World,
    event_id: str,
    number: int,
    table: int,
    device: DeviceToken,
    score: Score,
    base_version: int,
    tapped_at: int,
    once: Once,
) -> TableView:
    """Put the word of the device's side; ``base_version`` is the version of that side's word it knew (0: none).

    Raises stale_version (with the table as it is) when the own side said something newer; table_ruled, table_locked,
    not_started, round_closed, event_ended, not_your_table, identify_first, and what ``results.result_from`` raises.
    """
    seen, side = _look_as_player(world, event_id, number, table, device)
    result = result_from(score, seen.table, seen.settings, Speaker.SIDE)
    now = world.now()
    standing = may_speak(seen, now, tapped_at)
    if standing.why_not is not None:
        raise Problem(standing.why_not)
    names = names_at(world, event_id, [*seen.table.ns, *seen.table.ew])

    def shown(word: StoredWord | None) -> TableView:
        if word is not None:
            seen.table.words[side] = word
        return table_view(seen.table, seen.round, seen.settings, names, now)

    before = seen.table.words.get(side)
    if (0 if before is None else before.version) != base_version:
        raise Problem("stale_version", current=msgspec.to_builtins(shown(None)))

    def stale(old: dict[str, Any] | None) -> Problem:
        return Problem(
            "stale_version", current=msgspec.to_builtins(shown(None if old is None else tables.read_word(old)))
        )

    word = StoredWord(
        tables.values_of(result),
        base_version + 1,
        now,
        f"device:{device.device_id}",
        standing.late,
        [] if before is None else [*before.said, _as_said(before)],
    )
    work = transaction(world)
    once.record(work, msgspec.to_builtins(shown(word)), world)
    work.put(
        Word(
            partition(event_id, number),
            word_key(table, side),
            values=word.values,
            version=word.version,
            at=now,
            actor=word.actor,
            late=word.late,
            said=word.said or None,
        ),
        Word.version == base_version if base_version else Word.pk.does_not_exist(),
        stale,
    )
    _demand_free(work, world, seen, number, table, now)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=word.actor,
        action="table.submit",
        subject=f"table:{number}.{table}",
        details={
            "side": side,
            "values": word.values,
            "version": word.version,
            "late": word.late,
            **audit_facts.of_table(seen.table),
        },
    )
    work.commit()
    world.metrics.add("Submissions")
    return shown(word)


def _as_said(word: StoredWord) -> dict[str, Any]:
    return {"values": word.values, "version": word.version, "at": word.at, "actor": word.actor, "late": word.late}


def _demand_free(work: Transaction, world: World, seen: Surroundings, number: int, table: int, now: int) -> None:
    """Let the transaction fail if the table was ruled, held or drawn anew since it was looked at."""
    event_id = seen.event.event_id

    def refusal(old: dict[str, Any] | None) -> Problem:
        again = look(world, event_id, number, table)
        return Problem(may_speak(again, world.now(), now).why_not or "busy")

    work.check(
        Match(partition(event_id, number), table_key(table)),
        (Match.generation == seen.table.generation)
        & Match.ruling.does_not_exist()
        & (Match.held_until <= free_at(seen.round, now)),
        refusal,
    )


def save_running(
    world: World, event_id: str, number: int, table: int, device: DeviceToken, score: Score, once: Once
) -> Done:
    """Keep the score as entered so far, whichever side entered it last; it is no submission.

    Raises what :func:`submit` raises, but for stale_version.
    """
    seen, side = _look_as_player(world, event_id, number, table, device)
    result = result_from(score, seen.table, seen.settings, Speaker.RUNNING)
    now = world.now()
    standing = may_speak(seen, now, now)
    if standing.why_not is not None:
        raise Problem(standing.why_not)
    work = transaction(world)
    once.record(work, {"done": True}, world)
    work.put(
        Running(
            partition(event_id, number),
            running_key(table),
            values=tables.values_of(result),
            side=side,
            actor=f"device:{device.device_id}",
            at=now,
            # It moves ranks only while the ranking is live (仅提交后修改实时排名 off).
            wakes=0 if seen.settings.ranking_after_submission_only else 1,
        )
    )
    _demand_free(work, world, seen, number, table, now)
    work.commit()
    return Done()
