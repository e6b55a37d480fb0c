"""The organizer's side: every order of the event, refunds, and what is due to the organizer (.xlsx)."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import msgspec

from chalicelib.gateways.spreadsheets import Column, OutCell, OutSheet, Workbook, write_workbook
from chalicelib.services import audit
from chalicelib.services.entry_changes import Moved, persistently
from chalicelib.services.exports.cells import TIME_WIDTH, local_time
from chalicelib.services.exports.words import Language, word
from chalicelib.services.finding import known_event
from chalicelib.services.once import Once, transaction
from chalicelib.services.payments import orders, paying, progress
from chalicelib.services.privacy.keys import unlocked
from chalicelib.services.privacy.sealing import readable
from chalicelib.services.problems import Problem
from chalicelib.services.views.payments import OrderLine, OrderList, Totals
from chalicelib.services.workbooks import label
from chalicelib.services.world import World
from chalicelib.store.entries import EntryRecord, all_entries, partition, sort_key
from chalicelib.store.orders import Order, find_order, orders_of
from chalicelib.store.tables import whole

PLATFORM_PERCENT = 5


def totals(lines: list[OrderLine]) -> Totals:
    """What came in, what went back (money on its way back is no income either), the platform's part and the rest.

    >>> totals([])
    Totals(gross=0, refunds=0, platform=0, due=0)
    """
    gross = sum(line.received for line in lines)
    refunds = sum(line.received for line in lines if line.state in ("refunding", "refunded"))
    platform = ((gross - refunds) * PLATFORM_PERCENT + 50) // 100
    return Totals(gross, refunds, platform, gross - refunds - platform)


def listing(world: World, event_id: str, digits: str = "") -> OrderList:
    """All orders, newest first. Raises event_not_found, digits_wrong."""
    header, settings = known_event(event_id)
    found = sorted(orders_of(event_id), key=lambda order: int(order.created_at), reverse=True)
    names: dict[int, str] = {}
    if found:
        key = unlocked(world, header, digits)
        names = {
            entry.number: label(entry).name for entry in readable(all_entries(event_id, header.imports or ()), key)
        }
    lines = [_line(order, names.get(int(order.number), "")) for order in found]
    return OrderList(world.payments.provider(), orders.online(world, settings), lines, totals(lines))


def refund(world: World, event_id: str, order_id: str, reason: str, actor: str, call_once: Once) -> OrderLine:
    """Give a paid order's money back; the entry stays, unpaid.

    Raises order_not_found, reason_missing, order_not_paid.
    """
    if not reason.strip():
        raise Problem("reason_missing", "reason")
    line = persistently(lambda: _refund(world, event_id, order_id, reason.strip(), actor, call_once))
    progress.give_back(world, event_id, order_id)
    return line


def _refund(world: World, event_id: str, order_id: str, reason: str, actor: str, call_once: Once) -> OrderLine:
    order = find_order(event_id, order_id)
    if order is None:
        raise Problem("order_not_found")
    if order.state != "paid":
        raise Problem("order_not_paid")
    line = msgspec.structs.replace(_line(order, ""), state="refunding", reason="organizer")
    work = transaction(world)
    call_once.record(work, msgspec.to_builtins(line), world)
    orders.send_back(work, world, order, "organizer")
    number = int(order.number)
    entry = EntryRecord(partition(event_id, number), sort_key(number))
    try:
        entry.refresh(consistent_read=True)
        if entry.order == order_id:
            work.update(entry, [EntryRecord.paid_at.remove()], EntryRecord.order == order_id, lambda _: Moved())
    except EntryRecord.DoesNotExist:
        pass
    audit.record(
        work,
        world,
        event_id=event_id,
        actor=actor,
        action="order.refund",
        subject=f"entry:{number}",
        reason=reason,
        details={"order": order_id, "amount": int(order.received)},
    )
    work.commit()
    return line


def workbook(world: World, event_id: str, language: str, digits: str = "") -> tuple[bytes, str]:
    """The statement (.xlsx) and the name to save it under."""
    wanted: Language = "en" if language == "en" else "zh"
    _, settings = known_event(event_id)
    made = listing(world, event_id, digits)
    book = Workbook((_totals_sheet(made, wanted), _orders_sheet(made, settings.time_zone, wanted)))
    return write_workbook(book), f"{settings.name}-{word('statement', wanted)}.xlsx"


def _totals_sheet(made: OrderList, language: Language) -> OutSheet:
    money = made.totals
    rows: list[tuple[OutCell, ...]] = [
        (word("gross", language), _yuan(money.gross)),
        (word("refunds", language), _yuan(money.refunds)),
        (word("platform_part", language), _yuan(money.platform)),
        (word("due", language), _yuan(money.due)),
    ]
    if any(line.provider == "cashier" for line in made.orders):
        rows.append((word("demonstration", language), None))
    columns = (Column(word("item", language), width=44), Column(word("yuan", language), "money"))
    return OutSheet(word("statement", language), columns, tuple(rows))


def _orders_sheet(made: OrderList, zone: str, language: Language) -> OutSheet:
    columns = (
        Column(word("no", language), "whole"),
        Column(word("team", language)),
        Column(word("order_id", language), width=18),
        Column(word("state", language)),
        *(Column(word(code, language), "money") for code in ("amount_owed", "paid", "refunded")),
        Column(word("paid_at", language), width=TIME_WIDTH),
        Column(word("refunded_at", language), width=TIME_WIDTH),
        Column(word("transaction", language), width=32),
    )
    rows: list[tuple[OutCell, ...]] = [
        (
            line.number,
            line.name,
            line.order_id,
            word(f"order_{line.state}", language),
            _yuan(line.amount),
            _yuan(line.received),
            _yuan(line.received if line.state in ("refunding", "refunded") else 0),
            local_time(_moment(line.paid_at), zone),
            local_time(_moment(line.refunded_at), zone),
            line.transaction_id or "",
        )
        for line in made.orders
    ]
    return OutSheet(word("orders", language), columns, tuple(rows))


def _line(order: Order, name: str) -> OrderLine:
    return OrderLine(
        order_id=order.sk,
        number=int(order.number),
        name=name,
        state=order.state,
        provider=order.provider,
        amount=int(order.amount),
        received=int(order.received),
        created_at=int(order.created_at),
        expires_at=int(order.expires_at),
        paid_at=whole(order.paid_at),
        refunded_at=whole(order.refunded_at),
        reason=paying.shown_reason(order),
        trouble=whole(order.trouble),
        transaction_id=order.transaction_id,
    )


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


def _yuan(fen: int) -> Decimal:
    return Decimal(fen) / 100
