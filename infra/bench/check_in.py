"""Requests to the store of one check-in: by the player's own phone, at the desk by its link, by an organizer."""

from __future__ import annotations

from chalicelib.services import links
from chalicelib.services.device_tokens import DeviceToken, write_token
from chalicelib.services.permissions import Role
from chalicelib.services.world import World
from chalicelib.store.entries import Device
from infra.bench import national
from infra.bench.row import BenchRow
from infra.local.engine import Engine
from infra.local.gateway import Gateway, GatewayResponses
from infra.local.templates import MERGE_TEMPLATE, read_template

MOST_REQUESTS = 3
PHONES_ENTRY, DESKS_ENTRY = 3, 4


def rows() -> list[BenchRow]:
    """One row for the phone and one for the desk."""
    import app as application

    gateway = Gateway(application.app, GatewayResponses(read_template(MERGE_TEMPLATE)))
    with national.store(Engine) as (engine, world):
        national.write_event(world, settled=0)
        phone, desk = _phone(world), _desk(world)
        return [
            _row(engine, gateway, "by the player's phone", "/me/check-in", b"", phone),
            _row(engine, gateway, "at the desk", f"/entries/{DESKS_ENTRY}/check-in", b'{"checked_in": true}', desk),
        ]


def _phone(world: World) -> dict[str, str]:
    """Headers of a phone that identified as a player."""
    device = DeviceToken(national.EVENT, PHONES_ENTRY, 0, "bench-phone")
    _, pk, sk = device.keys
    Device(pk, sk, number=PHONES_ENTRY, player=0, created_at=national.NOW).save()
    token = write_token(world, device)
    return _headers(f"guanjun_player_{national.EVENT}={token}", links.csrf_of(world, token))


def _desk(world: World) -> dict[str, str]:
    """Headers of a browser that came by the desk's link, and has been there for a moment."""
    for link in links.fresh(national.EVENT):
        link.last_used_at = national.NOW
        link.save()
    token = links.token_of(world, national.EVENT, Role.DESK, 1)
    return _headers(f"guanjun_link_{national.EVENT}={token}", links.csrf_of(world, token))


def _headers(cookie: str, csrf: str) -> dict[str, str]:
    return {
        "content-type": "application/json",
        "accept": "application/json",
        "cookie": cookie,
        "x-csrf-token": csrf,
        "idempotency-key": f"bench-{csrf[:8]}",
    }


def _row(engine: Engine, gateway: Gateway, who: str, path: str, body: bytes, headers: dict[str, str]) -> BenchRow:
    engine.recorder.clear()
    reply = gateway.handle("PUT", f"/events/{national.EVENT}{path}", headers, body)
    if reply.status != 200:
        raise RuntimeError(f"expected 200, got {reply}")
    requests = sum(engine.recorder.requests().values())
    return BenchRow("Q8", f"check-in {who}: requests to DynamoDB", requests, "requests", target=MOST_REQUESTS)
