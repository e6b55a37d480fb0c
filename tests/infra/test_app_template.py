"""The app stack: functions, event sources, the API's own refusals, alarms. Emulators ignore most of it."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from chalicelib.services.problems import CATALOGUE, Problem
from chalicelib.store.tables import TABLES
from infra.commands.steps import program
from infra.launcher.paths import ROOT
from tests.support.templates import Template, of_type

# Function (as Chalice names its policy) -> its logical name in the template.
FUNCTIONS = {
    "api_handler": "APIHandler",
    "standings": "Standings",
    "club_ranks": "ClubRanks",
    "jobs": "Jobs",
    "close_registrations": "CloseRegistrations",
    "end_idle_events": "EndIdleEvents",
    "purge_personal_data": "PurgePersonalData",
    "sweep": "Sweep",
}
READERS = {"Standings": "StreamMatches", "ClubRanks": "StreamStandings", "Jobs": "StreamJobs"}
ONE_MORE_THAN_THE_GATEWAY_WAITS = 29


def functions(template: Template) -> dict[str, Template]:
    return of_type(template, "AWS::Lambda::Function")


def test_cfn_lint_finds_nothing(plain_template: Template, tmp_path: Path) -> None:
    file = tmp_path / "app.json"
    file.write_text(json.dumps(plain_template), encoding="utf-8")
    done = subprocess.run([program("cfn-lint"), str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_functions_are_the_documented_ones(plain_template: Template) -> None:
    """docs/functions.md is a promise: function, memory, timeout and policy stand there as they are deployed."""
    rows = re.findall(
        r"^\| `(\w+)` \| ([\d,]+) MB \| (\d+) s \| `(\.chalice/[\w.-]+)` \|",
        (ROOT / "docs" / "functions.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    documented = {name: (int(memory.replace(",", "")), int(seconds), policy) for name, memory, seconds, policy in rows}
    deployed = {
        name: (
            functions(plain_template)[logical]["MemorySize"],
            functions(plain_template)[logical]["Timeout"],
            f".chalice/policy-{name}.json",
        )
        for name, logical in FUNCTIONS.items()
    }
    assert documented == deployed
    assert set(functions(plain_template)) == set(FUNCTIONS.values())


def test_the_api_answers_before_the_gateway_gives_up(plain_template: Template) -> None:
    assert functions(plain_template)["APIHandler"]["Timeout"] < ONE_MORE_THAN_THE_GATEWAY_WAITS


@pytest.mark.parametrize("function", FUNCTIONS.values())
def test_a_function_runs_on_what_it_was_packaged_for(plain_template: Template, function: str) -> None:
    properties = functions(plain_template)[function]
    assert properties["Runtime"] == "python3.13"
    assert properties["Architectures"] == ["x86_64"]
    assert properties["Code"]["S3Bucket"] == {"Ref": "CodeBucket"}
    assert re.fullmatch(r"[0-9a-f]{64}\.zip", properties["Code"]["S3Key"])


@pytest.mark.parametrize("function", FUNCTIONS.values())
def test_a_function_knows_its_tables_and_no_secret(plain_template: Template, function: str) -> None:
    variables = functions(plain_template)[function]["Environment"]["Variables"]
    for table in TABLES:
        assert variables[f"TABLE_{table.upper()}"] == {"Ref": f"Table{table.capitalize()}"}
    assert variables["SECRET_PARAMETER"] == {"Ref": "SecretParameter"}
    # A changed variable is what makes AWS replace running functions.
    assert variables["SECRETS_VERSION"] == {"Ref": "SecretsVersion"}
    assert ("EDGE_SECRET_PARAMETER" in variables) is (function == "APIHandler")
    assert ("WECHAT_PARAMETER" in variables) is (function == "APIHandler")
    assert ("DISTRIBUTION_PARAMETER" in variables) is (function in ("APIHandler", "PurgePersonalData"))
    plain = {name: value for name, value in variables.items() if isinstance(value, str)}
    assert plain == {"POWERTOOLS_SERVICE_NAME": "guanjun", "POWERTOOLS_METRICS_NAMESPACE": "Guanjun"}


@pytest.mark.parametrize("function", FUNCTIONS.values())
def test_a_function_logs_into_its_own_group_for_thirty_days(plain_template: Template, function: str) -> None:
    assert functions(plain_template)[function]["LoggingConfig"]["LogGroup"] == {"Ref": f"{function}Log"}
    assert of_type(plain_template, "AWS::Logs::LogGroup")[f"{function}Log"]["RetentionInDays"] == 30


@pytest.mark.parametrize("reader", READERS)
def test_a_stream_has_one_reader_that_loses_nothing(plain_template: Template, reader: str) -> None:
    sources = [
        source
        for source in of_type(plain_template, "AWS::Lambda::EventSourceMapping").values()
        if source["EventSourceArn"] == {"Ref": READERS[reader]}
    ]
    (source,) = sources
    assert source["FunctionName"] == {"Ref": reader}
    assert source["StartingPosition"] == "TRIM_HORIZON"
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert source["BisectBatchOnFunctionError"] is True
    assert 1 <= source["MaximumRetryAttempts"] <= 10
    assert 60 <= source["MaximumRecordAgeInSeconds"] < 24 * 3600
    failures = source["DestinationConfig"]["OnFailure"]["Destination"]
    assert failures == {"Fn::Sub": "arn:${AWS::Partition}:s3:::${FailuresBucket}"}
    assert source["MaximumBatchingWindowInSeconds"] <= 1


def test_no_other_function_reads_a_stream(plain_template: Template) -> None:
    assert len(of_type(plain_template, "AWS::Lambda::EventSourceMapping")) == len(READERS)


def test_the_schedules_run(plain_template: Template) -> None:
    rules = of_type(plain_template, "AWS::Events::Rule")
    scheduled = {rule["Targets"][0]["Arn"]["Fn::GetAtt"][0]: rule["ScheduleExpression"] for rule in rules.values()}
    assert set(scheduled) == {"CloseRegistrations", "EndIdleEvents", "PurgePersonalData", "Sweep"}
    assert scheduled["CloseRegistrations"] == "rate(1 minute)"


def test_the_api_is_regional_compressed_throttled_and_named_api(plain_template: Template) -> None:
    (api,) = of_type(plain_template, "AWS::ApiGateway::RestApi").values()
    (stage,) = of_type(plain_template, "AWS::ApiGateway::Stage").values()
    assert api["EndpointConfiguration"]["Types"] == ["REGIONAL"]
    assert api["MinimumCompressionSize"] == 1024
    assert stage["StageName"] == "api"
    assert stage["MethodSettings"][0]["ThrottlingRateLimit"] >= 1000


def test_what_anybody_may_ask_at_the_cost_of_a_round_in_play_is_throttled_by_itself(plain_template: Template) -> None:
    (api,) = of_type(plain_template, "AWS::ApiGateway::RestApi").values()
    (stage,) = of_type(plain_template, "AWS::ApiGateway::Stage").values()
    whole, opening = stage["MethodSettings"]
    path = "/events/{event_id}/public-standings/{number}"
    assert path in api["Body"]["paths"]
    assert (opening["ResourcePath"], opening["HttpMethod"]) == ("/" + path.replace("/", "~1"), "GET")
    assert opening["ThrottlingRateLimit"] * 10 <= whole["ThrottlingRateLimit"]
    assert opening["ThrottlingBurstLimit"] * 10 <= whole["ThrottlingBurstLimit"]


def test_the_gateway_passes_workbooks_on_as_bytes_whatever_the_browser_would_rather_have(
    plain_template: Template,
) -> None:
    (api,) = of_type(plain_template, "AWS::ApiGateway::RestApi").values()
    assert api["Body"]["x-amazon-apigateway-binary-media-types"] == ["*/*"]


def test_what_the_gateway_refuses_is_a_problem_document_of_ours(app_template: Template) -> None:
    responses = app_template["Resources"]["RestAPI"]["Properties"]["GatewayResponses"]
    must = {"DEFAULT_4XX", "DEFAULT_5XX", "MISSING_AUTHENTICATION_TOKEN", "REQUEST_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"}
    assert must <= set(responses)
    for response in responses.values():
        document = json.loads(response["ResponseTemplates"]["application/json"])
        words = {"limit": "6 MB"} if "{" in CATALOGUE[document["code"]][1] else {}
        assert document == Problem(document["code"], **words).document()
        assert response["StatusCode"] == document["status"]
        assert response["ResponseParameters"]["Headers"]["Content-Type"] == "'application/problem+json'"


def test_chalice_is_not_asked_for_what_it_breaks() -> None:
    """`log_retention_in_days` gives a template that does not deploy (Chalice 1.34)."""
    configuration = (ROOT / ".chalice" / "config.json").read_text(encoding="utf-8")
    assert "log_retention_in_days" not in configuration
    assert json.loads(configuration)["stages"]["cloud"]["autogen_policy"] is False
