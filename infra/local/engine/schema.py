"""Tables and indexes as the engine sees them, built from a CreateTable request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.engine.errors import invalid, invalid_parameter
from infra.local.engine.values import AttributeValue, Item, key_bytes

REGION = "us-east-1"
ACCOUNT = "123456789012"
MAX_PARTITION_KEY_BYTES = 2048
MAX_SORT_KEY_BYTES = 1024

Key = tuple[bytes, bytes]
"""Partition and sort key as order-preserving bytes; the sort key is empty for a table without one."""


@dataclass(frozen=True)
class KeyAttribute:
    name: str
    type: str
    max_bytes: int


@dataclass(frozen=True)
class KeySchema:
    """The partition key and, if there is one, the sort key."""

    attributes: tuple[KeyAttribute, ...]

    @classmethod
    def parse(cls, request: list[Mapping[str, str]], types: Mapping[str, str]) -> KeySchema:
        roles = {part["KeyType"]: part["AttributeName"] for part in request}
        if "HASH" not in roles or len(roles) != len(request):
            raise invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
        limits = (("HASH", MAX_PARTITION_KEY_BYTES), ("RANGE", MAX_SORT_KEY_BYTES))
        missing = [name for name in roles.values() if name not in types]
        if missing:
            raise invalid_parameter(
                f"Some index key attributes are not defined in AttributeDefinitions. Keys: {missing}"
            )
        return cls(
            tuple(KeyAttribute(roles[role], types[roles[role]], limit) for role, limit in limits if role in roles)
        )

    @property
    def partition(self) -> KeyAttribute:
        return self.attributes[0]

    @property
    def sort(self) -> KeyAttribute | None:
        return self.attributes[1] if len(self.attributes) > 1 else None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.attributes)

    def of_item(self, item: Item) -> Key:
        """The key of an item that is about to be stored."""
        return self._bytes(item, missing="Missing the key {name} in the item")

    def of_key(self, key: Item) -> Key:
        """The key of a request that names an item by its key and nothing else."""
        if set(key) != set(self.names):
            raise invalid("The provided key element does not match the schema")
        return self._bytes(key, missing="Missing the key {name} in the item")

    def _bytes(self, item: Item, missing: str) -> Key:
        parts = []
        for attribute in self.attributes:
            value = item.get(attribute.name)
            if value is None:
                raise invalid_parameter(missing.format(name=attribute.name))
            if attribute.type not in value:
                raise invalid_parameter(
                    f"Type mismatch for key {attribute.name} expected: {attribute.type} actual: {next(iter(value))}"
                )
            parts.append(_key_part(attribute, value))
        return parts[0], parts[1] if len(parts) > 1 else b""

    def of_entry(self, item: Item, index: str) -> Key | None:
        """The key under which an item stands in an index, None where it lacks one of the attributes (sparse)."""
        parts = []
        for attribute in self.attributes:
            value = item.get(attribute.name)
            if value is None:
                return None
            if attribute.type not in value:
                raise invalid_parameter(
                    f"Type mismatch for Index Key {attribute.name} Expected: {attribute.type} "
                    f"Actual: {next(iter(value))} IndexName: {index}"
                )
            parts.append(_key_part(attribute, value))
        return parts[0], parts[1] if len(parts) > 1 else b""


def _key_part(attribute: KeyAttribute, value: AttributeValue) -> bytes:
    content = key_bytes(value)
    if not content:
        raise invalid(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
            f"contain an empty {'string' if attribute.type == 'S' else 'binary'} value. Key: {attribute.name}"
        )
    if len(content) > attribute.max_bytes and attribute.type != "N":
        raise invalid_parameter(
            f"Size of key {attribute.name} has exceeded the maximum size limit of {attribute.max_bytes} bytes"
        )
    return content


@dataclass(frozen=True)
class Index:
    """A global secondary index. ``projects`` is None where all attributes are carried over."""

    number: int
    name: str
    keys: KeySchema
    projects: frozenset[str] | None
    request: Mapping[str, Any]

    def project(self, item: Item) -> Item:
        """The part of an item that stands in this index."""
        if self.projects is None:
            return item
        return {name: value for name, value in item.items() if name in self.projects}


@dataclass(frozen=True)
class Table:
    """One table; ``number`` is its key in the SQLite file, ``created`` in seconds since 1970."""

    number: int
    name: str
    keys: KeySchema
    indexes: tuple[Index, ...]
    has_stream: bool
    ttl_attribute: str | None
    created: float
    label: str
    request: Mapping[str, Any]

    @property
    def arn(self) -> str:
        return f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{self.name}"

    @property
    def stream_arn(self) -> str:
        return f"{self.arn}/stream/{self.label}"

    def index(self, name: str) -> Index:
        for index in self.indexes:
            if index.name == name:
                return index
        raise invalid(f"The table does not have the specified index: {name}")


def build_table(number: int, created: float, label: str, request: Mapping[str, Any], ttl: str | None) -> Table:
    """Build a table from the parameters CreateTable was called with; refuses what has no meaning here."""
    types = {part["AttributeName"]: part["AttributeType"] for part in request.get("AttributeDefinitions", ())}
    if request.get("LocalSecondaryIndexes"):
        raise invalid("LocalSecondaryIndexes are not supported by the local engine")
    stream = request.get("StreamSpecification") or {}
    if stream.get("StreamEnabled") and stream.get("StreamViewType") != "NEW_AND_OLD_IMAGES":
        raise invalid("The local engine writes streams of view type NEW_AND_OLD_IMAGES only")
    keys = KeySchema.parse(request.get("KeySchema", []), types)
    indexes = []
    for position, wanted in enumerate(request.get("GlobalSecondaryIndexes") or ()):
        index_keys = KeySchema.parse(wanted["KeySchema"], types)
        indexes.append(Index(position, wanted["IndexName"], index_keys, _projects(wanted, keys, index_keys), wanted))
    used = {*keys.names, *(name for index in indexes for name in index.keys.names)}
    if used != set(types):
        raise invalid_parameter(
            "Number of attributes in KeySchema does not exactly match number of attributes defined "
            "in AttributeDefinitions"
        )
    return Table(
        number=number,
        name=request["TableName"],
        keys=keys,
        indexes=tuple(indexes),
        has_stream=bool(stream.get("StreamEnabled")),
        ttl_attribute=ttl,
        created=created,
        label=label,
        request=request,
    )


def _projects(wanted: Mapping[str, Any], keys: KeySchema, index_keys: KeySchema) -> frozenset[str] | None:
    projection = wanted.get("Projection") or {}
    kind = projection.get("ProjectionType")
    carried = {*keys.names, *index_keys.names}
    if kind == "ALL":
        return None
    if kind == "KEYS_ONLY":
        return frozenset(carried)
    if kind == "INCLUDE":
        return frozenset({*carried, *projection.get("NonKeyAttributes", ())})
    raise invalid_parameter(f"Unknown ProjectionType: {kind}")


def describe(table: Table, item_count: int) -> dict[str, Any]:
    """The table as DescribeTable shows it."""
    request = table.request
    shown: dict[str, Any] = {
        "TableName": table.name,
        "TableArn": table.arn,
        "TableStatus": "ACTIVE",
        "CreationDateTime": table.created,
        "ItemCount": item_count,
        "KeySchema": request["KeySchema"],
        "AttributeDefinitions": request["AttributeDefinitions"],
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    }
    if table.indexes:
        shown["GlobalSecondaryIndexes"] = [
            {
                "IndexName": index.name,
                "KeySchema": index.request["KeySchema"],
                "Projection": index.request["Projection"],
                "IndexStatus": "ACTIVE",
                "IndexArn": f"{table.arn}/index/{index.name}",
            }
            for index in table.indexes
        ]
    if table.has_stream:
        shown["StreamSpecification"] = request["StreamSpecification"]
        shown["LatestStreamArn"] = table.stream_arn
        shown["LatestStreamLabel"] = table.label
    return shown
