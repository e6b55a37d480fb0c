"""呼叫裁判 and 更正请求: players call a referee to their table; referees take a call and close it.

A side of a table has one open call at most, so the queue cannot be flooded. What is over is kept under its own id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from chalicelib.services import audit, pulse
from chalicelib.services.device_tokens import DeviceToken, ensure_live, ensure_signed_in
from chalicelib.services.finding import IN_PLAY, open_event
from chalicelib.services.names import neat
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.table_views import Surroundings, look, names_at, table_view
from chalicelib.services.views.accounts import Done
from chalicelib.services.views.calls import CallView
from chalicelib.services.views.rounds import SeatedEntry
from chalicelib.services.world import World
from chalicelib.store.calls import (
    AnsweredCall,
    OpenCall,
    answered_key,
    find_answered_call,
    find_open_call,
    open_calls,
    open_key,
)
from chalicelib.store.standings import Pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

SIDES = ("ns", "ew")


def queue(event_id: str, names: Mapping[int, SeatedEntry]) -> list[CallView]:
    """The open calls, oldest first."""
    return _views(open_calls(event_id), names)


def at_table(event_id: str, round_: int, tables: Iterable[int], entry: int) -> list[CallView]:
    """The open calls of these tables and those that ``entry`` made elsewhere (a correction of an earlier round), with
    their places in the whole queue. Names are left to who shows them: a phone knows its own table."""
    here = set(tables)
    return [
        view
        for view in _views(open_calls(event_id), {})
        if (view.round == round_ and view.table in here) or view.entry == entry
    ]


def _views(found: Iterable[OpenCall], names: Mapping[int, SeatedEntry]) -> list[CallView]:
    place = 0
    views = []
    for each in sorted(found, key=lambda call: (call.at, call.sk)):
        waits = whole(each.taken_at) is None
        place += waits
        views.append(_view(each, names, place if waits else 0))
    return views


def _place(event_id: str, call: OpenCall) -> int:
    """Its place among the calls that wait, from 1; 0 for one that a referee has taken."""
    if whole(call.taken_at) is not None:
        return 0
    waiting = [each for each in open_calls(event_id) if whole(each.taken_at) is None and each.call_id != call.call_id]
    return 1 + sum((each.at, each.sk) < (call.at, call.sk) for each in waiting)


def _view(call: OpenCall, names: Mapping[int, SeatedEntry], place: int) -> CallView:
    entry = int(call.entry)
    return CallView(
        call=call.call_id,
        kind=call.kind,
        message=call.message,
        round=int(call.round),
        table=int(call.table),
        match=int(call.match),
        room=call.room,
        side=call.side,
        entry=entry,
        name=names[entry].name if entry in names else "",
        at=int(call.at),
        taken_at=whole(call.taken_at),
        taken_by=call.taken_by,
        taken_name=call.taken_name,
        place=place,
    )


def make(
    world: World,
    event_id: str,
    number: int,
    table: int,
    device: DeviceToken,
    kind: str,
    message: str,
    once: Once,
) -> CallView:
    """Call a referee to the device's own table, or ask to correct its result (``kind`` correction, with a message).

    Raises call_open (with the call in ``current``) while the side has one, table_locked for a call in a settled round,
    message_missing, not_your_table, event_ended, round_not_found, table_not_found, identify_first.
    """
    seen = look(world, event_id, number, table, (device.keys,), lambda extra: ensure_live(extra[0]))
    ensure_signed_in(seen.extra[0], seen.settings)
    side = seen.table.side_of(device.number)
    if side is None:
        raise Problem("not_your_table")
    _demand_callable(seen, kind, message)
    names = names_at(world, event_id, [device.number])
    shown = table_view(seen.table, seen.round, seen.settings, names, world.now())
    made = OpenCall(
        event_id,
        open_key(number, table, side),
        call_id=f"{number}-{table}-{side}-{world.random.token(9)}",
        kind=kind,
        message=message.strip(),
        round=number,
        table=table,
        match=shown.match,
        room=shown.room,
        side=side,
        entry=device.number,
        actor=f"device:{device.device_id}",
        at=world.now(),
    )
    reply = _view(made, names, _place(event_id, made))

    def open_already(old: dict[str, Any] | None) -> Problem:
        if old is None:
            return Problem("call_open")
        open_now = OpenCall.from_raw_data(old)
        return Problem("call_open", current=msgspec.to_builtins(_view(open_now, names, _place(event_id, open_now))))

    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.put(made, OpenCall.pk.does_not_exist(), open_already)
    _log(work, world, made, made.actor, "call.make", {"kind": kind})
    _commit(work, world, event_id)
    return reply


def _demand_callable(seen: Surroundings, kind: str, message: str) -> None:
    if seen.event.phase == "ended":
        raise Problem("event_ended")
    if kind == "correction" and not message.strip():
        raise Problem("message_missing", "message")
    if kind == "call" and seen.round.phase not in IN_PLAY:
        raise Problem("table_locked")


def withdraw(world: World, event_id: str, call_id: str, device: DeviceToken, once: Once) -> Done:
    """Take the own side's call back. Raises call_not_found (also for other sides' calls), identify_first."""
    found = _found(event_id, call_id)
    seen = look(
        world, event_id, int(found.round), int(found.table), (device.keys,), lambda extra: ensure_live(extra[0])
    )
    if seen.table.side_of(device.number) != found.side:
        raise Problem("call_not_found")
    return _end(world, found, "withdrawn", f"device:{device.device_id}", once)


def close(world: World, event_id: str, call_id: str, actor: str, once: Once) -> Done:
    """The call is dealt with. Raises call_not_found for one that is not open."""
    open_event(world, event_id)
    return _end(world, _found(event_id, call_id), "closed", actor, once)


def take(world: World, event_id: str, call_id: str, name: str, actor: str, once: Once) -> CallView:
    """Say that one is on the way; ``name``: what the referee is called, for a link says only that it is one; empty
    where they do not say. Raises call_not_found, call_taken (with the call in ``current``)."""
    open_event(world, event_id)
    found = _found(event_id, call_id)
    names = names_at(world, event_id, [int(found.entry)])
    taken = OpenCall(**found.attribute_values)
    taken.taken_at, taken.taken_by, taken.taken_name = world.now(), actor, neat(name) or None
    reply = _view(taken, names, 0)

    def refusal(old: dict[str, Any] | None) -> Problem:
        now_standing = None if old is None else OpenCall.from_raw_data(old)
        if now_standing is None or now_standing.call_id != call_id:
            return Problem("call_not_found")
        return Problem("call_taken", current=msgspec.to_builtins(_view(now_standing, names, 0)))

    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        found,
        [
            OpenCall.taken_at.set(world.now()),
            OpenCall.taken_by.set(actor),
            *([OpenCall.taken_name.set(taken.taken_name)] if taken.taken_name else []),
        ],
        (OpenCall.call_id == call_id) & OpenCall.taken_at.does_not_exist(),
        refusal,
    )
    _log(work, world, found, actor, "call.take", {})
    _commit(work, world, event_id)
    return reply


def give_back(world: World, event_id: str, call_id: str, actor: str, once: Once) -> CallView:
    """Undo of the last act: a taken call waits again, a closed one is open as it was. Doing so again changes nothing.

    Raises call_not_found (also for one that the players withdrew), call_open where the side has called anew.
    """
    open_event(world, event_id)
    over = find_answered_call(event_id, call_id)
    found = _found(event_id, call_id) if over is None else _reopened(over)
    names = names_at(world, event_id, [int(found.entry)])
    again = OpenCall(**found.attribute_values)
    if over is None:
        again.taken_at = again.taken_by = again.taken_name = None
    reply = _view(again, names, _place(event_id, again))
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    if over is None:
        work.update(
            found,
            [OpenCall.taken_at.remove(), OpenCall.taken_by.remove(), OpenCall.taken_name.remove()],
            OpenCall.call_id == call_id,
            lambda old: Problem("call_not_found"),
        )
    else:
        work.delete(over, AnsweredCall.how == "closed", lambda old: Problem("call_not_found"))
        work.put(again, OpenCall.pk.does_not_exist(), lambda old: Problem("call_open"))
    _log(work, world, found, actor, "call.give_back", {})
    _commit(work, world, event_id)
    return reply


def _reopened(over: AnsweredCall) -> OpenCall:
    """A call that a referee closed as it stood before; raises call_not_found for a withdrawn one."""
    if over.how != "closed":
        raise Problem("call_not_found")
    kept = {name: over.attribute_values[name] for name in OpenCall.get_attributes() if name in over.attribute_values}
    return OpenCall(**{**kept, "sk": open_key(int(over.round), int(over.table), over.side)})


def _found(event_id: str, call_id: str) -> OpenCall:
    """The open call of this id; raises call_not_found."""
    parts = call_id.split("-", 3)
    numbers = parts[:2]
    if len(parts) == 4 and all(part.isdigit() and len(part) <= 6 for part in numbers) and parts[2] in SIDES:
        found = find_open_call(event_id, int(parts[0]), int(parts[1]), parts[2])
        if found is not None and found.call_id == call_id:
            return found
    raise Problem("call_not_found")


def _end(world: World, call: OpenCall, how: str, actor: str, once: Once) -> Done:
    kept = {name: value for name, value in call.attribute_values.items() if name != "sk"}
    work = transaction(world)
    once.record(work, {"done": True}, world)
    work.delete(call, OpenCall.call_id == call.call_id, lambda old: Problem("call_not_found"))
    work.put(AnsweredCall(sk=answered_key(call.call_id), how=how, ended_at=world.now(), ended_by=actor, **kept))
    _log(work, world, call, actor, f"call.{'close' if how == 'closed' else 'withdraw'}", {})
    _commit(work, world, call.pk)
    return Done()


def _commit(work: Transaction, world: World, event_id: str) -> None:
    """Carry it out and let the pulse say that the queue has changed: nobody watches the queue itself."""
    pulse.change(work, event_id, Pointer.calls.add(1))
    work.commit()
    pulse.publish(world, event_id)


def _log(work: Transaction, world: World, call: OpenCall, actor: str, action: str, details: dict[str, Any]) -> None:
    """The log says that there was a call, never its words: they may name people."""
    audit.record(
        work,
        world,
        event_id=call.pk,
        actor=actor,
        action=action,
        subject=f"table:{int(call.round)}.{int(call.table)}",
        details={"call": call.call_id, "side": call.side, **details},
    )
