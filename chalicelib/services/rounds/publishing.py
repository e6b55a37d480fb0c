"""Publishing: from now on players see their tables. Until the round's header flips, nothing of it is visible."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec

from chalicelib.services import audit, clock, public_list, pulse, rank_changes
from chalicelib.services.finding import drawn_round, open_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.rounds import drafts
from chalicelib.services.rounds.drafts import DraftTable
from chalicelib.services.rounds.settling import stale_round
from chalicelib.services.rounds.viewing import round_view
from chalicelib.services.views.rounds import RoundView
from chalicelib.services.world import World
from chalicelib.store.bulk import Item, delete_items, put_items
from chalicelib.store.events import EventHeader, RoundHeader
from chalicelib.store.matches import TABLE, keys_of_round, partition, seat_key, table_key
from chalicelib.store.standings import ACTIVE, POINTER, Active, Pointer, find_pointer

TABLES_PER_PAGE = 200


def publish(world: World, event_id: str, number: int, version: int, actor: str, once: Once) -> RoundView:
    """Publish a draft that was seen at ``version``. Raises round_phase, stale_version."""
    event, settings = open_event(world, event_id)
    header = drawn_round(event_id, number)
    if header.phase != "draft":
        raise Problem("round_phase", phase=header.phase)
    (tables,) = drafts.read(world, [header])
    pointer = find_pointer(event_id)
    if header.version != version:
        current = round_view(world, settings, header, tables, pointer)
        raise Problem("stale_version", current=msgspec.to_builtins(current))
    now = world.now()
    _write_tables(world, header, tables)
    published = RoundHeader(**header.attribute_values)
    published.phase, published.version, published.published_at = "published", version + 1, now
    # The clock of the round before does not belong to this one.
    shown = Pointer(event_id, POINTER, round=number, clock_version=_next_clock_version(pointer))
    reply = round_view(world, settings, published, tables, shown)
    snapshot = write_snapshot(world, event_id, number, reply)
    work = transaction(world)
    once.record(work, msgspec.to_builtins(reply), world)
    work.update(
        header,
        [
            RoundHeader.phase.set("published"),
            RoundHeader.version.set(version + 1),
            RoundHeader.published_at.set(now),
            RoundHeader.pairings.set(snapshot),
        ],
        condition=(RoundHeader.version == version)
        & (RoundHeader.phase == "draft")
        & (RoundHeader.generation == header.generation),
        otherwise=stale_round,
    )
    work.check(
        event,
        (EventHeader.phase == "open") & (EventHeader.last_round == number),
        lambda old: Problem("stale_version"),
    )
    pulse.change(
        work,
        event_id,
        Pointer.round.set(number),
        Pointer.rounds.set(settings.rounds),
        Pointer.name.set(settings.name),
        Pointer.phase.set("published"),
        Pointer.pairings.set(snapshot),
        Pointer.clock.set(clock.IDLE),
        Pointer.clock_version.add(1),
    )
    work.put(Active(ACTIVE, event_id, since=now))
    public_list.follow(work, event, settings, public_list.RUNNING)
    # Byes and absences count from now on. Until the first round registrations do not tell anybody that they came.
    rank_changes.mark(work, event_id, f"round.publish:{number}", roster=number == 1)
    audit.record(work, world, event_id=event_id, actor=actor, action="round.publish", subject=f"round:{number}")
    work.commit()
    pulse.publish(world, event_id)
    return reply


def _next_clock_version(pointer: Pointer | None) -> int:
    return 1 + (int(pointer.clock_version) if pointer is not None else 0)


def _write_tables(world: World, header: RoundHeader, tables: Sequence[DraftTable]) -> None:
    """Put matches and seats under their final keys, and remove what an earlier drawing of this round left."""
    number, generation = int(header.number), header.generation
    items = [*_match_items(header, tables), *_seat_items(header, tables)]
    ours = {item["sk"]["S"] for item in items}
    leftovers = [(pk, sk) for pk, sk in keys_of_round(header.pk, number) if sk not in ours]
    delete_items(TABLE, leftovers, world.sleep, world.random.fraction)
    pk = partition(header.pk, number)
    common = {"pk": {"S": pk}, "generation": {"S": generation}, "wakes": {"N": "0"}}
    put_items(TABLE, ({**common, **item} for item in items), world.sleep, world.random.fraction)


def _match_items(header: RoundHeader, tables: Sequence[DraftTable]) -> Iterator[Item]:
    for table in tables:
        yield {
            "sk": {"S": table_key(table.table)},
            "event_id": {"S": header.pk},
            "round": {"N": str(header.number)},
            "table": {"N": str(table.table)},
            "ns": {"S": json.dumps(table.ns)},
            "ew": {"S": json.dumps(table.ew)},
            "extra_minutes": {"N": "0"},
            "held_until": {"N": "0"},
            "version": {"N": "1"},
        }


def _seat_items(header: RoundHeader, tables: Sequence[DraftTable]) -> Iterator[Item]:
    for table in tables:
        for side, numbers in (("ns", table.ns), ("ew", table.ew)):
            for number in numbers:
                yield {
                    "sk": {"S": seat_key(number)},
                    "table": {"N": str(table.table)},
                    "side": {"S": side},
                    "at_table": {"S": json.dumps([*table.ns, *table.ew])},
                }
    for number in header.byes or ():
        yield {"sk": {"S": seat_key(number)}, "table": {"N": "0"}}


def write_snapshot(world: World, event_id: str, number: int, view: RoundView) -> str:
    """Put the public pages of a round's pairings; returns the snapshot's name. It is unguessable until published."""
    snapshot = f"{number}-{world.random.token(9)}"
    tables = [
        {
            "table": table.table,
            "ns": {"no": table.ns.number, "name": table.ns.name, "players": table.ns.players},
            "ew": {"no": table.ew.number, "name": table.ew.name, "players": table.ew.players},
        }
        for table in view.tables
    ]
    byes = [{"no": bye.number, "name": bye.name, "players": bye.players} for bye in view.byes]
    pages = [tables[first : first + TABLES_PER_PAGE] for first in range(0, len(tables), TABLES_PER_PAGE)] or [[]]
    for page, shown in enumerate(pages, 1):
        body = {"round": number, "page": page, "pages": len(pages), "tables": shown, "byes": byes}
        world.files.put(
            f"pub/{event_id}/pairings/{snapshot}/{page}.json",
            msgspec.json.encode(body),
            pulse.JSON_TYPE,
            pulse.CACHE_SNAPSHOT,
        )
    return snapshot
