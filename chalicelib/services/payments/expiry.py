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
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Busy

logger = logging.getLogger("guanjun.payments")

MOST_AT_ONCE = 500
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
        except Exception:
            # One that nobody foresaw must not keep the others waiting for ever.
            logger.exception("order %s could not be looked at", order.trade)
        looked += 1
    return looked


def look_at(world: World, event_id: str, order_id: str) -> None:
    """Bring one order forward: ask for its money, end it, see that it ends at the provider too, or that its refund
    comes through. One that was put off a moment ago is left alone, however often a page asks."""
    order = find_order(event_id, order_id)
    due_at = None if order is None else whole(order.due_at)
    if order is None or due_at is None or due_at > world.now():
        return
    if order.state == "refunding":
        progress.give_back(world, event_id, order_id)
        return
    over = order.state == "closed" or world.now() >= int(order.expires_at)
    if asked(world, order, over):
        return
    if order.state == "closed":
        progress.rest(order)
    elif over:
        _end(world, order)
    else:
        progress.put_off(order, min(int(order.expires_at), world.now() + orders.LOOK_EVERY))


def asked(world: World, order: Order, over: bool) -> bool:
    """Ask the provider, if it knows the order; whether that settled it for now. Closes there one that is ``over``."""
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
        if over:
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
    """End an order without its entry: it holds no place, or the organizer decides who keeps one."""
    work, number = transaction(world), int(order.number)
    orders.close(work, world, order, told=True)
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
