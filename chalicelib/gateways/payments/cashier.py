"""本地演示收银台: stands in for a provider on one machine. It takes no money, and every page of it says so.

Trades are files below the data directory of ``guanjun run``. The cloud never makes one of these.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from chalicelib.gateways.payments import NoticeRefused, Payment, PaymentsDown, Provider, Refund, Trade

PAGE = "cashier:"
"""What the QR code's text begins with: the page makes an address of its own of it."""


class _Kept(msgspec.Struct):
    number: str
    amount: int
    description: str
    expires_at: int
    state: Literal["unpaid", "paid", "refunded", "closed"] = "unpaid"
    transaction_id: str = ""


class LocalCashier:
    """A cashier that knows only this machine's trades."""

    def __init__(self, directory: Path) -> None:
        """``directory``: where trades are kept; made when it is needed."""
        self._directory = directory
        self._lock = threading.Lock()

    def provider(self) -> Provider:
        """The demonstration."""
        return "cashier"

    def native(self, trade: Trade) -> str:
        """Keep the trade (once); its QR code names it."""
        with self._lock:
            if self._read(trade.number) is None:
                self._write(_Kept(trade.number, trade.amount, trade.description, trade.expires_at))
        return PAGE + trade.number

    def jsapi(self, trade: Trade, openid: str) -> dict[str, str]:
        """There is no WeChat here."""
        raise PaymentsDown("the local cashier knows no WeChat users")

    def query(self, number: str) -> Payment:
        """What is kept of the trade."""
        kept = self._read(number)
        if kept is None:
            return Payment(number, "closed")
        return Payment(number, kept.state, kept.amount, kept.transaction_id)

    def close(self, number: str) -> None:
        """Nobody can pay it any more. Raises PaymentsDown for a paid one: look again."""
        with self._lock:
            kept = self._read(number)
            if kept is None or kept.state == "closed":
                return
            if kept.state != "unpaid":
                raise PaymentsDown("it is paid")
            kept.state = "closed"
            self._write(kept)

    def refund(self, number: str, refund_number: str, amount: int, reason: str) -> Refund:
        """Given back at once; again: still given back."""
        with self._lock:
            kept = self._read(number)
            if kept is None or kept.state not in ("paid", "refunded") or kept.amount != amount:
                raise PaymentsDown("nothing to give back")
            kept.state = "refunded"
            self._write(kept)
        return Refund(number, refund_number, amount, "done")

    def notice(self, headers: Mapping[str, str], body: bytes, now: int) -> Payment | Refund:
        """It sends none: paying is a route of its own."""
        raise NoticeRefused("the local cashier sends no notices")

    def pay(self, number: str, now: int) -> Payment:
        """Somebody pressed 付款 at ``now``: what the provider would tell then. Paying twice pays once."""
        with self._lock:
            kept = self._read(number)
            if kept is None:
                return Payment(number, "closed")
            if kept.state == "unpaid" and now < kept.expires_at:
                kept.state, kept.transaction_id = "paid", f"DEMO-{number}"
                self._write(kept)
        return self.query(number)

    def _read(self, number: str) -> _Kept | None:
        try:
            return msgspec.json.decode((self._directory / f"{number}.json").read_bytes(), type=_Kept)
        except FileNotFoundError:
            return None

    def _write(self, kept: _Kept) -> None:
        """Whole or not at all: a machine may lose its power at any moment."""
        self._directory.mkdir(parents=True, exist_ok=True)
        path = self._directory / f"{kept.number}.json"
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(msgspec.json.encode(kept))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
