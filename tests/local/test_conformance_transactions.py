"""Batches, transactions, what they cost, tables and streams on every backend.

Part of the one conformance suite: the same cases on the engine, on moto and on ministack, so that none drifts
unseen. What is asserted is AWS's documented behaviour as far as this product relies on it.
"""

from __future__ import annotations

from typing import Any

from tests.local.backends import Store, number, refused, text

CONDITION_FAILED = "ConditionalCheckFailedException"
VALIDATION = "ValidationException"


# Batches


def test_a_batch_writes_and_reads(store: Store) -> None:
    puts = [{"PutRequest": {"Item": {"pk": text("b"), "sk": text(f"{n:02d}")}}} for n in range(25)]
    assert store.dynamodb.batch_write_item(RequestItems={store.table: puts})["UnprocessedItems"] == {}
    store.dynamodb.batch_write_item(
        RequestItems={store.table: [{"DeleteRequest": {"Key": {"pk": text("b"), "sk": text("00")}}}]}
    )
    keys = [{"pk": text("b"), "sk": text(f"{n:02d}")} for n in range(30)]
    answer = store.dynamodb.batch_get_item(
        RequestItems={store.table: {"Keys": keys, "ProjectionExpression": "sk", "ConsistentRead": True}}
    )
    found = sorted(item["sk"]["S"] for item in answer["Responses"][store.table])
    assert found == [f"{n:02d}" for n in range(1, 25)]
    assert answer["UnprocessedKeys"] == {}


def test_batches_have_their_limits(store: Store) -> None:
    def puts(keys: list[str]) -> list[dict[str, Any]]:
        return [{"PutRequest": {"Item": {"pk": text("b"), "sk": text(key)}}} for key in keys]

    write, read = store.dynamodb.batch_write_item, store.dynamodb.batch_get_item
    refused(VALIDATION, write, RequestItems={store.table: puts([str(n) for n in range(26)])})
    refused(VALIDATION, read, RequestItems={store.table: {"Keys": [_key(str(n)) for n in range(101)]}})


def test_batches_name_no_item_twice(store: Store) -> None:
    put = {"PutRequest": {"Item": _key("1")}}
    refused(VALIDATION, store.dynamodb.batch_write_item, RequestItems={store.table: [put, put]})
    refused(VALIDATION, store.dynamodb.batch_get_item, RequestItems={store.table: {"Keys": [_key("1"), _key("1")]}})


def _key(sk: str) -> dict[str, Any]:
    return {"pk": text("b"), "sk": text(sk)}


# Transactions


def _put(store: Store, pk: str, sk: str = "1", **more: Any) -> dict[str, Any]:
    return {"Put": {"TableName": store.table, "Item": {"pk": text(pk), "sk": text(sk)}, **more}}


def _add(store: Store, pk: str, amount: int = 1) -> dict[str, Any]:
    return {
        "Update": {
            "TableName": store.table,
            "Key": {"pk": text(pk), "sk": text("1")},
            "UpdateExpression": "ADD hits :amount",
            "ExpressionAttributeValues": {":amount": number(amount)},
        }
    }


def test_a_transaction_is_all(store: Store) -> None:
    store.put("gone")
    store.put("there")
    store.dynamodb.transact_write_items(
        TransactItems=[
            _put(store, "new"),
            _add(store, "count"),
            {"Delete": {"TableName": store.table, "Key": {"pk": text("gone"), "sk": text("1")}}},
            {
                "ConditionCheck": {
                    "TableName": store.table,
                    "Key": {"pk": text("there"), "sk": text("1")},
                    "ConditionExpression": "attribute_exists(pk)",
                }
            },
        ]
    )
    assert store.get("new")
    assert store.get("count")["hits"] == number(1)
    assert store.get("gone") is None


