"""The engine: one SQLite file that answers DynamoDB's requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from infra.local.engine import batches, reads, streams, tables, transactions, writes
from infra.local.engine.context import Context, Request, Response
from infra.local.engine.errors import ReplyLostError, ServiceError, refuse_unknown
from infra.local.engine.faults import Fault, Faults
from infra.local.engine.recorder import Recorder
from infra.local.engine.schema import Table
from infra.local.engine.storage import Storage

Operation = Callable[[Context, Request], Response]

_READING = "ReturnConsumedCapacity ExpressionAttributeNames"
_WRITING = (
    "TableName ConditionExpression ExpressionAttributeNames ExpressionAttributeValues ReturnValues "
    "ReturnConsumedCapacity ReturnItemCollectionMetrics ReturnValuesOnConditionCheckFailure"
)
_SEARCHING = (
    f"TableName IndexName {_READING} ExpressionAttributeValues FilterExpression ProjectionExpression Select "
    "Limit ExclusiveStartKey ConsistentRead"
)
_CREATING = (
    "TableName AttributeDefinitions KeySchema GlobalSecondaryIndexes BillingMode ProvisionedThroughput "
    "StreamSpecification"
)

_WRITES: dict[str, tuple[Operation, str]] = {
    "PutItem": (writes.put_item, f"Item {_WRITING}"),
    "UpdateItem": (writes.update_item, f"Key UpdateExpression {_WRITING}"),
    "DeleteItem": (writes.delete_item, f"Key {_WRITING}"),
    "BatchWriteItem": (
        batches.batch_write_item,
        "RequestItems ReturnConsumedCapacity ReturnItemCollectionMetrics",
    ),
    "TransactWriteItems": (
        transactions.transact_write_items,
        "TransactItems ClientRequestToken ReturnConsumedCapacity ReturnItemCollectionMetrics",
    ),
}
_READS: dict[str, tuple[Operation, str]] = {
    "GetItem": (reads.get_item, f"TableName Key ProjectionExpression ConsistentRead {_READING}"),
    "Query": (reads.query, f"KeyConditionExpression ScanIndexForward {_SEARCHING}"),
    "Scan": (reads.scan, _SEARCHING),
    "BatchGetItem": (batches.batch_get_item, "RequestItems ReturnConsumedCapacity"),
    "TransactGetItems": (transactions.transact_get_items, "TransactItems ReturnConsumedCapacity"),
}
_CONTROL: dict[str, tuple[Operation, str]] = {
    "CreateTable": (tables.create_table, _CREATING),
    "DescribeTable": (tables.describe_table, "TableName"),
    "ListTables": (tables.list_tables, "ExclusiveStartTableName Limit"),
    "DeleteTable": (tables.delete_table, "TableName"),
    "UpdateTimeToLive": (tables.update_time_to_live, "TableName TimeToLiveSpecification"),
    "DescribeTimeToLive": (tables.describe_time_to_live, "TableName"),
    "ListStreams": (streams.list_streams, "TableName Limit ExclusiveStartStreamArn"),
    "DescribeStream": (streams.describe_stream, "StreamArn Limit ExclusiveStartShardId"),
    "GetShardIterator": (streams.get_shard_iterator, "StreamArn ShardId ShardIteratorType SequenceNumber"),
    "GetRecords": (streams.get_records, "ShardIterator Limit"),
}
_OPERATIONS = {
    name: (operation, frozenset(parameters.split()))
    for name, (operation, parameters) in (_WRITES | _READS | _CONTROL).items()
}


class Engine:
    """DynamoDB's behaviour on a file. Safe in threads; several processes may open the same file."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time, faults: Faults | None = None) -> None:
        """``path``: the SQLite file, made where it is missing; ``clock``: seconds since 1970."""
        self.context = Context(Storage(path), clock, faults=faults)

    @property
    def recorder(self) -> Recorder:
        return self.context.recorder

    @property
    def faults(self) -> Faults | None:
        return self.context.faults

    @faults.setter
    def faults(self, faults: Faults | None) -> None:
        self.context.faults = faults

    def close(self) -> None:
        self.context.close()

    def call(self, operation: str, request: Request) -> Response:
        """Carry out one request (DynamoDB's JSON as Python objects); raises ``ServiceError`` where AWS refuses."""
        known = _OPERATIONS.get(operation)
        if known is None:
            raise ServiceError("UnknownOperationException", f"The local engine does not know {operation}")
        perform, parameters = known
        refuse_unknown(operation, request, parameters)
        if operation in _CONTROL:
            return perform(self.context, request)
        self.context.recorder.request(operation)
        if self.context.strikes(Fault.THROTTLING):
            raise ServiceError(
                "ProvisionedThroughputExceededException",
                "The level of configured provisioned throughput for the table was exceeded.",
            )
        response = perform(self.context, request)
        if operation in _WRITES and self.context.strikes(Fault.LOST_REPLY):
            raise ReplyLostError(operation)
        return response

    def answer(self, operation: str, body: bytes) -> tuple[int, bytes]:
        """Carry out one request as it comes over the wire: HTTP status and body."""
        try:
            response: dict[str, Any] = self.call(operation, msgspec.json.decode(body or b"{}"))
        except ServiceError as error:
            refusal = {
                "__type": f"com.amazonaws.dynamodb.v20120810#{error.code}",
                # TransactionCanceledException is the one error whose message AWS spells with a capital letter.
                "Message" if error.code == "TransactionCanceledException" else "message": error.message,
                **error.members,
            }
            return 400, msgspec.json.encode(refusal)
        return 200, msgspec.json.encode(response)

    def delete_expired(self) -> int:
        """Let items whose TTL has passed go (with stream records by the service's own hand); returns how many."""
        return tables.delete_expired(self.context)

    def table(self, name: str) -> Table:
        """A table by name; raises ResourceNotFoundException."""
        return self.context.table(name)

    def records(self, table: Table, after: int, limit: int) -> list[tuple[int, dict[str, Any]]]:
        """Stream records behind a position in Lambda's form, each with its position."""
        return streams.lambda_records(self.context, table, after, limit)

    def trim_streams(self, seconds: float) -> int:
        """Drop stream records older than ``seconds`` that every consumer is past; returns how many."""
        storage = self.context.storage
        passed = storage.earliest_checkpoint()
        if passed is None:
            return 0
        before = self.context.clock() - seconds
        tables = [self.table(name) for name in storage.table_names()]
        return sum(storage.trim_records(table, before, passed) for table in tables if table.has_stream)
