"""微信支付 API v3 through the library ``wechatpayv3``: signed requests, verified answers, encrypted callbacks.

The library, ``requests`` and ``cryptography`` are imported with the first payment, so that no other request pays for
them. WeChat's answers and callbacks are verified with the merchant's 微信支付公钥 (a public key with an id), which
needs no download of certificates: a callback signed by anything else is refused before any request is made for it.
"""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from functools import cached_property
from importlib import import_module
from typing import Any

import msgspec

from chalicelib.gateways.payments import (
    NoPayments,
    NoticeRefused,
    Payment,
    Payments,
    PaymentsDown,
    Provider,
    Refund,
    Trade,
)

logger = logging.getLogger("guanjun.payments")

ADDRESS = "https://api.mch.weixin.qq.com"
TIMEOUT_SECONDS = (3, 8)
"""To connect, and to answer: together well below the 28 seconds of a request."""
OLDEST_NOTICE = 300_000
"""Milliseconds by which a callback's time may differ from ours (WeChat's own advice: five minutes)."""
NOTICES = "/api/payments/notices"
_CHINA = timezone(timedelta(hours=8))
_STATES: Mapping[str, Any] = {
    "SUCCESS": "paid",
    "REFUND": "refunded",
    "NOTPAY": "unpaid",
    "USERPAYING": "unpaid",
    "ACCEPT": "unpaid",
    "CLOSED": "closed",
    "REVOKED": "closed",
    "PAYERROR": "closed",
}
_UNKNOWN = ("ORDER_NOT_EXIST", "ORDERNOTEXIST", "RESOURCE_NOT_EXISTS")
"""What WeChat says of a trade that it never heard of. Any other 404 came from somewhere on the way: refusals are not
signed."""
_REFUND_STATES: Mapping[str, Any] = {
    "SUCCESS": "done",
    "PROCESSING": "pending",
    "CLOSED": "failed",
    "ABNORMAL": "failed",
}


class Merchant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A merchant's papers, as the SecureString of the stage holds them (JSON). ``serial``: of the merchant's own
    certificate, whose key is ``private_key`` (PEM); ``site``: the stage's public address, for callbacks."""

    mchid: str
    appid: str
    serial: str
    private_key: str
    api_v3_key: str
    public_key_id: str
    public_key: str
    site: str


