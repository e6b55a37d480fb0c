"""Packs: what many readers need and few changes touch (settled rounds, the roster), compressed in a few items.

A head item says which packing is valid. Its ``wanted`` number rises in the very transaction that changes what is
packed; a packing made for a lower number is stale at once, for every reader, and whoever meets it packs anew. So no
reader can take old content for new, whatever runs beside it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from pynamodb.exceptions import UpdateError
from pynamodb.expressions.update import Action

from chalicelib.rules.model import Board, Outcome, Room, Side, Table
from chalicelib.services.stored import records, tables
from chalicelib.services.world import World
from chalicelib.store.bulk import Item, delete_items, get_items, put_items
from chalicelib.store.events import RoundHeader
from chalicelib.store.standings import TABLE, PackHead
from chalicelib.store.transaction import Refusal, Transaction, patiently

Unsure = dict[int, set[int]]
"""Entries whose result counts provisionally only, by round."""
CHUNK_BYTES = 290_000
CONDITION_FAILED = "ConditionalCheckFailedException"


def round_pack(number: int) -> str:
    """The name of a settled round's pack."""
    return f"PACK#{number:03d}"


def outdate(transaction: Transaction, event_id: str, number: int) -> None:
    """Make the pack of a round stale, in the transaction that settles, corrects, reopens or deletes the round."""
    transaction.update(PackHead(event_id, round_pack(number)), [PackHead.wanted.add(1)])


def wanted(event_id: str, name: str) -> int:
    """How often what a pack holds has changed so far, strongly consistent."""
    try:
        return int(PackHead.get(event_id, name, consistent_read=True).wanted)
    except PackHead.DoesNotExist:
        return 0


def outdate_now(world: World, event_id: str, name: str) -> int:
    """Make a pack stale at once, because what it holds may have changed without saying so; returns what :func:`wanted`
    gives from now on."""
    head = PackHead(event_id, name)
    patiently(lambda: head.update([PackHead.wanted.add(1)]), world.sleep, world.random.fraction)
    return int(head.wanted)


def demand_unchanged(transaction: Transaction, event_id: str, name: str, seen: int, otherwise: Refusal) -> None:
    """Let ``transaction`` fail if what a pack holds has changed since it was :func:`wanted` ``seen`` times."""
    same = PackHead.wanted == seen
    if seen == 0:
        same = same | PackHead.wanted.does_not_exist()
    transaction.check(PackHead(event_id, name), same, otherwise)


class _Head(msgspec.Struct, frozen=True):
    wanted: int
    built: int
    packing: str | None
    chunks: int


def _read_head(item: Item | None) -> _Head:
    if item is None:
        return _Head(0, -1, None, 0)
    held = {name: int(item[name]["N"]) if name in item else default for name, default in _HEAD_DEFAULTS.items()}
    return _Head(held["wanted"], held["built"], item.get("packing", {}).get("S"), held["chunks"])


_HEAD_DEFAULTS = {"wanted": 0, "built": -1, "chunks": 0}


def _chunk_key(name: str, packing: str, chunk: int) -> str:
    return f"{name}#{packing}#{chunk:03d}"


