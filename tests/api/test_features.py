"""In the cloud a process imports only the features that it is asked for, and answers as if it had them all."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from chalicelib.api.features import FEATURES, by_path
from infra.launcher.environment import clean
from infra.launcher.paths import ROOT
from tests.api.routes import all_routes

PROGRAM = """
import json, sys
from app import app
from chalicelib.services.world import World, use

class Nothing:
    pass

use(World(secret=b"x" * 32, files=Nothing(), sms=Nothing()))
answers = []
for path in sys.argv[1:]:
    event = {
        "requestContext": {"resourcePath": path, "httpMethod": "GET", "identity": {}, "path": path},
        "headers": {}, "multiValueHeaders": {}, "multiValueQueryStringParameters": None, "pathParameters": {},
        "stageVariables": None, "body": None, "isBase64Encoded": False,
    }
    answer = app(event, None)
    body = answer["body"]
    answers.append([answer["statusCode"], len(body)])
print(json.dumps([answers, sorted(name for name in sys.modules if name.startswith("chalicelib."))]))
"""


def in_lambda(*paths: str) -> tuple[list[Any], set[str]]:
    """Answers of a fresh process as in the cloud, and the modules of ours that it has imported then."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *paths],
        cwd=ROOT,
        env=clean({"AWS_DEFAULT_REGION": "us-east-1", "AWS_LAMBDA_FUNCTION_NAME": "guanjun-api"}),
        capture_output=True,
        text=True,
        check=True,
    )
    answers, modules = json.loads(done.stdout)
    return answers, set(modules)


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    _, modules = in_lambda()
    assert not {f"chalicelib.api.{name}" for name in FEATURES} & modules
    assert not [name for name in modules if name.startswith(("chalicelib.rules.pairing", "chalicelib.workers"))]


def test_a_request_brings_its_own_feature_only() -> None:
    ((status, size),), modules = in_lambda("/time")
    assert (status, size > 0) == (200, True)
    assert {name for name in FEATURES if f"chalicelib.api.{name}" in modules} == {"health"}


def test_the_description_is_whole_whatever_was_asked_before() -> None:
    ((_, _), (status, size)), modules = in_lambda("/time", "/openapi.json")
    assert status == 200
    assert size == len((ROOT / "web" / "openapi.json").read_text(encoding="utf-8"))
    assert {f"chalicelib.api.{name}" for name in FEATURES} <= modules


def test_a_path_that_nobody_declared_is_a_problem_document() -> None:
    ((status, size),), _ = in_lambda("/kinds")
    assert (status, size > 0) == (200, True)


@pytest.mark.parametrize("route", all_routes(), ids=lambda route: f"{route.method} {route.path}")
def test_every_route_is_found_by_its_path(route: Any) -> None:
    assert route.feature in by_path()[route.path]
