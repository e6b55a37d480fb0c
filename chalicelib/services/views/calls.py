"""Calls of players for a referee as the API answers them."""

from __future__ import annotations

import msgspec


class CallView(msgspec.Struct, frozen=True):
    """A call (呼叫裁判) or a request to correct a result (更正请求).

    ``kind``: call | correction. ``table`` is the table's address, ``match`` the number people read, ``room``: open |
    closed, None outside teams of four. ``side``: ns | ew; ``entry`` and ``name``: who called; ``taken_name``: what the
    referee who took it is called, where they said. ``place``: how many calls
    that nobody has taken stand before this one, itself included; 0 once a referee has taken it. Times in milliseconds.
    """

    call: str
    kind: str
    message: str
    round: int
    table: int
    match: int
    room: str | None
    side: str
    entry: int
    name: str
    at: int
    taken_at: int | None
    taken_by: str | None
    taken_name: str | None
    place: int
