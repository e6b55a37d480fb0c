"""Browsers nobody knows: a signed number that tells one from another, so that guessing is limited by device.

It says nothing about anybody. Whoever throws it away counts as new and meets the event's own limit instead.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from chalicelib.services.world import World

COOKIE = "guanjun_browser"
COOKIE_SECONDS = 60 * 86_400


def read(world: World, token: str) -> str | None:
    """The browser that a cookie's value names, None if we did not write it."""
    browser_id, _, signature = token.partition(".")
    right = hmac.compare_digest(signature.encode(), _signature(world, browser_id).encode())
    return browser_id if right else None


def fresh(world: World) -> tuple[str, str]:
    """A new browser and its cookie's value."""
    browser_id = world.random.token(9)
    return browser_id, f"{browser_id}.{_signature(world, browser_id)}"


def _signature(world: World, browser_id: str) -> str:
    digest = hmac.new(world.secret, b"browser\n" + browser_id.encode(), hashlib.sha256).digest()[:18]
    return base64.urlsafe_b64encode(digest).decode()
