"""Payments: orders of registrants, the provider's callbacks, the local cashier, and the organizer's statement."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.framework import XLSX, Call, File, route
from chalicelib.api.registration import whose
from chalicelib.services.payments import notices, paying, statement
from chalicelib.services.views.payments import CashierTrade, OrderLine, OrderList, OrderView, Taken

blueprint = Blueprint(__name__)


class RefundBody(msgspec.Struct, forbid_unknown_fields=True):
    """Why the money goes back."""

    reason: Annotated[str, Meta(min_length=1, max_length=200)]


@route(
    blueprint,
    "POST",
    "/events/{event_id}/registrations/{number}/order",
    action="registration.use",
    summary="Open my order",
    reply=OrderView,
)
def open_order(call: Call, event_id: str, number: int) -> OrderView:
    """Offer the fee of my registration at the provider; the order that is there already, if it can be paid."""
    return paying.open_order(call.world, event_id, whose(call), number, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/registrations/{number}/order",
    action="registration.use",
    summary="My order",
    reply=OrderView,
)
def read_order(call: Call, event_id: str, number: int) -> OrderView:
    """Where the newest order of my registration stands."""
    return paying.read(call.world, event_id, whose(call), number)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/registrations/{number}/order/qr",
    action="registration.use",
    summary="QR code of my order",
    reply=File,
    query=("origin",),
)
def read_order_qr(call: Call, event_id: str, number: int) -> File:
    """SVG of what WeChat scans, or of the local cashier's page."""
    svg = paying.qr(call.world, event_id, whose(call), number, call.query.get("origin", ""))
    return File(svg, "image/svg+xml")


@route(
    blueprint,
    "GET",
    "/events/{event_id}/orders",
    action="payment.read",
    summary="Orders and totals",
    reply=OrderList,
)
def list_orders(call: Call, event_id: str) -> OrderList:
    """All orders of the event, and what is due to the organizer."""
    return statement.listing(call.world, event_id, call.digits)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/orders/{order_id}/refund",
    action="payment.refund",
    summary="Refund an order",
    body=RefundBody,
    reply=OrderLine,
)
def refund_order(call: Call, event_id: str, order_id: str) -> OrderLine:
    """All of it goes back to who paid; the entry stays, unpaid."""
    return statement.refund(call.world, event_id, order_id, call.body.reason, call.caller.actor, call.once)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/statement",
    action="payment.read",
    summary="Statement as a workbook",
    reply=File,
)
def read_statement(call: Call, event_id: str) -> File:
    """Totals with the platform's part, and every order."""
    body, filename = statement.workbook(call.world, event_id, call.language, call.digits)
    return File(body, XLSX, filename)


@route(
    blueprint,
    "POST",
    "/payments/notices",
    action="payment.notify",
    summary="A payment provider's callback",
    reply=Taken,
    keyed=False,
)
def take_notice(call: Call) -> Taken:
    """Only what the provider signed; the same callback twice has one effect."""
    return notices.take(call.world, call.headers, call.raw)


@route(
    blueprint,
    "GET",
    "/events/{event_id}/cashier/{trade}",
    action="payment.notify",
    summary="The local cashier's page",
    reply=CashierTrade,
)
def read_cashier(call: Call, event_id: str, trade: str) -> CashierTrade:
    """本地演示收银台, on a machine without a merchant only."""
    return paying.cashier_trade(call.world, event_id, trade)


@route(
    blueprint,
    "POST",
    "/events/{event_id}/cashier/{trade}",
    action="payment.notify",
    summary="Pay at the local cashier",
    reply=CashierTrade,
    keyed=False,
)
def pay_at_cashier(call: Call, event_id: str, trade: str) -> CashierTrade:
    """No money moves. Paying twice pays once."""
    return paying.pay_at_cashier(call.world, event_id, trade)
