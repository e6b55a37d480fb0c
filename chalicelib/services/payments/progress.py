"""What becomes of an order as news of its money arrives, in whatever order and however often.

``unpaid -> paid -> refunding -> refunded``, or ``unpaid -> closed``; money for a closed order goes straight back. Each
step is one transaction on the state that was read, so news that arrives twice, or twice at once, has one effect.
"""

from __future__ import annotations

import logging

from pynamodb.exceptions import UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.gateways.payments import Payment, PaymentsDown, Refund
from chalicelib.services import audit
from chalicelib.services.entry_changes import Moved, persistently
from chalicelib.services.once import transaction
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.due import ORDERS
from chalicelib.store.entries import EntryRecord, partition, sort_key
from chalicelib.store.events import find_event
from chalicelib.store.orders import Order, by_trade, find_order, key_of
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

logger = logging.getLogger("guanjun.payments")

ASK_AGAIN_AFTER = 10 * 60_000
"""Milliseconds until the provider is asked again about a refund that is under way, or could not be asked for."""
FAILED_AGAIN_AFTER = 6 * 3_600_000
"""The same where the provider could not give the money back: somebody has to look first."""


def paid(world: World, payment: Payment) -> None:
    """Money arrived. Raises order_not_found."""
    persistently(lambda: _paid(world, payment))


def _paid(world: World, payment: Payment) -> None:
    order = by_trade(payment.number)
    if order is None:
        raise Problem("order_not_found")
    if order.state not in ("unpaid", "closed"):
        return
    now, right = world.now(), payment.amount == int(order.amount)
    entry = _its_entry(order) if order.state == "unpaid" else None
    counts = right and entry is not None and _takes(order, entry)
    reason = "late" if right else "amount"
    work = transaction(world)
    work.update(
        key_of(order.event_id, order.sk),
        [
            Order.state.set("paid" if counts else "refunding"),
            Order.received.set(payment.amount),
            Order.transaction_id.set(payment.transaction_id),
            Order.paid_at.set(now),
            *(
                [Order.due_bucket.remove(), Order.due_at.remove()]
                if counts
                else [Order.reason.set(reason), Order.due_bucket.set(ORDERS), Order.due_at.set(now)]
            ),
        ],
        Order.state == order.state,
        lambda _: Moved(),
    )
    if counts:
        work.update(
            _entry(order),
            [EntryRecord.paid_at.set(now), EntryRecord.pay_by.remove()],
            (EntryRecord.order == order.sk) & (EntryRecord.state == "in") & EntryRecord.paid_at.does_not_exist(),
            lambda _: Moved(),
        )
    elif entry is not None:
        # It owes nothing by this order any more; another may be opened.
        work.update(_entry(order), [EntryRecord.pay_by.remove()], EntryRecord.order == order.sk, lambda _: Moved())
    _note(work, world, order, "order.paid" if counts else "order.returned", payment.amount)
    work.commit()
    if not counts:
        logger.warning("payment of %d for order %s goes back: %s", payment.amount, order.trade, reason)
        give_back(world, order.event_id, order.sk)


def refunded(world: World, refund: Refund) -> None:
    """Money went back, is on its way, or could not go. Raises order_not_found."""
    persistently(lambda: _refunded(world, refund))


def _refunded(world: World, refund: Refund) -> None:
    order = by_trade(refund.number)
    if order is None:
        raise Problem("order_not_found")
    if order.state == "refunded":
        return
    all_of_it = refund.amount == int(order.received or order.amount)
    if refund.state != "done":
        _wait(world, order, failed=refund.state == "failed")
        return
    if not all_of_it:
        # Somebody gave back a part at the provider itself; the statement cannot know what it was for.
        logger.error("a part of order %s went back at the provider", order.trade)
        return
    work = transaction(world)
    work.update(
        key_of(order.event_id, order.sk),
        [
            Order.state.set("refunded"),
            Order.refunded_at.set(world.now()),
            Order.received.set(refund.amount),
            Order.trouble.remove(),
            Order.due_bucket.remove(),
            Order.due_at.remove(),
        ],
        Order.state == order.state,
        lambda _: Moved(),
    )
    if order.state in ("unpaid", "paid") and _its_entry(order) is not None:
        work.update(
            _entry(order),
            [EntryRecord.paid_at.remove(), EntryRecord.pay_by.remove()],
            EntryRecord.order == order.sk,
            lambda _: Moved(),
        )
    _note(work, world, order, "order.refunded", refund.amount)
    work.commit()


