"""Writing one item: PutItem, UpdateItem, DeleteItem and the parts of batches and transactions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from infra.local.engine.capacity import Charge
from infra.local.engine.context import Context, Request, Response
from infra.local.engine.errors import ServiceError, invalid
from infra.local.engine.expressions.binding import Binder
from infra.local.engine.expressions.evaluation import holds, projected, updated
from infra.local.engine.expressions.syntax import Condition, Path, Update, parse_condition, parse_update
from infra.local.engine.faults import Fault
from infra.local.engine.schema import Key, Table
from infra.local.engine.storage import Stored
from infra.local.engine.values import MAX_ITEM_BYTES, Item, canonical_item, item_size

TTL_IDENTITY = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
ACTIONS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}


@dataclass(frozen=True)
class Write:
    """A checked request to write (or only to check) one item; ``kind`` is a key of ``ACTIONS``.

    ``given_size``: of ``given``, in bytes.
    """

    kind: str
    table: Table
    key: Key
    given: Item
    given_size: int
    condition: Condition | None
    update: Update | None
    shows_old_on_failure: bool


@dataclass(frozen=True)
class Change:
    """An item before and after a write, sizes in bytes (0 where there is none)."""

    old: Item | None
    old_size: int
    new: Item | None
    new_size: int


def prepare(context: Context, kind: str, request: Request) -> Write:
    """Check everything about a write that does not depend on the stored item."""
    table = context.table(request.get("TableName"))
    if kind == "Put":
        given = canonical_item(request.get("Item"))
        key = table.keys.of_item(given)
        for index in table.indexes:
            index.keys.of_entry(given, index.name)
        if (given_size := item_size(given)) > MAX_ITEM_BYTES:
            raise invalid("Item size has exceeded the maximum allowed size")
    else:
        given = canonical_item(request.get("Key"))
        key = table.keys.of_key(given)
        given_size = item_size(given)
    condition = update = None
    if kind == "Update" or request.get("ExpressionAttributeNames") or request.get("ExpressionAttributeValues"):
        condition, update = _bound(kind, request)
    elif "ConditionExpression" in request:
        condition = _bound_alone(request["ConditionExpression"])
    elif kind == "ConditionCheck":
        raise invalid("The expression can not be empty;")
    for path in update.paths() if update else ():
        if path.parts[0] in table.keys.names:
            raise invalid(
                f"One or more parameter values were invalid: Cannot update attribute {path.parts[0]}. "
                "This attribute is part of the key"
            )
    shows_old = request.get("ReturnValuesOnConditionCheckFailure", "NONE") == "ALL_OLD"
    return Write(kind, table, key, given, given_size, condition, update, shows_old)


def _bound(kind: str, request: Request) -> tuple[Condition | None, Update | None]:
    """The expressions of a request with its names and values."""
    condition = update = None
    if "ConditionExpression" in request:
        condition = parse_condition(request["ConditionExpression"], "ConditionExpression")
    elif kind == "ConditionCheck":
        raise invalid("The expression can not be empty;")
    if kind == "Update" and "UpdateExpression" in request:
        update = parse_update(request["UpdateExpression"])
    binder = Binder(request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues"))
    condition = binder.condition(condition) if condition is not None else None
    update = binder.update(update) if update is not None else None
    binder.finish()
    return condition, update


@lru_cache(maxsize=256)
def _bound_alone(text: str) -> Condition:
    """A condition without names and values: bound once, for it means the same in every request."""
    return Binder(None, None).condition(parse_condition(text, "ConditionExpression"))


def perform(context: Context, write: Write) -> Change:
    """Carry out a write inside an open transaction; raises where the condition fails or the result is not allowed."""
    stored = context.storage.read(write.table, write.key)
    old = stored.item if stored else None
    old_size = stored.size if stored else 0
    if write.condition is not None and not holds(write.condition, old or {}):
        shown = {"Item": old} if old is not None and write.shows_old_on_failure else {}
        raise ServiceError("ConditionalCheckFailedException", "The conditional request failed", **shown)
    new: Item | None
    match write.kind:
        case "ConditionCheck":
            return Change(old, old_size, old, old_size)
        case "Put":
            new = write.given
        case "Delete":
            new = None
        case _:
            base = old if old is not None else write.given
            new = updated(write.update, base) if write.update is not None else base
    new_size = 0
    if new is not None:
        new_size = write.given_size if new is write.given else item_size(new)
    if new_size > MAX_ITEM_BYTES:
        raise invalid("Item size to update has exceeded the maximum allowed size")
    store(context, write.table, write.key, stored, new, new_size)
    return Change(old, old_size, new, new_size)


def store(
    context: Context,
    table: Table,
    key: Key,
    stored: Stored | None,
    new: Item | None,
    new_size: int,
    identity: dict[str, str] | None = None,
) -> None:
    """Write an item and its stream record. A write that changes nothing leaves no record, as in AWS."""
    old = stored.item if stored else None
    if new == old:
        return
    context.storage.write(table, key, stored, new, new_size)
    if not table.has_stream:
        return
    shown = new if new is not None else old or {}
    change: dict[str, Any] = {
        "Keys": {name: shown[name] for name in table.keys.names},
        "StreamViewType": "NEW_AND_OLD_IMAGES",
        "SizeBytes": new_size + (stored.size if stored else 0),
    }
    if new is not None:
        change["NewImage"] = new
    if old is not None:
        change["OldImage"] = old
    event = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
    record: dict[str, Any] = {"eventName": event, "dynamodb": change}
    if identity:
        record["userIdentity"] = identity
    context.storage.add_record(table, record, context.clock())


def charged(write: Write, change: Change, charge: Charge, factor: int = 1) -> None:
    """Add a write's units to a charge."""
    charge.add_write(change.old, change.old_size, change.new, change.new_size, factor)


