"""A process that writes until it is killed: ``python -m tests.local.writer FILE``; prints what was acknowledged."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from infra.local.engine import Engine

TABLE = {
    "TableName": "t",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}
THREADS = 3


def write(engine: Engine, thread: int, output: threading.Lock) -> None:
    """Put an item and count it in one transaction, for ever."""
    position = 0
    while True:
        name = f"{thread}-{position}"
        engine.call(
            "TransactWriteItems",
            {
                "TransactItems": [
                    {"Put": {"TableName": "t", "Item": {"pk": {"S": name}}}},
                    {
                        "Update": {
                            "TableName": "t",
                            "Key": {"pk": {"S": "count"}},
                            "UpdateExpression": "ADD hits :one",
                            "ExpressionAttributeValues": {":one": {"N": "1"}},
                        }
                    },
                ]
            },
        )
        with output:
            print(name, flush=True)
        position += 1


def main() -> None:
    engine = Engine(Path(sys.argv[1]))
    if "t" not in engine.call("ListTables", {})["TableNames"]:
        engine.call("CreateTable", TABLE)
    output = threading.Lock()
    for thread in range(THREADS):
        threading.Thread(target=write, args=(engine, thread, output)).start()


if __name__ == "__main__":
    main()
