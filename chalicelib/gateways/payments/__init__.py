"""Payments: what the product wants of whoever takes the money. Amounts are whole 分 (fen), times milliseconds UTC.

Two of them: WeChat Pay for a deployment with a merchant (``wechat``), and a cashier for one machine that takes no money
at all (``cashier``). Without either, fees are collected on site.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

import msgspec

Provider = Literal["none", "cashier", "wechat"]


class PaymentsDown(Exception):
    """The provider did not answer, or not as it should: nobody knows what happened there; ask again."""


class NoticeRefused(Exception):
    """A notice that the provider did not sign, or that is too old, or about somebody else's money."""


class Trade(msgspec.Struct, frozen=True):
    """What is to be paid: ``number`` names it at the provider (6 to 32 letters, digits, ``-`` and ``_``)."""

    number: str
    amount: int
    description: str
    expires_at: int


class Payment(msgspec.Struct, frozen=True):
    """What the provider knows of a trade. ``closed``: nobody can pay it (any more)."""

    number: str
    state: Literal["unpaid", "paid", "refunded", "closed"]
    amount: int = 0
    transaction_id: str = ""


class Refund(msgspec.Struct, frozen=True):
    """Where a refund stands; ``refund_number`` is ours unless somebody refunded at the provider itself."""

    number: str
    refund_number: str
    amount: int
    state: Literal["done", "pending", "failed"]


class Payments(Protocol):
    """Takes money and gives it back. Everything may raise :class:`PaymentsDown`; everything may be asked again."""

    def provider(self) -> Provider:
        """Who takes the money."""
        ...

    def native(self, trade: Trade) -> str:
        """Offer ``trade``; returns what its QR code says."""
        ...

    def jsapi(self, trade: Trade, openid: str) -> dict[str, str]:
        """Offer ``trade`` to one WeChat user; returns what the page hands to WeixinJSBridge."""
        ...

    def query(self, number: str) -> Payment:
        """What the provider knows of the trade."""
        ...

    def close(self, number: str) -> None:
        """Nobody shall be able to pay the trade any more."""
        ...

    def refund(self, number: str, refund_number: str, amount: int, reason: str) -> Refund:
        """Give back all of a trade's ``amount``; the same ``refund_number`` gives back once."""
        ...

    def notice(self, headers: Mapping[str, str], body: bytes, now: int) -> Payment | Refund:
        """What a callback says; ``headers`` by lower-case names. Raises :class:`NoticeRefused`."""
        ...


class NoPayments:
    """Nobody takes money: fees are collected on site. Orders of better days end by themselves."""

    def provider(self) -> Provider:
        """Nobody."""
        return "none"

    def native(self, trade: Trade) -> str:
        """Impossible."""
        raise PaymentsDown("no provider")

    def jsapi(self, trade: Trade, openid: str) -> dict[str, str]:
        """Impossible."""
        raise PaymentsDown("no provider")

    def query(self, number: str) -> Payment:
        """Nobody can have paid here."""
        return Payment(number, "unpaid")

    def close(self, number: str) -> None:
        """There is nothing to close."""

    def refund(self, number: str, refund_number: str, amount: int, reason: str) -> Refund:
        """Impossible: it waits until there is a provider again."""
        raise PaymentsDown("no provider")

    def notice(self, headers: Mapping[str, str], body: bytes, now: int) -> Payment | Refund:
        """Nobody's."""
        raise NoticeRefused("no provider")
