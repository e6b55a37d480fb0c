"""Nothing acknowledged is lost when the process is killed; nothing is lost or doubled between threads."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from infra.local.engine import Engine, ServiceError
from tests.local.writer import TABLE

ROOT = Path(__file__).resolve().parents[2]


def items_of(engine: Engine) -> dict[str, Any]:
    found: dict[str, Any] = {}
    start: dict[str, Any] = {}
    while True:
        answer = engine.call("Scan", {"TableName": "t", "ConsistentRead": True, **start})
        found |= {item["pk"]["S"]: item for item in answer["Items"]}
        if "LastEvaluatedKey" not in answer:
            return found
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def stream_of(engine: Engine) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    after = 0
    while batch := engine.records(engine.table("t"), after, 1000):
        records += [record for _, record in batch]
        after = batch[-1][0]
    return records


def test_acknowledged_writes_survive_kill_9(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    acknowledged: set[str] = set()
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.local.writer", str(file)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(300)]
        process.kill()
        # What was printed before the kill but not read yet was acknowledged as well; a torn last line was not.
        lines += process.stdout.read().splitlines(keepends=True)
        process.wait()
        acknowledged |= {line.strip() for line in lines if line.endswith("\n")}
    assert len(acknowledged) >= 300

    engine = Engine(file)
    found = items_of(engine)
    assert acknowledged <= found.keys()
    # The stream tells the same story as the table: replaying it gives every item as it stands.
    replayed: dict[str, Any] = {}
    for record in stream_of(engine):
        replayed[record["dynamodb"]["Keys"]["pk"]["S"]] = record["dynamodb"]["NewImage"]
    assert replayed == found
    rows = engine.context.storage.connection.execute("PRAGMA integrity_check").fetchall()
    assert rows == [("ok",)]
    engine.close()


def in_threads(count: int, work: Any) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_eight_threads_count_exactly(engine: Engine) -> None:
    engine.call("CreateTable", TABLE)
    add = {
        "TableName": "t",
        "Key": {"pk": {"S": "count"}},
        "UpdateExpression": "ADD hits :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    in_threads(8, lambda _: [engine.call("UpdateItem", add) for _ in range(100)])
    assert items_of(engine)["count"]["hits"] == {"N": "800"}
    counts = [int(record["dynamodb"]["NewImage"]["hits"]["N"]) for record in stream_of(engine)]
    assert counts == list(range(1, 801))


def test_transactions_of_many_threads_sell_every_seat_once(engine: Engine) -> None:
    engine.call("CreateTable", TABLE)
    engine.call("PutItem", {"TableName": "t", "Item": {"pk": {"S": "seats"}, "free": {"N": "50"}}})
    sold: list[str] = []
    refusals: set[str] = set()

    def buy(number: int) -> None:
        for position in range(20):
            name = f"buyer {number}-{position}"
            try:
                engine.call(
                    "TransactWriteItems",
                    {
                        "TransactItems": [
                            {
                                "Update": {
                                    "TableName": "t",
                                    "Key": {"pk": {"S": "seats"}},
                                    "UpdateExpression": "SET #f = #f - :one",
                                    "ConditionExpression": "#f > :zero",
                                    "ExpressionAttributeNames": {"#f": "free"},
                                    "ExpressionAttributeValues": {":one": {"N": "1"}, ":zero": {"N": "0"}},
                                }
                            },
                            {"Put": {"TableName": "t", "Item": {"pk": {"S": name}}}},
                        ]
                    },
                )
            except ServiceError as error:
                refusals.add(error.code)
            else:
                sold.append(name)

    in_threads(4, buy)
    found = items_of(engine)
    assert refusals == {"TransactionCanceledException"}
    assert len(sold) == 50
    assert set(sold) == found.keys() - {"seats"}
    assert found["seats"]["free"] == {"N": "0"}
