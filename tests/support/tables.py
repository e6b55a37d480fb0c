"""The product's tables in an engine, with the keys, index and streams of ``infra/data.yaml``."""

from __future__ import annotations

from typing import Any

from chalicelib.store.tables import TABLES, table_name
from infra.local.engine import Engine

STREAMED = ("matches", "standings", "jobs")
WITH_TTL = "expires_at"


def definition(table: str) -> dict[str, Any]:
    """The CreateTable request of one logical table."""
    request: dict[str, Any] = {
        "TableName": table_name(table),
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    }
    if table == "events":
        request["AttributeDefinitions"] += [
            {"AttributeName": "due_bucket", "AttributeType": "S"},
            {"AttributeName": "due_at", "AttributeType": "N"},
        ]
        request["GlobalSecondaryIndexes"] = [
            {
                "IndexName": "due",
                "KeySchema": [
                    {"AttributeName": "due_bucket", "KeyType": "HASH"},
                    {"AttributeName": "due_at", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ]
    if table in STREAMED:
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    return request


def create_tables(engine: Engine) -> None:
    """Create all tables of the product in ``engine``."""
    for table in TABLES:
        engine.call("CreateTable", definition(table))
        engine.call(
            "UpdateTimeToLive",
            {
                "TableName": table_name(table),
                "TimeToLiveSpecification": {"Enabled": True, "AttributeName": WITH_TTL},
            },
        )
