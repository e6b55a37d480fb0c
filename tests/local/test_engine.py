"""What the engine has beyond DynamoDB's own behaviour: faults, the recorder, expiry, trimming, strictness."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError
from pynamodb.attributes import NumberAttribute, UnicodeAttribute, VersionAttribute
from pynamodb.connection import Connection
from pynamodb.exceptions import PutError, TransactWriteError
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

from infra.local.engine import Access, Engine, Fault, Faults, ServiceError, Usage, calling
from infra.local.engine.hook import connect, plugged_in
from tests.local.backends import CREDENTIALS, create_table, number, text

KEY = {"pk": text("a"), "sk": text("1")}
ADD = {
    "TableName": "t",
    "Key": KEY,
    "UpdateExpression": "ADD hits :one",
    "ExpressionAttributeValues": {":one": number(1)},
}
TRANSACT_ADD = {"TransactItems": [{"Update": ADD}]}


@pytest.fixture
def table(engine: Engine) -> Engine:
    """The engine with the conformance suite's table under the name ``t``."""
    create_table(client(engine), "t")
    return engine


def client(engine: Engine, attempts: int = 1) -> Any:
    made = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": attempts}), **CREDENTIALS)
    connect(made, engine)
    return made


def only(fault: Fault, rate: float = 1.0, staleness: float = 60.0) -> Faults:
    return Faults(1, {fault: rate}, staleness)


def hits(engine: Engine) -> int:
    found = engine.call("GetItem", {"TableName": "t", "Key": KEY, "ConsistentRead": True}).get("Item")
    return int(found["hits"]["N"]) if found else 0


# Faults


def test_a_transaction_conflict_writes_nothing(table: Engine) -> None:
    table.faults = only(Fault.TRANSACTION_CONFLICT)
    with pytest.raises(ServiceError) as cancelled:
        table.call("TransactWriteItems", TRANSACT_ADD)
    assert cancelled.value.members["CancellationReasons"][0]["Code"] == "TransactionConflict"
    table.faults = None
    assert hits(table) == 0


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault.WRITE_CONFLICT, "TransactionConflictException"),
        (Fault.THROTTLING, "ProvisionedThroughputExceededException"),
    ],
)
def test_refused_writes_write_nothing(table: Engine, fault: Fault, code: str) -> None:
    table.faults = only(fault)
    with pytest.raises(ServiceError) as refused:
        table.call("UpdateItem", ADD)
    assert refused.value.code == code
    table.faults = None
    assert hits(table) == 0


def test_a_lost_reply_follows_a_write_that_took_effect(table: Engine) -> None:
    table.faults = only(Fault.LOST_REPLY)
    with pytest.raises(ConnectionClosedError):
        client(table).update_item(**ADD)
    table.faults = None
    assert hits(table) == 1


def test_boto3_repeats_after_a_lost_reply_and_a_token_keeps_it_to_one_effect(table: Engine) -> None:
    table.faults = Faults(3, {Fault.LOST_REPLY: 0.5})
    patient = client(table, attempts=10)
    for _ in range(10):
        patient.transact_write_items(**TRANSACT_ADD)
    assert table.faults.injected[Fault.LOST_REPLY] > 0
    table.faults = None
    assert hits(table) == 10


def test_boto3_waits_out_throttling(table: Engine) -> None:
    table.faults = Faults(5, {Fault.THROTTLING: 0.4})
    patient = client(table, attempts=10)
    for _ in range(5):
        patient.update_item(**ADD)
    table.faults = None
    assert hits(table) == 5


def test_unprocessed_items_come_back(table: Engine) -> None:
    puts = [{"PutRequest": {"Item": {"pk": text("a"), "sk": text(str(n))}}} for n in range(20)]
    table.faults = Faults(7, {Fault.UNPROCESSED: 0.5})
    left = table.call("BatchWriteItem", {"RequestItems": {"t": puts}})["UnprocessedItems"]["t"]
    assert 0 < len(left) < 20
    keys = [put["PutRequest"]["Item"] for put in puts]
    answer = table.call("BatchGetItem", {"RequestItems": {"t": {"Keys": keys}}})
    assert 0 < len(answer["UnprocessedKeys"]["t"]["Keys"]) < 20
    table.faults = None
    count = table.call(
        "Query",
        {
            "TableName": "t",
            "KeyConditionExpression": "pk = :a",
            "ExpressionAttributeValues": {":a": text("a")},
            "Select": "COUNT",
        },
    )["Count"]
    assert count == 20 - len(left)


def test_plain_reads_may_lag_and_consistent_ones_never_do(table: Engine) -> None:
    table.faults = only(Fault.STALE_READ)
    get = {"TableName": "t", "Key": KEY}
    table.call("UpdateItem", ADD)
    assert table.call("GetItem", get)["Item"]["hits"] == number(1)
    table.call("UpdateItem", ADD)
    assert table.call("GetItem", get)["Item"]["hits"] == number(1)
    assert table.call("GetItem", {**get, "ConsistentRead": True})["Item"]["hits"] == number(2)


