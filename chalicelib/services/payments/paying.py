"""The payer's side: an order is opened, its QR code shown, its state asked for until it is paid."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from chalicelib.gateways.payments import PaymentsDown, Trade
from chalicelib.gateways.payments.cashier import PAGE, LocalCashier
from chalicelib.services import audit
from chalicelib.services.entry_changes import Moved, persistently
from chalicelib.services.finding import known_event, open_event
from chalicelib.services.links import checked_origin
from chalicelib.services.once import Once, transaction
from chalicelib.services.payments import expiry, orders, progress
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.payments import CashierTrade, OrderView
from chalicelib.services.world import World
from chalicelib.store.entries import EntryRecord, StoredEntry, find_entry, partition, sort_key
from chalicelib.store.events import EventHeader
from chalicelib.store.orders import Order, by_trade, find_order, key_of
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction


def open_order(world: World, event_id: str, whose: Sequence[str], number: int, call_once: Once) -> OrderView:
    """The order of one's own entry, offered at the provider; a fresh one where there is none that can be paid.

    Raises entry_not_found for somebody else's, event_ended, nothing_to_pay, payments_down.
    """
    return persistently(lambda: _open(world, event_id, whose, number, call_once))


def _open(world: World, event_id: str, whose: Sequence[str], number: int, call_once: Once) -> OrderView:
    header, settings = open_event(world, event_id)
    entry = _mine(header, whose, number)
    order = _looked_at(world, event_id, entry)
    if order is not None and order.state in ("unpaid", "closed"):
        entry = _mine(header, whose, number)
    stale = order if order is not None and orders.outdated(world, order) else None
    if stale is not None and expiry.asked(world, stale, over=True):
        # Somebody paid with the old code a moment ago, or nobody knows.
        order, stale = find_order(event_id, stale.sk), None
        if order is None or order.state == "unpaid":
            raise Problem("payments_down")
    work = transaction(world)
    if order is not None and stale is None and (order.state == "paid" or _payable(world, order)):
        shown = view(world, order)
        call_once.record(work, msgspec.to_builtins(shown), world)
        work.commit()
        return shown
    if order is not None and order.state == "unpaid" and stale is None:
        offered = _offer(world, work, settings, order)
    else:
        offered = _fresh(world, work, event_id, settings, entry, stale)
    shown = view(world, offered)
    call_once.record(work, msgspec.to_builtins(shown), world)
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=whose[0],
        action="order.open",
        subject=f"entry:{number}",
        details={"order": offered.sk, "amount": int(offered.amount)},
    )
    work.commit()
    return shown


def _offer(world: World, work: Transaction, settings: Settings, order: Order) -> Order:
    """Offer an order that holds a place already."""
    expires_at = int(order.expires_at)
    code = _at_provider(world, settings, order.trade, int(order.amount), expires_at)
    due_at = min(expires_at, world.now() + orders.LOOK_EVERY)
    work.update(
        key_of(order.event_id, order.sk),
        [Order.code.set(code), Order.offered_at.set(world.now()), Order.due_at.set(due_at)],
        Order.state == "unpaid",
        lambda _: Moved(),
    )
    order.code, order.offered_at = code, world.now()
    return order


def _fresh(
    world: World, work: Transaction, event_id: str, settings: Settings, entry: StoredEntry, stale: Order | None
) -> Order:
    """A new order for an entry that is in already: it holds nothing, and if it ends the entry stays. It takes the place
    of a ``stale`` one, whose QR code is too old, with all that one held."""
    if entry.state != "in" or entry.paid_at is not None or not orders.online(world, settings):
        raise Problem("nothing_to_pay")
    order_id = orders.new_id(world)
    expires_at = world.now() + orders.HOLD if stale is None else int(stale.expires_at)
    code = _at_provider(world, settings, f"{event_id}{order_id}", orders.total(settings), expires_at)
    order = orders.new_order(world, event_id, settings, entry.number, order_id, expires_at, code)
    work.put(order)
    if stale is not None:
        orders.close(work, world, stale, told=True)
    work.update(
        EntryRecord(partition(event_id, entry.number), sort_key(entry.number)),
        [EntryRecord.order.set(order_id)],
        orders.same_order(entry) & (EntryRecord.state == "in") & EntryRecord.paid_at.does_not_exist(),
        lambda _: Moved(),
    )
    return order


def _at_provider(world: World, settings: Settings, trade: str, amount: int, expires_at: int) -> str:
    try:
        return world.payments.native(Trade(trade, amount, f"{settings.name} 报名费", expires_at))
    except PaymentsDown as error:
        progress.logger.warning("order %s could not be offered: %s", trade, error)
        raise Problem("payments_down") from error


def read(world: World, event_id: str, whose: Sequence[str], number: int) -> OrderView:
    """The newest order of one's own entry; one whose time is over ends with this. Raises entry_not_found,
    order_not_found."""
    return view(world, _found(world, event_id, whose, number))


def qr(world: World, event_id: str, whose: Sequence[str], number: int, origin: str) -> bytes:
    """The order's QR code as SVG; ``origin`` (scheme and host) is needed for the demonstration's own page."""
    from chalicelib.gateways.qrcodes import qr_svg

    order = _found(world, event_id, whose, number)
    if order.code is None or not _payable(world, order):
        raise Problem("order_not_found")
    page = _cashier_page(order)
    return qr_svg(order.code if page is None else checked_origin(origin) + page).encode()


def view(world: World, order: Order) -> OrderView:
    """An order as its payer sees it."""
    unpaid = order.state == "unpaid"
    return OrderView(
        order_id=order.sk,
        number=int(order.number),
        state=order.state,
        provider=order.provider,
        amount=int(order.amount),
        expires_at=int(order.expires_at),
        now=world.now(),
        payable=_payable(world, order),
        cashier=_cashier_page(order) if unpaid else None,
        paid_at=whole(order.paid_at),
        refunded_at=whole(order.refunded_at),
        reason=shown_reason(order),
    )


def _payable(world: World, order: Order) -> bool:
    """Whether there is a QR code with which it can be paid."""
    return order.state == "unpaid" and order.code is not None and not orders.outdated(world, order)


def shown_reason(order: Order) -> str | None:
    """Why money goes back, as one of the known words."""
    return order.reason if order.reason is None or order.reason in progress.REASONS else "organizer"


def cashier_trade(world: World, event_id: str, trade: str) -> CashierTrade:
    """What 本地演示收银台 shows. Raises event_not_found, and order_not_found, also where there is a real provider."""
    _, settings = known_event(event_id)
    order = _at_cashier(world, event_id, trade)
    assert isinstance(world.payments, LocalCashier)
    return CashierTrade(world.payments.query(trade).state, int(order.amount), settings.name)


def pay_at_cashier(world: World, event_id: str, trade: str) -> CashierTrade:
    """Somebody pressed 付款 there: the order is told as a provider would tell it. Raises as :func:`cashier_trade`."""
    known_event(event_id)
    order = _at_cashier(world, event_id, trade)
    assert isinstance(world.payments, LocalCashier)
    found = world.payments.pay(order.trade, world.now())
    if found.state == "paid":
        progress.paid(world, found)
    return cashier_trade(world, event_id, trade)


def _at_cashier(world: World, event_id: str, trade: str) -> Order:
    order = by_trade(trade) if isinstance(world.payments, LocalCashier) else None
    if order is None or order.event_id != event_id:
        raise Problem("order_not_found")
    return order


def _cashier_page(order: Order) -> str | None:
    if order.code is None or not order.code.startswith(PAGE):
        return None
    return f"/e/{order.event_id}#cashier.{order.trade}"


def _found(world: World, event_id: str, whose: Sequence[str], number: int) -> Order:
    header, _ = known_event(event_id)
    order = _looked_at(world, event_id, _mine(header, whose, number))
    if order is None:
        raise Problem("order_not_found")
    return order


def _looked_at(world: World, event_id: str, entry: StoredEntry) -> Order | None:
    """The entry's newest order, ended if its time is over."""
    order = None if entry.order is None else find_order(event_id, entry.order)
    if order is not None and order.state == "unpaid" and int(order.expires_at) <= world.now():
        expiry.look_at(world, event_id, order.sk)
        order = find_order(event_id, order.sk)
    return order


def _mine(header: EventHeader, whose: Sequence[str], number: int) -> StoredEntry:
    entry = find_entry(header.event_id, number, header.imports or ())
    if entry is None or not set(whose) & set(entry.registrants):
        raise Problem("entry_not_found")
    return entry
