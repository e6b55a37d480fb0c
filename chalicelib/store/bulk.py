"""Reads of many items through the plain client: PynamoDB costs some 40 microseconds an item on top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from chalicelib.store.tables import Place

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Item = dict[str, Any]
MOST_KEYS = 100
_REQUEST = "guanjun_request"


@cache
def client() -> DynamoDBClient:
    """The process's plain DynamoDB client."""
    import boto3
    from botocore.config import Config

    made = boto3.client(
        "dynamodb",
        region_name=Place.region,
        endpoint_url=Place.host,
        # Our own items need no checking against botocore's model, which costs a fifth of a large import.
        config=Config(
            connect_timeout=2,
            read_timeout=5,
            parameter_validation=False,
            retries={"max_attempts": 4, "mode": "standard"},
        ),
    )
    for operation in ("BatchWriteItem", "TransactWriteItems"):
        made.meta.events.register(f"provide-client-params.dynamodb.{operation}", _set_aside)
        made.meta.events.register(f"before-call.dynamodb.{operation}", _send_as_it_is)
    return made


def _set_aside(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    """Keep a large request out of botocore's serializer: it walks through every attribute of every item, to end with
    what was there before. That is a fifth of a large import."""
    context[_REQUEST] = dict(params)
    params.update({name: type(value)() for name, value in params.items() if not isinstance(value, str)})


def _send_as_it_is(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    """Our items are in DynamoDB's JSON already, but for bytes, which become base64 here as there."""
    params["body"] = msgspec.json.encode(context[_REQUEST])


def query_partition(table: str, pk: str, begins_with: str | None = None) -> Iterator[Item]:
    """All items of one partition (or those whose sort key begins so) in key order, strongly consistent."""
    values: Item = {":pk": {"S": pk}}
    condition = "pk = :pk"
    if begins_with is not None:
        condition += " AND begins_with(sk, :sk)"
        values[":sk"] = {"S": begins_with}
    start: Item = {}
    while True:
        page = client().query(
            TableName=table,
            KeyConditionExpression=condition,
            ExpressionAttributeValues=values,
            ConsistentRead=True,
            **start,
        )
        yield from page["Items"]
        if not page.get("LastEvaluatedKey"):
            return
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def get_items(wanted: Sequence[tuple[str, str, str]], sleep: Any, jitter: Any) -> list[Item | None]:
    """Items by (table name, pk, sk), strongly consistent, in the order asked; None where there is none.

    One request for up to 100 keys over any tables; unprocessed keys are asked again with ``sleep`` between.
    """
    found: dict[tuple[str, str, str], Item] = {}
    for first in range(0, len(wanted), MOST_KEYS):
        rest = list(dict.fromkeys(wanted[first : first + MOST_KEYS]))
        attempt = 0
        while rest:
            request: Item = {}
            for table, pk, sk in rest:
                keys = request.setdefault(table, {"Keys": [], "ConsistentRead": True})
                keys["Keys"].append({"pk": {"S": pk}, "sk": {"S": sk}})
            reply = client().batch_get_item(RequestItems=request)
            for table, items in reply["Responses"].items():
                for item in items:
                    found[table, item["pk"]["S"], item["sk"]["S"]] = item
            rest = [
                (table, key["pk"]["S"], key["sk"]["S"])
                for table, keys in reply.get("UnprocessedKeys", {}).items()
                for key in keys["Keys"]
            ]
            if rest:
                attempt += 1
                sleep(min(1.0, 0.02 * 2**attempt) * (0.5 + jitter()))
    return [found.get(key) for key in wanted]


def put_items(table: str, items: Iterable[Item], sleep: Any, jitter: Any) -> None:
    """Write items (DynamoDB JSON) 25 at a time, unconditionally; unprocessed ones are sent again."""
    _write(table, ({"PutRequest": {"Item": item}} for item in items), sleep, jitter)


def delete_items(table: str, keys: Iterable[tuple[str, str]], sleep: Any, jitter: Any) -> None:
    """Delete items by (pk, sk) 25 at a time."""
    _write(table, ({"DeleteRequest": {"Key": {"pk": {"S": pk}, "sk": {"S": sk}}}} for pk, sk in keys), sleep, jitter)


def _write(table: str, requests: Iterable[Item], sleep: Any, jitter: Any) -> None:
    batch: list[Any] = []
    attempt = 0
    waiting = iter(requests)
    exhausted = False
    while True:
        while len(batch) < 25 and not exhausted:
            request = next(waiting, None)
            if request is None:
                exhausted = True
            else:
                batch.append(request)
        if not batch:
            return
        unprocessed = client().batch_write_item(RequestItems={table: batch}).get("UnprocessedItems", {}).get(table, [])
        attempt = attempt + 1 if unprocessed else 0
        if unprocessed:
            sleep(min(1.0, 0.02 * 2**attempt) * (0.5 + jitter()))
        batch = list(unprocessed)