def test_a_stale_view_grows_only_so_old(tmp_path: Path) -> None:
    now = [100.0]
    engine = Engine(tmp_path / "s.sqlite", clock=lambda: now[0], faults=only(Fault.STALE_READ, staleness=5))
    create_table(client(engine), "t")
    get = {"TableName": "t", "Key": KEY}
    engine.call("UpdateItem", ADD)
    engine.call("GetItem", get)
    engine.call("UpdateItem", ADD)
    assert engine.call("GetItem", get)["Item"]["hits"] == number(1)
    now[0] += 6
    assert engine.call("GetItem", get)["Item"]["hits"] == number(2)
    engine.close()


def test_an_index_may_lag_behind_its_table(table: Engine) -> None:
    table.faults = only(Fault.STALE_INDEX)
    query = {
        "TableName": "t",
        "IndexName": "by_team",
        "KeyConditionExpression": "team = :t",
        "ExpressionAttributeValues": {":t": text("甲")},
    }
    assert table.call("Query", query)["Count"] == 0
    table.call("PutItem", {"TableName": "t", "Item": {**KEY, "team": text("甲"), "place": number(1)}})
    assert table.call("Query", query)["Count"] == 0
    table.faults = None
    assert table.call("Query", query)["Count"] == 1


def test_one_seed_gives_one_sequence_of_faults() -> None:
    def sequence(seed: int) -> list[bool]:
        faults = Faults.every(seed, 0.3)
        return [faults.strikes(Fault.THROTTLING) for _ in range(50)]

    assert sequence(1) == sequence(1)
    assert sequence(1) != sequence(2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Faults(1, {Fault.THROTTLING: 2})


# The recorder


def test_the_recorder_tells_callers_apart(table: Engine) -> None:
    table.recorder.clear()
    with calling("scores"):
        table.call("UpdateItem", ADD)
        table.call("GetItem", {"TableName": "t", "Key": KEY})
    with calling("standings"):
        table.call("TransactWriteItems", TRANSACT_ADD)
    assert table.recorder.requests() == {
        ("scores", "UpdateItem"): 1,
        ("scores", "GetItem"): 1,
        ("standings", "TransactWriteItems"): 1,
    }
    assert table.recorder.usage() == {
        Access("scores", "UpdateItem", "UpdateItem", "t"): Usage(1, 1, write_units=1),
        Access("scores", "GetItem", "GetItem", "t"): Usage(1, 1, read_units=0.5),
        Access("standings", "TransactWriteItems", "UpdateItem", "t"): Usage(1, 1, write_units=2),
    }


def test_a_refused_write_is_billed_too(table: Engine) -> None:
    table.recorder.clear()
    with pytest.raises(ServiceError):
        table.call("UpdateItem", {**ADD, "ConditionExpression": "attribute_exists(pk)"})
    ((access, usage),) = table.recorder.usage().items()
    assert (access.action, usage.write_units) == ("UpdateItem", 1)


# Expiry and trimming


def test_expired_items_go_with_a_record_by_the_service(tmp_path: Path) -> None:
    now = [1_000_000.0]
    engine = Engine(tmp_path / "s.sqlite", clock=lambda: now[0])
    create_table(client(engine), "t")
    engine.call("PutItem", {"TableName": "t", "Item": {**KEY, "expires": number(1_000_010)}})
    engine.call("PutItem", {"TableName": "t", "Item": {"pk": text("b"), "sk": text("1"), "expires": text("soon")}})
    engine.call(
        "UpdateTimeToLive",
        {"TableName": "t", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}},
    )
    engine.call("PutItem", {"TableName": "t", "Item": {"pk": text("c"), "sk": text("1"), "expires": number(1_000_020)}})
    assert engine.delete_expired() == 0
    now[0] += 10
    assert engine.delete_expired() == 1
    now[0] += 10
    assert engine.delete_expired() == 1
    records = [record for _, record in engine.records(engine.table("t"), 0, 100)]
    removed = [record for record in records if record["eventName"] == "REMOVE"]
    assert [record["dynamodb"]["Keys"]["pk"]["S"] for record in removed] == ["a", "c"]
    assert removed[0]["userIdentity"] == {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
    engine.close()


def test_an_expiry_beyond_all_time_is_none(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "s.sqlite", clock=lambda: 4e9)
    create_table(client(engine), "t")
    engine.call(
        "UpdateTimeToLive",
        {"TableName": "t", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}},
    )
    engine.call("PutItem", {"TableName": "t", "Item": {**KEY, "expires": number("1E100")}})
    assert engine.delete_expired() == 0
    engine.close()


