"""TransactWriteItems and TransactGetItems: all or nothing, repeatable by a client's token."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from infra.local.engine.capacity import Charge, consumed, read_units
from infra.local.engine.context import Context, Request, Response
from infra.local.engine.errors import ServiceError, invalid, refuse_unknown
from infra.local.engine.expressions.evaluation import projected
from infra.local.engine.faults import Fault
from infra.local.engine.reads import bound_projection
from infra.local.engine.schema import Key, Table
from infra.local.engine.storage import Stored
from infra.local.engine.values import Item, canonical_item
from infra.local.engine.writes import ACTIONS, Change, Write, charged, perform, prepare

MAX_ITEMS = 100
MAX_BYTES = 4 * 1024 * 1024
TOKEN_SECONDS = 600
TRANSACTION_FACTOR = 2

_PARAMETERS = (
    "TableName",
    "Item",
    "Key",
    "UpdateExpression",
    "ConditionExpression",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "ReturnValuesOnConditionCheckFailure",
)
_GET_PARAMETERS = ("TableName", "Key", "ProjectionExpression", "ExpressionAttributeNames")


def _items(request: Request) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = request.get("TransactItems") or []
    if not 1 <= len(items) <= MAX_ITEMS:
        bound = f"less than or equal to {MAX_ITEMS}" if items else "greater than or equal to 1"
        raise invalid(
            "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: "
            f"Member must have length {bound}"
        )
    return items


def _cancelled(reasons: list[dict[str, Any]]) -> ServiceError:
    codes = ", ".join(reason["Code"] for reason in reasons)
    return ServiceError(
        "TransactionCanceledException",
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]",
        CancellationReasons=reasons,
    )


def _conflict(count: int) -> ServiceError:
    """As if another transaction were under way on the first item."""
    reason = {"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}
    return _cancelled([reason, *({"Code": "None"} for _ in range(count - 1))])


def _prepared(context: Context, items: list[dict[str, Any]]) -> list[Write]:
    writes: list[Write] = []
    for position, item in enumerate(items):
        ((kind, content),) = item.items()
        if kind not in ACTIONS:
            raise invalid(f"TransactItems[{position}] has no known operation")
        refuse_unknown(kind, content, _PARAMETERS)
        if kind == "Update" and "UpdateExpression" not in content:
            raise invalid("The expression can not be empty;")
        writes.append(prepare(context, kind, content))
    if len({(write.table.number, write.key) for write in writes}) != len(writes):
        raise invalid("Transaction request cannot include multiple operations on one item")
    if sum(write.given_size for write in writes) > MAX_BYTES:
        raise invalid("Member must have length less than or equal to 4194304 bytes in total")
    return writes


def transact_write_items(context: Context, request: Request) -> Response:
    """Carry out up to 100 writes and checks as one; a token repeated within 10 minutes changes nothing."""
    items = _items(request)
    writes = _prepared(context, items)
    if context.strikes(Fault.TRANSACTION_CONFLICT):
        raise _conflict(len(writes))
    token = request.get("ClientRequestToken")
    digest = hashlib.sha256(msgspec.json.encode(items, order="deterministic")).digest()
    storage = context.storage
    with storage.transaction():
        if token:
            storage.forget_tokens(context.clock() - TOKEN_SECONDS)
            known = storage.token_hash(token)
            if known is not None and known != digest:
                raise ServiceError(
                    "IdempotentParameterMismatchException",
                    "The request uses the same client token as a previous, but non-identical request.",
                )
            if known is not None:
                return _replayed(context, request, writes)
            storage.add_token(token, digest, context.clock())
        changes = _performed(context, writes)
    return _charged(context, request, writes, changes)


def _performed(context: Context, writes: list[Write]) -> list[Change]:
    changes: list[Change] = []
    reasons: list[dict[str, Any]] = []
    failed = False
    for write in writes:
        try:
            changes.append(perform(context, write))
            reasons.append({"Code": "None"})
        except ServiceError as error:
            failed = True
            conditional = error.code == "ConditionalCheckFailedException"
            code = "ConditionalCheckFailed" if conditional else "ValidationError"
            reasons.append({"Code": code, "Message": error.message, **error.members})
    if failed:
        raise _cancelled(reasons)
    return changes


def _charged(context: Context, request: Request, writes: list[Write], changes: list[Change]) -> Response:
    charges: dict[str, Charge] = {}
    for write, change in zip(writes, changes, strict=True):
        name = write.table.name
        charge = charges.get(name) or charges.setdefault(name, Charge(write.table))
        before = charge.total_write
        charged(write, change, charge, TRANSACTION_FACTOR)
        context.recorder.access(
            "TransactWriteItems", ACTIONS[write.kind], name, write_units=charge.total_write - before
        )
    capacity = consumed(request, charges.values(), split=True)
    return {"ConsumedCapacity": capacity} if capacity else {}


def _replayed(context: Context, request: Request, writes: list[Write]) -> Response:
    """The answer to a repeated token: nothing is written, AWS bills the reading of the items."""
    charges: dict[str, Charge] = {}
    for write in writes:
        stored = context.storage.read(write.table, write.key)
        charge = charges.setdefault(write.table.name, Charge(write.table))
        units = read_units(stored.size if stored else 0, consistent=True) * TRANSACTION_FACTOR
        charge.read += units
        context.recorder.access("TransactWriteItems", ACTIONS[write.kind], write.table.name, read_units=units)
    capacity = consumed(request, charges.values(), split=True)
    return {"ConsumedCapacity": capacity} if capacity else {}


def transact_get_items(context: Context, request: Request) -> Response:
    """Read up to 100 items as of one moment."""
    wanted: list[tuple[Table, Key, Any]] = []
    for item in _items(request):
        content = item["Get"]
        refuse_unknown("Get", content, _GET_PARAMETERS)
        table = context.table(content.get("TableName"))
        wanted.append((table, table.keys.of_key(canonical_item(content.get("Key"))), bound_projection(content)))
    if len({(table.number, key) for table, key, _ in wanted}) != len(wanted):
        raise invalid("Transaction request cannot include multiple operations on one item")
    if context.strikes(Fault.TRANSACTION_CONFLICT):
        raise _conflict(len(wanted))
    with context.storage.lock:
        stored = [context.storage.read(table, key) for table, key, _ in wanted]
    charges: dict[str, Charge] = {}
    responses: list[dict[str, Item]] = []
    found: Stored | None
    for (table, _, paths), found in zip(wanted, stored, strict=True):
        units = read_units(found.size if found else 0, consistent=True) * TRANSACTION_FACTOR
        charges.setdefault(table.name, Charge(table)).read += units
        context.recorder.access("TransactGetItems", "GetItem", table.name, read_units=units)
        if found is None:
            responses.append({})
        else:
            responses.append({"Item": projected(found.item, paths) if paths else found.item})
    response: Response = {"Responses": responses}
    if capacity := consumed(request, charges.values(), split=True):
        response["ConsumedCapacity"] = capacity
    return response
