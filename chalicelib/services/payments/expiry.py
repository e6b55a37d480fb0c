"""Unpaid orders end in time: the place they held goes to the next. Found by the sparse due index, and on every read.

Before an order ends, the provider is asked: a callback may have got lost.
"""

from __future__ import annotations

import logging

from chalicelib.gateways.payments import PaymentsDown, Refund
from chalicelib.services import entries
from chalicelib.services.entry_changes import Moved
from chalicelib.services.once import AlreadyDone, transaction
from chalicelib.services.payments import orders, progress
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.entries import EntryRecord, partition, sort_key
from chalicelib.store.orders import Order, due_orders, find_order
from chalicelib.store.transaction import Busy

logger = logging.getLogger("guanjun.payments")

MOST_AT_ONCE = 100
LONGEST_RUN = 25_000
"""Milliseconds after which a run leaves the rest to the next: the provider may be slow."""
UNREACHABLE_AGAIN_AFTER = 60_000


def look_at_due(world: World) -> int:
    """Look at every order whose time has come; returns how many. Twice, or twice at once, does everything once."""
    began, looked = world.now(), 0
    for order in due_orders(began, MOST_AT_ONCE):
        if world.now() - began > LONGEST_RUN:
            break
        try:
            look_at(world, order.event_id, order.sk)
        except (Busy, Moved, Problem) as error:
            # It stays in the index, and the next minute comes.
            logger.warning("order %s has to wait: %s", order.trade, type(error).__name__)
        looked += 1
    return looked


def look_at(world: World, event_id: str, order_id: str) -> None:
    """Bring one order forward: ask for its money, end it, or see that its refund comes through."""
    order = find_order(event_id, order_id)
    if order is None:
        return
    if order.state == "refunding":
        progress.give_back(world, event_id, order_id)
    elif order.state == "unpaid" and not _asked(world, order):
        if world.now() < int(order.expires_at):
            progress.put_off(order, min(int(order.expires_at), world.now() + orders.LOOK_EVERY))
        else:
            _end(world, order)


def _asked(world: World, order: Order) -> bool:
    """Ask the provider, if it knows the order; whether that settled it for now. Past its time it is closed there."""
    if not order.code:
        return False
    try:
        found = world.payments.query(order.trade)
        if found.state == "paid":
            progress.paid(world, found)
            return True
        if found.state == "refunded":
            progress.refunded(world, Refund(order.trade, f"{order.trade}R", found.amount, "done"))
            return True
        if world.now() >= int(order.expires_at):
            world.payments.close(order.trade)
    except PaymentsDown as error:
        logger.warning("nobody knows whether order %s is paid: %s", order.trade, error)
        progress.put_off(order, world.now() + UNREACHABLE_AGAIN_AFTER)
        return True
    return False


def _end(world: World, order: Order) -> None:
    try:
        entries.lapse(world, order.event_id, int(order.number), order.sk)
    except AlreadyDone:
        return
    except Problem as refused:
        if refused.code == "entry_seated":
            # A draft seats the team: its place is not free before that is settled.
            progress.put_off(order, world.now() + orders.LOOK_EVERY)
        else:
            _close_alone(world, order)


def _close_alone(world: World, order: Order) -> None:
    """End an order that holds no place: the event is over, or the entry was in before it owed."""
    work, number = transaction(world), int(order.number)
    orders.close(work, order)
    entry = EntryRecord(partition(order.event_id, number), sort_key(number))
    try:
        entry.refresh(consistent_read=True)
        if entry.order == order.sk:
            work.update(entry, [EntryRecord.pay_by.remove()], EntryRecord.order == order.sk, lambda _: Moved())
    except EntryRecord.DoesNotExist:
        pass
    try:
        work.commit()
    except Moved:
        return
