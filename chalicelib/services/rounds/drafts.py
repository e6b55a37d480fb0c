"""A drawn round's tables as the drawing or the organizer left them: chunks of 500 under a generation of their own.

They are written before the round's header names their generation, so an interrupted drawing leaves nothing visible.
They stay after publishing: they say who met whom and why, whatever became of the table.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from chalicelib.services.world import World
from chalicelib.store.bulk import Item, delete_items, get_items, put_items
from chalicelib.store.events import DraftChunk, RoundHeader

TABLES_PER_CHUNK = 500
TABLE = DraftChunk.Meta.table_name


class DraftTable(msgspec.Struct, frozen=True):
    """One table of a drawn round; sides are entry numbers, ``why`` as in the pairing's JSON. ``board_set``: the boards
    that are played there, where tables play different ones."""

    table: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    why: Any = None
    board_set: str | int | None = None
    third_place: bool = False


def _key(number: int, generation: str, chunk: int) -> str:
    return f"DRAFT#{number:03d}#{generation}#{chunk:03d}"


def _keys(header: RoundHeader) -> list[tuple[str, str]]:
    return [(header.pk, _key(int(header.number), header.generation, chunk)) for chunk in range(int(header.chunks))]


def key_of(header: RoundHeader, table: int) -> tuple[str, str, str]:
    """Where a table of a drawn round stands: tables are numbered in the order in which they are kept."""
    return TABLE, header.pk, _key(int(header.number), header.generation, (table - 1) // TABLES_PER_CHUNK)


def find(chunk: Item | None, table: int) -> DraftTable | None:
    """A table in what :func:`key_of` names; None where it is not there."""
    return next((found for found in _unpacked(chunk) if found.table == table), None)


def write(world: World, event_id: str, number: int, tables: Sequence[DraftTable]) -> tuple[str, int]:
    """Store the tables under a fresh generation; returns it and the number of chunks. Nobody sees them yet."""
    generation = world.random.token(9)
    chunks = [tables[first : first + TABLES_PER_CHUNK] for first in range(0, len(tables), TABLES_PER_CHUNK)]
    put_items(
        TABLE,
        (
            {
                "pk": {"S": event_id},
                "sk": {"S": _key(number, generation, index)},
                "body": {"B": _packed(chunk)},
            }
            for index, chunk in enumerate(chunks)
        ),
        world.sleep,
        world.random.fraction,
    )
    return generation, len(chunks)


def _packed(tables: Iterable[DraftTable]) -> bytes:
    rows = [
        [table.table, table.ns, table.ew, table.why, table.board_set, table.third_place]
        if table.board_set is not None or table.third_place
        else [table.table, table.ns, table.ew, table.why]
        for table in tables
    ]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 6)


def _unpacked(chunk: Item | None) -> Iterator[DraftTable]:
    # A draft that was rearranged while we looked: its header has moved on.
    if chunk is not None:
        for table, ns, ew, *rest in json.loads(zlib.decompress(chunk["body"]["B"])):
            yield DraftTable(table, tuple(ns), tuple(ew), *rest)


def read(world: World, headers: Sequence[RoundHeader]) -> list[list[DraftTable]]:
    """The tables of each of these rounds, in one request for up to a hundred chunks."""
    keys = [_keys(header) for header in headers]
    wanted = [(TABLE, pk, sk) for chunks in keys for pk, sk in chunks]
    found = dict(zip(wanted, get_items(wanted, world.sleep, world.random.fraction), strict=True))
    rounds = []
    for chunks in keys:
        tables: list[DraftTable] = []
        for pk, sk in chunks:
            tables.extend(_unpacked(found[TABLE, pk, sk]))
        rounds.append(tables)
    return rounds


def discard(world: World, header: RoundHeader) -> None:
    """Remove the chunks of a generation that no header names any more."""
    delete_items(TABLE, _keys(header), world.sleep, world.random.fraction)
