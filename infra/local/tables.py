"""The product's tables, made from the same template as in the cloud (``infra/data.yaml``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENVIRONMENT_PREFIX = "TABLE_"
NAME_PREFIX = "guanjun-local-"

_KEPT = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")


def table_name(logical_id: str) -> str:
    """The local name of a table of the template."""
    return NAME_PREFIX + logical_id.lower()


def environment(template: Mapping[str, Any]) -> dict[str, str]:
    """The variables that name the tables to the program: TABLE_MATCHES and so on."""
    return {ENVIRONMENT_PREFIX + logical_id.upper(): table_name(logical_id) for logical_id in _tables(template)}


def _tables(template: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    resources: dict[str, Any] = template.get("Resources", {})
    return {
        logical_id: resource.get("Properties", {})
        for logical_id, resource in resources.items()
        if resource.get("Type") == "AWS::DynamoDB::Table"
    }


def creation(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """The CreateTable request of a table of the template."""
    request = {key: properties[key] for key in _KEPT if key in properties}
    stream = properties.get("StreamSpecification")
    if stream:
        # The template has no switch for it: a stream that is described is on.
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": stream["StreamViewType"]}
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST", **request}


def ensure_tables(client: Any, template: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """Create what is missing, through a boto3 DynamoDB client; returns the names of the new tables.

    ``names`` are the variables of :func:`environment`, possibly overruled from outside.
    """
    there: set[str] = set()
    for page in client.get_paginator("list_tables").paginate():
        there.update(page["TableNames"])
    made = []
    for logical_id, properties in _tables(template).items():
        name = names[ENVIRONMENT_PREFIX + logical_id.upper()]
        if name in there:
            continue
        client.create_table(**creation(name, properties))
        client.get_waiter("table_exists").wait(TableName=name)
        ttl = properties.get("TimeToLiveSpecification")
        if ttl and ttl.get("Enabled"):
            client.update_time_to_live(TableName=name, TimeToLiveSpecification=ttl)
        made.append(name)
    return made
