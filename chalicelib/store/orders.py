"""Orders, in table ``events``: what a team owes online, and what became of the money.

=================  ==================  =======================================================
pk                 sk                  item
=================  ==================  =======================================================
<event>#ORDERS     <order>             :class:`Order`; in the sparse ``due`` index while it waits
=================  ==================  =======================================================

An order names nobody: the entry's number only. So it outlives the people's data, and an event that was erased.
"""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex

from chalicelib.store.due import ORDERS
from chalicelib.store.tables import Place, Record, table_name

ID_LENGTH = 12


class _DueIndex(GlobalSecondaryIndex["Order"]):
    class Meta:
        index_name = "due"
        projection = AllProjection()

    due_bucket = UnicodeAttribute(hash_key=True)
    due_at = NumberAttribute(range_key=True)


class Order(Record):
    """One order. Money in 分, times in milliseconds UTC.

    ``state``: unpaid | paid | closed (nobody paid in time) | refunding | refunded. ``amount``: what is owed;
    ``received``: what was paid. ``code``: what its QR code says, once the provider knows it, and since ``offered_at``.
    ``expires_at``: until then the entry's place is held. ``reason``: why the money goes back; ``trouble``: the provider
    could not give it back.
    """

    class Meta(Place):
        table_name = table_name("events")

    event_id = UnicodeAttribute()
    number = NumberAttribute()
    state = UnicodeAttribute(default="unpaid")
    provider = UnicodeAttribute()
    amount = NumberAttribute()
    received = NumberAttribute(default=0)
    created_at = NumberAttribute()
    expires_at = NumberAttribute()
    code = UnicodeAttribute(null=True)
    offered_at = NumberAttribute(null=True)
    transaction_id = UnicodeAttribute(null=True)
    paid_at = NumberAttribute(null=True)
    refunded_at = NumberAttribute(null=True)
    reason = UnicodeAttribute(null=True)
    trouble = NumberAttribute(null=True)
    due_bucket = UnicodeAttribute(null=True)
    due_at = NumberAttribute(null=True)
    due = _DueIndex()

    @property
    def trade(self) -> str:
        """Its number at the provider."""
        return f"{self.event_id}{self.sk}"


def key_of(event_id: str, order_id: str) -> Order:
    """An item with the order's key alone, to be written to."""
    return Order(f"{event_id}#ORDERS", order_id)


def find_order(event_id: str, order_id: str) -> Order | None:
    """The order, strongly consistent, or None."""
    try:
        return Order.get(f"{event_id}#ORDERS", order_id, consistent_read=True)
    except Order.DoesNotExist:
        return None


def by_trade(trade: str) -> Order | None:
    """The order that is ``trade`` at the provider, strongly consistent, or None."""
    event_id, order_id = trade[:-ID_LENGTH], trade[-ID_LENGTH:]
    return find_order(event_id, order_id) if event_id and len(trade) <= 32 else None


def orders_of(event_id: str) -> Iterator[Order]:
    """All orders of an event, strongly consistent."""
    return Order.query(f"{event_id}#ORDERS", consistent_read=True)


def due_orders(now: int, most: int) -> list[Order]:
    """Orders that wait for something whose time has come, as the index shows them."""
    return list(Order.due.query(ORDERS, Order.due_at <= now, limit=most))
