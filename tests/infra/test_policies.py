"""Each function may do what it does and no more; nobody here evaluates IAM, so the documents themselves are read."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from infra.launcher.paths import ROOT
from infra.local.engine.recorder import Access
from tests.infra.test_app_template import FUNCTIONS, READERS
from tests.support.permissions import not_allowed
from tests.support.templates import Template, of_type

# DynamoDB knows no resource for this one action, and a text message goes to a phone, which has no ARN.
WITHOUT_RESOURCE = {"dynamodb:ListStreams", "sns:Publish"}
ANY_DISTRIBUTION = {"Fn::Sub": "arn:${AWS::Partition}:cloudfront::${AWS::AccountId}:distribution/*"}


def statements(function: str) -> list[dict[str, Any]]:
    document = json.loads((ROOT / ".chalice" / f"policy-{function}.json").read_text(encoding="utf-8"))
    assert document["Version"] == "2012-10-17"
    return list(document["Statement"])


def test_every_function_has_its_own_policy_and_there_is_no_other() -> None:
    files = {file.name for file in Path(ROOT / ".chalice").glob("policy-*.json")}
    assert files == {f"policy-{function}.json" for function in FUNCTIONS}
    functions = json.loads((ROOT / ".chalice" / "config.json").read_text())["stages"]["cloud"]["lambda_functions"]
    assert {name: settings["iam_policy_file"] for name, settings in functions.items()} == {
        function: f"policy-{function}.json" for function in FUNCTIONS
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_policy_arrives_in_a_role_of_its_own(plain_template: Template, function: str) -> None:
    role = of_type(plain_template, "AWS::Lambda::Function")[FUNCTIONS[function]]["Role"]["Fn::GetAtt"][0]
    (policy,) = of_type(plain_template, "AWS::IAM::Role")[role]["Policies"]
    assert policy["PolicyDocument"]["Statement"] == statements(function)
    assert len(of_type(plain_template, "AWS::IAM::Role")) == len(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_nothing_is_allowed_on_everything(function: str) -> None:
    for statement in statements(function):
        assert statement["Effect"] == "Allow"
        assert not [action for action in statement["Action"] if "*" in action], statement["Sid"]
        if statement.get("Resource") == ["*"] or "NotResource" in statement:
            assert set(statement["Action"]) <= WITHOUT_RESOURCE, statement["Sid"]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_resource_is_one_of_the_stack(app_template: Template, function: str) -> None:
    for statement in statements(function):
        for resource in statement.get("Resource", []):
            if resource == ANY_DISTRIBUTION:
                # Their ids are not known beforehand: the tag says which one is the stage's.
                assert statement["Condition"] == {"StringEquals": {"aws:ResourceTag/guanjun-stage": {"Ref": "Stage"}}}
            elif "Fn::Sub" in resource:
                names = set(re.findall(r"\$\{(\w+)\}", resource["Fn::Sub"]))
                assert len(names) == 1
                assert names <= set(app_template["Parameters"])
            elif resource != "*":
                reference = resource.get("Ref") or resource["Fn::GetAtt"][0]
                assert reference in {**app_template["Parameters"], **app_template["Resources"]}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_writes_its_own_log(function: str) -> None:
    (logs,) = [each for each in statements(function) if each["Sid"] == "Logs"]
    assert logs["Resource"] == [{"Fn::GetAtt": [f"{FUNCTIONS[function]}Log", "Arn"]}]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_readers_and_only_readers_may_read_their_stream(function: str) -> None:
    reading = [each for each in statements(function) if "dynamodb:GetRecords" in each["Action"]]
    stream = READERS.get(FUNCTIONS[function])
    assert [each["Resource"] for each in reading] == ([[{"Ref": stream}]] if stream else [])
    # What a reader gives up goes to S3, and Lambda puts it there in the function's name.
    failures = [each for each in statements(function) if each["Sid"] == "KeepFailedBatches"]
    assert len(failures) == len(reading)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_audit_log_is_only_ever_added_to(function: str) -> None:
    for statement in statements(function):
        resources = [resource.get("Fn::Sub", "") for resource in statement.get("Resource", []) if resource != "*"]
        if any(resource.endswith("${TableAudit}") for resource in resources):
            assert set(statement["Action"]) <= {"dynamodb:PutItem", "dynamodb:Query"}


def test_an_access_without_a_right_is_noticed() -> None:
    """The check that runs after every test with a store (tests/conftest.py) can fail."""
    seen = [
        Access("close_registrations", "Query", "Query", "guanjun-local-events", "due"),
        Access("sweep", "DeleteItem", "DeleteItem", "guanjun-local-audit"),
        Access("api_handler GET /time", "Scan", "Scan", "guanjun-local-events"),
        Access("unlabelled", "DeleteItem", "DeleteItem", "guanjun-local-audit"),
    ]
    assert not_allowed(seen) == [
        "api_handler: dynamodb:Scan on guanjun-local-events",
        "sweep: dynamodb:DeleteItem on guanjun-local-audit",
    ]
