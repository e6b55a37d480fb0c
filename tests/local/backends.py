"""The stores the conformance suite runs on, each as a pair of boto3 clients: the engine, moto and ministack."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from infra.local.engine import Engine
from infra.local.engine.hook import connect
from infra.local.ministack import running

NAMES = ("engine", "moto", "ministack")
# No retries: a test wants to see every answer. No checks by boto3: the store itself has to refuse.
CONFIG = Config(retries={"total_max_attempts": 1}, parameter_validation=False, read_timeout=30)
CREDENTIALS = {"region_name": "us-east-1", "aws_access_key_id": "123456789012", "aws_secret_access_key": "local"}


def text(value: str) -> dict[str, str]:
    return {"S": value}


def number(value: float | str) -> dict[str, str]:
    return {"N": str(value)}


@dataclass
class Store:
    """A backend and one fresh table with keys ``pk``, ``sk`` (text) and an index ``by_team`` (``team``, ``place``)."""

    name: str
    dynamodb: Any
    streams: Any
    table: str

    def put(self, pk: str, sk: str = "1", /, **more: Any) -> Any:
        """Put an item; keyword arguments starting with a capital letter are parameters, the others attributes."""
        attributes = {key: value for key, value in more.items() if key[0].islower()}
        parameters = {key: value for key, value in more.items() if key[0].isupper()}
        item = {"pk": text(pk), "sk": text(sk), **attributes}
        return self.dynamodb.put_item(TableName=self.table, Item=item, **parameters)

    def get(self, pk: str, sk: str = "1", **parameters: Any) -> Any:
        key = {"pk": text(pk), "sk": text(sk)}
        return self.dynamodb.get_item(TableName=self.table, Key=key, ConsistentRead=True, **parameters).get("Item")

    def update(self, pk: str, sk: str = "1", /, **parameters: Any) -> Any:
        return self.dynamodb.update_item(TableName=self.table, Key={"pk": text(pk), "sk": text(sk)}, **parameters)

    def query(self, pk: str, condition: str = "", /, values: dict[str, Any] | None = None, **parameters: Any) -> Any:
        return self.dynamodb.query(
            TableName=self.table,
            KeyConditionExpression=f"pk = :pk{condition}",
            ExpressionAttributeValues={":pk": text(pk), **(values or {})},
            **parameters,
        )

    def stream_arn(self) -> str:
        return str(self.dynamodb.describe_table(TableName=self.table)["Table"]["LatestStreamArn"])

    def iterator(self, kind: str, **parameters: Any) -> str:
        arn = self.stream_arn()
        shard = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
        answer = self.streams.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType=kind, **parameters)
        return str(answer["ShardIterator"])

    def records(self, iterator: str, **parameters: Any) -> list[Any]:
        return list(self.streams.get_records(ShardIterator=iterator, **parameters)["Records"])


def refused(code: str, call: Any, **parameters: Any) -> dict[str, Any]:
    """Assert that a call is refused with an error code; returns the whole error response."""
    with pytest.raises(ClientError) as caught:
        call(**parameters)
    response: dict[str, Any] = dict(caught.value.response)
    assert response["Error"]["Code"] == code, response["Error"]
    return response


def create_table(client: Any, name: str) -> None:
    """The table every conformance test gets."""
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": attribute, "AttributeType": kind}
            for attribute, kind in (("pk", "S"), ("sk", "S"), ("team", "S"), ("place", "N"))
        ],
        KeySchema=[
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_team",
                "KeySchema": [
                    {"AttributeName": "team", "KeyType": "HASH"},
                    {"AttributeName": "place", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )


@contextmanager
def clients(name: str, work: Path) -> Iterator[tuple[Any, Any]]:
    """A DynamoDB and a DynamoDB Streams client of a backend that lives for the block."""
    if name == "engine":
        engine = Engine(work / "engine.sqlite")
        pair = _pair({})
        for client in pair:
            connect(client, engine)
        try:
            yield pair
        finally:
            engine.close()
    elif name == "moto":
        from moto import mock_aws

        with mock_aws():
            # moto does not know the per-account host names that botocore makes from a stream's ARN.
            streams = "https://streams.dynamodb.us-east-1.amazonaws.com"
            yield _pair({}, streams)
    else:
        with running(work / "ministack") as emulator:
            yield _pair(emulator.client_settings(), emulator.url)


def _pair(settings: dict[str, str], streams_url: str | None = None) -> tuple[Any, Any]:
    settings = {**CREDENTIALS, **settings}
    dynamodb = boto3.client("dynamodb", config=CONFIG, **settings)
    streams = boto3.client("dynamodbstreams", config=CONFIG, **{**settings, "endpoint_url": streams_url})
    return dynamodb, streams


def fresh_store(name: str, dynamodb: Any, streams: Any) -> Store:
    table = f"conformance-{uuid.uuid4().hex[:8]}"
    create_table(dynamodb, table)
    return Store(name, dynamodb, streams, table)