def read(world: World, event_id: str, make: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """The packed values by name: two requests for any number of packs that are fresh.

    ``make`` reads the things themselves when a packing is stale: everything they depend on, strongly consistent, and
    nothing that was read before, or the new packing might hold less than its number says.
    """
    names = list(make)
    found = get_items([(TABLE, event_id, name) for name in names], world.sleep, world.random.fraction)
    heads = {name: _read_head(item) for name, item in zip(names, found, strict=True)}
    fresh = [name for name in names if heads[name].packing is not None and heads[name].built >= heads[name].wanted]
    keys = [
        (TABLE, event_id, _chunk_key(name, heads[name].packing or "", chunk))
        for name in fresh
        for chunk in range(heads[name].chunks)
    ]
    chunks = dict(zip(keys, get_items(keys, world.sleep, world.random.fraction), strict=True))
    values: dict[str, Any] = {}
    for name in names:
        parts = [item for (_, _, key), item in chunks.items() if key.startswith(f"{name}#")] if name in fresh else []
        bodies = [item["body"]["B"] for item in parts if item is not None]
        # A packing whose chunks are gone was replaced while we looked: pack anew rather than look again.
        if name in fresh and len(bodies) == heads[name].chunks:
            values[name] = msgspec.json.decode(zlib.decompress(b"".join(bodies)))
        else:
            values[name] = make[name]()
            _write(world, event_id, name, values[name], heads[name])
    return values


def _write(world: World, event_id: str, name: str, value: Any, before: _Head) -> None:
    """Store a packing and make it the valid one, unless one for the same or a higher number already is."""
    body = zlib.compress(msgspec.json.encode(value), 6)
    parts = [body[first : first + CHUNK_BYTES] for first in range(0, len(body), CHUNK_BYTES)]
    packing = world.random.token(9)
    keys = [(event_id, _chunk_key(name, packing, chunk)) for chunk in range(len(parts))]
    put_items(
        TABLE,
        ({"pk": {"S": pk}, "sk": {"S": sk}, "body": {"B": part}} for (pk, sk), part in zip(keys, parts, strict=True)),
        world.sleep,
        world.random.fraction,
    )
    replaced = [(event_id, _chunk_key(name, before.packing or "", chunk)) for chunk in range(before.chunks)]
    if not _make_valid(world, event_id, name, packing, len(parts), before):
        replaced = keys
    delete_items(TABLE, replaced, world.sleep, world.random.fraction)


def _make_valid(world: World, event_id: str, name: str, packing: str, chunks: int, before: _Head) -> bool:
    valid = (
        PackHead.built.does_not_exist()
        | (PackHead.built < before.wanted)
        # Equal numbers mean equal content, so there is nothing to replace unless that packing's chunks are gone.
        | ((PackHead.built == before.wanted) & (PackHead.packing == (before.packing or "")))
        # Ours already: the change took effect and its reply was lost on the way.
        | (PackHead.packing == packing)
    )
    actions: list[Action] = [
        PackHead.built.set(before.wanted),
        PackHead.packing.set(packing),
        PackHead.chunks.set(chunks),
    ]

    def flip() -> None:
        PackHead(event_id, name).update(actions, condition=valid)

    try:
        patiently(flip, world.sleep, world.random.fraction)
    except UpdateError as error:
        if error.cause_response_code == CONDITION_FAILED:
            return False
        raise
    return True


def settled_rounds(
    world: World, headers: Sequence[RoundHeader], *, double_submission: bool
) -> dict[int, tuple[Table, ...]]:
    """The tables of settled rounds with their effective results, by round."""
    if not headers:
        return {}
    by_name = {round_pack(int(header.number)): header for header in headers}

    def maker(header: RoundHeader) -> Callable[[], Any]:
        return lambda: [_row(table) for table in tables_of(header, double_submission=double_submission)]

    values = read(world, headers[0].pk, {name: maker(header) for name, header in by_name.items()})
    return {int(by_name[name].number): tuple(_table(row) for row in rows) for name, rows in values.items()}


def tables_of(
    header: RoundHeader, *, double_submission: bool, live: Unsure | None = None, whole: bool = True
) -> tuple[Table, ...]:
    """The tables of a published round as they stand, strongly consistent; ``live``: with what only one side said (it
    is told of which entries), but, if ``whole``, not with a score that lacks boards (duplicate results are compared
    board by board).

    ``double_submission`` is the event's setting now; a settled round goes by the setting it was settled under.
    """
    if header.double_submission is not None:
        double_submission = header.double_submission
    said = []
    for table in tables.of_round(header.pk, int(header.number), header.generation):
        state = tables.state_of(table, double_submission)
        result = state.effective if live is None else state.provisional
        if result is not state.effective and result is not None and table.boards:
            missing = len(table.boards) - len(result.boards)
            result = None if not result.boards or (whole and missing) else result
        if live is not None and result is not state.effective and result is not None:
            live.setdefault(int(header.number), set()).update(table.ns, table.ew)
        said.append((table, result))
    return records.records(said)


def _row(table: Table) -> list[Any]:
    row: list[Any] = [table.number, table.ns, table.ew, table.outcome.value, table.ns_level, table.ew_level]
    winner = None if table.winner is None else table.winner.value
    more = [winner, table.postponed, table.boards, table.board_set, table.room, table.third_place]
    while more and more[-1] == _NO_MORE[len(more) - 1]:
        more.pop()
    return row + more


def _table(row: list[Any]) -> Table:
    number, ns, ew, outcome, ns_level, ew_level, *more = row
    more += _NO_MORE[len(more) :]
    winner, postponed, boards, board_set, room, third_place = more
    return Table(
        number,
        tuple(ns),
        tuple(ew),
        Outcome(outcome),
        ns_level,
        ew_level,
        tuple(Board(*board) for board in boards or ()),
        board_set,
        None if room is None else Room(room),
        None if winner is None else Side(winner),
        bool(postponed),
        bool(third_place),
    )


_NO_MORE = (None, False, (), None, None, False)
"""What a row leaves out behind its levels: winner, postponed, boards, their set, the room, the third-place match."""
