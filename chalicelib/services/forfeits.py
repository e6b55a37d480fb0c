"""选手自己操作弃权: a side gives its table up. It stands like a ruling, at once, and a referee can lift it."""

from __future__ import annotations

from typing import Any

import msgspec
from pynamodb.expressions.update import Action

from chalicelib.rules.model import Outcome
from chalicelib.rules.table_state import TableResult
from chalicelib.services import audit, audit_facts, match_rooms
from chalicelib.services.device_tokens import DeviceToken, ensure_live, ensure_signed_in
from chalicelib.services.finding import IN_PLAY, free_at
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.stored import tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.table_views import Surroundings, look, names_at, table_view
from chalicelib.services.views.scoring import TableView
from chalicelib.services.world import World
from chalicelib.store.matches import Match, Word, partition, table_key, word_key
from chalicelib.store.transaction import Refusal, Transaction

OUTCOMES = {"ns": Outcome.NS_FORFEIT, "ew": Outcome.EW_FORFEIT}


def give_up(
    world: World,
    event_id: str,
    number: int,
    table: int,
    device: DeviceToken,
    base_version: int,
    tapped_at: int,
    once: Once,
) -> TableView:
    """Forfeit the table for the device's side; ``base_version`` is the version of that side's word it knew (0: none).

    The clock does not matter: who cannot come gives up before the start. Raises forfeit_not_allowed while the setting
    is off, table_ruled, table_locked, event_ended, busy, stale_version (with the table as it is), not_your_table,
    identify_first, and result_agreed once both sides have said the same: else a table that was played out could be
    given away for other points than it brought.
    """
    seen = look(world, event_id, number, table, (device.keys,), lambda extra: ensure_live(extra[0]))
    ensure_signed_in(seen.extra[0], seen.settings)
    side = seen.table.side_of(device.number)
    if side is None:
        raise Problem("not_your_table")
    now = world.now()
    if (why_not := _why_not(seen, now)) is not None:
        raise Problem(why_not)
    names = names_at(world, event_id, [*seen.table.ns, *seen.table.ew])
    word = seen.table.words.get(side)
    if (0 if word is None else word.version) != base_version:
        current = table_view(seen.table, seen.round, seen.settings, names, now)
        raise Problem("stale_version", current=msgspec.to_builtins(current))
    # Who gives up one room of a match gives up the match.
    other = match_rooms.other_room(world, seen)
    if _agreed(seen.table) and (other is None or _agreed(other)):
        raise Problem("result_agreed")
    version = seen.table.version
    values = tables.values_of(TableResult(OUTCOMES[side]))
    ruling = {**values, "reason": "", "actor": f"device:{device.device_id}", "at": now, "own": True}
    actions: list[Action] = [Match.ruling.set(ruling), Match.wakes.set(1), Match.version.set(version + 1)]
    if seen.table.postponed is not None:
        actions.append(Match.postponed.remove())
    seen.table.ruling, seen.table.postponed, seen.table.version = ruling, None, version + 1
    reply = table_view(seen.table, seen.round, seen.settings, names, now)

    def refusal(old: dict[str, Any] | None) -> Problem:
        again = look(world, event_id, number, table)
        why = _why_not(again, world.now())
        if why is not None:
            return Problem(why)
        shown = table_view(again.table, again.round, again.settings, names, now)
        return Problem("stale_version", current=msgspec.to_builtins(shown))

    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        Match(partition(event_id, number), table_key(table)),
        actions,
        (Match.generation == seen.table.generation)
        & (Match.version == version)
        & Match.ruling.does_not_exist()
        & (Match.held_until <= free_at(seen.round, now)),
        refusal,
    )
    _demand_same_words(work, seen, side, refusal)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=ruling["actor"],
        action="table.forfeit",
        subject=f"table:{number}.{table}",
        details={
            "side": side,
            "values": values,
            "version": version + 1,
            "tapped_at": tapped_at,
            **audit_facts.of_table(seen.table),
        },
    )
    if other is not None:
        match_rooms.follow(work, world, seen, other, ruling, None, ruling["actor"])
    work.commit()
    return reply


def _why_not(seen: Surroundings, now: int) -> str | None:
    if seen.event.phase == "ended":
        return "event_ended"
    if not seen.settings.self_forfeit:
        return "forfeit_not_allowed"
    if seen.round.phase not in IN_PLAY:
        return "table_locked"
    if seen.table.ruling is not None:
        return "table_ruled"
    return "busy" if seen.table.held_until > free_at(seen.round, now) else None


def _agreed(table: StoredTable) -> bool:
    """Whether both sides have said the same."""
    said = [tables.result_of(word.values) for word in table.words.values()]
    return len(said) == len(tables.SIDES) and said[0].agrees_with(said[1])


def _demand_same_words(work: Transaction, seen: Surroundings, side: str, refusal: Refusal) -> None:
    """The partner's phone may have said something in the meantime; then the forfeit is not what the side agreed on.
    Where the own side has said something, the other may have agreed to it."""
    pk = partition(seen.event.event_id, seen.table.round)
    for one in tables.SIDES if side in seen.table.words else (side,):
        word = seen.table.words.get(one)
        same = Word.pk.does_not_exist() if word is None else Word.version == word.version
        work.check(Word(pk, word_key(seen.table.table, one)), same, refusal)
