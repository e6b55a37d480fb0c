"""One all-or-nothing change of several items, with retries in one place.

Each step of a transaction names the refusal to raise when its condition fails, so a use case reads as a list of
"do this, otherwise say that". Conflicts with other transactions hide inside TransactionCanceledException; they
and throttling are retried here with jitter and with the same client token, so a reply lost after the commit does
no harm (DynamoDB keeps the token for ten minutes).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, TypeVar

import msgspec
from botocore.exceptions import HTTPClientError
from pynamodb.connection import Connection
from pynamodb.exceptions import CancellationReason, PynamoDBException, TransactWriteError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

from chalicelib.store.tables import Place, Record

MOST_STEPS = 100
ATTEMPTS = 12
LONGEST_PAUSE = 0.8

Refusal = Callable[[dict[str, Any] | None], Exception]
"""Makes the exception for a failed condition from the item as it stands (DynamoDB JSON), or None if there is none."""

RETRIED = {
    "TransactionConflict",
    "TransactionConflictException",
    "ThrottlingError",
    "ProvisionedThroughputExceeded",
    "TransactionInProgressException",
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
}


_TOO_LARGE = re.compile(r"Item size (to update )?has exceeded")

Result = TypeVar("Result")


class Busy(Exception):
    """The transaction met conflicts or throttling on every attempt; nothing was written."""


class TooLarge(Exception):
    """An item would outgrow what the store holds of one; nothing was written."""


class _Kind(IntEnum):
    """In the order in which PynamoDB sends the steps, and so in which the reasons come back."""

    CHECK = 0
    DELETE = 1
    PUT = 2
    UPDATE = 3


class _Step(msgspec.Struct, frozen=True):
    kind: _Kind
    apply: Callable[[TransactWrite], None]
    otherwise: Refusal | None


class Transaction:
    """Collects at most 100 steps on distinct items, then commits them together."""

    def __init__(self, token: str, sleep: Callable[[float], None], jitter: Callable[[], float]) -> None:
        """``token`` must be unique to this commit; ``jitter`` gives numbers in [0, 1)."""
        self._token = token[:36]
        self._sleep = sleep
        self._jitter = jitter
        self._steps: list[_Step] = []

    def __len__(self) -> int:
        return len(self._steps)

    def put(self, item: Model, condition: Condition | None = None, otherwise: Refusal | None = None) -> None:
        """Write the whole item."""

        def apply(work: TransactWrite) -> None:
            work.save(item, condition=condition, return_values=_OLD)

        self._steps.append(_Step(_Kind.PUT, apply, otherwise))

    def update(
        self,
        item: Model,
        actions: Sequence[Action],
        condition: Condition | None = None,
        otherwise: Refusal | None = None,
    ) -> None:
        """Change attributes of the item with ``item``'s key (creating it when there is none)."""

        def apply(work: TransactWrite) -> None:
            work.update(item, list(actions), condition=condition, return_values=_OLD)

        self._steps.append(_Step(_Kind.UPDATE, apply, otherwise))

    def delete(self, item: Model, condition: Condition | None = None, otherwise: Refusal | None = None) -> None:
        """Remove the item with ``item``'s key."""

        def apply(work: TransactWrite) -> None:
            work.delete(item, condition=condition)

        self._steps.append(_Step(_Kind.DELETE, apply, otherwise))

    def check(self, item: Record, condition: Condition, otherwise: Refusal) -> None:
        """Demand something of an item that this transaction does not change."""

        def apply(work: TransactWrite) -> None:
            work.condition_check(type(item), item.pk, item.sk, condition=condition)

        self._steps.append(_Step(_Kind.CHECK, apply, otherwise))

    def commit(self) -> None:
        """Write everything or nothing.

        Raises the refusal of the first step (in the order they were added) whose condition failed, :class:`Busy`
        when conflicts do not end, :class:`TooLarge`, and whatever else the store says unchanged.
        """
        if not self._steps:
            return
        if len(self._steps) > MOST_STEPS:
            raise ValueError(f"{len(self._steps)} steps; a transaction holds at most {MOST_STEPS}")
        for attempt in range(ATTEMPTS):
            try:
                with TransactWrite(connection=connection(), client_request_token=self._token) as work:
                    for step in self._steps:
                        step.apply(work)
                return
            except TransactWriteError as error:
                reasons = list(error.cancellation_reasons)
                self._refuse(reasons)
                if _outgrown(error, reasons):
                    raise TooLarge from error
                conflict = any(reason is not None and reason.code in RETRIED for reason in reasons)
                if not conflict and not _lost(error) and _code(error) not in RETRIED:
                    raise
                self._sleep(min(LONGEST_PAUSE, 0.01 * 2**attempt) * (0.5 + self._jitter()))
        raise Busy

    def _refuse(self, reasons: list[CancellationReason | None]) -> None:
        sent = sorted(range(len(self._steps)), key=lambda index: self._steps[index].kind)
        reason_of = dict(zip(sent, reasons, strict=False))
        for index, step in enumerate(self._steps):
            reason = reason_of.get(index)
            if reason is not None and reason.code == "ConditionalCheckFailed" and step.otherwise is not None:
                raise step.otherwise(reason.raw_item)


def patiently(act: Callable[[], Result], sleep: Callable[[float], None], jitter: Callable[[], float]) -> Result:
    """What ``act`` (one write of one item) returns, tried again while it meets transactions or throttling.

    Raises :class:`Busy` when that does not end, and every other error, a failed condition too, unchanged.
    """
    for attempt in range(ATTEMPTS):
        try:
            return act()
        except PynamoDBException as error:
            if _code(error) not in RETRIED:
                raise
            sleep(min(LONGEST_PAUSE, 0.01 * 2**attempt) * (0.5 + jitter()))
    raise Busy


def _outgrown(error: PynamoDBException, reasons: Sequence[CancellationReason | None]) -> bool:
    """Whether an item is too large: told of the whole request, or of the step that would have made it so."""
    told = [str(error.cause), *(str(reason.message) for reason in reasons if reason is not None)]
    return any(_TOO_LARGE.search(text) for text in told)


def _lost(error: PynamoDBException) -> bool:
    """Whether the connection broke, so that nobody knows what happened; the client token makes asking again safe."""
    return isinstance(error.cause, HTTPClientError)


def _code(error: PynamoDBException) -> str | None:
    """What DynamoDB answered; None when it did not (PynamoDB's own ``cause_response_code`` fails then)."""
    response = getattr(error.cause, "response", None)
    return response.get("Error", {}).get("Code") if isinstance(response, dict) else None


_OLD = "ALL_OLD"
_connection: Connection | None = None


def connection() -> Connection:
    """The process's low-level PynamoDB connection, shared by all transactions."""
    global _connection
    if _connection is None:
        _connection = Connection(region=Place.region, host=Place.host)
    return _connection


def forget_connection() -> None:
    """Drop the connection (tests switch the store between cases)."""
    global _connection
    _connection = None
