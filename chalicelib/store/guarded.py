"""Writing many items, each portion on condition that others are still as they were, through the plain client.

A process that was thought dead, or that slept, may go on at any time: what it then writes must not lie over what others
wrote meanwhile. Items are DynamoDB JSON, as in ``bulk``; in a transaction each takes twice the units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from botocore.exceptions import ClientError, HTTPClientError

from chalicelib.store import bulk
from chalicelib.store.bulk import Item
from chalicelib.store.transaction import ATTEMPTS, LONGEST_PAUSE, MOST_STEPS, RETRIED, Busy

UNITS = 2
"""Write units of a small item in a transaction."""


class Guard(msgspec.Struct, frozen=True):
    """An item (``table``, ``pk``, ``sk``) some of whose attributes have to be ``equal`` to these, or (None) that must
    not be there; ``otherwise`` makes the refusal."""

    table: str
    pk: str
    sk: str
    equal: Mapping[str, Item] | None
    otherwise: Callable[[], Exception]

    def check(self) -> Item:
        """The step of a transaction that demands it."""
        step: Item = {"TableName": self.table, "Key": {"pk": {"S": self.pk}, "sk": {"S": self.sk}}}
        if self.equal is None:
            return {"ConditionCheck": {**step, "ConditionExpression": "attribute_not_exists(pk)"}}
        demands = [f"#n{place} = :v{place}" for place in range(len(self.equal))]
        step["ConditionExpression"] = " AND ".join(demands)
        step["ExpressionAttributeNames"] = {f"#n{place}": name for place, name in enumerate(self.equal)}
        step["ExpressionAttributeValues"] = {f":v{place}": value for place, value in enumerate(self.equal.values())}
        return {"ConditionCheck": step}


class Patience(msgspec.Struct, frozen=True):
    """How to wait, and ``token`` for a name that no other transaction has."""

    sleep: Callable[[float], None]
    jitter: Callable[[], float]
    token: Callable[[], str]


def put_items(table: str, items: Iterable[Item], guards: Sequence[Guard], patience: Patience) -> None:
    """Write items. Raises the refusal of a guard, and nothing more is written then; :class:`Busy`."""
    _write(({"Put": {"TableName": table, "Item": item}} for item in items), guards, patience)


def delete_items(table: str, keys: Iterable[tuple[str, str]], guards: Sequence[Guard], patience: Patience) -> None:
    """Delete items by (pk, sk). Raises as :func:`put_items`."""
    _write(
        ({"Delete": {"TableName": table, "Key": {"pk": {"S": pk}, "sk": {"S": sk}}}} for pk, sk in keys),
        guards,
        patience,
    )


def _write(steps: Iterator[Item], guards: Sequence[Guard], patience: Patience) -> None:
    checks = [guard.check() for guard in guards]
    waiting = list(steps)
    room = MOST_STEPS - len(checks)
    for first in range(0, len(waiting), room):
        failed = transact([*checks, *waiting[first : first + room]], patience)
        if failed is not None:
            raise guards[failed].otherwise()


def transact(steps: Sequence[Item], patience: Patience) -> int | None:
    """Carry out at most 100 steps, all or none; the place of one whose condition failed, None if all are done.

    Raises :class:`Busy` when conflicts do not end.
    """
    if len(steps) > MOST_STEPS:
        raise ValueError(f"{len(steps)} steps; a transaction holds at most {MOST_STEPS}")
    items: list[Any] = list(steps)
    token = patience.token()[:36]
    for attempt in range(ATTEMPTS):
        try:
            bulk.client().transact_write_items(TransactItems=items, ClientRequestToken=token)
            return None
        except HTTPClientError:
            # Nobody knows what happened; the token makes asking again safe.
            pass
        except ClientError as error:
            reasons = [reason.get("Code") for reason in _reasons(error)]
            if "ConditionalCheckFailed" in reasons:
                return reasons.index("ConditionalCheckFailed")
            if error.response["Error"]["Code"] not in RETRIED and not RETRIED.intersection(filter(None, reasons)):
                raise
        patience.sleep(min(LONGEST_PAUSE, 0.01 * 2**attempt) * (0.5 + patience.jitter()))
    raise Busy


def _reasons(error: ClientError) -> list[dict[str, Any]]:
    response: dict[str, Any] = dict(error.response)
    return list(response.get("CancellationReasons") or ())
