"""The product's tables in an engine, made from the same template as in the cloud."""

from __future__ import annotations

from functools import cache
from typing import Any

from infra.local.engine import Engine
from infra.local.tables import creation, environment
from infra.local.templates import DATA_TEMPLATE, read_template


@cache
def _template() -> dict[str, Any]:
    return read_template(DATA_TEMPLATE)


def create_tables(engine: Engine) -> None:
    """Create all tables of the product in ``engine``."""
    resources = _template()["Resources"]
    for variable, name in environment(_template()).items():
        properties = next(
            resource["Properties"]
            for logical_id, resource in resources.items()
            if variable == f"TABLE_{logical_id.upper()}"
        )
        engine.call("CreateTable", creation(name, properties))
        ttl = properties["TimeToLiveSpecification"]
        engine.call("UpdateTimeToLive", {"TableName": name, "TimeToLiveSpecification": ttl})
