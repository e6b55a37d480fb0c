"""The round's clock, kept on the server: count-down, start, pause, resume, extend, end, reset.

Stored are times only (the event's pointer holds them): count-down and end follow from the time of whoever looks, so
nothing has to happen at the moment when they begin. Every screen runs its own clock towards the same end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from chalicelib.services import audit, pulse
from chalicelib.services.finding import IN_PLAY, open_event, visible_round
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.events import ClockView
from chalicelib.services.world import World
from chalicelib.store.events import RoundHeader
from chalicelib.store.standings import POINTER, Pointer, find_pointer

MINUTE = 60_000
IDLE: dict[str, Any] = {"state": "idle"}


class Command(msgspec.Struct, frozen=True):
    """What is asked of a clock, and when. Times in milliseconds; ``length`` is a full round's."""

    now: int
    length: int
    minutes: int
    starts_in: int
    stop_drawing_minutes: int


def view(pointer: Pointer | None, stop_drawing_minutes: int, now: int) -> ClockView:
    """The clock as it stands at ``now``."""
    stored = (pointer.clock if pointer is not None else None) or IDLE
    return ClockView(
        state=state_at(stored, now),
        starts_at=stored.get("starts_at"),
        ends_at=stored.get("ends_at"),
        paused_left=stored.get("paused_left"),
        stop_drawing_minutes=int(stored.get("stop_drawing_minutes", stop_drawing_minutes)),
        version=int(pointer.clock_version) if pointer is not None else 0,
    )


def state_at(stored: dict[str, Any], now: int) -> str:
    """idle | countdown | running | paused | ended at the time ``now`` (milliseconds)."""
    if stored["state"] != "running":
        return str(stored["state"])
    if now < stored["starts_at"]:
        return "countdown"
    return "running" if now < stored["ends_at"] else "ended"


def _start(stored: dict[str, Any], ask: Command) -> dict[str, Any]:
    starts_at = ask.now + ask.starts_in
    return {
        "state": "running",
        "starts_at": starts_at,
        "ends_at": starts_at + ask.length,
        "stop_drawing_minutes": ask.stop_drawing_minutes,
    }


def _pause(stored: dict[str, Any], ask: Command) -> dict[str, Any]:
    left = stored["ends_at"] - max(ask.now, stored["starts_at"])
    return {**stored, "state": "paused", "ends_at": None, "paused_left": left}


def _resume(stored: dict[str, Any], ask: Command) -> dict[str, Any]:
    return {
        **stored,
        "state": "running",
        # A pause before the start makes the start happen now.
        "starts_at": min(stored["starts_at"], ask.now),
        "ends_at": ask.now + stored["paused_left"],
        "paused_left": None,
    }


def _extend(stored: dict[str, Any], ask: Command) -> dict[str, Any]:
    by = ask.minutes * MINUTE
    if stored["state"] == "paused":
        return {**stored, "paused_left": max(0, stored["paused_left"] + by)}
    # Over already: the minutes count from now, else they might be over as well.
    base = max(stored["ends_at"], ask.now)
    return {**stored, "ends_at": max(base + by, ask.now, stored["starts_at"])}


def _end(stored: dict[str, Any], ask: Command) -> dict[str, Any]:
    return {
        **stored,
        "state": "running",
        "starts_at": min(stored["starts_at"], ask.now),
        "ends_at": ask.now,
        "paused_left": None,
    }


def _reset(stored: dict[str, Any], ask: Command) -> dict[str, Any]:
    return dict(IDLE)


_COMMANDS: dict[str, tuple[frozenset[str], Callable[[dict[str, Any], Command], dict[str, Any]]]] = {
    "start": (frozenset({"idle"}), _start),
    "pause": (frozenset({"countdown", "running"}), _pause),
    "resume": (frozenset({"paused"}), _resume),
    "extend": (frozenset({"countdown", "running", "paused", "ended"}), _extend),
    "end": (frozenset({"countdown", "running", "paused"}), _end),
    "reset": (frozenset({"countdown", "running", "paused", "ended"}), _reset),
}
"""Command -> the states in which it makes sense, and what it makes of the stored clock."""


def command(
    world: World,
    event_id: str,
    number: int,
    action: str,
    version: int,
    minutes: int,
    starts_in_seconds: int,
    actor: str,
    once: Once,
) -> ClockView:
    """Carry out a clock command for round ``number``; ``version`` is the clock's as the caller saw it.

    Raises round_phase when the round is not the one in play, clock_state when the command makes no sense now, and
    stale_version (with the clock as it is) when somebody else was faster.
    """
    _, settings = open_event(world, event_id)
    header = visible_round(event_id, number)
    pointer = find_pointer(event_id)
    if header.phase not in IN_PLAY or pointer is None or int(pointer.round) != number:
        raise Problem("round_phase", phase=header.phase)
    now = world.now()
    current = view(pointer, settings.stop_drawing_minutes, now)
    if current.version != version:
        raise Problem("stale_version", current=msgspec.to_builtins(current))
    states, change = _COMMANDS[action]
    if current.state not in states:
        raise Problem("clock_state", state=current.state)
    length = settings.minutes_per_round * MINUTE
    ask = Command(now, length, minutes, starts_in_seconds * 1000, settings.stop_drawing_minutes)
    stored = change(pointer.clock or IDLE, ask)
    phase = "published" if action == "reset" else "playing"
    reply = view(
        Pointer(event_id, POINTER, clock=stored, clock_version=version + 1), settings.stop_drawing_minutes, now
    )

    def stale(old: dict[str, Any] | None) -> Problem:
        standing = None if old is None else Pointer.from_raw_data(old)
        seen = view(standing, settings.stop_drawing_minutes, now)
        return Problem("stale_version", current=msgspec.to_builtins(seen))

    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    pulse.change(
        work,
        event_id,
        Pointer.clock.set(stored),
        Pointer.clock_version.set(version + 1),
        Pointer.phase.set(phase),
        condition=(Pointer.round == number) & (Pointer.clock_version == version),
        otherwise=stale,
    )
    work.update(
        header,
        [RoundHeader.phase.set(phase)],
        condition=(RoundHeader.generation == header.generation) & RoundHeader.phase.is_in(*IN_PLAY),
        otherwise=lambda old: Problem("round_phase", phase="settled"),
    )
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action=f"clock.{action}",
        subject=f"round:{number}",
        details={"minutes": minutes, "clock": stored},
    )
    work.commit()
    pulse.publish(world, event_id)
    return reply
