"""The public event list as the API answers it."""

from __future__ import annotations

import msgspec


class ListedEvent(msgspec.Struct, frozen=True):
    """A line of the list. ``at``: its place in it, in milliseconds (start; of a finished event, its last act)."""

    event_id: str
    name: str
    kind_zh: str
    kind_en: str
    starts_at: int | None
    time_zone: str
    rounds: int
    at: int


class PublicList(msgspec.Struct, frozen=True):
    """A page of one part of the list; ``next`` continues, None at its end."""

    events: list[ListedEvent]
    next: str | None
