"""One suite of DynamoDB's behaviour, run on the engine, on moto and on ministack, so that none drifts unseen.

What is asserted is AWS's documented behaviour as far as this product relies on it.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.local.backends import Store, number, refused, text

CONDITION_FAILED = "ConditionalCheckFailedException"
VALIDATION = "ValidationException"


# Single writes and their conditions


def test_a_put_item_comes_back_as_it_was(store: Store) -> None:
    item: dict[str, Any] = {
        "name": text("甲队"),
        "binary": {"B": b"\x00\xff"},
        "flag": {"BOOL": False},
        "nothing": {"NULL": True},
        "list": {"L": [number(1), {"M": {"deep": text("")}}]},
    }
    store.put("a", **item)
    assert store.get("a") == {"pk": text("a"), "sk": text("1"), **item}


def test_a_failed_condition_returns_the_item_when_asked(store: Store) -> None:
    store.put("a", value=number(1))
    error = refused(
        CONDITION_FAILED,
        store.dynamodb.put_item,
        TableName=store.table,
        Item={"pk": text("a"), "sk": text("1")},
        ConditionExpression="attribute_not_exists(pk)",
        ReturnValuesOnConditionCheckFailure="ALL_OLD",
    )
    assert error["Item"]["value"] == number(1)


def test_a_failed_condition_leaves_the_item(store: Store) -> None:
    store.put("a", value=number(1))
    refused(
        CONDITION_FAILED,
        store.dynamodb.delete_item,
        TableName=store.table,
        Key={"pk": text("a"), "sk": text("1")},
        ConditionExpression="#v = :two",
        ExpressionAttributeNames={"#v": "value"},
        ExpressionAttributeValues={":two": number(2)},
    )
    assert store.get("a")["value"] == number(1)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("points = :five", True),
        ("points = :five_written_otherwise", True),
        ("points <> :five", False),
        ("absent <> :five", True),
        ("absent = :five", False),
        ("NOT absent = :five", True),
        ("points > :five", False),
        ("points >= :five AND points <= :five", True),
        ("points BETWEEN :minus AND :ten", True),
        ("points IN (:minus, :five)", True),
        ("label < :five", False),
        ("begins_with(label, :al)", True),
        ("contains(label, :lph)", True),
        ("contains(tags, :red)", True),
        ("contains(marks, :ten)", True),
        ("size(label) = :five", True),
        ("size(tags) < :five", True),
        ("attribute_type(tags, :set)", True),
        ("attribute_exists(deep.boards[1])", True),
        ("attribute_exists(deep.boards[2])", False),
        ("attribute_not_exists(deep.absent)", True),
        ("points = :minus OR label = :alpha AND NOT points = :minus", True),
        ("(points = :five OR label = :al) AND points = :minus", False),
        ("points = again", True),
    ],
)
def test_conditions(store: Store, condition: str, expected: bool) -> None:
    store.put(
        "c",
        points=number(5),
        again=number("5.0"),
        label=text("alpha"),
        tags={"SS": ["red", "blue"]},
        marks={"L": [number(10), text("x")]},
        deep={"M": {"boards": {"L": [number(1), number(2)]}}},
    )
    values = {
        ":five": number(5),
        ":five_written_otherwise": number("5.00"),
        ":minus": number(-1),
        ":ten": number(10),
        ":al": text("al"),
        ":lph": text("lph"),
        ":alpha": text("alpha"),
        ":red": text("red"),
        ":set": text("SS"),
    }
    parameters = {"ConditionExpression": condition, "UpdateExpression": "SET touched = :now"}
    used = {name: values[name] for name in _placeholders(condition)} | {":now": number(1)}
    if expected:
        store.update("c", **parameters, ExpressionAttributeValues=used)
        assert store.get("c")["touched"] == number(1)
    else:
        with pytest.raises(Exception, match=CONDITION_FAILED):
            store.update("c", **parameters, ExpressionAttributeValues=used)


def _placeholders(expression: str) -> set[str]:
    words = expression.replace("(", " ").replace(")", " ").replace(",", " ").split()
    return {word for word in words if word.startswith(":")}


def test_return_values_of_a_put_and_a_delete(store: Store) -> None:
    assert "Attributes" not in store.put("a", value=number(1), ReturnValues="ALL_OLD")
    assert store.put("a", value=number(2), ReturnValues="ALL_OLD")["Attributes"]["value"] == number(1)
    gone = store.dynamodb.delete_item(
        TableName=store.table, Key={"pk": text("a"), "sk": text("1")}, ReturnValues="ALL_OLD"
    )
    assert gone["Attributes"]["value"] == number(2)
    assert store.get("a") is None


# Updates


def test_an_update_uses_all_clauses_at_once(store: Store) -> None:
    store.put(
        "u", map={"M": {"a": number(1)}}, list={"L": [number(1), number(2)]}, tags={"SS": ["a", "b"]}, past=text("x")
    )
    answer = store.update(
        "u",
        UpdateExpression=(
            "SET #m.b = if_not_exists(#m.b, :five) + :one, #l = list_append(#l, :list) "
            "REMOVE past ADD hits :one DELETE tags :a"
        ),
        ExpressionAttributeNames={"#m": "map", "#l": "list"},
        ExpressionAttributeValues={
            ":five": number(5),
            ":one": number(1),
            ":list": {"L": [number(3)]},
            ":a": {"SS": ["a"]},
        },
        ReturnValues="ALL_NEW",
    )
    item = answer["Attributes"]
    assert item["map"] == {"M": {"a": number(1), "b": number(6)}}
    assert item["list"] == {"L": [number(1), number(2), number(3)]}
    assert item["tags"] == {"SS": ["b"]}
    assert item["hits"] == number(1)
    assert "past" not in item


def test_new_values_are_computed_from_the_old_item(store: Store) -> None:
    store.put("u", left=number(1), right=number(2))
    store.update("u", UpdateExpression="SET #l = #r, #r = #l", ExpressionAttributeNames={"#l": "left", "#r": "right"})
    item = store.get("u")
    assert (item["left"], item["right"]) == (number(2), number(1))


def test_an_update_makes_the_item_that_is_not_there(store: Store) -> None:
    store.update("new", UpdateExpression="ADD hits :one", ExpressionAttributeValues={":one": number(1)})
    assert store.get("new") == {"pk": text("new"), "sk": text("1"), "hits": number(1)}


def test_removing_what_is_not_there_still_makes_the_item(store: Store) -> None:
    store.update("new", UpdateExpression="REMOVE nothing")
    assert store.get("new") == {"pk": text("new"), "sk": text("1")}


def test_only_the_updated_paths_are_returned(store: Store) -> None:
    store.put("u", points=number(1), other=number(9))
    values = {":one": number(1)}
    new = store.update(
        "u", UpdateExpression="SET points = points + :one", ExpressionAttributeValues=values, ReturnValues="UPDATED_NEW"
    )
    assert new["Attributes"] == {"points": number(2)}
    old = store.update(
        "u", UpdateExpression="SET points = points + :one", ExpressionAttributeValues=values, ReturnValues="UPDATED_OLD"
    )
    assert old["Attributes"] == {"points": number(2)}


def test_list_elements_are_removed_together(store: Store) -> None:
    store.put("u", row={"L": [number(n) for n in range(5)]})
    store.update("u", UpdateExpression="REMOVE #r[1], #r[3]", ExpressionAttributeNames={"#r": "row"})
    assert store.get("u")["row"] == {"L": [number(0), number(2), number(4)]}


def test_setting_behind_the_end_of_a_list_appends(store: Store) -> None:
    store.put("u", marks={"L": [number(0)]})
    store.update("u", UpdateExpression="SET marks[7] = :one", ExpressionAttributeValues={":one": number(1)})
    assert store.get("u")["marks"] == {"L": [number(0), number(1)]}


def test_a_set_that_loses_its_last_member_is_removed(store: Store) -> None:
    store.put("u", tags={"SS": ["a"]})
    store.update("u", UpdateExpression="DELETE tags :a", ExpressionAttributeValues={":a": {"SS": ["a"]}})
    assert "tags" not in store.get("u")


def test_numbers_keep_38_digits(store: Store) -> None:
    store.put("n", value=number("12345678901234567890123456789012345678"))
    store.update(
        "n",
        UpdateExpression="ADD #v :one",
        ExpressionAttributeNames={"#v": "value"},
        ExpressionAttributeValues={":one": number(1)},
    )
    assert store.get("n")["value"] == number("12345678901234567890123456789012345679")


def test_numbers_are_stored_in_one_form(store: Store) -> None:
    store.put("n", value=number("0010.500"))
    assert store.get("n")["value"] == number("10.5")


@pytest.mark.parametrize(
    "update",
    [
        {"UpdateExpression": "SET name = :one", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "SET pk = :one", "ExpressionAttributeValues": {":one": text("x")}},
        {"UpdateExpression": "SET a = :one, a.b = :one", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "SET a = :one SET b = :one", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "SET a = absent + :one", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "SET a = label + :one", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "SET no.such.map = :one", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "SET a = :undefined", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "ADD label :one", "ExpressionAttributeValues": {":one": number(1)}},
        {"UpdateExpression": "ADD a :text", "ExpressionAttributeValues": {":text": text("x")}},
        {"UpdateExpression": "SET a = #undefined"},
        {"UpdateExpression": "SET a ="},
        {"UpdateExpression": ""},
        {"UpdateExpression": "SET a = :one", "ExpressionAttributeValues": {":one": number(1), ":unused": number(2)}},
        {
            "UpdateExpression": "SET a = :one",
            "ExpressionAttributeNames": {"#unused": "b"},
            "ExpressionAttributeValues": {":one": number(1)},
        },
    ],
    ids=[
        "reserved word", "key attribute", "overlapping paths", "clause twice", "absent operand", "text plus number",
        "no container", "undefined value", "add number to text", "add a text", "undefined name", "syntax", "empty",
        "unused value", "unused name",
    ],
)  # fmt: skip
def test_wrong_updates_are_refused(store: Store, update: dict[str, Any]) -> None:
    store.put("u", label=text("x"))
    with pytest.raises(Exception, match=VALIDATION):
        store.update("u", **update)
    assert store.get("u") == {"pk": text("u"), "sk": text("1"), "label": text("x")}


# What may be stored


@pytest.mark.parametrize(
    "item",
    [
        {"pk": text(""), "sk": text("1")},
        {"pk": text("a")},
        {"pk": number(1), "sk": text("1")},
        {"pk": text("a"), "sk": text("1"), "tags": {"SS": []}},
        {"pk": text("a"), "sk": text("1"), "tags": {"SS": ["x", "x"]}},
        {"pk": text("a"), "sk": text("1"), "value": number("1" * 39)},
        {"pk": text("a"), "sk": text("1"), "value": number("1E126")},
        {"pk": text("a"), "sk": text("1"), "value": number("many")},
        {"pk": text("a"), "sk": text("1"), "value": text("x" * 410_000)},
        {"pk": text("a"), "sk": text("1"), "team": text("x"), "place": text("first")},
        {"pk": text("a"), "sk": text("1"), "team": text(""), "place": number(1)},
        {"pk": text("a" * 2049), "sk": text("1")},
        {"pk": text("a"), "sk": text("b" * 1025)},
    ],
    ids=[
        "empty key", "missing sort key", "key of wrong type", "empty set", "set with duplicates", "39 digits",
        "too large a number", "not a number", "over 400 KB", "index key of wrong type", "empty index key",
        "long partition key", "long sort key",
    ],
)  # fmt: skip
def test_wrong_items_are_refused(store: Store, item: dict[str, Any]) -> None:
    refused(VALIDATION, store.dynamodb.put_item, TableName=store.table, Item=item)


def test_an_item_may_weigh_just_400_kb(store: Store) -> None:
    overhead = len("pk" + "a" + "sk" + "1" + "value")
    store.put("a", value=text("x" * (400 * 1024 - overhead)))
    refused(
        VALIDATION,
        store.dynamodb.put_item,
        TableName=store.table,
        Item={"pk": text("a"), "sk": text("1"), "value": text("x" * (400 * 1024 - overhead + 1))},
    )


def test_a_missing_table_is_named_so(store: Store) -> None:
    refused("ResourceNotFoundException", store.dynamodb.get_item, TableName="nowhere", Key={"pk": text("a")})


def test_a_key_needs_exactly_its_attributes(store: Store) -> None:
    refused(VALIDATION, store.dynamodb.get_item, TableName=store.table, Key={"pk": text("a")})
    refused(
        VALIDATION,
        store.dynamodb.get_item,
        TableName=store.table,
        Key={"pk": text("a"), "sk": text("1"), "more": text("x")},
    )


def test_a_projection_returns_only_the_named_parts(store: Store) -> None:
    store.put("p", deep={"M": {"a": number(1), "b": number(2)}}, row={"L": [number(n) for n in range(4)]})
    found = store.get("p", ProjectionExpression="deep.a, #r[1], #r[3]", ExpressionAttributeNames={"#r": "row"})
    assert found == {"deep": {"M": {"a": number(1)}}, "row": {"L": [number(1), number(3)]}}


# Queries and scans


def _fill(store: Store, count: int = 30) -> None:
    for position in range(count):
        store.put("q", f"{position:03d}", points=number(position))


def _sort_keys(answer: Any) -> list[str]:
    return [item["sk"]["S"] for item in answer["Items"]]


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        (" AND sk = :a", {":a": text("005")}, ["005"]),
        (" AND sk < :a", {":a": text("002")}, ["000", "001"]),
        (" AND sk >= :a", {":a": text("028")}, ["028", "029"]),
        (" AND sk BETWEEN :a AND :b", {":a": text("003"), ":b": text("005")}, ["003", "004", "005"]),
        (" AND begins_with(sk, :a)", {":a": text("02")}, [f"02{digit}" for digit in range(10)]),
    ],
)
def test_queries_by_sort_key(store: Store, condition: str, values: dict[str, Any], expected: list[str]) -> None:
    _fill(store)
    assert _sort_keys(store.query("q", condition, values)) == expected


def test_pages_follow_each_other_in_both_directions(store: Store) -> None:
    _fill(store)
    for forward in (True, False):
        seen: list[str] = []
        start: dict[str, Any] = {}
        while True:
            answer = store.query("q", Limit=7, ScanIndexForward=forward, **start)
            seen += _sort_keys(answer)
            if "LastEvaluatedKey" not in answer:
                break
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        expected = [f"{position:03d}" for position in range(30)]
        assert seen == (expected if forward else expected[::-1])


def test_a_filter_counts_what_it_scanned(store: Store) -> None:
    _fill(store)
    answer = store.query("q", values={":ten": number(10)}, FilterExpression="points < :ten", Select="COUNT")
    assert (answer["Count"], answer["ScannedCount"], "Items" in answer) == (10, 30, False)


def test_a_limit_counts_before_the_filter(store: Store) -> None:
    _fill(store)
    answer = store.query("q", values={":x": number(20)}, FilterExpression="points >= :x", Limit=5)
    assert (answer["Count"], answer["ScannedCount"]) == (0, 5)
    assert answer["LastEvaluatedKey"]["sk"] == text("004")


def test_a_page_ends_at_one_megabyte(store: Store) -> None:
    for position in range(5):
        store.put("q", str(position), value=text("x" * 300_000))
    answer = store.query("q")
    assert 3 <= len(answer["Items"]) <= 4
    rest = store.query("q", ExclusiveStartKey=answer["LastEvaluatedKey"])
    assert _sort_keys(answer) + _sort_keys(rest) == ["0", "1", "2", "3", "4"]


def test_text_sorts_by_bytes(store: Store) -> None:
    for key in ("ä", "z", "Z", "中", "\U0001f600", "a"):
        store.put("q", key)
    assert _sort_keys(store.query("q")) == sorted(("ä", "z", "Z", "中", "\U0001f600", "a"), key=str.encode)


@pytest.mark.parametrize(
    "request_",
    [
        {"KeyConditionExpression": "sk = :a", "ExpressionAttributeValues": {":a": text("x")}},
        {"KeyConditionExpression": "pk > :a", "ExpressionAttributeValues": {":a": text("x")}},
        {"KeyConditionExpression": "pk = :a OR sk = :a", "ExpressionAttributeValues": {":a": text("x")}},
        {"KeyConditionExpression": "pk = :a AND other = :a", "ExpressionAttributeValues": {":a": text("x")}},
        {"KeyConditionExpression": "pk = :a AND sk <> :a", "ExpressionAttributeValues": {":a": text("x")}},
        {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": number(1)}},
        {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": text("x"), ":b": text("y")}},
        {
            "KeyConditionExpression": "pk = :a",
            "FilterExpression": "sk > :a",
            "ExpressionAttributeValues": {":a": text("x")},
        },
        {
            "KeyConditionExpression": "team = :a",
            "IndexName": "by_team",
            "ConsistentRead": True,
            "ExpressionAttributeValues": {":a": text("x")},
        },
        {"KeyConditionExpression": "pk = :a", "IndexName": "none", "ExpressionAttributeValues": {":a": text("x")}},
        {"KeyConditionExpression": "pk = :a", "Limit": 0, "ExpressionAttributeValues": {":a": text("x")}},
        {"ExpressionAttributeValues": {":a": text("x")}},
    ],
    ids=[
        "no partition key", "range of partitions", "or", "not a key", "not equal", "wrong type", "unused value",
        "filter on a key", "consistent index", "no such index", "limit 0", "no condition",
    ],
)  # fmt: skip
def test_wrong_queries_are_refused(store: Store, request_: dict[str, Any]) -> None:
    refused(VALIDATION, store.dynamodb.query, TableName=store.table, **request_)


def test_an_index_is_sparse_and_sorts_numbers(store: Store) -> None:
    for place in ("10", "9", "-3", "2.5", "-0.5", "0", "1E3"):
        store.put(f"entry {place}", team=text("甲"), place=number(place))
    store.put("no place", team=text("甲"))
    answer = store.dynamodb.query(
        TableName=store.table,
        IndexName="by_team",
        KeyConditionExpression="team = :team",
        ExpressionAttributeValues={":team": text("甲")},
    )
    assert [item["place"]["N"] for item in answer["Items"]] == ["-3", "-0.5", "0", "2.5", "9", "10", "1000"]


def test_an_index_follows_the_item(store: Store) -> None:
    def members(team: str) -> list[str]:
        answer = store.dynamodb.query(
            TableName=store.table,
            IndexName="by_team",
            KeyConditionExpression="team = :team AND place >= :zero",
            ExpressionAttributeValues={":team": text(team), ":zero": number(0)},
        )
        return [item["pk"]["S"] for item in answer["Items"]]

    store.put("a", team=text("甲"), place=number(2))
    store.put("b", team=text("甲"), place=number(1))
    assert members("甲") == ["b", "a"]
    store.update("a", UpdateExpression="SET team = :t", ExpressionAttributeValues={":t": text("乙")})
    assert (members("甲"), members("乙")) == (["b"], ["a"])
    store.update("b", UpdateExpression="REMOVE place")
    assert members("甲") == []
    store.dynamodb.delete_item(TableName=store.table, Key={"pk": text("a"), "sk": text("1")})
    assert members("乙") == []


def test_pages_of_an_index_with_equal_keys(store: Store) -> None:
    for position in range(9):
        store.put(f"{position}", team=text("甲"), place=number(1))
    seen: set[str] = set()
    start: dict[str, Any] = {}
    for _ in range(9):
        answer = store.dynamodb.query(
            TableName=store.table,
            IndexName="by_team",
            KeyConditionExpression="team = :team",
            ExpressionAttributeValues={":team": text("甲")},
            Limit=2,
            **start,
        )
        found = {item["pk"]["S"] for item in answer["Items"]}
        assert not found & seen
        seen |= found
        if "LastEvaluatedKey" not in answer:
            break
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
    assert len(seen) == 9


def test_a_scan_sees_everything_once(store: Store) -> None:
    for position in range(12):
        store.put(f"p{position}", points=number(position))
    seen: list[str] = []
    start: dict[str, Any] = {}
    while True:
        answer = store.dynamodb.scan(
            TableName=store.table,
            Limit=5,
            FilterExpression="points <> :three AND pk <> :gone",
            ExpressionAttributeValues={":three": number(3), ":gone": text("p4")},
            **start,
        )
        seen += [item["pk"]["S"] for item in answer["Items"]]
        if "LastEvaluatedKey" not in answer:
            break
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
    assert sorted(seen) == sorted(f"p{position}" for position in range(12) if position not in (3, 4))


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
