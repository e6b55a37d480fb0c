"""The runner over real HTTP: API, pages, public files, transfers, outbox, headers, limits."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from infra.local.runner import Running, running
from tests.local.toy_app import Toy, make_toy, write_templates

_NOBODY = ("AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_EC2_METADATA_DISABLED")
JSON = {"Content-Type": "application/json"}
# Chalice returns bytes only to those who ask for them.
OCTETS = {"Content-Type": "application/octet-stream", "Accept": "application/octet-stream"}


@dataclass
class Served:
    """A running stack with the toy application."""

    running: Running
    toy: Toy

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(urlsplit(self.running.url).netloc, timeout=10)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = self.connection()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def post(self, path: str) -> dict[str, Any]:
        status, _, body = self.request("POST", path, b"{}", JSON)
        assert status == 200, body
        shown: dict[str, Any] = json.loads(body)
        return shown

    def eventually(self, condition: Any, seconds: float = 10.0) -> None:
        """Wait for something the workers do."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "it did not happen"
            time.sleep(0.01)


@pytest.fixture
def quiet_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables the stack sets are taken back after the test, and none from outside lead it elsewhere."""
    for name in list(os.environ):
        if name.startswith(("TABLE_", "DYNAMODB_", "FILES_BUCKET", "SITE_BUCKET", "AWS_")):
            monkeypatch.delenv(name)
    # What is set during the test is undone only where monkeypatch knows the variable.
    for name in ("TABLE_MATCHES", "TABLE_STANDINGS", "FILES_BUCKET", "SITE_BUCKET", *_NOBODY):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.fixture
def served(tmp_path: Path, quiet_environment: None) -> Iterator[Served]:
    choices = write_templates(tmp_path)
    toys: list[Toy] = []

    def load() -> Any:
        toys.append(make_toy())
        return toys[0].app

    said: list[str] = []
    with running(tmp_path / "data", load, show=said.append, **choices) as server:
        yield Served(server, toys[0])


def test_a_write_reaches_the_stream_function_at_once(served: Served) -> None:
    assert served.post("/api/hits/a") == {"hits": 1}
    served.eventually(lambda: served.request("GET", "/api/hits/a")[2] == b'{"hits":1}')


def test_a_filtered_record_reaches_nobody(served: Served) -> None:
    served.post("/api/hits/quiet?wakes=0")
    served.post("/api/hits/loud")
    served.eventually(lambda: "loud" in served.toy.seen())
    assert "quiet" not in served.toy.seen()


def test_requests_of_many_threads_do_not_mix(served: Served) -> None:
    wrong: list[bytes] = []

    def work(number: int) -> None:
        for position in range(20):
            sent = f"{number}-{position}".encode() * 50
            status, _, body = served.request("POST", "/api/echo", sent, OCTETS)
            if (status, body) != (200, sent):
                wrong.append(body)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_bytes_cookies_and_the_address_go_through(served: Served) -> None:
    sent = bytes(range(256))
    headers = {**OCTETS, "Cookie": "s=1", "X-Forwarded-For": "203.0.113.9"}
    status, shown, body = served.request("POST", "/api/echo", sent, headers)
    assert (status, body) == (200, sent)
    assert shown.get_all("Set-Cookie") == ["a=1", "b=2"]
    assert shown["X-Seen"] == "203.0.113.9, 127.0.0.1"
    assert shown["X-Cookie"] == "s=1"


def test_the_schedule_runs_at_the_start(served: Served) -> None:
    served.eventually(lambda: served.toy.ticks["aws.events"] == 1)


def test_what_does_not_exist_is_a_problem_document(served: Served) -> None:
    for method, path in (("GET", "/api/nowhere"), ("POST", "/p/x"), ("DELETE", "/")):
        status, headers, body = served.request(method, path)
        assert (status, headers["Content-Type"]) == (404, "application/problem+json")
        assert json.loads(body) == {"code": "not_found"}
    assert served.request("GET", "/no/such/page.html")[0] == 404
    assert served.request("GET", "/pub/none.json")[0] == 404


def test_a_dying_function_is_an_answer_and_the_server_lives(served: Served) -> None:
    assert served.request("GET", "/api/dies")[0] == 500
    assert served.request("GET", "/api/fails")[0] == 400
    assert served.post("/api/hits/a") == {"hits": 1}


@pytest.mark.parametrize("path", ["/", "/index.html"])
def test_the_home_page(served: Served, path: str) -> None:
    status, headers, body = served.request("GET", path)
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "掼军" in body.decode()
    assert headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["/p/e1", "/p", "/p/e1/more?x=1", "/play.html"])
def test_pretty_paths_lead_to_their_page(served: Served, path: str) -> None:
    assert b"<p>play</p>" in served.request("GET", path)[2]


def test_assets_are_kept_for_ever_and_confirmed_by_tag(served: Served) -> None:
    status, headers, _ = served.request("GET", "/assets/app.js")
    assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert "immutable" in headers["Cache-Control"]
    status, _, body = served.request("GET", "/assets/app.js", headers={"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, b"")
    status, headers, body = served.request("HEAD", "/assets/app.js")
    assert (status, headers["Content-Length"], body) == (200, "9", b"")


@pytest.mark.parametrize("path", ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "//secret.txt"])
def test_nothing_outside_the_pages_is_served(served: Served, path: str) -> None:
    assert served.request("GET", path)[0] == 404


def test_every_answer_has_the_edge_s_headers(served: Served) -> None:
    for path in ("/", "/api/hits/a", "/api/nowhere", "/pub/none.json"):
        headers = served.request("GET", path)[1]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Content-Security-Policy"] == "frame-ancestors 'self'"
        assert "Strict-Transport-Security" not in headers


def test_long_text_is_compressed_for_those_who_can_read_it(served: Served) -> None:
    plain = served.request("GET", "/p/e1")
    status, headers, body = served.request("GET", "/p/e1", headers={"Accept-Encoding": "gzip, br"})
    assert (status, headers["Content-Encoding"], headers["Vary"]) == (200, "gzip", "Accept-Encoding")
    assert len(body) < len(plain[2]) / 5
    assert gzip.decompress(body) == plain[2]
    assert "Content-Encoding" not in served.request("GET", "/", headers={"Accept-Encoding": "gzip"})[1]


def test_public_files_come_with_their_headers(served: Served) -> None:
    files = served.running.stack.files
    etag = files.put("pub/e1/pulse.json", b'{"v":1}', "application/json", "max-age=1")
    files.put("uploads/private.json", b"{}", "application/json", "no-store")
    status, headers, body = served.request("GET", "/pub/e1/pulse.json")
    assert (status, body) == (200, b'{"v":1}')
    assert (headers["ETag"], headers["Cache-Control"]) == (etag, "max-age=1")
    assert served.request("GET", "/pub/e1/pulse.json", headers={"If-None-Match": f'W/{etag}, "x"'})[0] == 304
    for path in ("/uploads/private.json", "/pub/../uploads/private.json", "/pub/%2e%2e/uploads/private.json"):
        assert served.request("GET", path)[0] == 404


def test_bodies_beyond_ten_megabytes_are_refused_unread(served: Served) -> None:
    connection = socket.create_connection(urlsplit(served.running.url).netloc.split(":"), timeout=10)
    connection.sendall(
        b"POST /api/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
        b"Content-Length: 10485761\r\n\r\n"
    )
    answer = connection.recv(4096)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b'{"code": "too_large"}' in answer
    connection.close()


@pytest.mark.parametrize("length", ["-1", "x", "1_0"])
def test_a_length_that_is_none_is_refused(served: Served, length: str) -> None:
    assert served.request("POST", "/api/echo", headers={**JSON, "Content-Length": length})[0] == 411


def multipart(fields: dict[str, str], content: bytes | None) -> tuple[bytes, dict[str, str]]:
    boundary = "----gj7MA4YWxk"
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    )
    if content is not None:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="名单.xlsx"\r\n'
        body += head.encode() + b"Content-Type: application/octet-stream\r\n\r\n" + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}


def test_an_upload_by_ticket_arrives_byte_by_byte(served: Served) -> None:
    files = served.running.stack.files
    content = bytes(range(256)) * 40 + b"\r\n--\r\n\n\r\x0b\x0c\x1c\x85"
    ticket = files.upload_ticket("uploads/1.xlsx", len(content))
    assert served.request("POST", ticket.url, *multipart(ticket.fields, content))[0] == 204
    found = files.get("uploads/1.xlsx")
    assert found is not None
    assert found.body == content


def test_uploads_are_limited_to_what_was_granted(served: Served) -> None:
    files = served.running.stack.files
    ticket = files.upload_ticket("uploads/2.xlsx", 10)
    other = {**ticket.fields, "key": "pub/evil.json"}
    forged = {**ticket.fields, "grant": ticket.fields["grant"][:-4] + "0000"}
    for fields, content, status in (
        (ticket.fields, b"x" * 11, 400),
        (ticket.fields, b"", 400),
        (ticket.fields, None, 400),
        (other, b"x", 400),
        (forged, b"x", 403),
        ({}, b"x", 403),
    ):
        assert served.request("POST", ticket.url, *multipart(fields, content))[0] == status
    assert served.request("POST", ticket.url, b"no form at all", JSON)[0] == 403
    assert list(files.list_prefix("uploads/")) == []


def test_a_download_is_saved_under_its_name(served: Served) -> None:
    files = served.running.stack.files
    files.put("downloads/1.xlsx", b"content", "application/vnd.ms-excel", "no-store")
    status, headers, body = served.request("GET", files.download_link("downloads/1.xlsx", "成绩.xlsx"))
    assert (status, body) == (200, b"content")
    assert "filename*=UTF-8''%E6%88%90%E7%BB%A9.xlsx" in headers["Content-Disposition"]
    assert served.request("GET", "/local/download?grant=x.y")[0] == 403
    assert served.request("GET", files.download_link("downloads/2.xlsx", "x"))[0] == 404


def test_the_outbox_is_for_this_machine_only(served: Served) -> None:
    served.running.stack.outbox.send("13800138000", "验证码 123456")
    port = urlsplit(served.running.url).port
    for host in ("localhost", "127.0.0.1", "[::1]"):
        status, headers, body = served.request("GET", "/api/local/outbox", headers={"Host": f"{host}:{port}"})
        assert (status, headers["Cache-Control"]) == (200, "no-store")
        (message,) = json.loads(body)["messages"]
        assert (message["phone"], message["text"]) == ("13800138000", "验证码 123456")
    for host in ("evil.example", "localhost.evil.example", "192.168.1.5", "", f"evil.example:{port}"):
        assert served.request("GET", "/api/local/outbox", headers={"Host": host})[0] == 404
    assert served.request("POST", "/api/local/outbox", b"{}", JSON)[0] == 404


def test_one_connection_serves_many_requests(served: Served) -> None:
    connection = served.connection()
    for position in range(5):
        connection.request("GET", "/p/e1" if position % 2 else "/api/nowhere")
        answer = connection.getresponse()
        assert answer.read()
        assert not answer.will_close
    connection.close()
