"""关联赛事 as the API answers them."""

from __future__ import annotations

import msgspec


class LinkedEvent(msgspec.Struct, frozen=True):
    """An event that shares its QR."""

    event_id: str
    name: str
    kind: str
    starts_at: int | None


class LinkedEvents(msgspec.Struct, frozen=True):
    """The other events of the set, by name."""

    events: list[LinkedEvent]
