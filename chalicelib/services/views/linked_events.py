"""关联赛事 as the API answers them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LinkedEvent:
    """An event that shares its QR."""

    event_id: str
    name: str
    kind: str
    starts_at: int | None


@dataclass(frozen=True)
class LinkedEvents:
    """The other events of the set, by name."""

    events: list[LinkedEvent]
