"""Orders as the API answers them. Times are milliseconds since 1970 UTC, money in 分."""

from __future__ import annotations

import msgspec


class OrderView(msgspec.Struct, frozen=True):
    """An order as its payer sees it.

    ``state``: unpaid | paid | closed | refunding | refunded. ``provider``: wechat, or cashier (本地演示收银台, which
    takes no money). ``expires_at`` by the server's clock, which says ``now``. ``payable``: there is a QR code;
    ``cashier``: path of the demonstration's page, None for a real provider. ``reason`` why money goes back: withdrawn |
    late | amount | organizer.
    """

    order_id: str
    number: int
    state: str
    provider: str
    amount: int
    expires_at: int
    now: int
    payable: bool
    cashier: str | None
    paid_at: int | None
    refunded_at: int | None
    reason: str | None


class OrderLine(msgspec.Struct, frozen=True):
    """An order as organizers see it; ``name`` of the entry, empty where it is sealed or gone. ``received``: what was
    paid. ``trouble``: when the provider could not give it back."""

    order_id: str
    number: int
    name: str
    state: str
    provider: str
    amount: int
    received: int
    created_at: int
    expires_at: int
    paid_at: int | None
    refunded_at: int | None
    reason: str | None
    trouble: int | None
    transaction_id: str | None


class Totals(msgspec.Struct, frozen=True):
    """``gross``: everything that came in; ``refunds``: what went back or is on its way; ``platform``: 5 % of the rest,
    rounded to the 分; ``due``: what the organizer gets."""

    gross: int = 0
    refunds: int = 0
    platform: int = 0
    due: int = 0


class OrderList(msgspec.Struct, frozen=True):
    """All orders of an event, newest first. ``provider`` of the deployment: none | cashier | wechat; ``online``:
    whether teams pay online now."""

    provider: str
    online: bool
    orders: list[OrderLine]
    totals: Totals


class Taken(msgspec.Struct, frozen=True):
    """The answer to a provider's callback, in its words."""

    code: str = "SUCCESS"
    message: str = ""


class CashierTrade(msgspec.Struct, frozen=True):
    """What the demonstration's page shows. ``state`` as the cashier has it: unpaid | paid | refunded | closed."""

    state: str
    amount: int
    event_name: str
