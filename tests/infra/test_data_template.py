"""The data stack: what no emulator checks. Nothing here may be lost by an update, a deletion or a mistake."""

import subprocess
from typing import Any

import pytest

from chalicelib.store.tables import TABLES
from infra.commands.steps import program
from infra.deploy.templates import WATCH_TEMPLATE
from infra.launcher.paths import ROOT
from infra.local.templates import read_template
from tests.support.templates import Template, of_type

STREAMED = {"Matches", "Standings", "Jobs"}


def tables(template: Template) -> dict[str, Any]:
    return of_type(template, "AWS::DynamoDB::Table")


def test_cfn_lint_finds_nothing() -> None:
    done = subprocess.run(
        [program("cfn-lint"), str(ROOT / "infra" / "data.yaml")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_table_of_the_store_is_there(data_template: Template) -> None:
    assert {name.lower() for name in tables(data_template)} == set(TABLES)


@pytest.mark.parametrize("table", [table.capitalize() for table in TABLES])
def test_a_table_is_kept_restorable_and_encrypted(data_template: Template, table: str) -> None:
    resource = data_template["Resources"][table]
    properties = resource["Properties"]
    assert resource["DeletionPolicy"] == resource["UpdateReplacePolicy"] == "Retain"
    assert properties["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert properties["SSESpecification"] == {"SSEEnabled": True}
    assert properties["DeletionProtectionEnabled"] == {"Fn::If": ["Protected", True, False]}
    assert properties["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert properties["BillingMode"] == "PAY_PER_REQUEST"


@pytest.mark.parametrize("table", [table.capitalize() for table in TABLES])
def test_a_table_has_string_keys_and_a_generated_name(data_template: Template, table: str) -> None:
    properties = tables(data_template)[table]
    assert "TableName" not in properties
    assert properties["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    types = {each["AttributeName"]: each["AttributeType"] for each in properties["AttributeDefinitions"]}
    assert (types["pk"], types["sk"]) == ("S", "S")


def test_a_stage_is_protected_unless_it_says_otherwise(data_template: Template) -> None:
    assert data_template["Parameters"]["Protect"]["Default"] == "true"
    assert data_template["Conditions"]["Protected"] == {"Fn::Equals": [{"Ref": "Protect"}, "true"]}


def test_three_tables_have_a_stream_with_both_images(data_template: Template) -> None:
    streams = {name: table.get("StreamSpecification") for name, table in tables(data_template).items()}
    assert {name for name, stream in streams.items() if stream} == STREAMED
    assert all(streams[name] == {"StreamViewType": "NEW_AND_OLD_IMAGES"} for name in STREAMED)


@pytest.mark.parametrize(
    ("name", "bucket", "time"), [("due", "due_bucket", "due_at"), ("listed", "listed_in", "listed_at")]
)
def test_an_index_is_sparse_and_sorted_by_time(data_template: Template, name: str, bucket: str, time: str) -> None:
    with_index = {name: table for name, table in tables(data_template).items() if "GlobalSecondaryIndexes" in table}
    assert list(with_index) == ["Events"]
    indexes = {index["IndexName"]: index for index in with_index["Events"]["GlobalSecondaryIndexes"]}
    assert set(indexes) == {"due", "listed"}
    assert [key["AttributeName"] for key in indexes[name]["KeySchema"]] == [bucket, time]
    types = {each["AttributeName"]: each["AttributeType"] for each in with_index["Events"]["AttributeDefinitions"]}
    assert (types[bucket], types[time]) == ("S", "N")


@pytest.mark.parametrize("bucket", ["SiteBucket", "FilesBucket", "FailuresBucket", "CodeBucket"])
def test_a_bucket_is_closed_encrypted_and_kept(data_template: Template, bucket: str) -> None:
    resource = data_template["Resources"][bucket]
    properties = resource["Properties"]
    assert resource["DeletionPolicy"] == "Retain"
    assert "BucketName" not in properties
    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(properties["PublicAccessBlockConfiguration"]) == 4
    assert properties["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}
    assert properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]


def test_uploads_and_downloads_live_one_day(data_template: Template) -> None:
    rules = data_template["Resources"]["FilesBucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    lives = {rule["Prefix"]: rule["ExpirationInDays"] for rule in rules if "Prefix" in rule}
    assert (lives["uploads/"], lives["downloads/"]) == (1, 1)


def test_what_the_public_reads_never_expires_by_itself(data_template: Template) -> None:
    rules = data_template["Resources"]["SiteBucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    assert not [rule for rule in rules if "ExpirationInDays" in rule]


def test_outputs_are_the_parameters_of_the_later_stacks(data_template: Template, app_template: Template) -> None:
    outputs = set(data_template["Outputs"])
    assert set(app_template["Parameters"]) - {"Stage", "SecretsVersion"} <= outputs
    assert outputs <= set(app_template["Parameters"]) | set(read_template(WATCH_TEMPLATE)["Parameters"])
    assert not [output for output in data_template["Outputs"].values() if "Export" in output]
