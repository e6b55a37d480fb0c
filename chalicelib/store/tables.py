"""Names and places of the tables, read from the environment once per process, and the base of all models.

Each table has string keys ``pk`` and ``sk``; what stands in them is listed in ``docs/data-model.md``.
"""

from __future__ import annotations

import os
from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.models import Model

TABLES = ("accounts", "events", "entries", "matches", "standings", "jobs", "idempotency", "audit")


def table_name(table: str) -> str:
    """The deployed name of a logical table: TABLE_MATCHES for ``matches``; the local stack's name if not set."""
    return os.environ.get(f"TABLE_{table.upper()}", f"guanjun-local-{table}")


def whole(value: Any) -> int | None:
    """A stored number as an int; None where the attribute is missing (PynamoDB's types know no missing ones)."""
    return None if value is None else int(value)


class Place:
    """Shared PynamoDB settings; a model's inner ``Meta`` inherits it and names its table."""

    host = os.environ.get("DYNAMODB_ENDPOINT_URL") or None
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
    connect_timeout_seconds = 2
    read_timeout_seconds = 5
    max_retry_attempts = 4
    table_name = ""


class Record(Model):
    """An item of any table: partition key ``pk``, sort key ``sk``."""

    class Meta(Place):
        """Abstract: subclasses name the table."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)

    def keys(self) -> dict[str, Any]:
        """The primary key as plain values."""
        return {"pk": self.pk, "sk": self.sk}
