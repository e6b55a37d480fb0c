"""Callbacks of the provider: verified before anything is read from them, then worked off like any other news."""

from __future__ import annotations

from collections.abc import Mapping

from chalicelib.gateways.payments import NoticeRefused, Payment
from chalicelib.services.payments import progress
from chalicelib.services.problems import Problem
from chalicelib.services.views.payments import Taken
from chalicelib.services.world import World

MOST_BYTES = 64 * 1024
"""Of a callback; WeChat's have two thousand. Anybody may call, and is not read further."""


def take(world: World, headers: Mapping[str, str], body: bytes) -> Taken:
    """Take one callback. Whatever is not answered well is sent again by the provider, for a day.

    Raises notice_refused for one that the provider did not sign, order_not_found.
    """
    try:
        if len(body) > MOST_BYTES:
            raise NoticeRefused("size")
        told = world.payments.notice(headers, body, world.now())
    except NoticeRefused as refused:
        progress.logger.warning("a payment notice was refused: %s", refused)
        raise Problem("notice_refused") from refused
    if not isinstance(told, Payment):
        progress.refunded(world, told)
    elif told.state == "paid":
        progress.paid(world, told)
    return Taken()
