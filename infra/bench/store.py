"""The local store: writes a second by boto3 in the process, and over HTTP through the runner."""

from __future__ import annotations

import http.client
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.bench.row import BenchRow
from infra.launcher.environment import clean
from infra.launcher.paths import ROOT

# What the prototype reached on the machine it was written on: requests per CPU second, and over HTTP a second.
PROTOTYPE_PUTS = 1803
PROTOTYPE_TRANSACTIONS = 806
PROTOTYPE_QUERIES = 415
PROTOTYPE_HTTP = 840

WARM_UP = 100
CALLS = 1500
CONNECTIONS = 8
BODY = b'{"team": "\xe7\x94\xb2\xe9\x98\x9f"}'
NOBODY = "local"
PER_SECOND = "per second"
HEADERS = {"Content-Type": "application/json"}


def rows() -> list[BenchRow]:
    """Rates of single writes, transactions and queries, then of writes over HTTP on one and on several connections."""
    return [*_in_process(), *_over_http()]


def _in_process() -> list[BenchRow]:
    import boto3

    from infra.local.engine import Engine
    from infra.local.engine.hook import connect

    with tempfile.TemporaryDirectory() as directory:
        engine = Engine(Path(directory) / "store.sqlite")
        client = boto3.client(
            "dynamodb", region_name="us-east-1", aws_access_key_id=NOBODY, aws_secret_access_key=NOBODY
        )
        connect(client, engine)
        client.create_table(
            TableName="bench",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        )

        def put(number: int) -> None:
            client.put_item(TableName="bench", Item=_item("puts", number))

        def transact(number: int) -> None:
            items = [_item(f"transaction {number}", part) for part in range(4)]
            client.transact_write_items(TransactItems=[{"Put": {"TableName": "bench", "Item": item}} for item in items])

        def query(number: int) -> None:
            client.query(
                TableName="bench",
                KeyConditionExpression="pk = :pk AND sk > :sk",
                ExpressionAttributeValues={":pk": {"S": "puts"}, ":sk": {"S": f"{number % 1000:06d}"}},
                Limit=50,
            )

        found = [
            _row("local store: puts by boto3, with a stream record", _rate(put, CALLS), PROTOTYPE_PUTS),
            _row("local store: transactions of 4 puts", _rate(transact, CALLS // 3), PROTOTYPE_TRANSACTIONS),
            _row("local store: queries of 50 items", _rate(query, CALLS // 3), PROTOTYPE_QUERIES),
        ]
        engine.close()
    return found


def _item(partition: str, number: int) -> dict[str, Any]:
    return {
        "pk": {"S": partition},
        "sk": {"S": f"{number:06d}"},
        "name": {"S": f"选手{number:03d}"},
        "points": {"N": str(number)},
        "flags": {"M": {"late": {"BOOL": False}, "seat": {"N": "3"}}},
    }


def _rate(call: Callable[[int], None], count: int) -> float:
    for number in range(WARM_UP):
        call(number)
    # CPU time, so that what else runs on the machine does not count.
    begun = time.process_time()
    for number in range(count):
        call(number)
    return count / (time.process_time() - begun)


def _row(what: str, rate: float, prototype: int, unit: str = "per CPU s") -> BenchRow:
    return BenchRow(
        id="local",
        what=what,
        value=rate,
        unit=unit,
        at_least=True,
        reference=prototype,
        reference_name="the prototype's own run",
        ratio_target=1.0,
    )


def _over_http() -> list[BenchRow]:
    with _server() as address:
        _http_rate(address, "warm", 1, WARM_UP)
        one = _http_rate(address, "one", 1, CALLS)
        many = _http_rate(address, "many", CONNECTIONS, CALLS // CONNECTIONS)
        empty = _http_rate(address, "", 1, CALLS)
    return [
        _row("local writes over HTTP, 1 connection", one, PROTOTYPE_HTTP, PER_SECOND),
        _row(f"local writes over HTTP, {CONNECTIONS} connections", many, PROTOTYPE_HTTP, PER_SECOND),
        BenchRow("local", "an empty route over HTTP, 1 connection", empty, PER_SECOND),
    ]


@contextmanager
def _server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.Popen(
            [sys.executable, "-m", "infra.bench.store_app", directory],
            cwd=ROOT,
            env=clean({}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip().removeprefix("http://")
        finally:
            process.stdin.close()
            process.wait(timeout=20)


def _http_rate(address: str, name: str, connections: int, calls: int) -> float:
    """Requests a second of ``connections`` clients with ``calls`` each; an empty name asks the empty route."""
    failures: list[int] = []

    def client(number: int) -> None:
        connection = http.client.HTTPConnection(address)
        for call in range(calls):
            path = f"/api/entries/{name}-{number}-{call}" if name else "/api/nothing"
            connection.request("POST", path, BODY, HEADERS)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                failures.append(answer.status)
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(connections)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    if failures:
        raise RuntimeError(f"{len(failures)} writes failed, the first with {failures[0]}")
    return connections * calls / seconds