def _single(context: Context, kind: str, request: Request, allowed: tuple[str, ...]) -> Response:
    returns = request.get("ReturnValues", "NONE")
    if returns not in ("NONE", *allowed):
        raise invalid(f"ReturnValues can only be ALL_OLD or NONE, not {returns}")
    write = prepare(context, kind, request)
    if context.strikes(Fault.WRITE_CONFLICT):
        raise ServiceError("TransactionConflictException", "Transaction is ongoing for the item")
    charge = Charge(write.table)
    operation = ACTIONS[kind]
    try:
        with context.storage.transaction():
            change = perform(context, write)
    except ServiceError as error:
        if error.code == "ConditionalCheckFailedException":
            # AWS bills the refused write too, by the item that is there; its size is not worth a second read.
            context.recorder.access(operation, operation, write.table.name, write_units=1)
        raise
    charged(write, change, charge)
    context.recorder.access(operation, operation, write.table.name, write_units=charge.total_write)
    response: Response = {}
    attributes = _returned(returns, write, change)
    if attributes:
        response["Attributes"] = attributes
    wanted = request.get("ReturnConsumedCapacity", "NONE")
    if wanted != "NONE":
        response["ConsumedCapacity"] = charge.shown(wanted)
    return response


def _returned(returns: str, write: Write, change: Change) -> Item | None:
    match returns:
        case "ALL_OLD":
            return change.old
        case "ALL_NEW":
            return change.new
        case "UPDATED_OLD" | "UPDATED_NEW":
            item = change.old if returns == "UPDATED_OLD" else change.new
            paths: tuple[Path, ...] = write.update.paths() if write.update else ()
            return projected(item, paths) if item is not None and paths else None
    return None


def put_item(context: Context, request: Request) -> Response:
    return _single(context, "Put", request, ("ALL_OLD",))


def delete_item(context: Context, request: Request) -> Response:
    return _single(context, "Delete", request, ("ALL_OLD",))


def update_item(context: Context, request: Request) -> Response:
    allowed = ("ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")
    return _single(context, "Update", request, allowed)
