"""Queries, scans and indexes on every backend.

Part of the one conformance suite: the same cases on the engine, on moto and on ministack, so that none drifts
unseen. What is asserted is AWS's documented behaviour as far as this product relies on it.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.local.backends import Store, number, refused, text

CONDITION_FAILED = "ConditionalCheckFailedException"
VALIDATION = "ValidationException"


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
