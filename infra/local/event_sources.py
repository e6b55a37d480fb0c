"""Which function reads which stream, and how: from the application and ``infra/merge.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chalice.app import DynamoDBEventConfig, ScheduledEventConfig
from chalice.utils import to_cfn_resource_name

from infra.local.event_filters import Pattern, read_patterns
from infra.local.tables import ENVIRONMENT_PREFIX

DEFAULT_RETRIES = 8


@dataclass(frozen=True)
class StreamSource:
    """How a function reads a stream; the names are those of AWS's event source mapping.

    The window and the greatest age of a record are left out on purpose: here a record is handed over at once, and
    what waited while the machine was off still has to be done.
    """

    function: str
    table: str
    batch_size: int
    lanes: int
    max_retries: int
    bisects: bool
    reports_failures: bool
    patterns: tuple[Pattern, ...]


def stream_sources(app: Any, merge: Mapping[str, Any], tables: Mapping[str, str]) -> list[StreamSource]:
    """The application's stream functions with their settings; ``tables``: variables TABLE_* and their values."""
    return [
        _stream_source(config, _merged(config.name, merge), tables)
        for config in app.event_sources
        if isinstance(config, DynamoDBEventConfig)
    ]


def _merged(function: str, merge: Mapping[str, Any]) -> Mapping[str, Any]:
    resource = to_cfn_resource_name(function)
    function_properties = merge.get("Resources", {}).get(resource, {}).get("Properties", {})
    source = function_properties.get("Events", {}).get(f"{resource}DynamodbEventSource", {})
    properties: Mapping[str, Any] = source.get("Properties", {})
    return properties


def _stream_source(config: Any, properties: Mapping[str, Any], tables: Mapping[str, str]) -> StreamSource:
    return StreamSource(
        function=config.name,
        table=_table(config, properties, tables),
        batch_size=int(properties.get("BatchSize", config.batch_size)),
        lanes=int(properties.get("ParallelizationFactor", 1)),
        max_retries=int(properties.get("MaximumRetryAttempts", DEFAULT_RETRIES)),
        bisects=bool(properties.get("BisectBatchOnFunctionError", False)),
        reports_failures="ReportBatchItemFailures" in properties.get("FunctionResponseTypes", ()),
        patterns=read_patterns(properties.get("FilterCriteria")),
    )


def _table(config: Any, properties: Mapping[str, Any], tables: Mapping[str, str]) -> str:
    parameter = str(properties.get("Stream", {}).get("Ref", ""))
    variable = ENVIRONMENT_PREFIX + parameter.removeprefix("Stream").upper()
    if variable in tables:
        return tables[variable]
    # arn:aws:dynamodb:region:account:table/NAME/stream/LABEL
    name = str(config.stream_arn).partition(":table/")[2].partition("/")[0]
    return tables.get(ENVIRONMENT_PREFIX + name.upper(), name)


def schedules(app: Any) -> dict[str, str]:
    """The application's scheduled functions: name and expression, ``rate(...)`` or ``cron(...)``."""
    found = {}
    for config in app.event_sources:
        if isinstance(config, ScheduledEventConfig):
            expression = config.schedule_expression
            found[config.name] = expression if isinstance(expression, str) else expression.to_string()
    return found
