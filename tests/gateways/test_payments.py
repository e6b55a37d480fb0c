"""WeChat Pay through the real library against a server that plays WeChat; the local cashier on disk."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

from chalicelib.gateways.payments import NoticeRefused, Payment, PaymentsDown, Refund, Trade
from chalicelib.gateways.payments.cashier import LocalCashier
from tests.support.wechat import APPID, MCHID, WeChat, wechat

NUMBER = "eventeventevent1orderorder01"
NOW = int(time.time() * 1000)
TRADE = Trade(NUMBER, 6550, "周三夜赛 报名费", NOW + 1_800_000)


@pytest.fixture
def played() -> Iterator[WeChat]:
    with wechat() as played:
        yield played


def now() -> int:
    return int(time.time() * 1000)


def test_a_trade_is_offered_paid_and_given_back(played: WeChat) -> None:
    pay = played.gateway()
    assert pay.native(TRADE) == "weixin://wxpay/bizpayurl?pr=rorder01"
    method, path, body = played.requests[-1]
    assert (method, path) == ("POST", "/v3/pay/transactions/native")
    assert body["amount"] == {"total": 6550, "currency": "CNY"}
    assert (body["mchid"], body["appid"], body["out_trade_no"]) == (MCHID, APPID, NUMBER)
    assert body["notify_url"] == "https://guanjun.example/api/payments/notices"
    assert body["time_expire"].endswith("+08:00")
    assert pay.native(TRADE).startswith("weixin://")  # asked again: the same code
    assert pay.query(NUMBER) == Payment(NUMBER, "unpaid")
    played.pay(NUMBER)
    assert pay.query(NUMBER) == Payment(NUMBER, "paid", 6550, "42000rder01")
    assert pay.refund(NUMBER, f"{NUMBER}R", 6550, "已退出报名") == Refund(NUMBER, f"{NUMBER}R", 6550, "done")
    assert pay.query(NUMBER).state == "refunded"
    assert played.refunds[f"{NUMBER}R"]["amount"] == {"refund": 6550, "total": 6550, "currency": "CNY"}


def test_jsapi_signs_what_the_page_hands_over(played: WeChat) -> None:
    handed = played.gateway().jsapi(TRADE, "openid-of-the-payer")
    assert played.requests[-1][2]["payer"] == {"openid": "openid-of-the-payer"}
    text = "".join(f"{handed[name]}\n" for name in ("appId", "timeStamp", "nonceStr", "package"))
    played.ours.public_key().verify(base64.b64decode(handed["paySign"]), text.encode(), PKCS1v15(), SHA256())
    assert handed["package"] == f"prepay_id=wx{NUMBER}"


def test_closing_is_repeatable_and_never_closes_a_paid_trade(played: WeChat) -> None:
    pay = played.gateway()
    pay.close("nobodyeverheardofthisnumber1")
    pay.native(TRADE)
    pay.close(NUMBER)
    pay.close(NUMBER)
    assert pay.query(NUMBER).state == "closed"
    played.trades[NUMBER]["trade_state"] = "NOTPAY"
    played.pay(NUMBER)
    with pytest.raises(PaymentsDown):
        pay.close(NUMBER)


@pytest.mark.parametrize("broken", ["silent", "astray", "forged"])
def test_an_answer_that_wechat_did_not_sign_is_none(played: WeChat, broken: str) -> None:
    pay = played.gateway()
    pay.native(TRADE)
    played.broken = broken
    for ask in (lambda: pay.native(TRADE), lambda: pay.query(NUMBER), lambda: pay.close(NUMBER)):
        with pytest.raises(PaymentsDown):
            ask()


def test_a_refund_for_which_the_merchant_has_no_money_is_a_matter_for_people(played: WeChat) -> None:
    pay = played.gateway()
    pay.native(TRADE)
    played.pay(NUMBER)
    played.broken = "poor"
    assert pay.refund(NUMBER, f"{NUMBER}R", 6550, "已退出报名") == Refund(NUMBER, f"{NUMBER}R", 6550, "failed")
    played.broken = None
    assert pay.refund(NUMBER, f"{NUMBER}R", 6550, "已退出报名").state == "done"


def test_nobody_there(played: WeChat) -> None:
    played.address = "http://127.0.0.1:9"
    with pytest.raises(PaymentsDown):
        played.gateway().query(NUMBER)


def test_callbacks_tell_of_payments_and_refunds(played: WeChat) -> None:
    pay = played.gateway()
    pay.native(TRADE)
    played.pay(NUMBER)
    assert pay.notice(*played.notice(NUMBER), now()) == Payment(NUMBER, "paid", 6550, "42000rder01")
    told = pay.notice(*played.refund_notice(NUMBER, f"{NUMBER}R", "SUCCESS", 6550), now())
    assert told == Refund(NUMBER, f"{NUMBER}R", 6550, "done")
    assert pay.notice(*played.refund_notice(NUMBER, "x", "ABNORMAL", 1), now()) == Refund(NUMBER, "x", 1, "failed")


def _forged(played: WeChat, how: str) -> tuple[dict[str, str], bytes]:
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    trade = played.trades[NUMBER]
    match how:
        case "signature":
            return played.callback("TRANSACTION.SUCCESS", trade, key=stranger)
        case "old":
            return played.callback("TRANSACTION.SUCCESS", trade, at=time.time() - 600)
        case "early":
            return played.callback("TRANSACTION.SUCCESS", trade, at=time.time() + 600)
        case "api key":
            return played.callback("TRANSACTION.SUCCESS", trade, api_key="f" * 32)
        case "merchant":
            return played.notice(NUMBER, mchid="1900000002")
        case "app":
            return played.notice(NUMBER, appid="wx0000000000000002")
        case "currency":
            return played.notice(NUMBER, amount={"total": 6550, "currency": "USD"})
        case "fraction":
            return played.notice(NUMBER, amount={"total": 65.5, "currency": "CNY"})
        case "kind":
            return played.callback("COUPON.USE", trade)
    headers, body = played.notice(NUMBER)
    changes: dict[str, Any] = {
        "nonce": {"wechatpay-nonce": "another"},
        "timestamp": {"wechatpay-timestamp": str(int(time.time()) - 7)},
        "no timestamp": {"wechatpay-timestamp": ""},
        "serial": {"wechatpay-serial": "7777777777777777"},
        "no signature": {"wechatpay-signature": ""},
        "algorithm": {"wechatpay-signature-type": "NONE"},
    }
    if how == "body":
        return headers, body.replace(b"TRANSACTION", b"TRANSACTIUN")
    if how == "not json":
        return played.signed(b"{"), b"{"
    if how == "not text":
        return headers, b"\xff\xfe"
    return {**headers, **changes[how]}, body


@pytest.mark.parametrize(
    "how",
    [
        "signature",
        "old",
        "early",
        "api key",
        "merchant",
        "app",
        "currency",
        "fraction",
        "kind",
        "nonce",
        "timestamp",
        "no timestamp",
        "serial",
        "no signature",
        "algorithm",
        "body",
        "not json",
        "not text",
    ],
)
def test_a_callback_that_is_not_what_wechat_says_is_refused(played: WeChat, how: str) -> None:
    pay = played.gateway()
    pay.native(TRADE)
    played.pay(NUMBER)
    headers, body = _forged(played, how)
    before = len(played.requests)
    with pytest.raises(NoticeRefused):
        pay.notice(headers, body, now())
    # Whoever calls must not make us call somebody else.
    assert len(played.requests) == before


def test_the_library_is_imported_with_the_first_payment_only() -> None:
    """Else every function would pay for it at its start."""
    program = (
        "import sys, chalicelib.services.world, chalicelib.gateways.payments.wechat, chalicelib.api.payments\n"
        "print([name for name in ('wechatpayv3', 'requests', 'cryptography') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_cashier_keeps_its_trades_over_a_restart(tmp_path: Path) -> None:
    cashier = LocalCashier(tmp_path)
    assert cashier.native(TRADE) == f"cashier:{NUMBER}"
    assert cashier.query(NUMBER) == Payment(NUMBER, "unpaid", 6550)
    again = LocalCashier(tmp_path)
    assert again.pay(NUMBER, NOW).state == "paid"
    assert again.pay(NUMBER, NOW) == cashier.query(NUMBER) == Payment(NUMBER, "paid", 6550, f"DEMO-{NUMBER}")
    with pytest.raises(PaymentsDown):
        cashier.close(NUMBER)
    assert cashier.refund(NUMBER, "r", 6550, "").state == "done"
    assert cashier.refund(NUMBER, "r", 6550, "").state == "done"
    assert [json.loads(file.read_bytes())["state"] for file in tmp_path.iterdir()] == ["refunded"]


def test_the_cashier_takes_nothing_too_late_or_unknown(tmp_path: Path) -> None:
    cashier = LocalCashier(tmp_path)
    assert cashier.pay(NUMBER, NOW).state == "closed"
    cashier.native(TRADE)
    assert cashier.pay(NUMBER, TRADE.expires_at).state == "unpaid"
    cashier.close(NUMBER)
    assert cashier.pay(NUMBER, NOW).state == "closed"
    with pytest.raises(PaymentsDown):
        cashier.refund(NUMBER, "r", 6550, "")
