"""Entry numbers: 1, 2, 3, ... in the order of entering, taken in the transaction that uses them."""

from __future__ import annotations

from chalicelib.store.events import Counter
from chalicelib.store.transaction import Transaction

_KEY = "COUNTER#entries"


def last_number(event_id: str) -> int:
    """The last number taken, 0 before the first."""
    try:
        return int(Counter.get(event_id, _KEY, consistent_read=True).value)
    except Counter.DoesNotExist:
        return 0


def take_numbers(change: Transaction, event_id: str, last: int, count: int, moved: type[Exception]) -> None:
    """Add to ``change`` that the ``count`` numbers after ``last`` are taken; it raises ``moved`` if ``last`` is not
    the last one any more."""
    change.update(
        Counter(event_id, _KEY),
        [Counter.value.set(last + count)],
        Counter.value == last if last else Counter.pk.does_not_exist() | (Counter.value == 0),
        lambda _: moved(),
    )
