"""BatchGetItem and BatchWriteItem: many items in one request, each for itself."""

from __future__ import annotations

from typing import Any

from infra.local.engine.capacity import Charge, consumed, read_units
from infra.local.engine.context import Context, Request, Response
from infra.local.engine.errors import invalid, refuse_unknown
from infra.local.engine.expressions.evaluation import projected
from infra.local.engine.faults import Fault
from infra.local.engine.reads import bound_projection
from infra.local.engine.schema import Key
from infra.local.engine.values import canonical_item
from infra.local.engine.writes import Write, charged, perform, prepare

MAX_KEYS = 100
MAX_WRITES = 25
_ASKED = ("Keys", "ProjectionExpression", "ExpressionAttributeNames", "ConsistentRead")
MAX_REPLY_BYTES = 16 * 1024 * 1024


def _requested(request: Request, limit: int, count: int) -> dict[str, Any]:
    wanted: dict[str, Any] = request.get("RequestItems") or {}
    if not count:
        raise invalid(
            "1 validation error detected: Value at 'requestItems' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1"
        )
    if count > limit:
        raise invalid(
            f"Too many items requested for the batch call: Member must have length less than or equal to {limit}"
        )
    return wanted


def batch_get_item(context: Context, request: Request) -> Response:
    """Up to 100 items of any tables; what does not fit into 16 MB comes back as UnprocessedKeys."""
    count = sum(len(asked["Keys"]) for asked in (request.get("RequestItems") or {}).values())
    responses: dict[str, list[Any]] = {}
    unprocessed: dict[str, Any] = {}
    charges = []
    total = 0
    for name, asked in _requested(request, MAX_KEYS, count).items():
        refuse_unknown("BatchGetItem", asked, _ASKED)
        table = context.table(name)
        paths = bound_projection(asked)
        consistent = bool(asked.get("ConsistentRead"))
        keys = [canonical_item(key) for key in asked["Keys"]]
        by_key: dict[Key, Any] = {table.keys.of_key(key): key for key in keys}
        if len(by_key) != len(keys):
            raise invalid("Provided list of item keys contains duplicates")
        charge = Charge(table)
        charges.append(charge)
        found = responses.setdefault(name, [])
        left = []
        with context.storage.lock:
            for key, given in by_key.items():
                if total > MAX_REPLY_BYTES or context.strikes(Fault.UNPROCESSED):
                    left.append(given)
                    continue
                connection = context.connection(consistent=consistent, index=False)
                stored = context.storage.read(table, key, connection)
                size = stored.size if stored else 0
                charge.read += read_units(size, consistent=consistent)
                if stored is not None and total + size > MAX_REPLY_BYTES:
                    left.append(given)
                    total = MAX_REPLY_BYTES + 1
                elif stored is not None:
                    total += size
                    found.append(projected(stored.item, paths) if paths else stored.item)
        if left:
            unprocessed[name] = {**asked, "Keys": left}
        context.recorder.access(
            "BatchGetItem", "BatchGetItem", table.name, items=len(keys) - len(left), read_units=charge.read
        )
    response: Response = {"Responses": responses, "UnprocessedKeys": unprocessed}
    if capacity := consumed(request, charges):
        response["ConsumedCapacity"] = capacity
    return response


def batch_write_item(context: Context, request: Request) -> Response:
    """Up to 25 puts and deletes without conditions; each is atomic, the batch is not."""
    count = sum(len(writes) for writes in (request.get("RequestItems") or {}).values())
    prepared: list[tuple[str, Any, Write]] = []
    seen: set[tuple[int, Key]] = set()
    for name, writes in _requested(request, MAX_WRITES, count).items():
        for wanted in writes:
            ((member, content),) = wanted.items()
            kind = {"PutRequest": "Put", "DeleteRequest": "Delete"}.get(member)
            if kind is None:
                raise invalid("Supplied AttributeValue has neither a PutRequest nor a DeleteRequest")
            write = prepare(context, kind, {"TableName": name, **content})
            identity = (write.table.number, write.key)
            if identity in seen:
                raise invalid("Provided list of item keys contains duplicates")
            seen.add(identity)
            prepared.append((name, wanted, write))
    charges: dict[str, Charge] = {}
    unprocessed: dict[str, list[Any]] = {}
    done: dict[str, int] = {}
    with context.storage.transaction():
        for name, wanted, write in prepared:
            charge = charges.get(name) or charges.setdefault(name, Charge(write.table))
            if context.strikes(Fault.UNPROCESSED):
                unprocessed.setdefault(name, []).append(wanted)
                continue
            charged(write, perform(context, write), charge)
            done[name] = done.get(name, 0) + 1
    for name, charge in charges.items():
        context.recorder.access(
            "BatchWriteItem",
            "BatchWriteItem",
            charge.table.name,
            items=done.get(name, 0),
            write_units=charge.total_write,
        )
    response: Response = {"UnprocessedItems": unprocessed}
    if capacity := consumed(request, charges.values()):
        response["ConsumedCapacity"] = capacity
    return response
