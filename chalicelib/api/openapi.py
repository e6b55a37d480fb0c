"""``web/openapi.json``: OpenAPI 3.1 written from the declared routes and their types."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from chalicelib.api.framework import PROBLEM_TYPE, ROUTES, File, Route

_PARAMETER = re.compile(r"\{(\w+)\}")

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "A refusal (RFC 9457) in both languages.",
    "required": ["type", "title", "status", "code", "detail_zh", "detail_en"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail_zh": {"type": "string"},
        "detail_en": {"type": "string"},
        "field": {"type": "string"},
        "current": {},
    },
}


def document() -> bytes:
    """The document as UTF-8 JSON, in a stable order."""
    types = [kind for route in ROUTES for kind in (route.body, route.reply) if kind is not None and kind is not File]
    distinct = list(dict.fromkeys(types))
    _, schemas = msgspec.json.schema_components(distinct, ref_template="#/components/schemas/{name}")
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(f"/api{route.path}", {})[route.method.lower()] = _operation(route)
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "Guanjun", "version": "1", "license": {"name": "Apache-2.0"}},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": dict(sorted({**schemas, "Problem": PROBLEM_SCHEMA}.items()))},
    }
    return (json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def _operation(route: Route) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    for name in _PARAMETER.findall(route.path):
        number = name in ("number", "table", "board", "player")
        schema = (
            {"type": "integer", "minimum": 1, "maximum": 100_000}
            if number
            else {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
        )
        parameters.append({"name": name, "in": "path", "required": True, "schema": schema})
    parameters += [
        {"name": name, "in": "query", "schema": {"type": "string", "maxLength": 200}} for name in route.query
    ]
    if route.keyed:
        parameters.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": True,
                "schema": {"type": "string", "pattern": "^[0-9A-Za-z_-]{8,64}$"},
            }
        )
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "parameters": parameters,
        "responses": {
            str(route.status): {"description": "done", "content": _content(route)},
            "default": {
                "description": "refused",
                "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{route.body.__name__}"}}},
        }
    return operation


def _content(route: Route) -> dict[str, Any]:
    if route.reply is File:
        return {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{route.reply.__name__}"}}}
