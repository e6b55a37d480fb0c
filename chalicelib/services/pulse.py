"""The pulse: one small public file per event that says which round, clock, standings and pairings are newest.

Its only source is the event's pointer item; every change of that item raises its pulse number. Whoever changed the
pointer puts the file, and so does the worker behind the pointer's stream, in case the first died in between.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.gateways.files import Conflict
from chalicelib.services.settings import Settings
from chalicelib.services.world import World
from chalicelib.store.standings import POINTER, Pointer, find_pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, Refusal, Transaction

CACHE_PULSE = "public, max-age=1, s-maxage=1, stale-if-error=300"
CACHE_SNAPSHOT = "public, max-age=86400, immutable"
JSON_TYPE = "application/json; charset=utf-8"
ATTEMPTS = 20
DISPLAY: dict[str, Any] = {"view": "clock", "page": None, "paused": False, "step": 0, "picture": None}


def key_of(event_id: str) -> str:
    """Where an event's pulse stands."""
    return f"pub/{event_id}/pulse.json"


def change(
    transaction: Transaction,
    event_id: str,
    *actions: Action,
    condition: Condition | None = None,
    otherwise: Refusal | None = None,
) -> None:
    """Add a change of the pointer (made where there is none) to ``transaction``; call :func:`publish` after it."""
    transaction.update(Pointer(event_id, POINTER), [Pointer.pulse.add(1), *actions], condition, otherwise)


def told_of(settings: Settings) -> list[Action]:
    """What the pulse tells of an event's settings, to be changed with them."""
    return [
        Pointer.name.set(settings.name),
        Pointer.rounds.set(settings.rounds),
        Pointer.no_advertisement.set(settings.no_advertisement),
    ]


def document(event_id: str, pointer: Pointer) -> dict[str, Any]:
    """The pulse as JSON; nothing in it but what is published."""
    clock = pointer.clock or {"state": "idle"}
    return {
        "v": int(pointer.pulse),
        "event": event_id,
        "phase": "ended" if pointer.ended else pointer.phase,
        "round": int(pointer.round),
        "rounds": int(pointer.rounds),
        "clock": {
            "starts_at": clock.get("starts_at"),
            "ends_at": clock.get("ends_at"),
            "paused_left": clock.get("paused_left"),
            "stop_drawing_minutes": clock.get("stop_drawing_minutes", 0),
            # Count-down and end follow from the times; whoever reads the pulse later sees them by itself.
            "state": clock["state"],
            "version": int(pointer.clock_version),
        },
        "standings": pointer.standings,
        "standings_pages": int(pointer.standings_pages),
        "pairings": pointer.pairings,
        "bracket": pointer.bracket,
        "calendar": pointer.calendar,
        "charts": pointer.charts,
        "display": {**DISPLAY, **(pointer.display or {})},
        "frozen": whole(pointer.frozen_from) is not None,
        # The code (``qr/{code}``) of the platform's own page, which projections show small, unless 去除广告.
        "advertisement": None if pointer.no_advertisement else "home",
        # What to ask anew: tables (``changes/{n}.json`` says which, ``recent`` the last of them), the queue of calls.
        "changes": int(pointer.changes),
        "recent": pointer.recent,
        "calls": int(pointer.calls),
        "name": pointer.name,
    }


def publish(world: World, event_id: str) -> None:
    """Put the pulse of the pointer as it is now, never over a newer one. Does nothing before the first change and while
    the public files are withdrawn.

    Raises :class:`Busy` when others keep writing; whoever made the newer pulse has then published it.
    """
    key = key_of(event_id)
    for attempt in range(ATTEMPTS):
        stored = world.files.get(key)
        pointer = find_pointer(event_id)
        if pointer is None or whole(pointer.withdrawn_at) is not None:
            return
        if stored is not None and msgspec.json.decode(stored.body)["v"] >= int(pointer.pulse):
            return
        try:
            world.files.put_if_match(
                key,
                msgspec.json.encode(document(event_id, pointer)),
                None if stored is None else stored.etag,
                JSON_TYPE,
                CACHE_PULSE,
            )
            return
        except Conflict:
            world.sleep(min(0.5, 0.01 * 2**attempt) * (0.5 + world.random.fraction()))
    raise Busy
