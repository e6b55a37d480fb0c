"""Claiming the phones of an import, up to a hundred at once, through the plain client.

The same as a transaction of puts under ``entry_indexes.free``, without a model and an expression for each of thousands
of phones: they cost a third of a large import.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from botocore.exceptions import ClientError, HTTPClientError

from chalicelib.store import bulk
from chalicelib.store.entries import PhoneIndex, phone_key
from chalicelib.store.transaction import ATTEMPTS, LONGEST_PAUSE, MOST_STEPS, RETRIED, Busy

Claim = tuple[str, int, int]
"""Index of a phone, number of the entry, player within it."""


def claim_phones(
    event_id: str,
    import_id: str,
    imports: Collection[str],
    claims: Sequence[Claim],
    token: str,
    sleep: Callable[[float], None],
    jitter: Callable[[], float],
) -> int | None:
    """Put the index items of an import's phones, all or none; the place in ``claims`` of one that somebody else holds,
    None if all are claimed.

    A phone is free if it has no item, or one of an import that is not among ``imports``; this very one is not either,
    so claiming again what is ours changes nothing.
    ``token`` must be unique to this call. Raises :class:`Busy` when conflicts do not end.
    """
    if len(claims) > MOST_STEPS:
        raise ValueError(f"{len(claims)} claims; a transaction holds at most {MOST_STEPS}")
    finished = {f":i{place}": {"S": each} for place, each in enumerate(imports)}
    unfinished = "attribute_exists(import_id)"
    if finished:
        unfinished = f"({unfinished} AND NOT import_id IN ({', '.join(finished)}))"
    expression: dict[str, Any] = {"ConditionExpression": f"attribute_not_exists(pk) OR {unfinished}"}
    if finished:
        expression["ExpressionAttributeValues"] = finished
    items: list[Any] = [
        {
            "Put": {
                "TableName": PhoneIndex.Meta.table_name,
                "Item": {
                    "pk": {"S": phone_key(event_id, index)},
                    "sk": {"S": "OWNER"},
                    "number": {"N": str(number)},
                    "player": {"N": str(player)},
                    "import_id": {"S": import_id},
                },
                **expression,
            }
        }
        for index, number, player in claims
    ]
    for attempt in range(ATTEMPTS):
        try:
            bulk.client().transact_write_items(TransactItems=items, ClientRequestToken=token[:36])
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
        sleep(min(LONGEST_PAUSE, 0.01 * 2**attempt) * (0.5 + jitter()))
    raise Busy


def _reasons(error: ClientError) -> list[dict[str, Any]]:
    response: dict[str, Any] = dict(error.response)
    return list(response.get("CancellationReasons") or ())