def test_a_transaction_is_nothing_and_says_why(store: Store) -> None:
    store.put("there", value=number(7))
    error = refused(
        "TransactionCanceledException",
        store.dynamodb.transact_write_items,
        TransactItems=[
            _put(store, "new"),
            _put(
                store,
                "there",
                ConditionExpression="attribute_not_exists(pk)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            ),
        ],
    )
    reasons = error["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "ConditionalCheckFailed"]
    assert reasons[1]["Item"]["value"] == number(7)
    assert store.get("new") is None


def test_a_token_makes_a_transaction_repeatable(store: Store) -> None:
    for _ in range(2):
        store.dynamodb.transact_write_items(
            TransactItems=[_add(store, "count")], ClientRequestToken=f"once-{store.table}"
        )
    assert store.get("count")["hits"] == number(1)


def test_a_token_is_not_for_another_transaction(store: Store) -> None:
    token = f"token-{store.table}"
    store.dynamodb.transact_write_items(TransactItems=[_add(store, "count", 1)], ClientRequestToken=token)
    refused(
        "IdempotentParameterMismatchException",
        store.dynamodb.transact_write_items,
        TransactItems=[_add(store, "count", 2)],
        ClientRequestToken=token,
    )


def test_a_cancelled_transaction_does_not_use_up_its_token(store: Store) -> None:
    token = f"again-{store.table}"
    needs = _put(store, "second", ConditionExpression="attribute_not_exists(pk)")
    store.put("second")
    refused(
        "TransactionCanceledException",
        store.dynamodb.transact_write_items,
        TransactItems=[needs],
        ClientRequestToken=token,
    )
    store.dynamodb.delete_item(TableName=store.table, Key={"pk": text("second"), "sk": text("1")})
    store.dynamodb.transact_write_items(TransactItems=[needs], ClientRequestToken=token)
    assert store.get("second")


def test_a_transaction_takes_100_items_and_no_more(store: Store) -> None:
    store.dynamodb.transact_write_items(TransactItems=[_put(store, "many", f"{n:03d}") for n in range(100)])
    assert store.query("many", Select="COUNT")["Count"] == 100
    refused(
        VALIDATION,
        store.dynamodb.transact_write_items,
        TransactItems=[_put(store, "more", f"{n:03d}") for n in range(101)],
    )


def test_a_transaction_weighs_at_most_4_mb(store: Store) -> None:
    heavy = [
        {"Put": {"TableName": store.table, "Item": {"pk": text("h"), "sk": text(str(n)), "v": text("x" * 390_000)}}}
        for n in range(11)
    ]
    refused(VALIDATION, store.dynamodb.transact_write_items, TransactItems=heavy)


def test_a_transaction_names_no_item_twice(store: Store) -> None:
    refused(VALIDATION, store.dynamodb.transact_write_items, TransactItems=[_put(store, "twice"), _add(store, "twice")])


def test_a_transaction_reads_many_items(store: Store) -> None:
    store.put("a", value=number(1))
    answer = store.dynamodb.transact_get_items(
        TransactItems=[
            {"Get": {"TableName": store.table, "Key": {"pk": text(pk), "sk": text("1")}}} for pk in ("a", "none")
        ]
    )
    assert answer["Responses"][0]["Item"]["value"] == number(1)
    assert not answer["Responses"][1].get("Item")


# Capacity


def test_writes_cost_by_started_kilobyte(store: Store) -> None:
    answer = store.put("a", value=text("x" * 2500), ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 3
    indexed = store.put("b", team=text("甲"), place=number(1), ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
    assert indexed["CapacityUnits"] == 2
    assert indexed["GlobalSecondaryIndexes"]["by_team"]["CapacityUnits"] == 1


def test_transactions_cost_twice(store: Store) -> None:
    answer = store.dynamodb.transact_write_items(
        TransactItems=[_put(store, "a"), _put(store, "b")], ReturnConsumedCapacity="TOTAL"
    )
    assert answer["ConsumedCapacity"][0]["CapacityUnits"] == 4


def test_reads_cost_by_started_four_kilobytes(store: Store) -> None:
    store.put("a", value=text("x" * 5000))
    key = {"pk": text("a"), "sk": text("1")}
    for consistent, units in ((True, 2.0), (False, 1.0)):
        answer = store.dynamodb.get_item(
            TableName=store.table, Key=key, ConsistentRead=consistent, ReturnConsumedCapacity="TOTAL"
        )
        assert answer["ConsumedCapacity"]["CapacityUnits"] == units
    for position in range(10):
        store.put("q", str(position), value=text("x" * 1000))
    answer = store.query("q", ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 3


# Tables


def test_a_table_describes_itself(store: Store) -> None:
    table = store.dynamodb.describe_table(TableName=store.table)["Table"]
    assert table["TableStatus"] == "ACTIVE"
    assert {part["AttributeName"]: part["KeyType"] for part in table["KeySchema"]} == {"pk": "HASH", "sk": "RANGE"}
    assert table["GlobalSecondaryIndexes"][0]["IndexName"] == "by_team"
    assert table["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert store.table in store.dynamodb.list_tables()["TableNames"]


def test_a_table_is_made_once(store: Store) -> None:
    refused(
        "ResourceInUseException",
        store.dynamodb.create_table,
        TableName=store.table,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    )


def test_time_to_live_is_switched_on(store: Store) -> None:
    store.dynamodb.update_time_to_live(
        TableName=store.table, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    shown = store.dynamodb.describe_time_to_live(TableName=store.table)["TimeToLiveDescription"]
    assert (shown["TimeToLiveStatus"], shown["AttributeName"]) == ("ENABLED", "expires")


# Streams


def test_a_stream_tells_every_change_and_only_changes(store: Store) -> None:
    iterator = store.iterator("LATEST")
    store.put("s", "1", value=number(1))
    store.put("s", "1", value=number(1))
    store.update(
        "s",
        "1",
        UpdateExpression="SET #v = :two",
        ExpressionAttributeNames={"#v": "value"},
        ExpressionAttributeValues={":two": number(2)},
    )
    store.dynamodb.transact_write_items(TransactItems=[_put(store, "s", "2")])
    store.dynamodb.batch_write_item(
        RequestItems={store.table: [{"DeleteRequest": {"Key": {"pk": text("s"), "sk": text("2")}}}]}
    )
    store.dynamodb.delete_item(TableName=store.table, Key={"pk": text("s"), "sk": text("1")})
    store.dynamodb.delete_item(TableName=store.table, Key={"pk": text("s"), "sk": text("none")})

    def value(change: dict[str, Any], image: str) -> str | None:
        return change.get(image, {}).get("value", {}).get("N")

    told = [
        (record["eventName"], change["Keys"]["sk"]["S"], value(change, "OldImage"), value(change, "NewImage"))
        for record in store.records(iterator)
        for change in [record["dynamodb"]]
    ]
    assert told == [
        ("INSERT", "1", None, "1"),
        ("MODIFY", "1", "1", "2"),
        ("INSERT", "2", None, None),
        ("REMOVE", "2", None, None),
        ("REMOVE", "1", "2", None),
    ]


def test_stream_records_have_their_members(store: Store) -> None:
    store.put("s")
    (record,) = store.records(store.iterator("TRIM_HORIZON"))
    assert record["eventSource"] == "aws:dynamodb"
    assert {"eventID", "eventName", "eventVersion", "awsRegion"} <= record.keys()
    change = record["dynamodb"]
    assert {"ApproximateCreationDateTime", "SequenceNumber", "SizeBytes"} <= change.keys()
    assert change["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    assert change["Keys"] == {"pk": text("s"), "sk": text("1")}


def test_a_stream_is_read_on_from_a_record(store: Store) -> None:
    for position in range(5):
        store.put("s", str(position))
    records = store.records(store.iterator("TRIM_HORIZON"), Limit=3)
    last = records[-1]["dynamodb"]["SequenceNumber"]
    for kind, expected in (("AFTER_SEQUENCE_NUMBER", "3"), ("AT_SEQUENCE_NUMBER", "2")):
        following = store.records(store.iterator(kind, SequenceNumber=last), Limit=1)
        assert following[0]["dynamodb"]["Keys"]["sk"] == text(expected)