class WeChatPay:
    """One merchant at WeChat Pay."""

    def __init__(self, merchant: Merchant, address: str = ADDRESS) -> None:
        """``address``: where the API is; another one in tests only."""
        self._merchant = merchant
        self._address = address

    @cached_property
    def _client(self) -> Any:
        with warnings.catch_warnings():
            # `requests` misses what guesses character sets; WeChat's are always UTF-8.
            warnings.simplefilter("ignore")
            import_module("requests")
        from wechatpayv3 import WeChatPay as Library
        from wechatpayv3 import WeChatPayType

        papers = self._merchant
        client = Library(
            wechatpay_type=WeChatPayType.NATIVE,
            mchid=papers.mchid,
            private_key=papers.private_key,
            cert_serial_no=papers.serial,
            apiv3_key=papers.api_v3_key,
            appid=papers.appid,
            notify_url=papers.site.rstrip("/") + NOTICES,
            timeout=TIMEOUT_SECONDS,
            public_key=papers.public_key,
            public_key_id=papers.public_key_id,
        )
        # The library knows one address only.
        client._core._gate_way = self._address
        return client

    def provider(self) -> Provider:
        """WeChat."""
        return "wechat"

    def native(self, trade: Trade) -> str:
        """Offer the trade as a QR code to scan."""
        from wechatpayv3 import WeChatPayType

        status, answer = self._ask(lambda: self._client.pay(**_words(trade), pay_type=WeChatPayType.NATIVE))
        if status != 200 or not isinstance(answer.get("code_url"), str):
            raise PaymentsDown(_why(status, answer))
        return str(answer["code_url"])

    def jsapi(self, trade: Trade, openid: str) -> dict[str, str]:
        """Offer the trade to who is known to our official account as ``openid``."""
        from wechatpayv3 import WeChatPayType

        status, answer = self._ask(
            lambda: self._client.pay(**_words(trade), payer={"openid": openid}, pay_type=WeChatPayType.JSAPI)
        )
        if status != 200 or not isinstance(answer.get("prepay_id"), str):
            raise PaymentsDown(_why(status, answer))
        appid, package = self._merchant.appid, f"prepay_id={answer['prepay_id']}"
        stamp, nonce = str(int(datetime.now(UTC).timestamp())), trade.number
        return {
            "appId": appid,
            "timeStamp": stamp,
            "nonceStr": nonce,
            "package": package,
            "signType": "RSA",
            "paySign": str(self._client.sign([appid, stamp, nonce, package])),
        }

    def query(self, number: str) -> Payment:
        """Ask by our own number; a trade that WeChat never heard of cannot be paid."""
        status, answer = self._ask(lambda: self._client.query(out_trade_no=number))
        if status == 404 and answer.get("code") in _UNKNOWN:
            return Payment(number, "closed")
        if status != 200:
            raise PaymentsDown(_why(status, answer))
        try:
            return self._payment(answer)
        except NoticeRefused as error:
            raise PaymentsDown(str(error)) from error

    def close(self, number: str) -> None:
        """Closing again, or what WeChat never heard of, is well; a paid one has to be looked at again."""
        status, answer = self._ask(lambda: self._client.close(out_trade_no=number))
        if status not in (200, 204) and answer.get("code") not in (*_UNKNOWN, "ORDER_CLOSED", "ORDERCLOSED"):
            raise PaymentsDown(_why(status, answer))

    def refund(self, number: str, refund_number: str, amount: int, reason: str) -> Refund:
        """WeChat gives back once for one refund number, and answers the same when asked again."""
        money = {"refund": amount, "total": amount, "currency": "CNY"}
        status, answer = self._ask(
            lambda: self._client.refund(
                out_refund_no=refund_number, out_trade_no=number, amount=money, reason=_short(reason, 80)
            )
        )
        if status in (400, 403, 404) and answer.get("code"):
            # The merchant's balance does not suffice, say. Asking again soon does not help: somebody has to look.
            logger.warning("refund %s was refused: %s", refund_number, _why(status, answer))
            return Refund(number, refund_number, amount, "failed")
        state = _REFUND_STATES.get(str(answer.get("status")))
        if status != 200 or state is None:
            raise PaymentsDown(_why(status, answer))
        return Refund(number, refund_number, amount, state)

    def notice(self, headers: Mapping[str, str], body: bytes, now: int) -> Payment | Refund:
        """Verify and decrypt a callback: our public key's id, a fresh time, the signature over time, nonce and body."""
        stamp = headers.get("wechatpay-timestamp", "")
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
            raise NoticeRefused("time")
        if abs(int(stamp) * 1000 - now) > OLDEST_NOTICE:
            raise NoticeRefused("time")
        if headers.get("wechatpay-serial") != self._merchant.public_key_id:
            # The library would go and ask for certificates, on behalf of anybody who calls.
            raise NoticeRefused("serial")
        names = ("signature", "timestamp", "nonce", "serial", "signature-type")
        signed = {f"Wechatpay-{name.title()}": headers.get(f"wechatpay-{name}", "") for name in names}
        try:
            told = self._client.callback(signed, body.decode())
        except Exception as error:  # the library raises plain exceptions
            raise NoticeRefused("signature") from error
        if not isinstance(told, dict) or not isinstance(told.get("resource"), dict):
            raise NoticeRefused("signature")
        kind, resource = str(told.get("event_type")), told["resource"]
        if kind == "TRANSACTION.SUCCESS":
            return self._payment(resource)
        if kind.startswith("REFUND."):
            return self._refund(resource)
        raise NoticeRefused("kind")

    def _payment(self, found: Mapping[str, Any]) -> Payment:
        papers, amount = self._merchant, found.get("amount") or {}
        state = _STATES.get(str(found.get("trade_state")))
        if found.get("mchid") != papers.mchid or found.get("appid") != papers.appid or state is None:
            raise NoticeRefused("merchant")
        total = amount.get("total") if state in ("paid", "refunded") else 0
        if not isinstance(total, int) or (total and amount.get("currency") != "CNY"):
            raise NoticeRefused("amount")
        return Payment(str(found.get("out_trade_no")), state, total, str(found.get("transaction_id", "")))

    def _refund(self, found: Mapping[str, Any]) -> Refund:
        amount = (found.get("amount") or {}).get("refund")
        state = _REFUND_STATES.get(str(found.get("refund_status")))
        if found.get("mchid") != self._merchant.mchid or state is None or not isinstance(amount, int):
            raise NoticeRefused("merchant")
        return Refund(str(found.get("out_trade_no")), str(found.get("out_refund_no")), amount, state)

    def _ask(self, request: Callable[[], tuple[int, Any]]) -> tuple[int, dict[str, Any]]:
        try:
            status, text = request()
            answer = json.loads(text) if text else {}
        except Exception as error:  # the library raises plain exceptions, requests its own
            raise PaymentsDown(type(error).__name__) from error
        return status, answer if isinstance(answer, dict) else {}


class StageMerchant:
    """The merchant whose papers stand in a parameter of the stage, read with the first payment; none if there are
    none there."""

    def __init__(self, parameter: str) -> None:
        """``parameter``: name of the SSM SecureString."""
        self._parameter = parameter

    @cached_property
    def _found(self) -> Payments:
        from chalicelib.gateways.parameters import read_optional

        text = read_optional(self._parameter)
        return NoPayments() if text is None else WeChatPay(msgspec.json.decode(text, type=Merchant))

    def provider(self) -> Provider:
        """WeChat, if the papers are there."""
        return self._found.provider()

    def native(self, trade: Trade) -> str:
        """As the merchant does."""
        return self._found.native(trade)

    def jsapi(self, trade: Trade, openid: str) -> dict[str, str]:
        """As the merchant does."""
        return self._found.jsapi(trade, openid)

    def query(self, number: str) -> Payment:
        """As the merchant does."""
        return self._found.query(number)

    def close(self, number: str) -> None:
        """As the merchant does."""
        self._found.close(number)

    def refund(self, number: str, refund_number: str, amount: int, reason: str) -> Refund:
        """As the merchant does."""
        return self._found.refund(number, refund_number, amount, reason)

    def notice(self, headers: Mapping[str, str], body: bytes, now: int) -> Payment | Refund:
        """As the merchant does."""
        return self._found.notice(headers, body, now)


def _words(trade: Trade) -> dict[str, Any]:
    expires = datetime.fromtimestamp(trade.expires_at / 1000, _CHINA).isoformat(timespec="seconds")
    return {
        "description": _short(trade.description, 127),
        "out_trade_no": trade.number,
        "amount": {"total": trade.amount, "currency": "CNY"},
        "time_expire": expires,
    }


def _short(text: str, most: int) -> str:
    """At most so many bytes of UTF-8, no character cut."""
    return text.encode()[:most].decode(errors="ignore")


def _why(status: int, answer: Mapping[str, Any]) -> str:
    """What WeChat answered, by its code alone: messages may name people."""
    return f"{status} {answer.get('code', '')}"
