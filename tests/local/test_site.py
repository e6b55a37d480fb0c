"""Who may see the outbox, by the address the connection comes from (which a test cannot fake over HTTP)."""

from __future__ import annotations

from pathlib import Path

import pytest
from chalice import Chalice

from infra.local.edge import read_edge
from infra.local.files import LocalFiles
from infra.local.gateway import Gateway, GatewayResponses
from infra.local.outbox import Outbox
from infra.local.pages import Pages
from infra.local.site import HttpRequest, Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    responses, edge = GatewayResponses({}), read_edge()
    gateway = Gateway(Chalice(app_name="empty"), responses)
    files = LocalFiles(tmp_path / "files", b"secret")
    return Site(gateway, responses, Pages(tmp_path, edge), files, Outbox(lambda line: None), edge)


@pytest.mark.parametrize(
    ("peer", "host", "status"),
    [
        ("127.0.0.1", "localhost:8000", 200),
        ("::1", "[::1]:8000", 200),
        ("::1", "[::1]", 200),
        ("::ffff:127.0.0.1", "127.0.0.1", 200),
        ("192.168.1.7", "localhost:8000", 404),
        ("192.168.1.7", "192.168.1.2:8000", 404),
        ("127.0.0.1", "hall.example:8000", 404),
        ("127.0.0.1", "127.0.0.1.evil.example", 404),
    ],
)
def test_the_outbox_wants_loopback_on_both_sides(site: Site, peer: str, host: str, status: int) -> None:
    request = HttpRequest("GET", "/api/local/outbox", {"host": host}, b"", peer)
    assert site.handle(request).status == status


def test_a_forwarded_address_does_not_make_it_loopback(site: Site) -> None:
    headers = {"host": "localhost", "x-forwarded-for": "127.0.0.1"}
    assert site.handle(HttpRequest("GET", "/api/local/outbox", headers, b"", "10.0.0.9")).status == 404
