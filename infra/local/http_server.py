"""HTTP/1.1 for the local stack: threads, keep-alive, compression, limits.

Python's own server writes headers and body apart and waits for acknowledgements between them (Nagle): 44 ms an
answer. Here an answer is buffered and leaves in one piece.
"""

from __future__ import annotations

import gzip
import logging
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from infra.local.gateway import Answer
from infra.local.site import HttpRequest, Site

MAX_BODY_BYTES = 10 * 1024 * 1024
COMPRESS_FROM_BYTES = 1024
COMPRESSION_LEVEL = 5
IDLE_SECONDS = 75
WRITE_BUFFER_BYTES = 64 * 1024
_COMPRESSED = ("text/", "application/json", "application/problem+json", "image/svg+xml", "application/manifest+json")

logger = logging.getLogger("guanjun.local")


class Server(ThreadingHTTPServer):
    """Serves a site at an address; a thread per connection."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self, host: str, port: int, site: Site) -> None:
        self.site = site
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Browsers drop connections all the time; that is no error of ours."""
        logger.debug("connection from %s ended early", client_address, exc_info=True)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = WRITE_BUFFER_BYTES
    timeout = IDLE_SECONDS

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing: a log of addresses and paths is personal data nobody asked for."""

    def version_string(self) -> str:
        """The Server header: no version, nobody needs to know it."""
        return "guanjun"

    def _answer(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not length.isdecimal():
            self.close_connection = True
            self._write(Answer(411, (), b""))
            return
        if int(length) > MAX_BODY_BYTES:
            # The body is not read, so the connection cannot be used again.
            self.close_connection = True
            self._write(self.server.site.too_large())
            return
        body = self.rfile.read(int(length))
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            key = name.lower()
            separator = "; " if key == "cookie" else ", "
            headers[key] = f"{headers[key]}{separator}{value}" if key in headers else value
        # "//host/path" would be read as an address with a host of its own.
        target = "/" + self.path.lstrip("/")
        self._write(self.server.site.handle(HttpRequest(self.command, target, headers, body, self.client_address[0])))

    def _write(self, answer: Answer) -> None:
        body = answer.body
        self.send_response(answer.status)
        kind = next((value for name, value in answer.headers if name.lower() == "content-type"), "")
        encoded = any(name.lower() == "content-encoding" for name, _ in answer.headers)
        if kind.startswith(_COMPRESSED) and not encoded:
            self.send_header("Vary", "Accept-Encoding")
            if len(body) > COMPRESS_FROM_BYTES and "gzip" in self.headers.get("Accept-Encoding", ""):
                body = gzip.compress(body, COMPRESSION_LEVEL, mtime=0)
                self.send_header("Content-Encoding", "gzip")
        for name, value in answer.headers:
            self.send_header(name, value)
        if answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD" and answer.status not in (204, 304):
            self.wfile.write(body)
        self.wfile.flush()

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _answer  # noqa: N815 - http.server's names
