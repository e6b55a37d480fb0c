"""A small Chalice application for the local stack's tests: a counter per name, totals by stream, a schedule."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
from chalice import BadRequestError, Chalice, Rate, Response

TEMPLATE = """
Resources:
  Matches:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}, {AttributeName: sk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}, {AttributeName: sk, KeyType: RANGE}]
      StreamSpecification: {StreamViewType: NEW_AND_OLD_IMAGES}
      TimeToLiveSpecification: {AttributeName: expires_at, Enabled: true}
      DeletionProtectionEnabled: !If [Protected, true, false]
  Standings:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}, {AttributeName: sk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}, {AttributeName: sk, KeyType: RANGE}]
Outputs:
  StreamMatches: {Value: !GetAtt Matches.StreamArn}
"""

MERGE = """
Resources:
  Standings:
    Properties:
      Events:
        StandingsDynamodbEventSource:
          Properties:
            Stream: !Ref StreamMatches
            BatchSize: 10
            ParallelizationFactor: 2
            BisectBatchOnFunctionError: true
            FunctionResponseTypes: [ReportBatchItemFailures]
            MaximumRetryAttempts: 2
            FilterCriteria: {Filters: [{Pattern: '{"dynamodb": {"NewImage": {"wakes": {"N": ["1"]}}}}'}]}
  RestAPI:
    Properties:
      GatewayResponses:
        MISSING_AUTHENTICATION_TOKEN:
          StatusCode: 404
          ResponseParameters: {Headers: {Content-Type: "'application/problem+json'"}}
          ResponseTemplates: {application/json: '{"code": "not_found"}'}
        REQUEST_TOO_LARGE:
          StatusCode: 413
          ResponseParameters: {Headers: {Content-Type: "'application/problem+json'"}}
          ResponseTemplates: {application/json: '{"code": "too_large"}'}
"""

COUNT = "ADD hits :one SET wakes = :wakes"


@dataclass
class Toy:
    """The application and what its workers saw."""

    app: Any
    batches: list[list[str]] = field(default_factory=list)
    poison: set[str] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    ticks: Counter[str] = field(default_factory=Counter)

    def seen(self) -> list[str]:
        """Names in the order in which their records were handed over, repeats included."""
        return [name for batch in self.batches for name in batch]


def write_templates(directory: Path) -> dict[str, Path]:
    """Write the toy's templates and pages; returns the choices for ``build_stack``."""
    (directory / "data.yaml").write_text(TEMPLATE, "utf-8")
    (directory / "merge.yaml").write_text(MERGE, "utf-8")
    pages = directory / "dist"
    (pages / "assets").mkdir(parents=True, exist_ok=True)
    (pages / "index.html").write_text("<!doctype html><title>掼军</title>", "utf-8")
    (pages / "play.html").write_text(f"<!doctype html>{'<p>play</p>' * 300}", "utf-8")
    (pages / "assets" / "app.js").write_text("export {}", "utf-8")
    (directory / "secret.txt").write_text("not for the public", "utf-8")
    return {
        "pages": pages,
        "data_template": directory / "data.yaml",
        "merge_template": directory / "merge.yaml",
    }


def make_toy() -> Toy:
    """Build the application; call it when the stack's environment is set."""
    app = Chalice(app_name="toy")
    toy = Toy(app)
    client = boto3.client("dynamodb")
    matches_table, standings_table = os.environ["TABLE_MATCHES"], os.environ["TABLE_STANDINGS"]

    def add(table: str, name: str, wakes: str) -> int:
        answer = client.update_item(
            TableName=table,
            Key={"pk": {"S": name}, "sk": {"S": "count"}},
            UpdateExpression=COUNT,
            ExpressionAttributeValues={":one": {"N": "1"}, ":wakes": {"N": wakes}},
            ReturnValues="ALL_NEW",
        )
        return int(answer["Attributes"]["hits"]["N"])

    @app.route("/hits/{name}", methods=["POST"])
    def hit(name: str) -> dict[str, Any]:
        return {"hits": add(matches_table, name, (app.current_request.query_params or {}).get("wakes", "1"))}

    @app.route("/hits/{name}", methods=["GET"])
    def read(name: str) -> dict[str, Any]:
        found = client.get_item(TableName=standings_table, Key={"pk": {"S": name}, "sk": {"S": "count"}})
        return {"hits": int(found.get("Item", {}).get("hits", {"N": "0"})["N"])}

    @app.route("/echo", methods=["POST"], content_types=["application/octet-stream", "application/json"])
    def echo() -> Response:
        request = app.current_request
        headers = {"Content-Type": "application/octet-stream", "Set-Cookie": ["a=1", "b=2"]}
        shown = {"X-Seen": request.headers.get("x-forwarded-for", ""), "X-Cookie": request.headers.get("cookie", "")}
        return Response(request.raw_body, headers={**headers, **shown})

    @app.route("/fails")
    def fails() -> None:
        raise BadRequestError("no")

    @app.route("/dies")
    def dies() -> None:
        raise SystemError("the function died")

    @app.on_dynamodb_record(stream_arn="arn:aws:dynamodb:us-east-1:123456789012:table/matches/stream/x")
    def standings(event: Any) -> dict[str, Any]:
        names = [record.keys["pk"]["S"] for record in event]
        toy.batches.append(names)
        if toy.poison & set(names):
            raise RuntimeError("poison")
        failures = []
        for record in event:
            name = record.keys["pk"]["S"]
            if name in toy.reported:
                failures.append({"itemIdentifier": record.sequence_number})
            else:
                add(standings_table, name, "0")
        return {"batchItemFailures": failures}

    @app.schedule(Rate(1, unit=Rate.MINUTES))
    def tick(event: Any) -> None:
        toy.ticks[event.source] += 1

    return toy
