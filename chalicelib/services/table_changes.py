"""Which tables have changed, so that officials and phones need not ask for what they know already.

``pub/<event>/changes/<n>.json`` says of each table of the round in play with which change it changed last. The pulse
names the newest n; each file stands under its own number and never changes, so whatever cache answers, pulse and file
fit together. There is nothing in it but numbers. The ``standings`` function writes it from the stream, before it ranks:
a change is in the store when the stream tells of it, so who reads a table after having seen n knows everything up to n.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from pynamodb.exceptions import UpdateError

from chalicelib.gateways.files import Conflict
from chalicelib.services import pulse
from chalicelib.services.finding import known_event
from chalicelib.services.world import World
from chalicelib.store.matches import SHOWN
from chalicelib.store.standings import POINTER, Pointer, find_pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy, patiently

MOST_RECENT = 40
"""So many tables stand in the pulse itself: phones, which look seldom, need the file only when many change at once."""
KEPT = 30
"""So many older files stay for those who learned of them from a cached pulse; who misses one asks the API."""
ATTEMPTS = 12
_CONDITION_FAILED = "ConditionalCheckFailedException"
_OF_A_ROUND = "round."
"""Reasons that begin so belong to an act that moves the pulse's round or phase by itself."""


class Changes(msgspec.Struct, frozen=True):
    """``n``: the newest change; ``round``: the round of ``tables``, which holds the last change of each table that has
    changed since that round was published; ``all``: the last change that may show on every phone (names, penalties)."""

    n: int = 0
    round: int = 0
    all: int = 0
    tables: dict[int, int] = {}

    def since(self, n: int) -> list[int]:
        """The tables that have changed after ``n``, by number."""
        return sorted(table for table, last in self.tables.items() if last > n)

    def recent(self) -> dict[str, Any]:
        """What the pulse tells: the tables that changed after ``from`` (never more than MOST_RECENT), and ``all``."""
        newest = sorted(self.tables.items(), key=lambda item: -item[1])
        # Of a file that is gone nothing is known (`read`): then the pulse tells of no change before this one.
        since = newest[MOST_RECENT][1] if len(newest) > MOST_RECENT else 0 if self.round else self.n
        return {"from": since, "all": self.all, "tables": {str(table): n for table, n in newest if n > since}}


class Seen(msgspec.Struct):
    """What a stream batch tells of one event."""

    tables: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """(round, table)."""
    everybody: bool = False
    ranks: bool = False


def seen_in(records: Iterable[Mapping[str, Any]]) -> dict[str, Seen]:
    """What a batch of the matches table's stream tells, by event."""
    found: dict[str, Seen] = {}
    for record in records:
        image = record.get("dynamodb", {})
        keys, new = image.get("Keys", {}), image.get("NewImage", {})
        pk, sk = (keys.get(name, {}).get("S", "") for name in ("pk", "sk"))
        event_id, _, number = pk.partition("#")
        seen = found.setdefault(event_id, Seen())
        seen.ranks |= new.get("wakes", {}).get("N") != str(SHOWN)
        if number.isdigit() and sk.startswith("T#") and sk[2:7].isdigit():
            seen.tables.add((int(number), int(sk[2:7])))
        elif not new.get("reason", {}).get("S", "").startswith(_OF_A_ROUND):
            seen.everybody = True
    return found


def key_of(event_id: str, n: int) -> str:
    """Where a file of changes stands."""
    return f"pub/{event_id}/changes/{n}.json"


def read(world: World, event_id: str, n: int) -> Changes:
    """The changes up to ``n``; none where the file is gone."""
    stored = world.files.get(key_of(event_id, n)) if n else None
    return Changes(n) if stored is None else msgspec.json.decode(stored.body, type=Changes)


def tell(world: World, event_id: str, seen: Seen) -> None:
    """Let everybody know what has changed: the file, the pointer that names it, the pulse. Does nothing before an
    event has published anything, or where nothing is seen anywhere.

    Raises event_not_found, also for a deleted event, and :class:`Busy` when others keep telling.
    """
    if not seen.tables and not seen.everybody:
        return
    known_event(event_id)
    mine: Changes | None = None
    for attempt in range(ATTEMPTS):
        pointer = find_pointer(event_id)
        if pointer is None or not pointer.round:
            return
        if whole(pointer.withdrawn_at) is not None:
            if mine is not None:
                # The event was deleted after we looked: nothing of it may stay.
                world.files.delete(key_of(event_id, mine.n))
            return
        if mine is not None and int(pointer.changes) >= mine.n:
            pulse.publish(world, event_id)
            world.files.delete(key_of(event_id, max(0, mine.n - KEPT)))
            return
        before = read(world, event_id, int(pointer.changes))
        after = _after(before, int(pointer.round), seen)
        mine = after if _write(world, event_id, after) else None
        # Another's file is helped on, for its teller may have died before the pointer named it; ours comes after it.
        if _flip(world, event_id, before.n, mine or read(world, event_id, after.n)):
            continue
        world.sleep(min(0.2, 0.01 * 2**attempt) * (0.5 + world.random.fraction()))
    raise Busy


def _after(before: Changes, round_number: int, seen: Seen) -> Changes:
    n = before.n + 1
    tables = dict(before.tables) if before.round == round_number else {}
    tables.update((table, n) for number, table in seen.tables if number == round_number)
    return Changes(n, round_number, n if seen.everybody else before.all, tables)


def _write(world: World, event_id: str, changes: Changes) -> bool:
    """Put a file under its number; False if another teller has taken the number."""
    body, key = msgspec.json.encode(changes), key_of(event_id, changes.n)
    try:
        world.files.put_if_match(key, body, None, pulse.JSON_TYPE, pulse.CACHE_SNAPSHOT)
    except Conflict:
        return False
    return True


def _flip(world: World, event_id: str, before: int, after: Changes) -> bool:
    """Let the pointer name the new file if it still names the one before, and the event was not deleted."""
    condition = Pointer.changes == before
    if before == 0:
        condition = condition | Pointer.changes.does_not_exist()
    condition = condition & Pointer.withdrawn_at.does_not_exist()

    def flip() -> None:
        Pointer(event_id, POINTER).update(
            [Pointer.changes.set(after.n), Pointer.recent.set(after.recent()), Pointer.pulse.add(1)],
            condition=condition,
        )

    try:
        patiently(flip, world.sleep, world.random.fraction)
    except UpdateError as error:
        if error.cause_response_code == _CONDITION_FAILED:
            return False
        raise
    return True
