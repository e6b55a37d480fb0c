"""The API's own description: written from the routes, equal to the file the pages are typed from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from chalicelib.api import features
from chalicelib.api.framework import PROBLEM_TYPE
from chalicelib.api.openapi import document
from tests.api.routes import all_routes
from tests.support.client import Browser
from tests.support.world import TestWorld

FILE = Path(__file__).parents[2] / "web" / "openapi.json"


def described() -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(document())
    return decoded


def test_the_file_is_what_the_routes_say() -> None:
    assert FILE.read_bytes() == document(), "run `python3 guanjun openapi`"


def test_every_path_names_the_features_that_answer_there() -> None:
    assert features.FILE.read_bytes() == features.written(), "run `python3 guanjun openapi`"


def test_the_document_is_served(world: TestWorld) -> None:
    reply = Browser().get("/openapi.json")
    assert (reply.status, reply.body) == (200, document())


def test_every_route_of_the_application_is_declared() -> None:
    from app import app

    routed = {(method, path) for path, methods in app.routes.items() for method in methods}
    assert routed == {(route.method, route.path) for route in all_routes()}


def test_every_route_is_described_with_its_refusals() -> None:
    paths = described()["paths"]
    for route in all_routes():
        operation = paths[f"/api{route.path}"][route.method.lower()]
        assert operation["operationId"] == route.name
        assert set(operation["responses"]) == {str(route.status), "default"}
        assert PROBLEM_TYPE in operation["responses"]["default"]["content"]
        names = {parameter["name"] for parameter in operation["parameters"]}
        assert ("Idempotency-Key" in names) is route.keyed


def test_names_are_unique_and_every_reference_leads_somewhere() -> None:
    whole = described()
    names = [operation["operationId"] for path in whole["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))
    schemas = whole["components"]["schemas"]
    assert set(references(whole)) <= {f"#/components/schemas/{name}" for name in schemas}


def references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [each for inner in value.values() for each in references(inner)]
    if isinstance(value, list):
        return [each for inner in value for each in references(inner)]
    return []


def test_no_body_takes_unknown_fields() -> None:
    schemas = described()["components"]["schemas"]
    for route in all_routes():
        if route.body is not None:
            assert schemas[route.body.__name__].get("additionalProperties") is False, route.name
