"""Claiming the phones of an import, up to a hundred at once, through the plain client.

The same as a transaction of puts under ``entry_indexes.free``, without a model and an expression for each of thousands
of phones: they cost a third of a large import.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from chalicelib.store.entries import PhoneIndex, phone_key
from chalicelib.store.guarded import Patience, transact

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
    ``token`` must be unique to this call. Raises Busy when conflicts do not end.
    """
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
    return transact(items, Patience(sleep, jitter, lambda: token))
