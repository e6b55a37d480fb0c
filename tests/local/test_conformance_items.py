"""Items on every backend: single writes, conditions, updates, what may be stored.

Part of the one conformance suite: the same cases on the engine, on moto and on ministack, so that none drifts
unseen. What is asserted is AWS's documented behaviour as far as this product relies on it.
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
