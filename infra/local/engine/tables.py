"""Operations on tables: create, describe, list, delete, time to live."""

from __future__ import annotations

from datetime import UTC, datetime

from infra.local.engine.context import Context, Request, Response
from infra.local.engine.errors import ServiceError, invalid
from infra.local.engine.schema import describe
from infra.local.engine.writes import TTL_IDENTITY, store

SWEEP_ITEMS = 500
MAX_LISTED = 100


def create_table(context: Context, request: Request) -> Response:
    name = request["TableName"]
    if context.storage.table(name) is not None:
        raise ServiceError("ResourceInUseException", f"Table already exists: {name}")
    now = context.clock()
    label = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
    context.storage.add_table(now, label, request)
    return {"TableDescription": describe(context.table(name), 0)}


def describe_table(context: Context, request: Request) -> Response:
    table = context.table(request.get("TableName"))
    return {"Table": describe(table, context.storage.count_items(table))}


def list_tables(context: Context, request: Request) -> Response:
    after = request.get("ExclusiveStartTableName", "")
    limit = request.get("Limit", MAX_LISTED)
    names = [name for name in context.storage.table_names() if name > after]
    response: Response = {"TableNames": names[:limit]}
    if len(names) > limit:
        response["LastEvaluatedTableName"] = names[limit - 1]
    return response


def delete_table(context: Context, request: Request) -> Response:
    table = context.table(request.get("TableName"))
    context.storage.drop_table(table)
    return {"TableDescription": {**describe(table, 0), "TableStatus": "DELETING"}}


def update_time_to_live(context: Context, request: Request) -> Response:
    table = context.table(request.get("TableName"))
    wanted = request["TimeToLiveSpecification"]
    if wanted["Enabled"] == (table.ttl_attribute is not None):
        state = "enabled" if wanted["Enabled"] else "disabled"
        raise invalid(f"TimeToLive is already {state}")
    context.storage.set_ttl(table, wanted["AttributeName"] if wanted["Enabled"] else None)
    return {"TimeToLiveSpecification": wanted}


def describe_time_to_live(context: Context, request: Request) -> Response:
    attribute = context.table(request.get("TableName")).ttl_attribute
    shown = {"TimeToLiveStatus": "ENABLED", "AttributeName": attribute} if attribute else {}
    return {"TimeToLiveDescription": shown or {"TimeToLiveStatus": "DISABLED"}}


def delete_expired(context: Context) -> int:
    """Delete items whose time has passed, as DynamoDB does in the background; returns how many."""
    count = 0
    for name in context.storage.table_names():
        table = context.table(name)
        if table.ttl_attribute is None:
            continue
        while True:
            with context.storage.transaction():
                keys = context.storage.expired(table, context.clock(), SWEEP_ITEMS)
                for key in keys:
                    store(context, table, key, context.storage.read(table, key), None, 0, TTL_IDENTITY)
            count += len(keys)
            if len(keys) < SWEEP_ITEMS:
                break
    return count
