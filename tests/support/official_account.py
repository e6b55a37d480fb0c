"""A server that plays WeChat for an official account: authorizing, codes, access tokens, followers.

It answers what WeChat documents: errors are ``errcode`` and ``errmsg`` with status 200, a code is good once and five
minutes, an access token ends when a new one is forced.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from chalicelib.gateways.wechat import Papers

APP_ID, APP_SECRET = "wx0000000000000001", "an-app-secret-of-the-tests"
FOLLOW = "http://weixin.qq.com/r/guanjun-tests"


class PlayedWeChat:
    """What WeChat knows, in the test's hand. ``user``: whose phone opens the authorize page."""

    def __init__(self) -> None:
        self.user = "openid-of-jia"
        self.followers: set[str] = set()
        self.codes: dict[str, str] = {}
        self.asked: list[str] = []
        self.errcode = 0
        """Answered to everything, if not 0."""
        self.status = 200
        self.text: str | None = None
        """Answered to everything, if not None."""
        self.tokens = 0
        self._number = 0
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"played": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def papers(self, site: str = "https://guanjun.example", **more: Any) -> Papers:
        """Papers of the account, with this server for WeChat."""
        authorize = f"{self.address}/connect/oauth2/authorize"
        words = {"name": "掼军俱乐部", "follow": FOLLOW, **more}
        return Papers(APP_ID, APP_SECRET, site, api=self.address, authorize=authorize, **words)

    def stop(self) -> None:
        """Answer no longer."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def code(self, openid: str | None = None) -> str:
        """A fresh code of somebody."""
        with self._lock:
            self._number += 1
            code = f"code{self._number}"
            self.codes[code] = openid or self.user
        return code

    def token(self) -> str:
        """The access token that is good now."""
        return f"token-{self.tokens}"

    def answer(self, method: str, path: str, query: dict[str, str], body: dict[str, Any]) -> tuple[int, str, str]:
        """Status, text and, for a redirect, where to."""
        self.asked.append(path)
        if path == "/connect/oauth2/authorize":
            assert (query["appid"], query["response_type"], query["scope"]) == (APP_ID, "code", "snsapi_base")
            back = urlencode({"code": self.code(), "state": query["state"]})
            return 302, "", f"{query['redirect_uri']}?{back}"
        if self.text is not None or self.status != 200:
            return self.status, self.text or "", ""
        found = (
            {"errcode": self.errcode, "errmsg": "played"} if self.errcode else self._found(method, path, query, body)
        )
        return 200, json.dumps(found), ""

    def _found(self, method: str, path: str, query: dict[str, str], body: dict[str, Any]) -> dict[str, Any]:
        if (method, path) == ("GET", "/sns/oauth2/access_token"):
            if (query["appid"], query["secret"]) != (APP_ID, APP_SECRET):
                return {"errcode": 40125, "errmsg": "invalid appsecret"}
            openid = self.codes.get(query["code"])
            if openid is None:
                return {"errcode": 40029, "errmsg": "invalid code"}
            if openid == "used":
                return {"errcode": 40163, "errmsg": "code been used"}
            self.codes[query["code"]] = "used"
            return {"access_token": "of-the-user", "expires_in": 7200, "openid": openid, "scope": "snsapi_base"}
        if (method, path) == ("POST", "/cgi-bin/stable_token"):
            if (body["appid"], body["secret"]) != (APP_ID, APP_SECRET):
                return {"errcode": 40125, "errmsg": "invalid appsecret"}
            with self._lock:
                if body["force_refresh"] or self.tokens == 0:
                    self.tokens += 1
            return {"access_token": self.token(), "expires_in": 7200}
        if (method, path) == ("GET", "/cgi-bin/user/info"):
            if query["access_token"] != self.token():
                return {"errcode": 40001, "errmsg": "invalid credential"}
            return {"subscribe": int(query["openid"] in self.followers), "openid": query["openid"]}
        return {"errcode": 40066, "errmsg": "invalid url"}


class _Handler(BaseHTTPRequestHandler):
    played: PlayedWeChat

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def _serve(self, method: str) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        status, text, where = self.played.answer(method, parts.path, query, json.loads(raw) if raw else {})
        self.send_response(status)
        if where:
            self.send_header("location", where)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        """Say nothing."""
