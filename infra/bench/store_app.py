"""The application that `infra.bench.store` measures: one route that writes, one that does nothing.

`python -m infra.bench.store_app DIRECTORY` serves it until its standard input closes, and prints its address.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import boto3
from chalice.app import Chalice, ConflictError

from infra.local.runner import running

TEMPLATE = """
Resources:
  Entries:
    Type: AWS::DynamoDB::Table
    Properties:
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}, {AttributeName: sk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}, {AttributeName: sk, KeyType: RANGE}]
      StreamSpecification: {StreamViewType: NEW_AND_OLD_IMAGES}
"""
TABLE = "guanjun-local-entries"


def make_app() -> Any:
    """An entry is registered once; a second time is a conflict. A stream function counts the entries."""
    app = Chalice(app_name="bench")
    client = boto3.client("dynamodb")

    @app.route("/entries/{name}", methods=["POST"])
    def register(name: str) -> dict[str, str]:
        request = app.current_request
        assert request is not None
        item = {"pk": {"S": "event"}, "sk": {"S": name}, "team": {"S": request.json_body["team"]}}
        try:
            client.put_item(TableName=TABLE, Item=item, ConditionExpression="attribute_not_exists(pk)")
        except client.exceptions.ConditionalCheckFailedException:
            raise ConflictError(name) from None
        return {"entry": name}

    @app.route("/nothing", methods=["POST"])
    def nothing() -> dict[str, str]:
        return {}

    @app.on_dynamodb_record(stream_arn=f"arn:aws:dynamodb:us-east-1:123456789012:table/{TABLE}/stream/x")
    def count(event: Any) -> None:
        """Takes its batches and forgets them: the pump runs, as it does in the product."""

    return app


def main() -> int:
    """Serve until standard input ends."""
    directory = Path(sys.argv[1])
    (directory / "data.yaml").write_text(TEMPLATE, "utf-8")
    with running(
        directory / "data",
        make_app,
        pages=directory,
        data_template=directory / "data.yaml",
        merge_template=directory / "none.yaml",
    ) as server:
        print(server.url, flush=True)
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
