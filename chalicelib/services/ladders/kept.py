"""How a season's table lies in the store: rows in pages, what they are made of, and what each event changed.

Whatever grows with the season is cut into parts that are items; the table's own item only says how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from chalicelib.services.world import World
from chalicelib.store.ladders import Table, bodies, in_parts, opened, put_bodies

ROWS_OF_A_PAGE: Final = 500
"""At most: fewer, where so many rows of people who play often would outgrow an item."""
BUCKETS: Final = "0123456789abcdef"
LISTED, REST, HALF, INCLUDED, DROPPED = "L", "R", "H", "I", "D"


class Row(msgspec.Struct, array_like=True):
    """A person on the ladder: ``value`` in hundredths; ``events``: places in the table's ``included`` of those that
    counted. ``rank`` 0: not listed."""

    rank: int
    person: str
    name: str
    club: str
    value: int
    events: list[int]


class Included(msgspec.Struct, array_like=True):
    """A posting that the rows are made of, and where its changes stand: under ``run``, in one item or 16."""

    event_id: str
    generation: str
    run: str
    buckets: int


Change = tuple[int, int, int, int]
"""Of one person by one event: place, size of the field (both 0: not ranked), change and value after it (hundredths)."""


def keys(run: str, kind: str, count: Any) -> list[str]:
    """Sort keys of so many items of a run."""
    return [f"ROWS#{run}#{kind}#{number:03d}" for number in range(int(count))]


def page_keys(table: Table) -> list[str]:
    """Sort keys of the pages of a table."""
    return keys(table.run or "", LISTED, table.pages)


def bucket_of(person: str, buckets: int) -> str:
    """The item in which a person's change by an event stands."""
    return BUCKETS[0] if buckets == 1 else person[0]


def changes_key(event_id: str, run: str, bucket: str) -> str:
    """Sort key of an event's changes."""
    return f"CHANGES#{run}#{event_id}#{bucket}"


def all_changes(each: Included) -> list[str]:
    """Sort keys of all changes of a posting."""
    return [changes_key(each.event_id, each.run, bucket) for bucket in BUCKETS[: each.buckets]]


def in_one(value: Any) -> bytes:
    """A compressed value that is read by itself. Raises ValueError when an item does not hold it."""
    (part,) = in_parts(value)
    return part


def in_pages(rows: Sequence[Row]) -> tuple[int, list[bytes]]:
    """Rows in compressed pages, each of which is an item, and how many rows a page has."""
    size = ROWS_OF_A_PAGE
    while True:
        pages = [in_parts(rows[first : first + size]) for first in range(0, len(rows), size)]
        if size == 1 or all(len(page) == 1 for page in pages):
            return size, [page[0] for page in pages]
        # Cut finer: a page may be read, found and shown by itself, so it has to be whole.
        size = max(1, size // 2)


def put_pages(world: World, pk: str, run: str, kind: str, rows: Sequence[Row]) -> tuple[int, int]:
    """Write rows; returns how many a page has, and how many pages there are."""
    size, pages = in_pages(rows)
    put_bodies(pk, zip(keys(run, kind, len(pages)), pages, strict=True), world.sleep, world.random.fraction)
    return size, len(pages)


def put_parts(world: World, pk: str, run: str, kind: str, value: Any) -> int:
    """Write something that is only read as a whole; returns in how many parts."""
    parts = in_parts(value)
    put_bodies(pk, zip(keys(run, kind, len(parts)), parts, strict=True), world.sleep, world.random.fraction)
    return len(parts)


def get_parts(world: World, pk: str, run: str, kind: str, count: Any, wanted: Any) -> Any:
    """What :func:`put_parts` wrote in ``count`` parts, as ``wanted``; None if it is not there any more."""
    parts = bodies(pk, keys(run, kind, count), world.sleep, world.random.fraction)
    return None if None in parts else opened(b"".join(part or b"" for part in parts), wanted)


def included_in(world: World, table: Table) -> list[Included] | None:
    """The postings of which the rows are made, in their order; None if the table was made anew meanwhile."""
    return _list(world, table, INCLUDED, table.included, table.included_parts)


def dropped_by(world: World, table: Table) -> list[Included] | None:
    """Postings whose changes are still to be deleted; None as above."""
    return _list(world, table, DROPPED, table.dropped, table.dropped_parts)


def _list(world: World, table: Table, kind: str, within: Any, count: Any) -> list[Included] | None:
    if not int(count):
        # As tables were kept at first: in their own item.
        return msgspec.convert(within or [], list[Included])
    found: list[Included] | None = get_parts(world, table.pk, table.run or "", kind, count, list[Included])
    return found


def how_many_events(table: Table) -> int:
    """So many postings the rows are made of."""
    return int(table.events) if int(table.included_parts) else len(table.included or ())
