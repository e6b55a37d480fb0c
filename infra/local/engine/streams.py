"""Reading streams: the DynamoDB Streams operations, and the records in the form Lambda hands to a function."""

from __future__ import annotations

from typing import Any

from infra.local.engine.context import Context, Request, Response
from infra.local.engine.errors import invalid, missing_table
from infra.local.engine.schema import REGION, Table

SHARD = "shardId-00000000000000000001-00000001"
MAX_RECORDS = 1000
# AWS numbers records with 21 digits and more; consumers must not take them for small integers.
_FIRST = 10**20


def sequence_number(position: int) -> str:
    """The sequence number AWS's shape wants for a position in the stream."""
    return str(_FIRST + position)


def position_of(number: str) -> int:
    """The position a sequence number stands for."""
    return int(number) - _FIRST


def stream_table(context: Context, arn: Any) -> Table:
    """The table a stream ARN belongs to."""
    if not isinstance(arn, str) or ":table/" not in arn:
        raise invalid("Invalid StreamArn")
    table = context.storage.table(arn.split(":table/")[1].split("/")[0])
    if table is None or not table.has_stream or table.stream_arn != arn:
        raise missing_table()
    return table


def lambda_records(context: Context, table: Table, after: int, limit: int) -> list[tuple[int, dict[str, Any]]]:
    """Records behind a position as Lambda would deliver them, each with its position."""
    delivered = []
    for position, written, record in context.storage.records(table, after, limit):
        record["dynamodb"]["SequenceNumber"] = sequence_number(position)
        record["dynamodb"]["ApproximateCreationDateTime"] = int(written)
        shown = {
            "eventID": f"{position:032x}",
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": REGION,
            "eventSourceARN": table.stream_arn,
            **record,
        }
        delivered.append((position, shown))
    return delivered


def list_streams(context: Context, request: Request) -> Response:
    tables = [context.table(name) for name in context.storage.table_names()]
    wanted = request.get("TableName")
    return {
        "Streams": [
            {"StreamArn": table.stream_arn, "TableName": table.name, "StreamLabel": table.label}
            for table in tables
            if table.has_stream and wanted in (None, table.name)
        ]
    }


def describe_stream(context: Context, request: Request) -> Response:
    table = stream_table(context, request.get("StreamArn"))
    return {
        "StreamDescription": {
            "StreamArn": table.stream_arn,
            "StreamLabel": table.label,
            "StreamStatus": "ENABLED",
            "StreamViewType": "NEW_AND_OLD_IMAGES",
            "TableName": table.name,
            "KeySchema": table.request["KeySchema"],
            "CreationRequestDateTime": table.created,
            "Shards": [{"ShardId": SHARD, "SequenceNumberRange": {"StartingSequenceNumber": sequence_number(1)}}],
        }
    }


def get_shard_iterator(context: Context, request: Request) -> Response:
    table = stream_table(context, request.get("StreamArn"))
    match request.get("ShardIteratorType"):
        case "TRIM_HORIZON":
            after = 0
        case "LATEST":
            after = context.storage.last_position()
        case "AT_SEQUENCE_NUMBER":
            after = position_of(request["SequenceNumber"]) - 1
        case "AFTER_SEQUENCE_NUMBER":
            after = position_of(request["SequenceNumber"])
        case other:
            raise invalid(f"Unknown ShardIteratorType: {other}")
    return {"ShardIterator": f"{table.stream_arn}|{after}"}


def get_records(context: Context, request: Request) -> Response:
    arn, _, after = str(request.get("ShardIterator", "")).rpartition("|")
    if not after.lstrip("-").isdigit():
        raise invalid("Invalid ShardIterator")
    table = stream_table(context, arn)
    delivered = lambda_records(context, table, int(after), min(request.get("Limit", MAX_RECORDS), MAX_RECORDS))
    records = []
    for _, record in delivered:
        record.pop("eventSourceARN")
        identity = record.get("userIdentity")
        if identity:
            # The Streams API writes these members with a capital letter, Lambda's events do not.
            record["userIdentity"] = {"PrincipalId": identity["principalId"], "Type": identity["type"]}
        records.append(record)
    last = delivered[-1][0] if delivered else int(after)
    return {"Records": records, "NextShardIterator": f"{arn}|{last}"}
