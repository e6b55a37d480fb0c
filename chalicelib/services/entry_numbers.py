"""Entry numbers: 1, 2, 3, ... in the order of entering, taken in the transaction that uses them.

Registrations, of which many come at once, take theirs by a plain ADD on the same item (``registration.registering``).
"""

from __future__ import annotations

from chalicelib.store.registrations import TALLY, Tally, tally_of
from chalicelib.store.transaction import Transaction


def last_number(event_id: str) -> int:
    """The last number taken, 0 before the first."""
    return int(tally_of(event_id).value)


def take_numbers(
    change: Transaction, event_id: str, last: int, count: int, moved: type[Exception], *, own: int = 0
) -> None:
    """Add to ``change`` that the ``count`` numbers after ``last`` are taken; it raises ``moved`` if ``last`` is not
    the last one any more. ``own``: how many entries of the organizer's come with it, which take up places."""
    change.update(
        Tally(event_id, TALLY),
        [Tally.value.set(last + count), Tally.own.add(own)],
        Tally.value == last if last else Tally.pk.does_not_exist() | Tally.value.does_not_exist() | (Tally.value == 0),
        lambda _: moved(),
    )
