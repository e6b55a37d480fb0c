"""Encryption and people's data as the API answers them. Times are milliseconds since 1970 UTC."""

from __future__ import annotations

import msgspec


class Encryption(msgspec.Struct, frozen=True):
    """是否加密. ``pending``: entries from before are still being sealed; ``generation``: which key pair, from 1;
    ``unlocked``: the digits sent with this request open it."""

    on: bool
    since: int | None
    pending: bool
    generation: int
    unlocked: bool


class Erased(msgspec.Struct, frozen=True):
    """What is left of an erased person: the entry, and what the person is called now."""

    number: int
    player: int
    name: str
