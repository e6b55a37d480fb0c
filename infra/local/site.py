"""Everything behind the one address: the API, the pages, the public files, transfers, and the outbox."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

import msgspec

from infra.local.edge import Edge
from infra.local.files import DOWNLOAD_PATH, UPLOAD_PATH, LocalFiles
from infra.local.gateway import Answer, Gateway, GatewayResponses
from infra.local.outbox import Outbox
from infra.local.pages import Pages, public_answer
from infra.local.transfers import download, upload

API_PREFIX = "/api"
PUBLIC_PREFIX = "/pub/"
OUTBOX_PATH = "/api/local/outbox"
_PORT = re.compile(r":[0-9]+$")
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1", "::ffff:127.0.0.1")


@dataclass(frozen=True)
class HttpRequest:
    """One request: method, path with query, lower-case header names, body, and the address it came from."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    peer: str

    @property
    def path(self) -> str:
        return urlsplit(self.target).path


class Site:
    """Sends each request to the part that answers it, and adds the edge's headers."""

    def __init__(
        self,
        gateway: Gateway,
        responses: GatewayResponses,
        pages: Pages,
        files: LocalFiles,
        outbox: Outbox,
        edge: Edge,
    ) -> None:
        self._gateway = gateway
        self._responses = responses
        self._pages = pages
        self._files = files
        self._outbox = outbox
        self._edge = edge

    def handle(self, request: HttpRequest) -> Answer:
        """Answer a request completely; headers the program sets itself win over the edge's."""
        answer = self._route(request)
        given = {name.lower() for name, _ in answer.headers}
        extra = tuple(pair for pair in self._edge.headers.items() if pair[0].lower() not in given)
        return Answer(answer.status, answer.headers + extra, answer.body)

    def too_large(self) -> Answer:
        """The answer to a body beyond every limit."""
        return self._responses.answer("REQUEST_TOO_LARGE", 413)

    def _route(self, request: HttpRequest) -> Answer:
        path = request.path
        if path == OUTBOX_PATH:
            return self._show_outbox(request)
        if path.startswith(f"{API_PREFIX}/"):
            return self._call_api(request)
        if path == UPLOAD_PATH and request.method == "POST":
            return upload(self._files, request.headers.get("content-type", ""), request.body)
        if request.method not in ("GET", "HEAD"):
            return self._responses.answer("MISSING_AUTHENTICATION_TOKEN", 404)
        known = request.headers.get("if-none-match", "")
        found: Answer | None
        if path == DOWNLOAD_PATH:
            found = download(self._files, urlsplit(request.target).query)
        elif path.startswith(PUBLIC_PREFIX):
            found = public_answer(self._files, path, known)
        else:
            found = self._pages.answer(path, known)
        return found or self._responses.answer("RESOURCE_NOT_FOUND", 404)

    def _call_api(self, request: HttpRequest) -> Answer:
        # As at the edge: the address the connection comes from is appended, whatever the client wrote there.
        forwarded = request.headers.get("x-forwarded-for")
        headers = {**request.headers, "x-forwarded-for": f"{forwarded}, {request.peer}" if forwarded else request.peer}
        return self._gateway.handle(request.method, request.target[len(API_PREFIX) :], headers, request.body)

    def _show_outbox(self, request: HttpRequest) -> Answer:
        """The codes that were sent, for the person at this machine only.

        The Host header is checked too: a web page elsewhere may point its own name at 127.0.0.1 (DNS rebinding).
        """
        host = _PORT.sub("", request.headers.get("host", ""))
        if request.method != "GET" or request.peer not in LOOPBACK_ADDRESSES or host not in LOOPBACK_NAMES:
            return self._responses.answer("RESOURCE_NOT_FOUND", 404)
        body = msgspec.json.encode({"messages": [asdict(message) for message in self._outbox.messages()]})
        return Answer(200, (("Content-Type", "application/json"), ("Cache-Control", "no-store")), body)
