"""A server of the tests that plays WeChat Pay's API v3: it checks what we sign, signs what it answers, and encrypts
its callbacks. Keys are made anew for each; nothing of it exists elsewhere."""

from __future__ import annotations

import base64
import json
import re
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from chalicelib.gateways.payments.wechat import Merchant, WeChatPay

MCHID, APPID, SERIAL = "1900000001", "wx0000000000000001", "0123456789ABCDEF"
PUBLIC_KEY_ID = "PUB_KEY_ID_0000000000000000000000000001"
API_KEY = "0123456789abcdef0123456789abcdef"
_AUTHORIZATION = re.compile(
    r'WECHATPAY2-SHA256-RSA2048 mchid="(.*?)",nonce_str="(.*?)",signature="(.*?)",timestamp="(.*?)",serial_no="(.*?)"'
)


def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class WeChat:
    """What WeChat knows: trades by our number, refunds by ours, and every request that came."""

    ours: rsa.RSAPrivateKey = field(default_factory=_key)
    theirs: rsa.RSAPrivateKey = field(default_factory=_key)
    trades: dict[str, dict[str, Any]] = field(default_factory=dict)
    refunds: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    refund_state: str = "SUCCESS"
    broken: str | None = None
    """``silent``: answers 500; ``astray``: something on the way answers 404; ``forged``: signs with another key;
    ``poor``: has nothing to give back."""
    address: str = ""

    def gateway(self) -> WeChatPay:
        """Our side of it: the real library, with this server's address."""
        private = self.ours.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        public = self.theirs.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        papers = Merchant(MCHID, APPID, SERIAL, private, API_KEY, PUBLIC_KEY_ID, public, "https://guanjun.example")
        return WeChatPay(papers, self.address)

    def pay(self, number: str, amount: int | None = None) -> None:
        """Somebody scans the code and pays."""
        trade = self.trades[number]
        trade["trade_state"], trade["transaction_id"] = "SUCCESS", f"42000{number[-6:]}"
        trade["amount"] = {**trade["amount"], **({} if amount is None else {"total": amount})}

    def notice(self, number: str, **other: Any) -> tuple[dict[str, str], bytes]:
        """The callback that a trade was paid: headers and body."""
        return self.callback("TRANSACTION.SUCCESS", {**self.trades[number], **other})

    def refund_notice(self, number: str, refund_number: str, state: str, amount: int) -> tuple[dict[str, str], bytes]:
        """The callback that money went back, or could not."""
        resource = {
            "mchid": MCHID,
            "out_trade_no": number,
            "out_refund_no": refund_number,
            "refund_status": state,
            "amount": {"total": amount, "refund": amount, "payer_total": amount, "payer_refund": amount},
        }
        return self.callback(f"REFUND.{state}", resource)

    def callback(
        self,
        kind: str,
        resource: dict[str, Any],
        *,
        at: float | None = None,
        key: rsa.RSAPrivateKey | None = None,
        api_key: str = API_KEY,
    ) -> tuple[dict[str, str], bytes]:
        """A signed and encrypted callback."""
        nonce = secrets.token_hex(6)
        sealed = AESGCM(api_key.encode()).encrypt(nonce.encode(), json.dumps(resource).encode(), b"transaction")
        told = {
            "id": secrets.token_hex(8),
            "event_type": kind,
            "resource_type": "encrypt-resource",
            "resource": {
                "algorithm": "AEAD_AES_256_GCM",
                "ciphertext": base64.b64encode(sealed).decode(),
                "nonce": nonce,
                "associated_data": "transaction",
            },
        }
        body = json.dumps(told).encode()
        return self.signed(body, at, key), body

    def signed(self, body: bytes, at: float | None = None, key: rsa.RSAPrivateKey | None = None) -> dict[str, str]:
        """The headers by which WeChat vouches for a body."""
        stamp, nonce = str(int(time.time() if at is None else at)), secrets.token_hex(16)
        text = f"{stamp}\n{nonce}\n{body.decode()}\n"
        signature = (key or self.theirs).sign(text.encode(), PKCS1v15(), SHA256())
        return {
            "wechatpay-signature": base64.b64encode(signature).decode(),
            "wechatpay-timestamp": stamp,
            "wechatpay-nonce": nonce,
            "wechatpay-serial": PUBLIC_KEY_ID,
            "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
        }

    def vouched(self, method: str, path: str, authorization: str, body: str) -> bool:
        """Whether our merchant signed this request."""
        found = _AUTHORIZATION.fullmatch(authorization)
        if found is None or found[1] != MCHID or found[5] != SERIAL:
            return False
        text = f"{method}\n{path}\n{found[4]}\n{found[2]}\n{body}\n"
        try:
            self.ours.public_key().verify(base64.b64decode(found[3]), text.encode(), PKCS1v15(), SHA256())
        except InvalidSignature:
            return False
        return True

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | None]:
        """What WeChat answers to a request that is ours."""
        self.requests.append((method, path, body))
        if path in ("/v3/pay/transactions/native", "/v3/pay/transactions/jsapi"):
            number = body["out_trade_no"]
            known = self.trades.get(number)
            if known is not None and known["trade_state"] != "NOTPAY":
                return 400, {"code": "ORDERPAID" if known["trade_state"] == "SUCCESS" else "ORDER_CLOSED"}
            self.trades[number] = {
                "mchid": body["mchid"],
                "appid": body["appid"],
                "out_trade_no": number,
                "trade_state": "NOTPAY",
                "amount": body["amount"],
            }
            if path.endswith("jsapi"):
                return 200, {"prepay_id": f"wx{number}"}
            return 200, {"code_url": f"weixin://wxpay/bizpayurl?pr={number[-8:]}"}
        if path == "/v3/refund/domestic/refunds":
            if self.broken == "poor":
                return 403, {"code": "NOT_ENOUGH"}
            trade = self.trades.get(body["out_trade_no"])
            if trade is None or trade["trade_state"] not in ("SUCCESS", "REFUND"):
                return 404, {"code": "RESOURCE_NOT_EXISTS"}
            trade["trade_state"] = "REFUND"
            self.refunds.setdefault(body["out_refund_no"], body)
            return 200, {"status": self.refund_state, "out_refund_no": body["out_refund_no"]}
        found = re.fullmatch(r"/v3/pay/transactions/out-trade-no/([\w-]+)(/close)?(\?mchid=\d+)?", path)
        assert found is not None, path
        trade = self.trades.get(found[1])
        if trade is None:
            return 404, {"code": "ORDER_NOT_EXIST"}
        if found[2] is None:
            return 200, trade
        if trade["trade_state"] == "SUCCESS":
            return 400, {"code": "ORDERPAID"}
        trade["trade_state"] = "CLOSED"
        return 204, None


@contextmanager
def wechat() -> Iterator[WeChat]:
    """WeChat on a port of this machine, for a while."""
    played = WeChat()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            text = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            if played.broken in ("silent", "astray"):
                self.send_response(500 if played.broken == "silent" else 404)
                self.end_headers()
                return
            if not played.vouched(self.command, self.path, self.headers["Authorization"], text):
                status, reply = 401, {"code": "SIGN_ERROR"}
            else:
                status, reply = played.answer(self.command, self.path, json.loads(text) if text else {})
            body = b"" if reply is None else json.dumps(reply).encode()
            self.send_response(status)
            for name, value in played.signed(body, key=_key() if played.broken == "forged" else None).items():
                self.send_header(name.title(), value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = _serve  # noqa: N815

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    played.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield played
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
