"""Reading streams of a store elsewhere (``DYNAMODB_ENDPOINT_URL``): ministack, AWS or any other endpoint.

Nothing is remembered here between two starts: every start reads from the oldest record that is left. The functions
are repeatable, so that costs time, not correctness.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import boto3

from infra.local.delivery import LONGEST_PAUSE, Delivery, Invoke, Stopped
from infra.local.event_filters import passes
from infra.local.event_sources import StreamSource

POLL_SECONDS = 0.25

logger = logging.getLogger("guanjun.local")


class RemotePump:
    """One thread per stream function."""

    def __init__(
        self, sources: list[StreamSource], invoke: Invoke, dead_letters: Path, switches: Path | None = None
    ) -> None:
        self._invoke = invoke
        self._dead_letters = dead_letters
        self._switches = switches
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(source,), name=source.function, daemon=True) for source in sources
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float = 10.0) -> None:
        self._stop.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(seconds)

    def _run(self, source: StreamSource) -> None:
        iterators: dict[str, str | None] = {}
        streams = boto3.client("dynamodbstreams")
        delivery = Delivery(source, self._invoke, self._dead_letters, self._stop, lambda record: None, self._switches)
        while not self._stop.is_set():
            try:
                if not self._read(streams, source, delivery, iterators):
                    self._stop.wait(POLL_SECONDS)
            except Stopped:
                return
            except Exception:
                # The endpoint may come back; iterators that expired are asked for again.
                logger.exception("the stream of %s cannot be read", source.table)
                iterators.clear()
                self._stop.wait(LONGEST_PAUSE)

    def _read(self, streams: Any, source: StreamSource, delivery: Delivery, iterators: dict[str, str | None]) -> bool:
        arn = boto3.client("dynamodb").describe_table(TableName=source.table)["Table"]["LatestStreamArn"]
        found = False
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            name = shard["ShardId"]
            if name not in iterators:
                answer = streams.get_shard_iterator(StreamArn=arn, ShardId=name, ShardIteratorType="TRIM_HORIZON")
                iterators[name] = answer["ShardIterator"]
            iterator = iterators[name]
            if iterator is None:
                continue
            answer = streams.get_records(ShardIterator=iterator, Limit=source.batch_size)
            batch = [_lambda_form(record, arn) for record in answer["Records"]]
            delivery.deliver([record for record in batch if passes(source.patterns, record)])
            iterators[name] = answer.get("NextShardIterator")
            found = found or bool(batch)
        return found


def _lambda_form(record: dict[str, Any], arn: str) -> dict[str, Any]:
    """A record as Lambda delivers it: seconds instead of a datetime, lower-case members of the identity."""
    change = dict(record["dynamodb"])
    moment = change["ApproximateCreationDateTime"]
    change["ApproximateCreationDateTime"] = int(moment.timestamp()) if isinstance(moment, datetime) else moment
    shown = {**record, "dynamodb": change, "eventSourceARN": arn}
    identity = record.get("userIdentity")
    if identity:
        shown["userIdentity"] = {"type": identity.get("Type"), "principalId": identity.get("PrincipalId")}
    return shown
