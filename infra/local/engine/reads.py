"""GetItem, Query and Scan."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from infra.local.engine.capacity import READ_UNIT_BYTES, Charge, read_units
from infra.local.engine.context import Context, Request, Response
from infra.local.engine.errors import invalid
from infra.local.engine.expressions.binding import Binder
from infra.local.engine.expressions.evaluation import holds, projected
from infra.local.engine.expressions.syntax import Condition, Path, parse_condition, parse_projection
from infra.local.engine.key_conditions import KeyRange, key_range, mentions
from infra.local.engine.schema import Index, KeySchema, Table
from infra.local.engine.storage import index_number
from infra.local.engine.values import Item, canonical_item

PAGE_BYTES = 1024 * 1024

_decode = msgspec.json.decode


def get_item(context: Context, request: Request) -> Response:
    """One item by its key; no ``Item`` member where there is none."""
    table = context.table(request.get("TableName"))
    key = table.keys.of_key(canonical_item(request.get("Key")))
    paths = bound_projection(request)
    consistent = bool(request.get("ConsistentRead"))
    with context.storage.lock:
        connection = context.connection(consistent=consistent, index=False)
        stored = context.storage.read(table, key, connection)
    charge = Charge(table, read=read_units(stored.size if stored else 0, consistent=consistent))
    context.recorder.access("GetItem", "GetItem", table.name, read_units=charge.read)
    response: Response = {}
    if stored is not None:
        response["Item"] = projected(stored.item, paths) if paths else stored.item
    wanted = request.get("ReturnConsumedCapacity", "NONE")
    if wanted != "NONE":
        response["ConsumedCapacity"] = charge.shown(wanted)
    return response


def bound_projection(request: Request) -> tuple[Path, ...]:
    """The paths of a request that has a projection and no other expression; empty means everything."""
    binder = Binder(request.get("ExpressionAttributeNames"), None)
    paths: tuple[Path, ...] = ()
    if "ProjectionExpression" in request:
        paths = binder.projection(parse_projection(request["ProjectionExpression"]))
    binder.finish()
    return paths


@dataclass(frozen=True)
class _Search:
    """A checked Query or Scan."""

    table: Table
    index: Index | None
    keys: KeySchema
    range: KeyRange | None
    filter: Condition | None
    paths: tuple[Path, ...]
    forward: bool
    limit: int | None
    consistent: bool
    counts_only: bool
    start: tuple[bytes, ...] | None


def query(context: Context, request: Request) -> Response:
    """Items of one partition of a table or index, in the order of the sort key."""
    return _answer(context, "Query", request, _checked(context, request, scans=False))


def scan(context: Context, request: Request) -> Response:
    """Items of a whole table or index."""
    return _answer(context, "Scan", request, _checked(context, request, scans=True))


def _checked(context: Context, request: Request, *, scans: bool) -> _Search:
    table = context.table(request.get("TableName"))
    index = table.index(request["IndexName"]) if request.get("IndexName") else None
    keys = index.keys if index else table.keys
    consistent = bool(request.get("ConsistentRead"))
    if index and consistent:
        raise invalid("Consistent reads are not supported on global secondary indexes")
    limit = request.get("Limit")
    if limit is not None and limit < 1:
        raise invalid(
            "1 validation error detected: Value at 'limit' failed to satisfy constraint: "
            "Member must have value greater than or equal to 1"
        )
    binder = Binder(request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues"))
    wanted_range = None
    if not scans:
        if "KeyConditionExpression" not in request:
            raise invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified")
        parsed = parse_condition(request["KeyConditionExpression"], "KeyConditionExpression")
        wanted_range = key_range(binder.condition(parsed), keys)
    chosen = None
    if "FilterExpression" in request:
        chosen = binder.condition(parse_condition(request["FilterExpression"], "FilterExpression"))
        for name in keys.names if not scans else ():
            if mentions(chosen, name):
                raise invalid(
                    f"Filter Expression can only contain non-primary key attributes: Primary key attribute: {name}"
                )
    paths: tuple[Path, ...] = ()
    if "ProjectionExpression" in request:
        paths = binder.projection(parse_projection(request["ProjectionExpression"]))
    binder.finish()
    start = _start(request["ExclusiveStartKey"], table, index) if request.get("ExclusiveStartKey") else None
    if start and wanted_range and start[0] != wanted_range.partition:
        raise invalid("The provided starting key is outside query boundaries based on provided conditions")
    return _Search(
        table=table,
        index=index,
        keys=keys,
        range=wanted_range,
        filter=chosen,
        paths=paths,
        forward=bool(request.get("ScanIndexForward", True)),
        limit=limit,
        consistent=consistent,
        counts_only=_select(request, index, paths) == "COUNT",
        start=start,
    )


def _select(request: Request, index: Index | None, paths: tuple[Path, ...]) -> str:
    select = str(request.get("Select", "SPECIFIC_ATTRIBUTES" if paths else "ALL_ATTRIBUTES"))
    if paths and select != "SPECIFIC_ATTRIBUTES":
        raise invalid(f"Cannot specify the ProjectionExpression when choosing to get {select}")
    if select == "SPECIFIC_ATTRIBUTES" and not paths:
        raise invalid("Must specify the ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
    if index and index.projects is not None and select == "ALL_ATTRIBUTES" and "Select" in request:
        raise invalid(
            "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for "
            f"global secondary index {index.name} because its projection type is not ALL"
        )
    return select


def _start(given: Any, table: Table, index: Index | None) -> tuple[bytes, ...]:
    item = canonical_item(given)
    names = {*table.keys.names, *(index.keys.names if index else ())}
    if set(item) != names:
        raise invalid("The provided starting key is invalid")
    table_key = table.keys.of_item(item)
    return (*index.keys.of_item(item), *table_key) if index else table_key


_TABLE_ROWS = "SELECT i.body, i.size FROM items i WHERE i.table_number=?"
_INDEX_ROWS = (
    "SELECT i.body, i.size FROM index_entries e JOIN items i ON i.table_number=? "
    "AND i.partition_key=e.item_partition AND i.sort_key=e.item_sort WHERE e.index_number=?"
)


def _statement(search: _Search) -> tuple[str, list[Any]]:
    """The SQL of a search: fixed fragments only, every value is a parameter."""
    parameters: list[Any] = [search.table.number]
    if search.index:
        text, source = _INDEX_ROWS, "e"
        parameters.append(index_number(search.table, search.index))
    else:
        text, source = _TABLE_ROWS, "i"
    columns = [f"{source}.partition_key", f"{source}.sort_key"]
    if search.range:
        text += f" AND {columns[0]}=?"
        parameters.append(search.range.partition)
        for operator, bound in search.range.bounds:
            text += f" AND {columns[1]}{operator}?"
            parameters.append(bound)
    if search.index:
        columns += ["e.item_partition", "e.item_sort"]
    if search.start:
        behind = ">" if search.forward else "<"
        text += f" AND ({','.join(columns)}){behind}({','.join('?' * len(columns))})"
        parameters += search.start
    direction = "ASC" if search.forward else "DESC"
    return f"{text} ORDER BY {','.join(f'{column} {direction}' for column in columns)}", parameters


def _rows(connection: sqlite3.Connection, search: _Search) -> Iterator[tuple[Item, int]]:
    text, parameters = _statement(search)
    if search.limit:
        text += " LIMIT ?"
        parameters.append(search.limit)
    for body, size in connection.execute(text, parameters):
        yield _decode(body), size


def _answer(context: Context, operation: str, request: Request, search: _Search) -> Response:
    found: list[Item] = []
    scanned = used = 0
    last: Item | None = None
    more = False
    with context.storage.lock:
        connection = context.connection(consistent=search.consistent, index=search.index is not None)
        for stored, size in _rows(connection, search):
            item = search.index.project(stored) if search.index else stored
            if scanned and used + size > PAGE_BYTES:
                more = True
                break
            scanned += 1
            used += size
            last = item
            if search.filter is None or holds(search.filter, item):
                found.append(item)
    more = more or (search.limit is not None and scanned >= search.limit)
    response: Response = {"Count": len(found), "ScannedCount": scanned}
    if not search.counts_only:
        response["Items"] = [projected(item, search.paths) for item in found] if search.paths else found
    if more and last is not None:
        names = {*search.table.keys.names, *search.keys.names}
        response["LastEvaluatedKey"] = {name: last[name] for name in sorted(names)}
    _charge(context, operation, request, search, response, used, scanned)
    return response


def _charge(
    context: Context, operation: str, request: Request, search: _Search, response: Response, used: int, scanned: int
) -> None:
    # A page is read as a whole: its sizes are added up before they are rounded to units of 4 KB.
    units = max(1, -(-used // READ_UNIT_BYTES)) * (1.0 if search.consistent else 0.5)
    charge = Charge(search.table)
    if search.index:
        charge.index_read[search.index.name] = units
    else:
        charge.read = units
    name = search.index.name if search.index else None
    context.recorder.access(operation, operation, search.table.name, name, items=scanned, read_units=units)
    wanted = request.get("ReturnConsumedCapacity", "NONE")
    if wanted != "NONE":
        response["ConsumedCapacity"] = charge.shown(wanted)