def test_records_are_trimmed_when_old_and_read_by_all(tmp_path: Path) -> None:
    now = [1_000_000.0]
    engine = Engine(tmp_path / "s.sqlite", clock=lambda: now[0])
    create_table(client(engine), "t")
    for position in range(4):
        engine.call("PutItem", {"TableName": "t", "Item": {"pk": text(str(position)), "sk": text("1")}})
        now[0] += 10
    storage = engine.context.storage
    assert engine.trim_streams(0) == 0
    storage.save_checkpoint("fast/1of1", 4)
    storage.save_checkpoint("slow/1of1", 2)
    assert engine.trim_streams(35) == 1
    assert engine.trim_streams(0) == 1
    assert [position for position, _ in engine.records(engine.table("t"), 0, 100)] == [3, 4]
    engine.close()


# Strictness and reopening


def test_unknown_operations_and_parameters_are_refused(table: Engine) -> None:
    with pytest.raises(ServiceError, match="does not know"):
        table.call("ExecuteStatement", {})
    nested = {"Put": {"TableName": "t", "Item": KEY, "ReturnValues": "ALL_OLD"}}
    with pytest.raises(ServiceError, match="ReturnValues"):
        table.call("TransactWriteItems", {"TransactItems": [nested]})
    with pytest.raises(ServiceError, match="AttributesToGet"):
        table.call("BatchGetItem", {"RequestItems": {"t": {"Keys": [KEY], "AttributesToGet": ["hits"]}}})
    with pytest.raises(ServiceError, match="Expected"):
        table.call("PutItem", {"TableName": "t", "Item": KEY, "Expected": {}})


def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    first = Engine(tmp_path / "s.sqlite")
    create_table(client(first), "t")
    first.call("PutItem", {"TableName": "t", "Item": {**KEY, "team": text("甲"), "place": number(1)}})
    first.call("TransactWriteItems", {**TRANSACT_ADD, "ClientRequestToken": "once"})
    first.close()
    second = Engine(tmp_path / "s.sqlite")
    second.call("TransactWriteItems", {**TRANSACT_ADD, "ClientRequestToken": "once"})
    assert hits(second) == 1
    assert len(second.records(second.table("t"), 0, 10)) == 2
    answer = second.call(
        "Query",
        {
            "TableName": "t",
            "IndexName": "by_team",
            "KeyConditionExpression": "team = :t",
            "ExpressionAttributeValues": {":t": text("甲")},
        },
    )
    assert answer["Count"] == 1
    second.close()


def test_two_engines_may_open_one_file(tmp_path: Path) -> None:
    first, second = Engine(tmp_path / "s.sqlite"), Engine(tmp_path / "s.sqlite")
    create_table(client(first), "t")
    for _ in range(5):
        first.call("UpdateItem", ADD)
        second.call("UpdateItem", ADD)
    assert hits(first) == hits(second) == 10
    first.close()
    second.close()


# PynamoDB


class Score(Model):
    """A model with an optimistic lock."""

    class Meta:
        table_name = "scores"
        region = "us-east-1"
        billing_mode = "PAY_PER_REQUEST"
        aws_access_key_id = "local"
        aws_secret_access_key = "local"

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    points = NumberAttribute(default=0)
    version = VersionAttribute()


def test_pynamodb_runs_unchanged(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("AWS_ACCESS_KEY_ID", "local"), ("AWS_SECRET_ACCESS_KEY", "local")):
        monkeypatch.setenv(name, value)
    with plugged_in(engine):
        Score.create_table(wait=True)
        with Score.batch_write() as batch:
            for position in range(30):
                batch.save(Score("e", f"{position:02d}", points=position))
        found = list(Score.query("e", Score.sk >= "10", filter_condition=Score.points < 20, page_size=4))
        assert [score.points for score in found] == list(range(10, 20))

        stale, fresh = Score.get("e", "00"), Score.get("e", "00")
        fresh.update(actions=[Score.points.add(5)], condition=Score.points == 0)
        stale.points = 9
        with pytest.raises(PutError) as conflict:
            stale.save()
        assert conflict.value.cause_response_code == "ConditionalCheckFailedException"

        def write_where_something_is_missing() -> None:
            with TransactWrite(connection=Connection(region="us-east-1")) as transaction:
                transaction.save(Score("e", "new"))
                transaction.condition_check(Score, "e", "none", condition=Score.pk.exists())

        with pytest.raises(TransactWriteError) as cancelled:
            write_where_something_is_missing()
        # PynamoDB sends the checks first.
        reasons = [reason and reason.code for reason in cancelled.value.cancellation_reasons]
        assert reasons == ["ConditionalCheckFailed", None]
        assert Score.count("e") == 30
        Score.delete_table()


def test_a_client_error_carries_the_item(table: Engine) -> None:
    table.call("UpdateItem", ADD)
    with pytest.raises(ClientError) as failed:
        client(table).update_item(
            **ADD, ConditionExpression="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD"
        )
    assert failed.value.response["Item"]["hits"] == number(1)