def give_back(world: World, event_id: str, order_id: str) -> None:
    """Ask the provider to give an order's money back, if that is what it waits for. Asking again gives back once."""
    order = find_order(event_id, order_id)
    if order is None or order.state != "refunding":
        return
    try:
        answer = world.payments.refund(order.trade, f"{order.trade}R", int(order.received), REASONS[_known(order)])
    except PaymentsDown as error:
        logger.warning("refund of order %s has to wait: %s", order.trade, error)
        put_off(order, world.now() + ASK_AGAIN_AFTER)
        return
    refunded(world, answer)


def after_leaving(world: World, event_id: str, order_id: str | None) -> None:
    """Tell the provider what became of the order of an entry that left, or was paid on site. What fails here, the
    schedule does."""
    order = None if order_id is None else find_order(event_id, order_id)
    if order is None:
        return
    if order.state == "refunding":
        give_back(world, event_id, order.sk)
    elif order.state == "closed" and order.code is not None:
        try:
            world.payments.close(order.trade)
        except PaymentsDown as error:
            logger.warning("order %s could not be closed: %s", order.trade, error)
            return
        rest(order)


REASONS = {
    "withdrawn": "已退出报名",
    "late": "订单已过期",
    "amount": "金额不符",
    "organizer": "组织者退款",
}
"""What the payer reads at the provider; an organizer's own words stay in the log."""


def _known(order: Order) -> str:
    return order.reason if order.reason in REASONS else "organizer"


def put_off(order: Order, due_at: int) -> None:
    """Look at the order again at ``due_at``, unless its state changed meanwhile."""
    _unless_moved(order, [Order.due_at.set(due_at)], (Order.state == order.state) & (Order.due_at == order.due_at))


def rest(order: Order) -> None:
    """Nobody can pay a closed order any more, at the provider either: it waits for nothing."""
    _unless_moved(order, [Order.due_bucket.remove(), Order.due_at.remove()], Order.state == "closed")


def _unless_moved(order: Order, actions: list[Action], condition: Condition) -> None:
    try:
        order.update(actions, condition)
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise


def _wait(world: World, order: Order, *, failed: bool) -> None:
    if order.state != "refunding":
        return
    later = FAILED_AGAIN_AFTER if failed else ASK_AGAIN_AFTER
    actions: list[Action] = [Order.due_at.set(world.now() + later)]
    if failed:
        actions.append(Order.trouble.set(world.now()))
        logger.error("the provider could not give back order %s", order.trade)
    try:
        order.update(actions, Order.state == "refunding")
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        raise Moved from error


def _entry(order: Order) -> EntryRecord:
    number = int(order.number)
    return EntryRecord(partition(order.event_id, number), sort_key(number))


def _takes(order: Order, entry: EntryRecord) -> bool:
    """Whether money buys something: the entry is in, nobody paid on site meanwhile, the event was not deleted."""
    return entry.state == "in" and whole(entry.paid_at) is None and find_event(order.event_id) is not None


def _its_entry(order: Order) -> EntryRecord | None:
    """The entry, if it still is there and this is its newest order."""
    entry = _entry(order)
    try:
        entry.refresh(consistent_read=True)
    except EntryRecord.DoesNotExist:
        return None
    return entry if entry.order == order.sk else None


def _note(work: Transaction, world: World, order: Order, action: str, amount: int) -> None:
    audit.record(
        work,
        world,
        event_id=order.event_id,
        actor="system",
        action=action,
        subject=f"entry:{int(order.number)}",
        details={"order": order.sk, "amount": amount},
    )
